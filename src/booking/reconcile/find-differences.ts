import type { BookingState } from '../../domain/booking/booking.ts'
import type { CallContext } from '../../lib/async/call-context.ts'
import { startDeadline } from '../../lib/time/deadline.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import type { DaySpan, ListedBooking, Vendor } from '../../vendors/contract.ts'
import type { BookingStore } from '../store/bookings.ts'
import type { OwnBooking } from '../store/reconciling.ts'
import { lookUpOwn } from './look-up-own.ts'

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

type Bookings = Pick<BookingStore, 'any' | 'byReferences' | 'confirmedBetween'>

/**
 * `no_list`: the vendor cannot list bookings. Those confirmed here are looked up one by one; unknown ones are found
 * when their clients repeat the requests.
 */
export type Compared = {
  readonly status: 'listed' | 'no_list'
  /** Bookings of ours at the vendor. */
  readonly listed: number
  readonly differences: readonly Difference[]
}

/** Compares the bookings made in these days at the vendor and here. With `only`, no other booking is looked up. */
export async function findDifferences(
  bookings: Bookings,
  vendor: Vendor,
  days: DaySpan,
  only?: string,
): Promise<Compared> {
  using deadline = startDeadline(LIST_TIMEOUT_MS)
  const context = { requestId: `reconcile-${vendor.id}`, signal: deadline.signal }
  const [from, until] = [Date.parse(days.from), Date.parse(days.to) + DAY_MS]
  const confirmed = (await bookings.confirmedBetween(vendor.id, from, until)).filter(
    ({ reference }) => only === undefined || reference === only,
  )
  if (vendor.listBookings === undefined) return compareOneByOne(bookings, vendor, confirmed, context)
  const { seen, differences } = await compareList(bookings, vendor, vendor.listBookings(days, context))
  const missing = confirmed.filter(({ reference }) => !seen.has(reference))
  const reviews = missing.map((own) => describe(vendor, 'review', undefined, own))
  return { status: 'listed', listed: seen.size, differences: [...differences, ...reviews] }
}

async function compareList(
  bookings: Bookings,
  vendor: Vendor,
  pages: AsyncIterable<readonly ListedBooking[]>,
): Promise<{ readonly seen: ReadonlySet<string>; readonly differences: readonly Difference[] }> {
  const seen = new Set<string>()
  const active = new Set<string>()
  const differences: Difference[] = []
  for await (const page of pages) {
    const listed = page.filter(({ reference }) => OURS.test(reference))
    const references = listed.map(({ reference }) => reference)
    const own = new Map((await bookings.byReferences(vendor.id, references)).map((row) => [row.reference, row]))
    for (const booking of listed) {
      const { reference } = booking
      seen.add(reference)
      const ours = own.get(reference)
      const isSecond = isActive(booking) && (active.has(reference) || isAnother(booking, ours))
      if (isActive(booking) && !isAnother(booking, ours)) active.add(reference)
      const proposal = propose(booking, ours, isSecond)
      if (proposal !== undefined) differences.push(describe(vendor, proposal, booking, ours))
    }
  }
  return { seen, differences }
}

async function compareOneByOne(
  bookings: Bookings,
  vendor: Vendor,
  confirmed: readonly OwnBooking[],
  context: CallContext,
): Promise<Compared> {
  const differences: Difference[] = []
  let listed = 0
  for await (const { own, found } of lookUpOwn(bookings, vendor, confirmed, context)) {
    if (found !== undefined) listed += 1
    if (found === undefined || !isActive(found)) differences.push(describe(vendor, 'review', found, own))
  }
  return { status: 'no_list', listed, differences }
}

/** Ours is kept, whichever the vendor lists first. */
const isAnother = ({ vendorReference }: ListedBooking, own: OwnBooking | undefined) =>
  own?.vendorReference !== undefined && own.vendorReference !== vendorReference

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
