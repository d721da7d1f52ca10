import type { Confirmation, ConfirmationNumbers } from '../../domain/booking/booking.ts'
import { buildConfirmation } from '../../domain/booking/confirmation.ts'
import type { Money } from '../../domain/money/money.ts'
import { plainText } from '../../lib/text/clean-markup.ts'
import type { ListedBooking, Receipt } from '../contract.ts'
import { leastBoard } from '../wire/meals.ts'
import { asList, asRecord, asRecords, asText, readCode, readGuestName, type Wire } from '../wire/read.ts'
import { readCurrency, readMinor, sumMoney } from '../wire/read-money.ts'
import { readPlainDate } from '../wire/read-time.ts'
import { readBoard } from './board.ts'
import { buildTerms } from './cancel-terms.ts'
import { bookedRooms } from './guests.ts'
import { bookingNotices } from './notices.ts'
import { isPrescribed, type Pricing, readCharge, readFeeFacts, readFees, scaleToCharge } from './rate.ts'

/** An unknown status is never treated as a confirmation. */
const STATES: ReadonlyMap<string, Receipt['state']> = new Map([
  ['CONFIRMED', 'confirmed'],
  ['CANCELLED', 'cancelled'],
])

/** Decodes the response to create, read or cancel; undefined if it has no readable booking. */
export function decodeReceipt(body: unknown, pricing: Pricing, now: number): Receipt | undefined {
  const booking = extractBooking(body)
  const vendorReference = asText(booking?.reference)
  if (booking === undefined || vendorReference === '') return undefined
  const hotel = asRecord(booking.hotel)
  const currency = readCurrency(booking.currency) ?? readCurrency(hotel?.currency)
  const state = readState(booking, hotel)
  const cancelFee = state === 'cancelled' ? readCancelledFee(body, listBookedRates(hotel), pricing) : undefined
  const notices = bookingNotices(booking)
  return {
    state,
    vendorReference,
    ...readBooked(hotel),
    ...(currency && state === 'confirmed' && readAgreedTerms(listBookedRates(hotel), currency, pricing, now)),
    ...(currency && state !== 'cancelled' && readCost(booking, hotel, currency, pricing)),
    ...(cancelFee && { cancelFee }),
    confirmation: decodeConfirmation(booking),
    ...(notices.length > 0 && { notices }),
  }
}

/**
 * Combines the vendor's number with the hotel's own, which is assigned later: `reconfirmed` is the response that
 * contains it. A `supplierReference` is neither.
 */
export function decodeConfirmation(booking: Wire, reconfirmed?: unknown): Confirmation {
  const reference = asText(booking.reference)
  const confirmed = asRecords(asRecord(reconfirmed)?.bookings).find(
    (booking) => readCode(booking.reference) === reference,
  )
  const entries = asRecords(asRecord(confirmed?.hotel)?.rooms)
  const rooms = asRecords(asRecord(booking.hotel)?.rooms)
  const cancellation = plainText(readCode(booking.cancellationReference))
  const numbers = buildConfirmation(
    reference,
    rooms.flatMap((room) => readConfirmationNumbers(room, entries)),
  )
  return { ...numbers, ...(cancellation !== '' && { cancellation }) }
}

/**
 * One entry per room; equal rooms may share an entry. If ids do not match, all rooms get the numbers of the whole
 * booking.
 */
function readConfirmationNumbers(room: Wire, reconfirmed: readonly Wire[]): ConfirmationNumbers[] {
  const own = reconfirmed.filter(({ id }) => readCode(id) === readCode(room.id))
  const codes = [room, ...(own.length > 0 ? own : reconfirmed)].flatMap(readConfirmationCodes)
  const property = [...new Set(codes)].join(', ')
  return Array.from({ length: countRooms(room) }, () => (property === '' ? {} : { property: plainText(property) }))
}

const readConfirmationCodes = ({ supplierConfirmationCode }: Wire): string[] =>
  asList(supplierConfirmationCode)
    .map(readCode)
    .filter((code) => code !== '')

