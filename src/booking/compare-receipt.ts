import type { Booking } from '../domain/booking/booking.ts'
import { findWorseTerms } from '../domain/booking/compare-terms.ts'
import type { Comparison, Discrepancy, DiscrepancyCode } from '../domain/booking/discrepancy.ts'
import { addMoney, type Money, sameMoney } from '../domain/money/money.ts'
import { countNights } from '../domain/stay.ts'
import type { Receipt } from '../vendors/contract.ts'
import { findMissingGuests } from './guests/guest-names.ts'

/** Skips what the vendor did not report. `isSameProperty`: a different vendor id still means the booked property. */
export function compareReceipt(booking: Booking, receipt: Receipt, at: number, isSameProperty = false): Comparison {
  const differs: Discrepancy[] = []
  const agrees: DiscrepancyCode[] = ['cancelled_by_vendor', 'not_found']
  const note = (code: DiscrepancyCode, found: Discrepancy | undefined) => {
    if (found === undefined) agrees.push(code)
    else differs.push(found)
  }
  if (receipt.property !== undefined)
    note('property_differs', isSameProperty ? undefined : otherProperty(booking, receipt.property, at))
  if (receipt.dates !== undefined) note('dates_differ', otherDates(booking, receipt.dates, at))
  if (receipt.rooms !== undefined) note('rooms_differ', otherRooms(booking, receipt.rooms, at))
  if (receipt.guests !== undefined && booking.persons.guests.length > 0)
    note('guests_differ', otherGuests(booking, receipt.guests, at))
  note('room_cancelled', cancelledRooms(receipt, at))
  // The price of a partly cancelled booking is not comparable with the agreed one.
  if (receipt.state === 'confirmed') {
    const total = reportedTotal(receipt, booking.price.dueAtProperty)
    const agreed = total && agreedTotal(booking, total.currency)
    if (total !== undefined && agreed !== undefined) note('price_differs', otherPrice(agreed, total, at))
    if (receipt.board !== undefined || receipt.cancel !== undefined)
      note('terms_differ', otherTerms(booking, receipt, total, at))
  }
  return { differs, agrees }
}

type Reported<K extends keyof Receipt> = NonNullable<Receipt[K]>

function otherProperty({ property }: Booking, reported: Reported<'property'>, since: number): Discrepancy | undefined {
  const { vendorPropertyId, name } = property
  if (reported.vendorPropertyId === vendorPropertyId) return undefined
  const vendorSays = {
    vendorPropertyId: reported.vendorPropertyId,
    ...(reported.name !== undefined && { name: reported.name }),
  }
  return { code: 'property_differs', since, booked: { vendorPropertyId, name }, vendorSays }
}

function otherDates({ stay }: Booking, dates: Reported<'dates'>, since: number): Discrepancy | undefined {
  if (dates.checkIn === stay.checkIn && dates.checkOut === stay.checkOut) return undefined
  const booked = { checkIn: stay.checkIn, checkOut: stay.checkOut }
  return { code: 'dates_differ', since, booked, vendorSays: dates }
}

/** A vendor may bill in another currency. Later totals are compared with its first one. */
export const agreedTotal = ({ price, vendorTotal }: Booking, currency: string): Money | undefined =>
  [price.total, vendorTotal].find((money) => money?.currency === currency)

function otherPrice(booked: Money, total: Money, since: number): Discrepancy | undefined {
  return sameMoney(total, booked) ? undefined : { code: 'price_differs', since, booked, vendorSays: total }
}

function otherRooms({ stay }: Booking, rooms: number, since: number): Discrepancy | undefined {
  const booked = stay.occupancies.length
  return rooms === booked ? undefined : { code: 'rooms_differ', since, booked, vendorSays: rooms }
}

function otherGuests({ persons, stay }: Booking, guests: Reported<'guests'>, since: number): Discrepancy | undefined {
  const rooms = findMissingGuests(persons.guests, guests, stay.occupancies)
  return rooms.length === 0 ? undefined : { code: 'guests_differ', since, booked: 'as_named', vendorSays: { rooms } }
}

function cancelledRooms({ state, roomStates }: Receipt, since: number): Discrepancy | undefined {
  if (state !== 'partly_cancelled') return undefined
  const rooms = roomStates?.flatMap((room, index) => (room === 'cancelled' ? [index + 1] : []))
  return {
    code: 'room_cancelled',
    since,
    booked: 'confirmed',
    vendorSays: 'partly_cancelled',
    ...(rooms && { rooms }),
  }
}

/** Vendors round each night of each room, and the sum again. */
const roundingTolerance = ({ stay }: Booking) => 1 + countNights(stay) * stay.occupancies.length

/** The worst change for the guest: a higher fee or a lesser board. Better terms are not a discrepancy. */
function otherTerms(
  booking: Booking,
  { cancel, board }: Receipt,
  total: Money | undefined,
  since: number,
): Discrepancy | undefined {
  const { price, room } = booking
  const isComparable = cancel?.penalties.every(({ amount }) => amount.currency === price.total.currency) ?? false
  const shown = { price, cancel: booking.cancel, board: room.board }
  // A fee that grew with the price is covered by `price_differs`.
  const billed = total?.currency === price.total.currency ? { ...price, total } : price
  const now = { price: billed, cancel: isComparable ? cancel : booking.cancel, board: board ?? room.board }
  for (const change of findWorseTerms(shown, now, since)) {
    if (change.what === 'board') {
      const reported = { what: 'board', board: change.now } as const
      return { code: 'terms_differ', since, booked: { what: 'board', board: change.shown }, vendorSays: reported }
    }
    if (change.what !== 'cancellation_fee' || change.now.minor <= change.shown.minor + roundingTolerance(booking))
      continue
    const { what, from } = change
    const vendorSays = { what, from, fee: change.now }
    return { code: 'terms_differ', since, booked: { what, from, fee: change.shown }, vendorSays }
  }
  return undefined
}

/** A vendor that reports only its own charge leaves the amount due at the property unchanged. */
export function reportedTotal({ total, charged }: Receipt, dueAtProperty: Money): Money | undefined {
  return charged?.currency === dueAtProperty.currency ? addMoney(charged, dueAtProperty) : (total ?? charged)
}
