import type { FieldError } from '../domain/errors.ts'
import { isCurrency } from '../domain/money/currency.ts'
import type { ExchangeRates } from '../domain/money/exchange.ts'
import type { Money } from '../domain/money/money.ts'
import { isCountryCode } from '../domain/property/country.ts'
import { isPlainDate } from '../lib/time/plain-date.ts'
import type { Rule, Span } from './rules.ts'

type Known = ExchangeRates & { readonly vendorIds: readonly string[] }

/** Applies the checks that the schema cannot express. */
export const validateRules = (rules: readonly Rule[], { rates, vendorIds }: Known): FieldError[] =>
  rules.flatMap((rule, index) => [
    ...vendorErrors(`rules[${index}].match.vendor`, rule.match.vendor, vendorIds),
    ...moneyErrors(`rules[${index}].per_night`, rule.perNight, rates),
    ...moneyErrors(`rules[${index}].per_stay`, rule.perStay, rates),
    ...roundingErrors(`rules[${index}].rounding`, rule),
    ...countryErrors(`rules[${index}].match.country`, rule.match.country),
    ...dateErrors(`rules[${index}].match.check_in`, rule.match.checkIn),
    ...(['stars', 'checkIn', 'leadDays', 'nights'] as const).flatMap((name) =>
      spanErrors(`rules[${index}].match.${FIELD[name]}`, rule.match[name]),
    ),
  ])

const FIELD = { stars: 'stars', checkIn: 'check_in', leadDays: 'lead_days', nights: 'nights' } as const

function moneyErrors(field: string, money: Money | undefined, rates: ExchangeRates['rates']): FieldError[] {
  if (money === undefined || (isCurrency(money.currency) && rates[money.currency] !== undefined)) return []
  const message = `${field} must be in a currency with an exchange rate; ${money.currency} has none.`
  return [{ field: `${field}.currency`, code: 'unknown_currency', message }]
}

function roundingErrors(field: string, { rounding }: Rule): FieldError[] {
  if (rounding === undefined || (rounding.minus ?? 0) < rounding.step) return []
  return [{ field: `${field}.minus`, code: 'out_of_range', message: `${field}.minus must be less than its step.` }]
}

/** A rule for an unknown vendor or country never matches, and everything is sold at net. */
function vendorErrors(field: string, vendors: readonly string[] = [], known: readonly string[]): FieldError[] {
  const unknown = vendors.find((id) => !known.includes(id))
  if (unknown === undefined) return []
  const message = `${field} must contain vendor ids: ${known.join(', ')}. ${unknown} is not one.`
  return [{ field, code: 'unknown_vendor', message }]
}

function countryErrors(field: string, countries: readonly string[] = []): FieldError[] {
  const unknown = countries.find((code) => !isCountryCode(code))
  if (unknown === undefined) return []
  const message = `${field} must contain ISO 3166-1 codes in capitals, such as FR. ${unknown} is not one.`
  return [{ field, code: 'wrong_format', message }]
}

function dateErrors(field: string, span: Span<string> | undefined): FieldError[] {
  const isInvalid = [span?.from, span?.to].some((day) => day !== undefined && !isPlainDate(day))
  return isInvalid ? [{ field, code: 'wrong_format', message: `${field} must contain valid dates as YYYY-MM-DD.` }] : []
}

function spanErrors(field: string, span: Span<number | string> | undefined): FieldError[] {
  const isReversed = span?.from !== undefined && span.to !== undefined && span.from > span.to
  return isReversed ? [{ field, code: 'out_of_range', message: `${field}.from must not be after its to.` }] : []
}
