import type { Confirmation, ConfirmationNumbers } from '../../domain/booking/booking.ts'
import { confirmationOf } from '../../domain/booking/confirmation.ts'
import type { Money } from '../../domain/money/money.ts'
import { plainText } from '../../lib/text/clean-markup.ts'
import type { ListedBooking, Receipt } from '../contract.ts'
import { leastBoard } from '../wire/meals.ts'
import { codeOf, guestNameOf, listOf, recordOf, recordsOf, textOf, type Wire } from '../wire/read.ts'
import { currencyOf, minorOf, sumMoney } from '../wire/read-money.ts'
import { plainDateOf } from '../wire/read-time.ts'
import { boardOf } from './board.ts'
import { termsOf } from './cancel-terms.ts'
import { bookedRooms } from './guests.ts'
import { bookingNotices } from './notices.ts'
import { chargeOf, feeOf, feesOf, inProportion, isPrescribed, type Pricing } from './rate.ts'

/** What a status means; one we do not know is never taken for a confirmation. */
const STATES: ReadonlyMap<string, Receipt['state']> = new Map([
  ['CONFIRMED', 'confirmed'],
  ['CANCELLED', 'cancelled'],
])

/** The booking in an answer to create, read or cancel; undefined when it holds none that can be read. */
export function decodeReceipt(body: unknown, pricing: Pricing, now: number): Receipt | undefined {
  const booking = bookingOf(body)
  const vendorReference = textOf(booking?.reference)
  if (booking === undefined || vendorReference === '') return undefined
  const hotel = recordOf(booking.hotel)
  const currency = currencyOf(booking.currency) ?? currencyOf(hotel?.currency)
  const state = stateOf(booking, hotel)
  const cancelFee = state === 'cancelled' ? feeOfRead(body, ratesOf(hotel), pricing) : undefined
  const notices = bookingNotices(booking)
  return {
    state,
    vendorReference,
    ...bookedOf(hotel),
    ...(currency && state === 'confirmed' && agreedOf(ratesOf(hotel), currency, pricing, now)),
    ...(currency && state !== 'cancelled' && costOf(booking, hotel, currency, pricing)),
    ...(cancelFee && { cancelFee }),
    confirmation: decodeConfirmation(booking),
    ...(notices.length > 0 && { notices }),
  }
}

/**
 * The vendor's number and the hotel's own, which comes later and from another address: `reconfirmed` is what that says. A
 * `supplierReference` is neither.
 */
export function decodeConfirmation(booking: Wire, reconfirmed?: unknown): Confirmation {
  const reference = textOf(booking.reference)
  const told = recordsOf(recordOf(reconfirmed)?.bookings).find((one) => codeOf(one.reference) === reference)
  const entries = recordsOf(recordOf(told?.hotel)?.rooms)
  const rooms = recordsOf(recordOf(booking.hotel)?.rooms)
  return confirmationOf(
    reference,
    rooms.flatMap((room) => numbersOf(room, entries)),
  )
}

/** Once for each room: equal ones may come as one entry. Where ids do not fit, the numbers are those of the whole booking. */
function numbersOf(room: Wire, reconfirmed: readonly Wire[]): ConfirmationNumbers[] {
  const own = reconfirmed.filter(({ id }) => codeOf(id) === codeOf(room.id))
  const codes = [room, ...(own.length > 0 ? own : reconfirmed)].flatMap(codesOf)
  const property = [...new Set(codes)].join(', ')
  return Array.from({ length: roomsIn(room) }, () => (property === '' ? {} : { property: plainText(property) }))
}

const codesOf = ({ supplierConfirmationCode }: Wire): string[] =>
  listOf(supplierConfirmationCode)
    .map(codeOf)
    .filter((code) => code !== '')

/** Which hotel, when and how many rooms, where the answer says so. */
function bookedOf(
  hotel: Wire | undefined,
): Pick<Receipt, 'property' | 'dates' | 'rooms' | 'roomStates' | 'parties' | 'guests'> {
  const code = codeOf(hotel?.code)
  const [checkIn, checkOut] = [plainDateOf(hotel?.checkIn), plainDateOf(hotel?.checkOut)]
  const roomStates = recordsOf(hotel?.rooms).flatMap((room) => {
    const state = room.status === 'CANCELLED' ? ('cancelled' as const) : ('confirmed' as const)
    return Array.from({ length: roomsIn(room) }, () => state)
  })
  const rooms = roomStates.length
  const parties = partiesIn(recordsOf(hotel?.rooms))
  const [lat, lon] = [Number(hotel?.latitude ?? Number.NaN), Number(hotel?.longitude ?? Number.NaN)]
  const location = Number.isFinite(lat) && Number.isFinite(lon) ? { location: { lat, lon } } : {}
  const guests = guestsOf(hotel)
  return {
    ...(code !== '' && { property: { vendorPropertyId: code, name: textOf(hotel?.name), ...location } }),
    ...(checkIn !== undefined && checkOut !== undefined && { dates: { checkIn, checkOut } }),
    ...(rooms > 0 && { rooms, roomStates, ...(parties && { parties }) }),
    ...(guests.length > 0 && { guests }),
  }
}

