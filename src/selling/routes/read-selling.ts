import type { Static } from 'typebox'
import type { Rounding } from '../../domain/booking/sale.ts'
import { type FieldError, invalidRequest } from '../../domain/errors.ts'
import { type Money, parseMoney } from '../../domain/money/money.ts'
import { STAY_BOUNDS } from '../../domain/stay.ts'
import { daysBetween } from '../../lib/time/plain-date.ts'
import type { Rule, RuleMatch, Span } from '../rules.ts'
import type { RuleSchema, TryBody } from '../schemas.ts'
import type { Trial } from '../try-price.ts'

type RuleBody = Static<typeof RuleSchema>

/** Throws if an amount has more digits than its currency. */
export function readRules(rules: readonly RuleBody[]): Rule[] {
  const errors: FieldError[] = []
  const read = rules.map((rule, index) => readRule(rule, amountReader(`rules[${index}]`, errors)))
  if (errors.length > 0) throw invalidRequest(errors)
  return read
}

type ReadAmount = (field: string, given: { readonly amount: number; readonly currency: string }) => Money

const amountReader =
  (path: string, errors: FieldError[]): ReadAmount =>
  (name, { amount, currency }) => {
    const money = parseMoney(amount, currency)
    if (money !== undefined) return money
    const field = path === '' ? name : `${path}.${name}`
    const message = `${field}.amount must be an amount in a known currency, with at most as many decimals as ${currency} has.`
    errors.push({ field: `${field}.amount`, code: 'wrong_format', message })
    return { minor: 0, currency }
  }

function readRule(rule: RuleBody, amount: ReadAmount): Rule {
  return {
    priority: rule.priority,
    match: readMatch(rule.match ?? {}),
    ...(rule.percent != null && { percent: rule.percent }),
    ...(rule.per_night && { perNight: amount('per_night', rule.per_night) }),
    ...(rule.per_stay && { perStay: amount('per_stay', rule.per_stay) }),
    ...(rule.rounding && { rounding: readRounding(rule.rounding) }),
    ...(rule.cancel_buffer_hours != null && { cancelBufferHours: rule.cancel_buffer_hours }),
  }
}

const readRounding = ({ step, mode, minus }: NonNullable<RuleBody['rounding']>): Rounding =>
  minus == null ? { step, mode } : { step, mode, minus }

function readMatch({ check_in, lead_days, stars, nights, ...lists }: NonNullable<RuleBody['match']>): RuleMatch {
  const named = Object.fromEntries(Object.entries(lists).filter(([, all]) => all != null))
  return {
    ...named,
    ...(stars && { stars: readSpan(stars) }),
    ...(check_in && { checkIn: readSpan(check_in) }),
    ...(lead_days && { leadDays: readSpan(lead_days) }),
    ...(nights && { nights: readSpan(nights) }),
  }
}

const readSpan = <T>({ from, to }: { from?: T | null; to?: T | null }): Span<T> => ({
  ...(from != null && { from }),
  ...(to != null && { to }),
})

/** An offer to price on trial, for one guest in each room. */
export function readTrial(body: TryBody): Trial {
  const errors: FieldError[] = []
  const amount = amountReader('', errors)
  const net = amount('net', body.net)
  const nights = daysBetween(body.check_in, body.check_out)
  if (nights < 1 || nights > STAY_BOUNDS.nightsMax) {
    const message = `check_out must be 1 to ${STAY_BOUNDS.nightsMax} days after check_in.`
    errors.push({ field: 'check_out', code: 'out_of_range', message })
  }
  const bounds = Object.entries(body.bounds ?? {}).flatMap(([name, limit]) =>
    limit == null ? [] : [[name, amount(`bounds.${name}`, { amount: limit, currency: net.currency })]],
  )
  if (errors.length > 0) throw invalidRequest(errors)
  const occupancies = Array.from({ length: body.rooms ?? 1 }, () => ({ adults: 1, childrenAges: [] }))
  return {
    accountId: body.account_id ?? '',
    vendorId: body.vendor_id,
    propertyId: body.property_id ?? '',
    stars: body.stars ?? 0,
    countryCode: body.country_code ?? '',
    locationId: body.destination_id ?? '',
    stay: { checkIn: body.check_in, checkOut: body.check_out, occupancies },
    net,
    currency: body.currency ?? net.currency,
    ...(body.asked_on != null && { at: Date.parse(body.asked_on) }),
    ...(bounds.length > 0 && { bounds: Object.fromEntries(bounds) }),
  }
}
