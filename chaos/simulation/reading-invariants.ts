import type { Booking } from '../../src/domain/booking/booking.ts'
import { type Discrepancy, isOpenDiscrepancy } from '../../src/domain/booking/discrepancy.ts'
import type { History } from './history.ts'
import type { ReportedStay } from './scripted-changes.ts'
import type { Row, Violation } from './violation.ts'

type VendorBooking = History['vendor']['kept'][number]

/**
 * Changes by the vendor after confirming are detected by the readings of the first day, and nothing else is reported.
 */
export function findReadingViolations({ vendor }: History, rows: readonly Row[]): Violation[] {
  return rows.flatMap(({ booking }): Violation[] => {
    const theirs = vendor.kept.find(({ reference }) => reference === booking.reference)
    if (theirs === undefined || booking.confirmedAt === undefined) return []
    const unseen = findUnseen(booking, theirs)
    const alarms = findFalseAlarms(booking, theirs)
    return [
      ...(unseen === undefined ? [] : [{ name: 'unseen', message: `${booking.bookingId}: ${unseen}` } as const]),
      ...alarms.map((message) => ({ name: 'false_alarm', message: `${booking.bookingId}: ${message}` }) as const),
    ]
  })
}

function findUnseen(booking: Booking, theirs: VendorBooking): string | undefined {
  const open = (booking.discrepancies ?? []).filter(isOpenDiscrepancy)
  const isReported = (code: Discrepancy['code']) => open.some((discrepancy) => discrepancy.code === code)
  if (booking.state === 'cancelled' || booking.state === 'rejected') return undefined
  if (theirs.cancelledAt !== undefined) return undefined
  if (theirs.isVanished) return booking.state === 'needs_review' ? undefined : 'it has disappeared at the vendor'
  if (theirs.isCancelledByVendor) return `the vendor has cancelled it; it is ${booking.state}`
  if (theirs.property.vendorPropertyId !== booking.property.vendorPropertyId && !isReported('property_differs'))
    return 'another hotel is booked'
  if (theirs.dates.checkIn !== booking.stay.checkIn && !isReported('dates_differ')) return 'other dates are booked'
  if (theirs.rooms !== booking.stay.occupancies.length && !isReported('rooms_differ')) return 'a room is missing'
  const price = open.find((discrepancy) => discrepancy.code === 'price_differs')
  if (theirs.total.minor === booking.price.total.minor) return price && 'the price is as agreed, but reported to differ'
  return price?.code === 'price_differs' && price.vendorSays.minor === theirs.total.minor
    ? undefined
    : `it costs ${theirs.total.minor} now`
}

/** The vendor must have reported every recorded discrepancy at some time. */
function findFalseAlarms({ discrepancies = [] }: Booking, theirs: VendorBooking): string[] {
  return discrepancies
    .filter((discrepancy) => !wasEverReported(discrepancy, theirs))
    .map(({ code }) => `${code} was never true`)
}

function wasEverReported(discrepancy: Discrepancy, theirs: VendorBooking): boolean {
  const hadVersion = (matches: (stay: ReportedStay) => boolean) => theirs.versions.some(matches)
  switch (discrepancy.code) {
    case 'property_differs':
      return hadVersion(({ property }) => property.vendorPropertyId === discrepancy.vendorSays.vendorPropertyId)
    case 'dates_differ':
      return hadVersion(({ dates }) => dates.checkIn === discrepancy.vendorSays.checkIn)
    case 'price_differs':
      return hadVersion(({ total }) => total.minor === discrepancy.vendorSays.minor)
    case 'rooms_differ':
      return hadVersion(({ rooms }) => rooms === discrepancy.vendorSays)
    case 'cancelled_by_vendor':
      return theirs.isCancelledByVendor
    case 'not_found':
      return theirs.wasVanished
    default:
      return false
  }
}