/** The party of each room; undefined unless the answer has it for all rooms. */
function partiesIn(entries: readonly Wire[]): Receipt['parties'] {
  const told = entries.map((entry) => bookedRooms(entry).flatMap(({ party }) => party ?? []))
  return entries.every((entry, at) => told[at]?.length === roomsIn(entry)) ? told.flat() : undefined
}

/** All adults with a name. Each room has at least one, its lead guest. */
const guestsOf = (hotel: Wire | undefined): NonNullable<Receipt['guests']> =>
  recordsOf(hotel?.rooms)
    .flatMap(bookedRooms)
    .flatMap(({ adults, party }) => {
      const named = adults.filter((pax) => textOf(pax.name) !== '')
      return named.map(({ name, surname }) => ({
        givenName: guestNameOf(name),
        familyName: guestNameOf(surname),
        ...(party && { party }),
      }))
    })

/** What was agreed to beside the price: what cancelling costs, and the board that every room has at least. */
function agreedOf(
  rates: readonly Wire[],
  currency: string,
  pricing: Pricing,
  now: number,
): Pick<Receipt, 'cancel' | 'board'> {
  const frame = { currency, pricing, parties: [] }
  const fees = rates.flatMap((rate) => {
    const charge = chargeOf(rate, frame)
    return (charge === undefined ? undefined : feeOf(rate, charge, frame)) ?? []
  })
  const cancel = fees.length === rates.length && fees.length > 0 ? termsOf(fees, now) : undefined
  const boards = rates.map(boardOf)
  const known = boards.filter((board) => board !== undefined)
  const board = known.length === boards.length ? leastBoard(known) : undefined
  return { ...(cancel && { cancel }), ...(board && { board }) }
}

/** How the bookings of a list stand; undefined when it is no list. */
export function decodeListed(body: unknown): ListedBooking[] | undefined {
  const bookings = recordOf(recordOf(body)?.bookings)
  if (bookings === undefined || (bookings.bookings !== undefined && !Array.isArray(bookings.bookings))) return undefined
  return recordsOf(bookings.bookings).map((booking) => ({
    reference: textOf(booking.clientReference).toUpperCase(),
    state: stateOf(booking, recordOf(booking.hotel)),
  }))
}

/** Equal rooms may come as one entry that counts them. */
const roomsIn = (room: Wire): number =>
  Math.max(1, ...recordsOf(room.rates).map((rate) => (typeof rate.rooms === 'number' ? rate.rooms : 1)))

export const bookingOf = (body: unknown): Wire | undefined => recordOf(recordOf(body)?.booking)

/** References come back in capitals. */
export const isSameReference = (theirs: unknown, ours: string): boolean =>
  textOf(theirs).toUpperCase() === ours.toUpperCase()

/** A confirmed booking with a room that is not confirmed is not yet one to rely on. */
function stateOf(booking: Wire, hotel: Wire | undefined): Receipt['state'] {
  const state = STATES.get(textOf(booking.status)) ?? 'pending'
  if (state !== 'confirmed') return state
  const rooms = recordsOf(hotel?.rooms)
  if (rooms.some(({ status }) => status === 'CANCELLED')) {
    return rooms.every(({ status }) => status === 'CANCELLED') ? 'pending' : 'partly_cancelled'
  }
  return rooms.every(({ status }) => status === undefined || status === 'CONFIRMED') ? 'confirmed' : 'pending'
}

/**
 * What the stay costs: the charge and the taxes that the hotel collects. The answer to a booking leaves these taxes out; then only
 * the charge is returned.
 */