function readBooked(
  hotel: Wire | undefined,
): Pick<Receipt, 'property' | 'dates' | 'rooms' | 'roomStates' | 'parties' | 'guests'> {
  const code = readCode(hotel?.code)
  const [checkIn, checkOut] = [readPlainDate(hotel?.checkIn), readPlainDate(hotel?.checkOut)]
  const roomStates = asRecords(hotel?.rooms).flatMap((room) => {
    const state = room.status === 'CANCELLED' ? ('cancelled' as const) : ('confirmed' as const)
    return Array.from({ length: countRooms(room) }, () => state)
  })
  const rooms = roomStates.length
  const parties = readParties(asRecords(hotel?.rooms))
  const [lat, lon] = [Number(hotel?.latitude ?? Number.NaN), Number(hotel?.longitude ?? Number.NaN)]
  const location = Number.isFinite(lat) && Number.isFinite(lon) ? { location: { lat, lon } } : {}
  const guests = readGuests(hotel)
  return {
    ...(code !== '' && { property: { vendorPropertyId: code, name: asText(hotel?.name), ...location } }),
    ...(checkIn !== undefined && checkOut !== undefined && { dates: { checkIn, checkOut } }),
    ...(rooms > 0 && { rooms, roomStates, ...(parties && { parties }) }),
    ...(guests.length > 0 && { guests }),
  }
}

/** Undefined unless the response contains the party of every room. */
function readParties(entries: readonly Wire[]): Receipt['parties'] {
  const parties = entries.map((entry) => bookedRooms(entry).flatMap(({ party }) => party ?? []))
  return entries.every((entry, index) => parties[index]?.length === countRooms(entry)) ? parties.flat() : undefined
}

/** All adults with a name. Each room has at least one, its lead guest. */
const readGuests = (hotel: Wire | undefined): NonNullable<Receipt['guests']> =>
  asRecords(hotel?.rooms)
    .flatMap(bookedRooms)
    .flatMap(({ adults, party }) => {
      const named = adults.filter((pax) => asText(pax.name) !== '')
      return named.map(({ name, surname }) => ({
        givenName: readGuestName(name),
        familyName: readGuestName(surname),
        ...(party && { party }),
      }))
    })

/** Cancellation terms, and the board that every room includes. */
function readAgreedTerms(
  rates: readonly Wire[],
  currency: string,
  pricing: Pricing,
  now: number,
): Pick<Receipt, 'cancel' | 'board'> {
  const frame = { currency, pricing, parties: [] }
  const fees = rates.flatMap((rate) => {
    const charge = readCharge(rate, frame)
    return (charge === undefined ? undefined : readFeeFacts(rate, charge, frame)) ?? []
  })
  const cancel = fees.length === rates.length && fees.length > 0 ? buildTerms(fees, now) : undefined
  const boards = rates.map(readBoard)
  const known = boards.filter((board) => board !== undefined)
  const board = known.length === boards.length ? leastBoard(known) : undefined
  return { ...(cancel && { cancel }), ...(board && { board }) }
}

/** Undefined if the response has no list. */
export function decodeListed(body: unknown): ListedBooking[] | undefined {
  const bookings = asRecord(asRecord(body)?.bookings)
  if (bookings === undefined || (bookings.bookings !== undefined && !Array.isArray(bookings.bookings))) return undefined
  return asRecords(bookings.bookings).map((booking) => {
    const hotel = asRecord(booking.hotel)
    return {
      reference: asText(booking.clientReference).toUpperCase(),
      vendorReference: asText(booking.reference),
      state: readState(booking, hotel),
      propertyName: asText(hotel?.name),
      checkIn: asText(hotel?.checkIn),
      checkOut: asText(hotel?.checkOut),
    }
  })
}

/** Equal rooms may share one entry with a count. */
const countRooms = (room: Wire): number =>
  Math.max(1, ...asRecords(room.rates).map((rate) => (typeof rate.rooms === 'number' ? rate.rooms : 1)))

export const extractBooking = (body: unknown): Wire | undefined => asRecord(asRecord(body)?.booking)

/** The vendor returns references in capitals. */
export const isSameReference = (theirs: unknown, ours: string): boolean =>
  asText(theirs).toUpperCase() === ours.toUpperCase()

/** A confirmed booking is pending while one of its rooms is not confirmed. */
function readState(booking: Wire, hotel: Wire | undefined): Receipt['state'] {
  const state = STATES.get(asText(booking.status)) ?? 'pending'
  if (state !== 'confirmed') return state
  const rooms = asRecords(hotel?.rooms)
  if (rooms.some(({ status }) => status === 'CANCELLED')) {
    return rooms.every(({ status }) => status === 'CANCELLED') ? 'pending' : 'partly_cancelled'
  }
  return rooms.every(({ status }) => status === undefined || status === 'CONFIRMED') ? 'confirmed' : 'pending'
}

/**
 * Charge plus the taxes that the hotel collects. The response to a booking omits these taxes; then only the charge is
 * returned.
 */
