import type { ConfirmationNumbers } from '../../domain/booking/booking.ts'
import { buildConfirmation } from '../../domain/booking/confirmation.ts'
import type { Money } from '../../domain/money/money.ts'
import { plainText } from '../../lib/text/clean-markup.ts'
import type { ListedBooking, Receipt } from '../contract.ts'
import { asRecord, asRecords, asText, readCode, readGuestName, readId, type Wire } from '../wire/read.ts'
import { readPlainDate } from '../wire/read-time.ts'
import type { LiteapiEnvironment } from './config.ts'
import { bookingNotices } from './notices.ts'
import { floorMinor, isLiteapiId, toMoney } from './wire.ts'

/** An unknown status is never treated as a confirmation. */
const STATES: ReadonlyMap<string, Receipt['state']> = new Map([
  ['CONFIRMED', 'confirmed'],
  ['CANCELLED', 'cancelled'],
  ['CANCELED', 'cancelled'],
  ['CANCELLED_WITH_CHARGES', 'cancelled'],
])

const DAY_LENGTH = '2027-01-31'.length

/** Undefined if the response has no flag. */
export function readBookingEnvironment(booking: Wire, envelope: unknown): LiteapiEnvironment | undefined {
  const flag = booking.sandbox ?? asRecord(envelope)?.sandbox
  if (flag === true || flag === 1 || flag === '1') return 'sandbox'
  return flag === false || flag === 0 || flag === '0' ? 'live' : undefined
}

/** Undefined if the response has no list. Bookings of the other environment are not ours. */
export function decodeListed(body: unknown, ours: LiteapiEnvironment): ListedBooking[] | undefined {
  const data = asRecord(body)?.data
  if (!Array.isArray(data)) return undefined
  return asRecords(data)
    .filter((booking) => (readBookingEnvironment(booking, body) ?? ours) === ours)
    .map((booking) => ({
      reference: asText(booking.client_reference),
      vendorReference: readId(booking.bookingId) || readId(booking.booking_Id),
      state: readState(booking),
      propertyName: asText(booking.Hotel_name) || asText(booking.hotel_name),
      checkIn: asText(booking.checkin).slice(0, DAY_LENGTH),
      checkOut: asText(booking.checkout).slice(0, DAY_LENGTH),
    }))
}

const readState = ({ status }: Wire): Receipt['state'] => STATES.get(asText(status).toUpperCase()) ?? 'pending'

export const extractBooking = (body: unknown): Wire | undefined => asRecord(asRecord(body)?.data)

/**
 * `feePercent` of the price is an expected payment fee. `due` is the amount that the property collects, if known: the
 * vendor does not send it with a booking, and without it, only the charge is returned.
 */
export function decodeReceipt(booking: Wire, feePercent = 0, due?: Money): Receipt | undefined {
  const vendorReference = readId(booking.bookingId)
  if (vendorReference === '') return undefined
  const state = readState(booking)
  const charged = readBilled(booking, feePercent)
  const cancelFee = state === 'cancelled' ? readUnrefunded(booking) : undefined
  const total =
    due !== undefined && charged?.currency === due.currency
      ? { ...charged, minor: charged.minor + due.minor }
      : undefined
  const notices = bookingNotices(booking)
  return {
    state,
    vendorReference,
    ...readBooked(booking),
    confirmation: buildConfirmation(vendorReference, readConfirmationNumbers(booking)),
    ...(notices.length > 0 && { notices }),
    ...(state !== 'cancelled' && charged && (total === undefined ? { charged } : { total })),
    ...(cancelFee && { cancelFee }),
  }
}

/** One number for all rooms. Empty at first, because staff request it from the hotel. */
function readConfirmationNumbers(booking: Wire): ConfirmationNumbers[] {
  const property = plainText(readCode(booking.hotelConfirmationCode)).slice(0, 100)
  const rooms = Math.max(1, asRecords(booking.bookedRooms).length, asRecords(booking.rooms).length)
  return Array.from({ length: rooms }, () => (property === '' ? {} : { property }))
}

/** Price less our commission. */
export function readCharged(booking: Wire): Money | undefined {
  const price = toMoney(booking.price, booking.currency)
  return price && { ...price, minor: Math.max(0, price.minor - floorMinor(booking.commission, price.currency)) }
}

/** Includes the part of the payment fee that is not expected. The fee is neither in the price nor in the prebook. */
function readBilled(booking: Wire, feePercent: number): Money | undefined {
  const charged = readCharged(booking)
  if (charged === undefined) return undefined
  const expected = Math.ceil((floorMinor(booking.price, charged.currency) * feePercent) / 100)
  const fee = floorMinor(booking.processingFee, charged.currency)
  return { ...charged, minor: charged.minor + Math.max(0, fee - expected) }
}

/**
 * Fee of a cancelled booking: the amount not refunded. A refund of 0 is ambiguous, because fully refunded bookings have
 * it too.
 */
function readUnrefunded(booking: Wire): Money | undefined {
  const charged = readCharged(booking)
  const price = toMoney(booking.price, booking.currency)
  const refunded = toMoney(booking.amountRefunded, booking.currency)?.minor ?? 0
  if (charged === undefined || price === undefined || refunded === 0) return undefined
  const whole = refunded > charged.minor ? price.minor : charged.minor
  return scale(charged, Math.max(0, whole - refunded), whole)
}

/** Scales our charge by `part` / `whole`. */
const scale = (charged: Money, part: number, whole: number): Money => ({
  ...charged,
  minor: Math.round((part * charged.minor) / Math.max(1, whole)),
})

/** The list has other names for the rooms. */
function readBooked(booking: Wire): Pick<Receipt, 'property' | 'dates' | 'rooms' | 'guests'> {
  const hotel = asRecord(booking.hotel)
  const vendorPropertyId = readCode(hotel?.hotelId) || readCode(booking.hotelId)
  const name = asText(hotel?.name) || asText(booking.hotelName)
  const [checkIn, checkOut] = [readPlainDate(booking.checkin), readPlainDate(booking.checkout)]
  const rooms = Math.max(asRecords(booking.bookedRooms).length, asRecords(booking.rooms).length)
  return {
    ...(isLiteapiId(vendorPropertyId) && { property: { vendorPropertyId, ...(name !== '' && { name }) } }),
    ...(checkIn !== undefined && checkOut !== undefined && { dates: { checkIn, checkOut } }),
    ...(rooms > 0 && { rooms }),
    ...readGuests(booking),
  }
}

/** Lead guest of each room; absent unless all are known. */
function readGuests(booking: Wire): Pick<Receipt, 'guests'> {
  const guests = asRecords(booking.bookedRooms).flatMap((room) => {
    const { firstName, lastName } = asRecords(room.guests)[0] ?? room
    return { givenName: readGuestName(firstName), familyName: readGuestName(lastName) }
  })
  return guests.length > 0 && guests.every(({ familyName }) => familyName !== '') ? { guests } : {}
}

/**
 * Fee of a cancellation. The vendor does not document whether the fee is a part of the price or of our charge, but fee
 * and refund add up to the whole.
 */
export function decodeCancelFee(answer: Wire, charged: Money | undefined): Money | undefined {
  const fee = toMoney(answer.cancellation_fee, answer.currency)
  if (fee === undefined || charged?.currency !== fee.currency) return fee
  const whole = fee.minor + (toMoney(answer.refund_amount, fee.currency)?.minor ?? 0)
  return whole > charged.minor ? scale(charged, fee.minor, whole) : fee
}
