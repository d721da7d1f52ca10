import { LRUCache } from 'lru-cache'
import { parseMoney, toDecimal } from '../../../src/domain/money/money.ts'
import { addDays, type PlainDate } from '../../../src/lib/time/plain-date.ts'
import { toInstant, zonedIso } from '../../../src/lib/time/zoned-time.ts'
import type { StandInSettings } from '../../server/settings.ts'
import type { WorldProperty, WorldRate } from '../../world/contract.ts'
import { hash, hashShare, hashText } from '../../world/hash.ts'
import { convertMinor } from '../../world/prices/exchange.ts'

type Size = { readonly nights: string } | { readonly percent: string } | { readonly amount: string }
const EVERYTHING = { percent: '100%' } as const
const HALF = { percent: '50%' } as const

/** Alternative forms of a penalty; each property always uses the same. An amount is in the billable currency. */
const listSizes = ({ currency }: WorldRate): readonly [Size, ...Size[]] => [
  { nights: '1' },
  HALF,
  EVERYTHING,
  { amount: toDecimal({ minor: convertMinor(AMOUNT.minor, AMOUNT.currency, currency), currency }) },
]
const AMOUNT = { minor: 25_00, currency: 'EUR' }

export type Penalties = {
  readonly refundable: boolean
  /** In Rapid's format. */
  readonly cancel_penalties: readonly object[]
  readonly nonrefundable_date_ranges?: readonly { start: PlainDate; end: PlainDate }[]
  /** Cost of cancelling one room at an instant, given the billed price of each night. */
  feeAt(instant: number, billedNights: readonly number[]): number
}

const addUp = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

export type Terms = {
  readonly property: WorldProperty
  readonly rate: WorldRate
  readonly checkIn: PlainDate
  readonly now: number
  readonly settings: Pick<StandInSettings, 'partialRefunds' | 'nonRefundableNights'>
  /** Not refundable, even if the rate was offered as refundable. */
  readonly isBound?: boolean
}

export function computePenalties(terms: Terms): Penalties {
  const { property, rate, checkIn, now, isBound = false } = terms
  const windows = isBound || !rate.refundable ? boundWindows(terms) : freeWindows(terms)
  const lostNight = drawLostNight(terms)
  const lostOn = lostNight === undefined ? undefined : addDays(checkIn, lostNight)
  const arrival = computeDeadline(checkIn, property.checkInTime, property.place.timezone, 0)
  return {
    refundable: lostOn === undefined && (windows[0]?.from.ms ?? 0) > now,
    cancel_penalties: windows.map(({ from, size }, index) => {
      const end = windows[index + 1]?.from.iso ?? arrival.iso
      return { currency: rate.currency, start: from.iso, end, ...size }
    }),
    ...(lostOn === undefined ? {} : { nonrefundable_date_ranges: [{ start: lostOn, end: lostOn }] }),
    feeAt(instant, billedNights) {
      const size = windows.findLast(({ from }) => from.ms <= instant)?.size
      const lost = lostNight === undefined ? 0 : (billedNights[lostNight] ?? 0)
      return Math.min(
        addUp(billedNights),
        lost + (size === undefined ? 0 : computeFee(size, billedNights, rate.currency)),
      )
    },
  }
}

type Window = { readonly from: Deadline; readonly size: Size }

function computeFee(size: Size, nights: readonly number[], currency: string): number {
  if ('nights' in size) return addUp(nights.slice(0, Number(size.nights)))
  if ('amount' in size) return parseMoney(size.amount, currency)?.minor ?? 0
  return Math.round((addUp(nights) * Number.parseInt(size.percent, 10)) / 100)
}

function freeWindows({ property, rate, checkIn }: Terms): Window[] {
  const from = computeDeadline(checkIn, property.checkInTime, property.place.timezone, rate.freeCancelHours)
  const sizes = listSizes(rate)
  return [{ from, size: sizes[property.key % sizes.length] ?? sizes[0] }]
}

/** The full price from now on, or half of it until a week before arrival. */
function boundWindows({ property, rate, checkIn, now, settings }: Terms): Window[] {
  const { timezone } = property.place
  const start = now - (now % 60_000)
  const from = cacheDeadline(`${start} ${timezone}`, () => ({ ms: start, iso: withMs(zonedIso(start, timezone)) }))
  const week = computeDeadline(checkIn, property.checkInTime, timezone, 7 * 24)
  const isPartial = hashShare(hash(property.key, hashText(rate.plan)), 43) < settings.partialRefunds && week.ms > now
  return isPartial
    ? [
        { from, size: HALF },
        { from: week, size: EVERYTHING },
      ]
    : [{ from, size: EVERYTHING }]
}

/** On some longer stays, the last night is never refunded. */
function drawLostNight({ property, rate, settings }: Terms): number | undefined {
  const nights = rate.nightlyMinor.length
  const isLost = hashShare(hash(property.key, hashText(rate.plan)), 44) < settings.nonRefundableNights
  return nights > 1 && isLost ? nights - 1 : undefined
}

type Deadline = { readonly ms: number; readonly iso: string }

/** Cached because computing a time zone's offset is slow, and properties of a town share a few deadlines. */
const deadlines = new LRUCache<string, Deadline>({ max: 5_000 })

function cacheDeadline(key: string, make: () => Deadline): Deadline {
  const known = deadlines.get(key)
  if (known !== undefined) return known
  const made = make()
  deadlines.set(key, made)
  return made
}

function computeDeadline(date: PlainDate, time: string, timezone: string, hoursBefore: number): Deadline {
  return cacheDeadline(`${date} ${time} ${timezone} ${hoursBefore}`, () => {
    const ms = toInstant(date, time, timezone) - hoursBefore * 3_600_000
    return { ms, iso: withMs(zonedIso(ms, timezone)) }
  })
}

const withMs = (iso: string): string => `${iso.slice(0, 19)}.000${iso.slice(19)}`