function readCost(
  booking: Wire,
  hotel: Wire | undefined,
  currency: string,
  pricing: Pricing,
): Pick<Receipt, 'total' | 'charged'> {
  const rates = listBookedRates(hotel)
  const charged = readCharged(booking, rates, currency, pricing)
  if (charged === undefined) return {}
  const fees = rates.map((rate) => readFees(rate.taxes, currency))
  const hasTaxes = rates.some(({ taxes }) => asRecord(taxes) !== undefined) && !fees.includes(undefined)
  if (!hasTaxes) return { charged }
  const due = fees.flatMap((rateFees) => rateFees ?? []).filter(({ paidAt }) => paidAt === 'property')
  return { total: { minor: due.reduce((sum, { amount }) => sum + amount.minor, charged.minor), currency } }
}

const listBookedRates = (hotel: Wire | undefined): Wire[] =>
  asRecords(hotel?.rooms).flatMap((room) => asRecords(room.rates))

function readCharged(booking: Wire, rates: readonly Wire[], currency: string, pricing: Pricing): Money | undefined {
  return (
    (isSoldAboveNet(rates, pricing) ? readSellingPrice(booking, rates, currency, pricing) : undefined) ??
    readMoney(booking.totalNet, currency)
  )
}

/** The guest pays a price other than net. */
const isSoldAboveNet = (rates: readonly Wire[], pricing: Pricing): boolean =>
  pricing === 'commissionable' || rates.some((rate) => rate.hotelMandatory === true)

/** Amounts charged to the guest and to us. The vendor states fees as parts of the latter. */
export type Charged = { readonly charge: number; readonly net: number }

/** Undefined unless the booking is confirmed and both amounts can be read. */
export function decodeCharged(body: unknown, pricing: Pricing): Charged | undefined {
  const booking = extractBooking(body)
  const hotel = asRecord(booking?.hotel)
  const currency = readCurrency(booking?.currency) ?? readCurrency(hotel?.currency)
  if (booking?.status !== 'CONFIRMED' || currency === undefined) return undefined
  const charge = readCharged(booking, listBookedRates(hotel), currency, pricing)
  const net = readMoney(booking.totalNet, currency)
  return charge === undefined || net === undefined || net.minor === 0
    ? undefined
    : { charge: charge.minor, net: net.minor }
}

/** Scales a fee to the guest's price; undefined if that is unknown and the fee is not zero. */
export function scaleFee(fee: Money | undefined, charged: Charged | undefined): Money | undefined {
  if (fee === undefined || fee.minor === 0) return fee
  return charged && { ...fee, minor: scaleToCharge(fee.minor, charged.charge, charged.net) }
}

/** A cancelled booking lacks the guest's price, so the fee can only be used if that was net. */
function readCancelledFee(body: unknown, rates: readonly Wire[], pricing: Pricing): Money | undefined {
  const fee = decodeCancelFee(body)
  return isSoldAboveNet(rates, pricing) ? scaleFee(fee, undefined) : fee
}

function readSellingPrice(
  booking: Wire,
  rates: readonly Wire[],
  currency: string,
  pricing: Pricing,
): Money | undefined {
  const charged = rates.map((rate) => (isPrescribed(rate, { pricing }) ? (rate.sellingRate ?? rate.net) : rate.net))
  return readMoney(booking.totalSellingRate, currency) ?? sumMoney(charged.map((amount) => readMoney(amount, currency)))
}

/** Fee of a real or simulated cancellation. */
export function decodeCancelFee(body: unknown): Money | undefined {
  const booking = extractBooking(body)
  const hotel = asRecord(booking?.hotel)
  const currency = readCurrency(booking?.currency) ?? readCurrency(hotel?.currency)
  return currency === undefined ? undefined : readMoney(hotel?.cancellationAmount, currency)
}

function readMoney(amount: unknown, currency: string): Money | undefined {
  const minor = readMinor(amount, currency)
  return minor !== undefined && minor >= 0 ? { minor, currency } : undefined
}

/**
 * Finds the vendor's reference by ours; undefined if there is none, `unreadable` without a list. A confirmed
 * booking takes precedence, because it costs money.
 */
export function decodeFound(body: unknown, reference: string): string | undefined | 'unreadable' {
  const bookings = asRecord(asRecord(body)?.bookings)
  if (bookings === undefined || (bookings.bookings !== undefined && !Array.isArray(bookings.bookings)))
    return 'unreadable'
  const ours = asRecords(bookings.bookings).filter(({ clientReference }) => isSameReference(clientReference, reference))
  const found = ours.find(({ status }) => status === 'CONFIRMED') ?? ours[0]
  return found === undefined ? undefined : asText(found.reference) || 'unreadable'
}
