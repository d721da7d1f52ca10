import type { Money } from '../money/money.ts'
import type { Board } from '../offer.ts'
import type { Stay } from '../stay.ts'

type Dates = Pick<Stay, 'checkIn' | 'checkOut'>
type PropertyName = { readonly vendorPropertyId: string; readonly name?: string }
type Term =
  | { readonly what: 'cancellation_fee'; readonly from: number; readonly fee: Money }
  | { readonly what: 'board'; readonly board: Board }

/**
 * Difference between a booking and the vendor's data, which never overwrites the booking. `until` is the time of the reading
 * in which the vendor reported something else.
 */
export type Discrepancy = { readonly since: number; readonly until?: number } & (
  | { readonly code: 'property_differs'; readonly booked: PropertyName; readonly vendorSays: PropertyName }
  | { readonly code: 'dates_differ'; readonly booked: Dates; readonly vendorSays: Dates }
  | { readonly code: 'price_differs'; readonly booked: Money; readonly vendorSays: Money }
  | { readonly code: 'rooms_differ'; readonly booked: number; readonly vendorSays: number }
  /** Rooms whose lead guest has another name, counted from 1. The names are personal data and not recorded. */
  | {
      readonly code: 'guests_differ'
      readonly booked: 'as_named'
      readonly vendorSays: { readonly rooms: readonly number[] }
    }
  | {
      readonly code: 'room_cancelled'
      readonly booked: 'confirmed'
      readonly vendorSays: 'partly_cancelled'
      /** Counted from 1, if the vendor reports them. */
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

const SERIOUS: readonly DiscrepancyCode[] = ['property_differs', 'dates_differ', 'room_cancelled', 'not_found']

/** Serious: the guest would arrive at the wrong place or date, or without a room. Only an operator can settle these. */
export const firstSeriousDiscrepancy = (found: readonly Discrepancy[]): Discrepancy | undefined => found.find(isSerious)

const isSerious = (found: Discrepancy): boolean =>
  SERIOUS.includes(found.code) || (found.code === 'rooms_differ' && found.vendorSays < found.booked)

export const isOpenDiscrepancy = ({ until }: Discrepancy): boolean => until === undefined

/** A fee that already applies is dated with the time of each reading, so its date is not compared. */
function comparisonKey(discrepancy: Discrepancy, now: number): string {
  const { code, vendorSays } = discrepancy
  const isFee = typeof vendorSays === 'object' && 'from' in vendorSays
  const value = isFee ? { ...vendorSays, from: Math.max(vendorSays.from, now) } : vendorSays
  return JSON.stringify([code, value, 'rooms' in discrepancy ? discrepancy.rooms : []])
}

/** Result of comparing a booking with the vendor's data. */
export type Comparison = { readonly differs: readonly Discrepancy[]; readonly agrees: readonly DiscrepancyCode[] }

/** Number of discrepancies kept for each code. */
const KEPT_MAX = 10

/** Updates the known discrepancies after another reading: a different or agreeing value closes earlier ones of its code. */
export function compareDiscrepancies(
  known: readonly Discrepancy[],
  { differs, agrees }: Comparison,
  now: number,
): { readonly all: readonly Discrepancy[]; readonly fresh: readonly Discrepancy[] } {
  const openKeys = known.filter(isOpenDiscrepancy).map((discrepancy) => comparisonKey(discrepancy, now))
  const fresh = differs.filter((found) => !openKeys.includes(comparisonKey(found, now)))
  const closedCodes = [...agrees, ...fresh.map(({ code }) => code)]
  const kept = known.map((old) =>
    isOpenDiscrepancy(old) && closedCodes.includes(old.code) ? { ...old, until: now } : old,
  )
  const all = [...kept, ...fresh]
  const isRecent = ({ code }: Discrepancy, index: number) =>
    all.slice(index + 1).filter((later) => later.code === code).length < KEPT_MAX
  return { all: all.filter(isRecent), fresh }
}
