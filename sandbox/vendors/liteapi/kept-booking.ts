import { toMajor } from '../../../src/domain/money/money.ts'
import type { LedgerEntry } from '../../server/ledger.ts'
import { type Json, listIn, objectIn, textIn } from '../../server/read-json.ts'
import type { StandInSettings } from '../../server/settings.ts'
import { hashShare, hashText } from '../../world/hash.ts'
import { spellRoom } from '../../world/rooms/spell-room.ts'
import { createLadder, type Ladder, partAt } from './cancel-ladder.ts'
import { formatHotelId, toBoardCode } from './codes.ts'
import { type OfferFacts, type PricedOffer, retailPrice, type ShopParts } from './price-offers.ts'
import { readSetting } from './settings.ts'

/** A stored booking: enough to show it, to price its cancellation and to release its rooms. */
export type Kept = {
  readonly bookingId: string
  readonly clientReference: string
  readonly prebookId: string
  readonly hotelId: string
  readonly hotelName: string
  readonly checkIn: string
  readonly checkOut: string
  readonly timezone: string
  readonly currency: string
  readonly createdAt: number
  readonly holder: Json
  readonly rooms: readonly {
    readonly name: string
    readonly board: readonly [string, string]
    readonly adults: number
    readonly ages: readonly number[]
    readonly retail: number
    readonly net: number
    readonly ladder: Ladder
    readonly guest: Json
  }[]
  /** Cancellation fee as part of the price; set once the booking is cancelled. */
  readonly cancelledFor?: number
}

export function createKept(
  shop: ShopParts,
  body: Json,
  offer: PricedOffer,
  facts: OfferFacts,
  bookingId: string,
  now: number,
): Kept {
  const { property, view } = offer
  const guests = listIn(body, 'guests').map((guest) => objectIn(guest))
  return {
    bookingId,
    clientReference: textIn(body, 'clientReference'),
    prebookId: textIn(body, 'prebookId').slice(0, 9),
    hotelId: formatHotelId(view.vendorPropertyId),
    hotelName: view.name,
    checkIn: facts.checkIn,
    checkOut: facts.checkOut,
    timezone: property.place.timezone,
    currency: facts.currency,
    createdAt: now,
    holder: objectIn(body, 'holder'),
    rooms: offer.rooms.map((room, index) => ({
      name: spellRoom('free', property, room.rate.room),
      board: toBoardCode(property, facts.worse === 'board' ? 'room_only' : room.rate.board, shop.settings),
      adults: room.party.adults,
      ages: room.party.childrenAges,
      retail: retailPrice(room),
      net: room.net,
      ladder: createLadder(shop.settings, property, room.rate, facts.checkIn, facts.worse === 'terms'),
      guest: guests.find(({ occupancyNumber }) => occupancyNumber === index + 1) ?? {},
    })),
  }
}

export const readKept = (line: LedgerEntry): Kept => line.raw as Kept

const totalRetail = ({ rooms }: Kept): number => rooms.reduce((sum, { retail }) => sum + retail, 0)
const totalNet = ({ rooms }: Kept): number => rooms.reduce((sum, { net }) => sum + net, 0)

export const computeCancelFee = ({ rooms }: Kept, now: number): number =>
  rooms.reduce((sum, { retail, ladder }) => sum + Math.round(retail * partAt(ladder, now)), 0)

/** Payment fee that the vendor's own sandbox adds, as a part of the price. */
const PROCESSING_FEE = 0.04

/** Status, fee and refund of a cancelled booking, as parts of the price or of the charge. */
export function settleCancellation(settings: Readonly<StandInSettings>, kept: Kept, cancelledFor: number) {
  const [price, net] = [totalRetail(kept), totalNet(kept)]
  const inNet = hashShare(hashText(kept.bookingId), 74) < readSetting(settings, 'netFees')
  const [whole, fee] = inNet ? [net, Math.round((cancelledFor * net) / price)] : [price, cancelledFor]
  return { status: cancelledFor > 0 ? 'CANCELLED_WITH_CHARGES' : 'CANCELLED', fee, refund: whole - fee }
}

