import type { ConfirmationNumbers } from '../../domain/booking/booking.ts'
import { confirmationOf } from '../../domain/booking/confirmation.ts'
import type { Money } from '../../domain/money/money.ts'
import { plainText } from '../../lib/text/clean-markup.ts'
import type { Receipt } from '../contract.ts'
import { codeOf, guestNameOf, idOf, recordOf, recordsOf, textOf, type Wire } from '../wire/read.ts'
import { plainDateOf } from '../wire/read-time.ts'
import type { LiteapiEnvironment } from './config.ts'
import { bookingNotices } from './notices.ts'
import { floorMinor, isPropertyId, moneyFrom } from './wire.ts'

/** What a status means; one we do not know is never taken for a confirmation. */
const STATES: ReadonlyMap<string, Receipt['state']> = new Map([
  ['CONFIRMED', 'confirmed'],
  ['CANCELLED', 'cancelled'],
  ['CANCELED', 'cancelled'],
  ['CANCELLED_WITH_CHARGES', 'cancelled'],
])

/** Of a booking in an answer, or undefined where it says nothing. */
export function environmentIn(booking: Wire, envelope: unknown): LiteapiEnvironment | undefined {
  const flag = booking.sandbox ?? recordOf(envelope)?.sandbox
  if (flag === true || flag === 1 || flag === '1') return 'sandbox'
  return flag === false || flag === 0 || flag === '0' ? 'live' : undefined
}

/** The booking of an answer; undefined when it holds none. */
export const bookingOf = (body: unknown): Wire | undefined => recordOf(recordOf(body)?.data)

/**
 * How a booking stands. `due` is what the property collects, where that is known: the vendor does not tell it with a
 * booking, so without it only the charge can be told.
 */
export function decodeReceipt(booking: Wire, due?: Money): Receipt | undefined {
  const vendorReference = idOf(booking.bookingId)
  if (vendorReference === '') return undefined
  const state = STATES.get(textOf(booking.status).toUpperCase()) ?? 'pending'
  const charged = billedOf(booking)
  const cancelFee = state === 'cancelled' ? unrefundedOf(booking) : undefined
  const total =
    due !== undefined && charged?.currency === due.currency
      ? { ...charged, minor: charged.minor + due.minor }
      : undefined
  const notices = bookingNotices(booking)
  return {
    state,
    vendorReference,
    ...bookedOf(booking),
    confirmation: confirmationOf(vendorReference, numbersOf(booking)),
    ...(notices.length > 0 && { notices }),
    ...(state !== 'cancelled' && charged && (total === undefined ? { charged } : { total })),
    ...(cancelFee && { cancelFee }),
  }
}

/** One number for all rooms. It is empty at first: people ask the hotel for it. */
function numbersOf(booking: Wire): ConfirmationNumbers[] {
  const property = plainText(codeOf(booking.hotelConfirmationCode)).slice(0, 100)
  const rooms = Math.max(1, recordsOf(booking.bookedRooms).length, recordsOf(booking.rooms).length)
  return Array.from({ length: rooms }, () => (property === '' ? {} : { property }))
}

/** What the stay costs us: the price less our commission. */
export function chargedOf(booking: Wire): Money | undefined {
  const price = moneyFrom(booking.price, booking.currency)
  return price && { ...price, minor: Math.max(0, price.minor - floorMinor(booking.commission, price.currency)) }
}

/** The same with the fee for the payment, which neither the price nor the prebook holds. */
function billedOf(booking: Wire): Money | undefined {
  const charged = chargedOf(booking)
  return charged && { ...charged, minor: charged.minor + floorMinor(booking.processingFee, charged.currency) }
}

/**
 * What a cancelled booking cost us: what was not refunded. A refund of 0 tells nothing, because bookings that were refunded
 * in full have it too.
 */
function unrefundedOf(booking: Wire): Money | undefined {
  const charged = chargedOf(booking)
  const price = moneyFrom(booking.price, booking.currency)
  const refunded = moneyFrom(booking.amountRefunded, booking.currency)?.minor ?? 0
  if (charged === undefined || price === undefined || refunded === 0) return undefined
  const whole = refunded > charged.minor ? price.minor : charged.minor
  return shareOf(charged, Math.max(0, whole - refunded), whole)
}

/** The same share of our charge as `part` is of `whole`. */
const shareOf = (charged: Money, part: number, whole: number): Money => ({
  ...charged,
  minor: Math.round((part * charged.minor) / Math.max(1, whole)),
})

/** Which property, when, how many rooms and for whom, where the answer says so. The list calls its rooms otherwise. */
function bookedOf(booking: Wire): Pick<Receipt, 'property' | 'dates' | 'rooms' | 'guests'> {
  const hotel = recordOf(booking.hotel)
  const vendorPropertyId = codeOf(hotel?.hotelId) || codeOf(booking.hotelId)
  const name = textOf(hotel?.name) || textOf(booking.hotelName)
  const [checkIn, checkOut] = [plainDateOf(booking.checkin), plainDateOf(booking.checkout)]
  const rooms = Math.max(recordsOf(booking.bookedRooms).length, recordsOf(booking.rooms).length)
  return {
    ...(isPropertyId(vendorPropertyId) && { property: { vendorPropertyId, ...(name !== '' && { name }) } }),
    ...(checkIn !== undefined && checkOut !== undefined && { dates: { checkIn, checkOut } }),
    ...(rooms > 0 && { rooms }),
    ...guestsOf(booking),
  }
}

/** The lead guest of each room, unless one of them is not told. */
function guestsOf(booking: Wire): Pick<Receipt, 'guests'> {
  const guests = recordsOf(booking.bookedRooms).flatMap((room) => {
    const { firstName, lastName } = recordsOf(room.guests)[0] ?? room
    return { givenName: guestNameOf(firstName), familyName: guestNameOf(lastName) }
  })
  return guests.length > 0 && guests.every(({ familyName }) => familyName !== '') ? { guests } : {}
}

/**
 * What a cancellation costs us. Whether its fee is a part of the price or of what we were charged is not documented, but
 * fee and refund together are the whole of which it is a part.
 */
export function decodeCancelFee(answer: Wire, charged: Money | undefined): Money | undefined {
  const fee = moneyFrom(answer.cancellation_fee, answer.currency)
  if (fee === undefined || charged?.currency !== fee.currency) return fee
  const whole = fee.minor + (moneyFrom(answer.refund_amount, fee.currency)?.minor ?? 0)
  return whole > charged.minor ? shareOf(charged, fee.minor, whole) : fee
}
