import type { BookingState } from '../../domain/booking/booking.ts'
import { startDeadline } from '../../lib/time/deadline.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import type { DaySpan, ListedBooking, Vendor } from '../../vendors/contract.ts'
import type { BookingStore } from '../store/bookings.ts'
import type { OwnBooking } from '../store/reconciling.ts'

const LIST_TIMEOUT_MS = 120_000
/** References that we derive, and those that earlier versions drew; a vendor also lists bookings of other systems. */
const OURS = /^[0-9A-HJKMNP-TV-Z]{20}$/

/** `adopt`: unknown to us. `cancel`: unwanted here, active at the vendor. `review`: confirmed here, not at the vendor. */
export const PROPOSALS = ['adopt', 'cancel', 'review'] as const

/** One booking that the vendor and the database see differently. */
export type Difference = {
  readonly vendorId: string
  readonly reference: string
  readonly proposal: (typeof PROPOSALS)[number]
  readonly bookingId: string | undefined
  /** Undefined if the database does not have it. */
  readonly ours: BookingState | undefined
  /** Undefined if the vendor does not list it. */
  readonly listed: ListedBooking | undefined
}

type Bookings = Pick<BookingStore, 'byReferences' | 'confirmedBetween'>

/** Compares the bookings that the vendor lists as made in these days with ours. Undefined if it has no such list. */
export async function findDifferences(
  bookings: Bookings,
  vendor: Vendor,
  days: DaySpan,
): Promise<{ readonly listed: number; readonly differences: readonly Difference[] } | undefined> {
  if (vendor.listBookings === undefined) return undefined
  using deadline = startDeadline(LIST_TIMEOUT_MS)
  const context = { requestId: `reconcile-${vendor.id}`, signal: deadline.signal }
  const seen = new Set<string>()
  const active = new Set<string>()
  const differences: Difference[] = []
  for await (const page of vendor.listBookings(days, context)) {
    const listed = page.filter(({ reference }) => OURS.test(reference))
    const references = listed.map(({ reference }) => reference)
    const own = new Map((await bookings.byReferences(vendor.id, references)).map((row) => [row.reference, row]))
    for (const booking of listed) {
      const { reference } = booking
      seen.add(reference)
      const isSecond = isActive(booking) && active.has(reference)
      if (isActive(booking)) active.add(reference)
      const proposal = propose(booking, own.get(reference), isSecond)
      if (proposal !== undefined) differences.push(describe(vendor, proposal, booking, own.get(reference)))
    }
  }
  const [from, until] = [Date.parse(days.from), Date.parse(days.to) + DAY_MS]
  const missing = (await bookings.confirmedBetween(vendor.id, from, until)).filter(
    ({ reference }) => !seen.has(reference),
  )
  const reviews = missing.map((row) => describe(vendor, 'review', undefined, row))
  return { listed: seen.size, differences: [...differences, ...reviews] }
}

const isActive = ({ state }: ListedBooking) => state !== 'cancelled' && state !== 'rejected'

function propose(
  listed: ListedBooking,
  own: OwnBooking | undefined,
  isSecond: boolean,
): Difference['proposal'] | undefined {
  if (!isActive(listed)) return own?.state === 'confirmed' ? 'review' : undefined
  if (own === undefined) return isSecond ? 'cancel' : 'adopt'
  return isSecond || own.state === 'rejected' || own.state === 'cancelled' ? 'cancel' : undefined
}

const describe = (
  { id: vendorId }: Vendor,
  proposal: Difference['proposal'],
  listed: ListedBooking | undefined,
  own: OwnBooking | undefined,
): Difference => ({
  ...{ vendorId, proposal, listed },
  reference: listed?.reference ?? own?.reference ?? '',
  bookingId: own?.bookingId,
  ours: own?.state,
})
