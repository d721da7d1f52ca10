import fc from 'fast-check'
import { expect, test } from 'vitest'
import { currentCancelPolicy, penaltyAt } from '../../../src/domain/booking/cancel-policy.ts'
import type { CancelTerms } from '../../../src/domain/offer.ts'
import { offsetMinutes, toInstant, zonedIso } from '../../../src/lib/time/zoned-time.ts'
import { euro } from '../../support/booking/an-offer.ts'

const TOTAL = euro(30_000)
const parseTime = (iso: string) => Date.parse(iso)
const createContext = (now: string, more = {}) => ({
  total: TOTAL,
  checkIn: '2027-03-29',
  checkInTime: '15:00',
  timezone: 'Europe/Paris',
  now: parseTime(now),
  ...more,
})
/** Free until two days before, then one night, then everything; daylight-saving time starts in between. */
const STEPS: CancelTerms = {
  refundable: true,
  penalties: [
    { from: '2027-03-27T18:00:00+01:00', until: '2027-03-28T18:00:00+02:00', amount: euro(10_000) },
    { from: '2027-03-28T18:00:00+02:00', amount: euro(30_000) },
  ],
}

test.each([
  ['2027-01-01T00:00:00Z', 0, 'free', '2027-03-27T18:00:00+01:00'],
  ['2027-03-27T16:59:59.999Z', 0, 'free', '2027-03-27T18:00:00+01:00'],
  ['2027-03-27T17:00:00Z', 10_000, 'partial', '2027-03-28T18:00:00+02:00'],
  ['2027-03-28T15:59:59.999Z', 10_000, 'partial', '2027-03-28T18:00:00+02:00'],
  ['2027-03-28T16:00:00Z', 30_000, 'none', '2027-03-29T15:00:00+02:00'],
  ['2027-03-29T20:00:00Z', 30_000, 'none', '2027-03-29T15:00:00+02:00'],
])(
  'across daylight-saving time, at %s the penalty is %i and the policy %s until %s',
  (now, minor, cancelation, expires) => {
    expect(penaltyAt(STEPS, TOTAL, parseTime(now))).toEqual(euro(minor))
    expect(currentCancelPolicy(STEPS, createContext(now))).toEqual({ cancelation, expires })
  },
)

test('an offset in the terms defines the instant, which is shown in the property’s time zone', () => {
  const terms: CancelTerms = { refundable: true, penalties: [{ from: '2027-07-01T00:00:00+09:00', amount: euro(1) }] }
  const policy = currentCancelPolicy(terms, createContext('2027-01-01T00:00:00Z', { timezone: 'America/New_York' }))
  expect(policy).toEqual({ cancelation: 'free', expires: '2027-06-30T11:00:00-04:00' })
})

test.each([
  ['missing terms', undefined, 30_000, 'none'],
  ['no penalties, refundable', { refundable: true, penalties: [] }, 0, 'free'],
  ['no penalties, not refundable', { refundable: false, penalties: [] }, 30_000, 'none'],
  [
    'a penalty above the price',
    { refundable: true, penalties: [{ from: '2027-01-01T00:00:00Z', amount: euro(99_999) }] },
    30_000,
    'none',
  ],
  [
    'a penalty of zero',
    { refundable: true, penalties: [{ from: '2027-01-01T00:00:00Z', amount: euro(0) }] },
    0,
    'free',
  ],
  [
    'overlapping penalties, where the higher one applies',
    {
      refundable: true,
      penalties: [
        { from: '2027-01-01T00:00:00Z', until: '2027-03-01T00:00:00Z', amount: euro(20_000) },
        { from: '2027-01-15T00:00:00Z', until: '2027-03-01T00:00:00Z', amount: euro(5_000) },
      ],
    },
    20_000,
    'partial',
  ],
  [
    'penalties that have all ended, where nothing is refunded',
    {
      refundable: true,
      penalties: [{ from: '2027-01-01T00:00:00Z', until: '2027-01-20T00:00:00Z', amount: euro(5_000) }],
    },
    30_000,
    'none',
  ],
  [
    'a penalty with an unreadable date',
    { refundable: true, penalties: [{ from: 'soon', amount: euro(7_000) }] },
    7_000,
    'partial',
  ],
] as const)('the policy is right for %s', (_, terms, minor, cancelation) => {
  const now = '2027-02-01T00:00:00Z'
  expect(penaltyAt(terms, TOTAL, parseTime(now))).toEqual(euro(minor))
  expect(currentCancelPolicy(terms, createContext(now)).cancelation).toBe(cancelation)
})

test.each(['', 'noon', '3:00 PM', '25:00', '15:00:00', 'NaN'])(
  'a policy can be stated despite the check-in time %j',
  (checkInTime) => {
    expect(currentCancelPolicy(undefined, createContext('2027-01-01T00:00:00Z', { checkInTime })).expires).toBe(
      '2027-03-29T15:00:00+02:00',
    )
  },
)