function costOf(
  booking: Wire,
  hotel: Wire | undefined,
  currency: string,
  pricing: Pricing,
): Pick<Receipt, 'total' | 'charged'> {
  const rates = ratesOf(hotel)
  const charged = chargedOf(booking, rates, currency, pricing)
  if (charged === undefined) return {}
  const fees = rates.map((rate) => feesOf(rate.taxes, currency))
  const isTold = rates.some(({ taxes }) => recordOf(taxes) !== undefined) && !fees.includes(undefined)
  if (!isTold) return { charged }
  const due = fees.flatMap((some) => some ?? []).filter(({ paidAt }) => paidAt === 'property')
  return { total: { minor: due.reduce((sum, { amount }) => sum + amount.minor, charged.minor), currency } }
}

const ratesOf = (hotel: Wire | undefined): Wire[] => recordsOf(hotel?.rooms).flatMap((room) => recordsOf(room.rates))

function chargedOf(booking: Wire, rates: readonly Wire[], currency: string, pricing: Pricing): Money | undefined {
  return (
    (isBound(rates, pricing) ? sellingOf(booking, rates, currency, pricing) : undefined) ??
    moneyOf(booking.totalNet, currency)
  )
}

/** Whether the guest is charged another price than net. */
const isBound = (rates: readonly Wire[], pricing: Pricing): boolean =>
  pricing === 'commissionable' || rates.some((rate) => rate.hotelMandatory === true)

/** What the guest was charged, and what the vendor charges us: the vendor tells fees as parts of the latter. */
export type Charged = { readonly charge: number; readonly net: number }

/** Undefined unless the booking stands and both can be read. */
export function decodeCharged(body: unknown, pricing: Pricing): Charged | undefined {
  const booking = bookingOf(body)
  const hotel = recordOf(booking?.hotel)
  const currency = currencyOf(booking?.currency) ?? currencyOf(hotel?.currency)
  if (booking?.status !== 'CONFIRMED' || currency === undefined) return undefined
  const charge = chargedOf(booking, ratesOf(hotel), currency, pricing)
  const net = moneyOf(booking.totalNet, currency)
  return charge === undefined || net === undefined || net.minor === 0
    ? undefined
    : { charge: charge.minor, net: net.minor }
}

/** A fee in proportion to what the guest was charged; undefined where that is not known, unless it is nothing. */
export function feeInCharge(fee: Money | undefined, charged: Charged | undefined): Money | undefined {
  if (fee === undefined || fee.minor === 0) return fee
  return charged && { ...fee, minor: inProportion(fee.minor, charged.charge, charged.net) }
}

/** A cancelled booking no longer tells what the guest was charged: unless that was net, its fee cannot be put in proportion. */
function feeOfRead(body: unknown, rates: readonly Wire[], pricing: Pricing): Money | undefined {
  const fee = decodeCancelFee(body)
  return isBound(rates, pricing) ? feeInCharge(fee, undefined) : fee
}

function sellingOf(booking: Wire, rates: readonly Wire[], currency: string, pricing: Pricing): Money | undefined {
  const charged = rates.map((rate) => (isPrescribed(rate, { pricing }) ? (rate.sellingRate ?? rate.net) : rate.net))
  return moneyOf(booking.totalSellingRate, currency) ?? sumMoney(charged.map((amount) => moneyOf(amount, currency)))
}

/** What cancelling costs, in a real or simulated cancellation. The same amount comes as number or as text. */
export function decodeCancelFee(body: unknown): Money | undefined {
  const booking = bookingOf(body)
  const hotel = recordOf(booking?.hotel)
  const currency = currencyOf(booking?.currency) ?? currencyOf(hotel?.currency)
  return currency === undefined ? undefined : moneyOf(hotel?.cancellationAmount, currency)
}

function moneyOf(amount: unknown, currency: string): Money | undefined {
  const minor = minorOf(amount, currency)
  return minor !== undefined && minor >= 0 ? { minor, currency } : undefined
}

/**
 * The vendor's reference of the booking made under ours. Should there ever be several, the confirmed one counts:
 * it is the one that costs money. Undefined when the list has none; `unreadable` when it is no list.
 */
export function decodeFound(body: unknown, reference: string): string | undefined | 'unreadable' {
  const bookings = recordOf(recordOf(body)?.bookings)
  if (bookings === undefined || (bookings.bookings !== undefined && !Array.isArray(bookings.bookings)))
    return 'unreadable'
  const ours = recordsOf(bookings.bookings).filter(({ clientReference }) => isSameReference(clientReference, reference))
  const found = ours.find(({ status }) => status === 'CONFIRMED') ?? ours[0]
  return found === undefined ? undefined : textOf(found.reference) || 'unreadable'
}