/** Fields common to all formats of a booking. Penalties of a booking were observed in net, unlike those of a rate. */
function presentBooking(settings: Readonly<StandInSettings>, kept: Kept, now: number) {
  const { currency, cancelledFor } = kept
  const amount = (minor: number) => toMajor({ minor, currency })
  const price = totalRetail(kept)
  const settled = cancelledFor === undefined ? undefined : settleCancellation(settings, kept, cancelledFor)
  const hasFee = hashShare(hashText(kept.bookingId), 75) < readSetting(settings, 'processingFees')
  const omitsEnvironment = hashShare(hashText(kept.bookingId), 71) < readSetting(settings, 'silentEnvironment')
  return {
    bookingId: kept.bookingId,
    clientReference: kept.clientReference,
    supplierBookingId: kept.bookingId,
    supplierBookingName: 'nuitee',
    supplier: 'nuitee',
    supplierId: 2,
    status: settled?.status ?? 'CONFIRMED',
    hotelConfirmationCode:
      now < kept.createdAt + settings.confirmationMs ? '' : `H${hashText(kept.bookingId) % 1_000_000}`,
    checkin: kept.checkIn,
    checkout: kept.checkOut,
    hotel: { hotelId: kept.hotelId, name: kept.hotelName },
    holder: kept.holder,
    createdAt: new Date(kept.createdAt).toISOString().slice(0, 19),
    updatedAt: '',
    price: amount(price),
    commission: amount(price - totalNet(kept)),
    currency,
    sellingPrice: String(amount(price)),
    prebookId: kept.prebookId,
    paymentStatus: 'succeeded',
    nationality: 'US',
    cancelledAt: cancelledFor === undefined ? null : new Date(now).toISOString().slice(0, 19),
    processingFee: hasFee ? amount(Math.round(price * PROCESSING_FEE)) : 0,
    amountRefunded: amount(settled?.refund ?? 0),
    refundType: settled === undefined || settled.refund === 0 ? '' : settled.fee === 0 ? 'full' : 'partial',
    ...(!omitsEnvironment && { sandbox: 1 }),
  }
}

/** The most complete format. Totals are objects here, and rates have no ids. */
export function presentFull(settings: Readonly<StandInSettings>, kept: Kept, now: number) {
  const { currency } = kept
  return {
    ...presentBooking(settings, kept, now),
    bookedRooms: kept.rooms.map(({ name, board, adults, ages, retail, net, guest }, index) => ({
      roomType: { roomTypeId: '', name },
      boardType: board[0],
      boardName: board[1],
      adults,
      children: ages.length,
      childrenAges: ages,
      rate: { rateId: '', retailRate: { total: { amount: toMajor({ minor: retail, currency }), currency } } },
      amount: toMajor({ minor: net, currency }),
      currency,
      occupancy_number: index + 1,
      guests: [guest],
    })),
    ...(hashText(kept.hotelId) % 4 === 0 ? NO_GUEST_INFORMATION : GUEST_INFORMATION),
  }
}

/** Guest information that most hotels provide, available with the booking only. */
const GUEST_INFORMATION = {
  mandatoryFees: '<p>A tourism levy is collected on arrival.</p>',
  optionalFees: '<p>Parking: 15 per night.</p>',
  knowBeforeYouGo: '<ul><li>Guests under 18 need an adult with them.</li></ul>',
  specialRemarks: '<p>The pool is closed for the winter.</p>',
  hotelRemarks: '<p>The lift is being repaired; rooms on lower floors are given out first.</p>',
  checkinInstructions: {
    idRequired: true,
    propertyContact: { email: 'reception@hotel.example', phone: '+15550142' },
    hasCommunication: false,
    instructions: '<p>The reception closes at midnight; call before arriving later.</p>',
    arrivalTimeRequested: true,
  },
}
const NO_GUEST_INFORMATION = {
  mandatoryFees: '',
  optionalFees: '',
  knowBeforeYouGo: '',
  specialRemarks: '',
  hotelRemarks: '',
  checkinInstructions: {
    idRequired: false,
    propertyContact: { email: null, phone: null },
    hasCommunication: false,
    instructions: '',
    arrivalTimeRequested: false,
  },
}

/** Format of the list: other names for the same fields. */
export function presentListed(settings: Readonly<StandInSettings>, kept: Kept, now: number) {
  const { currency } = kept
  return {
    ...presentBooking(settings, kept, now),
    guestId: '0',
    rooms: kept.rooms.map(({ adults, ages, net, guest }, index) => ({
      adults,
      children: ages.join(','),
      occupancy_number: index + 1,
      amount: toMajor({ minor: net, currency }),
      currency,
      guests: [guest],
    })),
  }
}

/** Format of the list of all bookings: mostly in snake case, with amounts as text. */
export function presentInList(settings: Readonly<StandInSettings>, kept: Kept) {
  const { currency, cancelledFor } = kept
  const settled = cancelledFor === undefined ? undefined : settleCancellation(settings, kept, cancelledFor)
  return {
    id: hashText(kept.bookingId),
    bookingId: kept.bookingId,
    prebook_Id: kept.prebookId,
    client_reference: kept.clientReference,
    status: settled?.status ?? 'CONFIRMED',
    checkin: kept.checkIn,
    checkout: kept.checkOut,
    hotelId: kept.hotelId,
    Hotel_name: kept.hotelName,
    retail_rate: String(toMajor({ minor: totalRetail(kept), currency })),
    currency,
    created_at: new Date(kept.createdAt).toISOString(),
    sandbox: 1,
  }
}