test.each([
  ['the whole charge beside a tax due at the property', 27_000, 3_000, 'none'],
  ['a cent less than the whole charge, after conversion', 26_999, 3_000, 'none'],
  ['less than the whole charge', 20_000, 3_000, 'partial'],
  ['a part of a price that the property collects', 10_000, 30_000, 'partial'],
  ['the whole of a price that the property collects', 30_000, 30_000, 'none'],
])('a later step that keeps %s has the right policy', (_, minor, due, cancelation) => {
  const terms: CancelTerms = { refundable: true, penalties: [{ from: '2027-01-15T00:00:00Z', amount: euro(minor) }] }
  const seen = (now: string) => currentCancelPolicy(terms, createContext(now, { dueAtProperty: euro(due) })).cancelation
  expect(seen('2027-01-01T00:00:00Z')).toBe('free')
  expect(seen('2027-02-01T00:00:00Z')).toBe(cancelation)
})

const DAY = 86_400_000
const ZONES = [
  'UTC',
  'Europe/Paris',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'America/St_Johns',
]
const start = parseTime('2027-01-01T00:00:00Z')
/** Typical steps of a vendor: each costs more than the one before and starts when it ends. */
const rising = fc
  .tuple(
    fc.uniqueArray(fc.nat(300), { maxLength: 5 }),
    fc.array(fc.nat(40_000), { minLength: 5, maxLength: 5 }),
    fc.constantFrom(...ZONES),
  )
  .map(([days, amounts, zone]): CancelTerms => {
    const from = days.sort((a, b) => a - b).map((day) => zonedIso(start + day * DAY, zone))
    const rise = amounts.sort((a, b) => a - b)
    const penalties = from.map((iso, n) => ({
      from: iso,
      ...(from[n + 1] && { until: from[n + 1] as string }),
      amount: euro(rise[n] ?? 0),
    }))
    return { refundable: true, penalties }
  })
const moments = fc.integer({ min: start - 10 * DAY, max: start + 310 * DAY })

test('the penalty never falls over time and never exceeds the total', () => {
  fc.assert(
    fc.property(rising, moments, moments, (terms, a, b) => {
      const [early, late] = a < b ? [a, b] : [b, a]
      const before = penaltyAt(terms, TOTAL, early).minor
      const after = penaltyAt(terms, TOTAL, late).minor
      expect(before).toBeLessThanOrEqual(after)
      expect(after).toBeLessThanOrEqual(TOTAL.minor)
    }),
    { numRuns: 500 },
  )
})

test('the order in which the vendor lists its steps does not matter', () => {
  fc.assert(
    fc.property(rising, moments, (terms, now) => {
      const backwards = { ...terms, penalties: terms.penalties.toReversed() }
      expect(penaltyAt(backwards, TOTAL, now)).toEqual(penaltyAt(terms, TOTAL, now))
      expect(currentCancelPolicy(backwards, createContext('', { now }))).toEqual(
        currentCancelPolicy(terms, createContext('', { now })),
      )
    }),
  )
})

test('a free policy costs nothing right up to its expiry', () => {
  fc.assert(
    fc.property(rising, moments, fc.constantFrom(...ZONES), (terms, now, timezone) => {
      const checkIn = zonedIso(start + 320 * DAY, timezone).slice(0, 10)
      const policy = currentCancelPolicy(terms, createContext('', { now, timezone, checkIn }))
      const until = parseTime(policy.expires)
      expect(policy.cancelation === 'free').toBe(penaltyAt(terms, TOTAL, now).minor === 0)
      if (policy.cancelation === 'free') expect(penaltyAt(terms, TOTAL, until - 1).minor).toBe(0)
      expect(until).toBeGreaterThan(now)
      expect(policy.expires).toBe(zonedIso(until, timezone))
    }),
    { numRuns: 300 },
  )
})

test('an existing wall-clock time converts to the same time again in its zone, on every day of a year', () => {
  for (const zone of ZONES) {
    for (let day = 0; day < 366; day += 1) {
      const date = new Date(start + day * DAY).toISOString().slice(0, 10)
      for (const time of ['00:30', '12:00', '23:30']) {
        const iso = zonedIso(toInstant(date, time, zone), zone)
        expect(iso.slice(0, 16)).toBe(`${date}T${time}`)
      }
    }
  }
})

test('a wall-clock time that is skipped or repeated still means one instant, at most an hour away', () => {
  const skipped = toInstant('2027-03-28', '02:30', 'Europe/Paris')
  expect([parseTime('2027-03-28T00:30:00Z'), parseTime('2027-03-28T01:30:00Z')]).toContain(skipped)
  const twice = toInstant('2027-10-31', '02:30', 'Europe/Paris')
  expect([parseTime('2027-10-31T00:30:00Z'), parseTime('2027-10-31T01:30:00Z')]).toContain(twice)
  expect(offsetMinutes('Europe/Paris', twice)).toBe(twice === parseTime('2027-10-31T00:30:00Z') ? 120 : 60)
})
