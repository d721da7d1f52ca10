import type { PlainDate } from '../../lib/plain-date.ts'
import { instantOf, zonedIso } from '../../lib/zoned-time.ts'
import type { WorldProperty, WorldRate } from '../world/contract.ts'

/** The ways a house may write its penalty; each sticks to one. */
const SIZES = [{ nights: '1' }, { percent: '50%' }, { percent: '100%' }] as const

export type Penalties = {
  readonly refundable: boolean
  /** As Rapid writes them. */
  readonly cancel_penalties: readonly object[]
  /** What cancelling one room costs at an instant, given what its nights were billed at. */
  feeAt(instant: number, billedNights: readonly number[]): number
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

export function penaltiesOf(property: WorldProperty, rate: WorldRate, checkIn: PlainDate, now: number): Penalties {
  const { timezone } = property.place
  const { currency } = rate
  const arrival = deadlineOf(checkIn, property.checkInTime, timezone, 0)
  if (!rate.refundable) {
    const start = isoWithMs(now - (now % 60_000), timezone)
    return {
      refundable: false,
      cancel_penalties: [{ currency, start, end: arrival.iso, percent: '100%' }],
      feeAt: (_, billedNights) => sumOf(billedNights),
    }
  }
  const deadline = deadlineOf(checkIn, property.checkInTime, timezone, rate.freeCancelHours)
  const size = SIZES[property.key % SIZES.length] ?? SIZES[0]
  return {
    refundable: deadline.ms > now,
    cancel_penalties: [{ currency, start: deadline.iso, end: arrival.iso, ...size }],
    feeAt(instant, billedNights) {
      if (instant < deadline.ms) return 0
      if ('nights' in size) return sumOf(billedNights.slice(0, Number(size.nights)))
      return Math.round((sumOf(billedNights) * Number.parseInt(size.percent, 10)) / 100)
    },
  }
}

type Deadline = { readonly ms: number; readonly iso: string }

/** Working out a zone's offset is slow, and the houses of a town share a few deadlines. */
const remembered = new Map<string, Deadline>()
const REMEMBERED_MAX = 5_000

function remember(key: string, make: () => Deadline): Deadline {
  const known = remembered.get(key)
  if (known !== undefined) return known
  if (remembered.size >= REMEMBERED_MAX) remembered.clear()
  const made = make()
  remembered.set(key, made)
  return made
}

function deadlineOf(date: PlainDate, time: string, timezone: string, hoursBefore: number): Deadline {
  return remember(`${date} ${time} ${timezone} ${hoursBefore}`, () => {
    const ms = instantOf(date, time, timezone) - hoursBefore * 3_600_000
    return { ms, iso: withMs(zonedIso(ms, timezone)) }
  })
}

const isoWithMs = (ms: number, timezone: string): string =>
  remember(`${ms} ${timezone}`, () => ({ ms, iso: withMs(zonedIso(ms, timezone)) })).iso

const withMs = (iso: string): string => `${iso.slice(0, 19)}.000${iso.slice(19)}`
