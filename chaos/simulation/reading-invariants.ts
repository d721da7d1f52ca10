import type { Booking } from '../../src/domain/booking/booking.ts'
import { type Discrepancy, isOpen } from '../../src/domain/booking/discrepancy.ts'
import type { History } from './history.ts'
import type { Told } from './scripted-changes.ts'
import type { Row, Violation } from './violation.ts'

type Theirs = History['vendor']['kept'][number]

/** What the vendor has changed after confirming is seen by the readings of the first day; what it has not, never. */
export function readingViolations({ vendor }: History, rows: readonly Row[]): Violation[] {
  return rows.flatMap(({ booking }): Violation[] => {
    const theirs = vendor.kept.find(({ reference }) => reference === booking.reference)
    if (theirs === undefined || booking.confirmedAt === undefined) return []
    const unseen = unseenOf(booking, theirs)
    const alarms = falseAlarms(booking, theirs)
    return [
      ...(unseen === undefined ? [] : [{ name: 'unseen', message: `${booking.bookingId}: ${unseen}` } as const]),
      ...alarms.map((message) => ({ name: 'false_alarm', message: `${booking.bookingId}: ${message}` }) as const),
    ]
  })
}

function unseenOf(booking: Booking, theirs: Theirs): string | undefined {
  const open = (booking.discrepancies ?? []).filter(isOpen)
  const isTold = (code: Discrepancy['code']) => open.some((one) => one.code === code)
  if (booking.state === 'cancelled' || booking.state === 'rejected') return undefined
  if (theirs.cancelledAt !== undefined) return undefined
  if (theirs.isVanished) return booking.state === 'needs_review' ? undefined : 'it has vanished at the vendor'
  if (theirs.isCancelledByVendor) return `the vendor has cancelled it; it is ${booking.state}`
  if (theirs.property.vendorPropertyId !== booking.property.vendorPropertyId && !isTold('property_differs'))
    return 'another hotel is booked'
  if (theirs.dates.checkIn !== booking.stay.checkIn && !isTold('dates_differ')) return 'other dates are booked'
  if (theirs.rooms !== booking.stay.occupancies.length && !isTold('rooms_differ')) return 'a room is missing'
  const price = open.find((one) => one.code === 'price_differs')
  if (theirs.total.minor === booking.price.total.minor) return price && 'the price is as agreed, and told to differ'
  return price?.code === 'price_differs' && price.vendorSays.minor === theirs.total.minor
    ? undefined
    : `it costs ${theirs.total.minor} now`
}

/** Whatever was told to differ, the vendor has said at some time. */
function falseAlarms({ discrepancies = [] }: Booking, theirs: Theirs): string[] {
  return discrepancies.filter((one) => !hasBeen(one, theirs)).map(({ code }) => `${code} was never so`)
}

function hasBeen(one: Discrepancy, theirs: Theirs): boolean {
  const ever = (is: (told: Told) => boolean) => theirs.versions.some(is)
  switch (one.code) {
    case 'property_differs':
      return ever(({ property }) => property.vendorPropertyId === one.vendorSays.vendorPropertyId)
    case 'dates_differ':
      return ever(({ dates }) => dates.checkIn === one.vendorSays.checkIn)
    case 'price_differs':
      return ever(({ total }) => total.minor === one.vendorSays.minor)
    case 'rooms_differ':
      return ever(({ rooms }) => rooms === one.vendorSays)
    case 'cancelled_by_vendor':
      return theirs.isCancelledByVendor
    case 'not_found':
      return theirs.wasVanished
    default:
      return false
  }
}
