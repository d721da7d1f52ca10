import type { Static } from 'typebox'
import { toMajor } from '../domain/money/money.ts'
import { moment } from '../http/present/moment.ts'
import { presentMoney } from '../http/present/money.ts'
import type { BookingSale } from './explain-booking.ts'
import type { RuleVersion } from './manage-rules.ts'
import type { Rule } from './rules.ts'
import type { BookingSaleResponse, OneVersionResponse, RuleSchema, RulesResponse, TryResponse } from './schemas.ts'
import type { TrialPrice } from './try-price.ts'

function presentRule({ priority, match, ...rule }: Rule): Static<typeof RuleSchema> {
  const { checkIn, leadDays, account, vendor, country, location, property, stars, nights } = match
  const lists = { account, vendor, country, location, property }
  return {
    priority,
    match: {
      ...Object.fromEntries(
        Object.entries(lists).flatMap(([name, all]) => (all === undefined ? [] : [[name, [...all]]])),
      ),
      ...(stars && { stars }),
      ...(checkIn && { check_in: checkIn }),
      ...(leadDays && { lead_days: leadDays }),
      ...(nights && { nights }),
    },
    ...(rule.percent !== undefined && { percent: rule.percent }),
    ...(rule.perNight && { per_night: presentMoney(rule.perNight) }),
    ...(rule.perStay && { per_stay: presentMoney(rule.perStay) }),
    ...(rule.rounding && { rounding: rule.rounding }),
    ...(rule.cancelBufferHours !== undefined && { cancel_buffer_hours: rule.cancelBufferHours }),
  }
}

export const presentRules = (
  latest: RuleVersion | undefined,
  history: readonly RuleVersion[],
  exchangePercent: number,
): Static<typeof RulesResponse>['data'] => ({
  version: latest?.version ?? 0,
  rules: (latest?.rules ?? []).map(presentRule),
  exchange_margin_percent: exchangePercent,
  versions: history.map(({ version, changedAt, by }) => ({
    version,
    changed_at: moment(changedAt),
    changed_by: { ...by },
  })),
})

export const presentVersion = ({
  version,
  changedAt,
  by,
  rules,
}: RuleVersion): Static<typeof OneVersionResponse>['data'] => ({
  version,
  changed_at: moment(changedAt),
  changed_by: { ...by },
  rules: rules.map(presentRule),
})

export function presentBookingSale({ booking, trial, sold }: BookingSale): Static<typeof BookingSaleResponse>['data'] {
  return {
    booking_id: booking.bookingId,
    simulated: booking.simulated,
    trial: {
      account_id: trial.accountId,
      vendor_id: trial.vendorId,
      property_id: trial.propertyId,
      ...(trial.stars > 0 && { stars: trial.stars }),
      ...(trial.countryCode !== '' && { country_code: trial.countryCode }),
      asked_on: new Date(booking.createdAt).toISOString().slice(0, 10),
      check_in: trial.stay.checkIn,
      check_out: trial.stay.checkOut,
      rooms: trial.stay.occupancies.length,
      net: presentMoney(trial.net),
      currency: trial.currency,
    },
    sold: presentTrial(sold),
  }
}

export function presentTrial({ version, rule, currency, sum }: TrialPrice): Static<typeof TryResponse>['data'] {
  const major = (minor: number) => toMajor({ minor, currency })
  return {
    version,
    rule: rule === undefined ? null : presentRule(rule),
    currency,
    net: major(sum.net),
    exchange: major(sum.exchange),
    percent: major(sum.percent),
    per_night: major(sum.perNight),
    per_stay: major(sum.perStay),
    rounding: major(sum.rounding),
    bounds: major(sum.bounds),
    selling: major(sum.selling),
  }
}
