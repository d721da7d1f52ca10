import type { Money } from '../money/money.ts'
import type { Board } from '../offer.ts'
import type { Stay } from '../stay.ts'

type Dates = Pick<Stay, 'checkIn' | 'checkOut'>
type PropertyName = { readonly vendorPropertyId: string; readonly name?: string }
/** What cancelling costs from a moment on, or the board. */
type Term =
  | { readonly what: 'cancellation_fee'; readonly from: number; readonly fee: Money }
  | { readonly what: 'board'; readonly board: Board }

/**
 * A difference between a booking and what its vendor says about it. It is recorded and never overwrites the booking. `until`:
 * when the vendor was found to say something else, or what was agreed.
 */
export type Discrepancy = { readonly since: number; readonly until?: number } & (
  | { readonly code: 'property_differs'; readonly booked: PropertyName; readonly vendorSays: PropertyName }
  | { readonly code: 'dates_differ'; readonly booked: Dates; readonly vendorSays: Dates }
  | { readonly code: 'price_differs'; readonly booked: Money; readonly vendorSays: Money }
  | { readonly code: 'rooms_differ'; readonly booked: number; readonly vendorSays: number }
  /** The rooms whose lead guest has another name, counted from 1. Names are personal and stay with the reading. */
  | {
      readonly code: 'guests_differ'
      readonly booked: 'as_named'
      readonly vendorSays: { readonly rooms: readonly number[] }
    }
  | {
      readonly code: 'room_cancelled'
      readonly booked: 'confirmed'
      readonly vendorSays: 'partly_cancelled'
      /** Which ones, counted from 1, where the vendor says so. */
      readonly rooms?: readonly number[]
    }
  | { readonly code: 'cancelled_by_vendor'; readonly booked: 'confirmed'; readonly vendorSays: 'cancelled' }
  | { readonly code: 'not_found'; readonly booked: 'confirmed'; readonly vendorSays: 'not_found' }
  | { readonly code: 'terms_differ'; readonly booked: Term; readonly vendorSays: Term }
)

export const DISCREPANCY_CODES = [
  'property_differs',
  'dates_differ',
  'price_differs',
  'rooms_differ',
  'guests_differ',
  'room_cancelled',
  'cancelled_by_vendor',
  'not_found',
  'terms_differ',
] as const satisfies readonly Discrepancy['code'][]

export type DiscrepancyCode = Discrepancy['code']

const GRAVE: readonly DiscrepancyCode[] = ['property_differs', 'dates_differ', 'room_cancelled', 'not_found']

/** The first that would send somebody to another door, on another day, or to a missing room: only a person can settle that. */
export const graveOne = (found: readonly Discrepancy[]): Discrepancy | undefined => found.find(isGrave)

const isGrave = (one: Discrepancy): boolean =>
  GRAVE.includes(one.code) || (one.code === 'rooms_differ' && one.vendorSays < one.booked)

export const isOpen = ({ until }: Discrepancy): boolean => until === undefined

const wordsOf = (one: Discrepancy, at: number) =>
  JSON.stringify([one.code, saidAt(one, at), 'rooms' in one ? one.rooms : []])

/** A fee that already applies is dated with the time of each reading, so its date is not compared. */
function saidAt({ vendorSays }: Discrepancy, at: number) {
  const isFee = typeof vendorSays === 'object' && 'from' in vendorSays
  return isFee ? { ...vendorSays, from: Math.max(vendorSays.from, at) } : vendorSays
}

/** The result of reading a booking at the vendor: what differs now, and what was compared and is as agreed. */
export type Comparison = { readonly differs: readonly Discrepancy[]; readonly agrees: readonly DiscrepancyCode[] }

/** Kept are at most so many of each code, the latest. */
const KEPT_MAX = 10

/**
 * The discrepancies after another look. The same words again are nothing new; other words end the earlier ones, and so does
 * agreement. `fresh` are those nobody has been told of.
 */
export function compareDiscrepancies(
  known: readonly Discrepancy[],
  { differs, agrees }: Comparison,
  at: number,
): { readonly all: readonly Discrepancy[]; readonly fresh: readonly Discrepancy[] } {
  const isSame = (a: Discrepancy, b: Discrepancy) => wordsOf(a, at) === wordsOf(b, at)
  const fresh = differs.filter((one) => !known.some((other) => isOpen(other) && isSame(one, other)))
  const isOver = (one: Discrepancy) => agrees.includes(one.code) || fresh.some(({ code }) => code === one.code)
  const kept = known.map((one) => (isOpen(one) && isOver(one) ? { ...one, until: at } : one))
  const all = [...kept, ...fresh]
  const latest = (one: Discrepancy, place: number) =>
    all.slice(place + 1).filter(({ code }) => code === one.code).length < KEPT_MAX
  return { all: all.filter(latest), fresh }
}
