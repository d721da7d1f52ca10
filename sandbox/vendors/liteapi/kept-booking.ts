import { toMajor } from '../../../src/domain/money/money.ts'
import type { LedgerEntry } from '../../server/ledger.ts'
import { type Json, listIn, objectIn, textIn } from '../../server/read-json.ts'
import type { StandInSettings } from '../../server/settings.ts'
import { hashText, hashShare } from '../../world/hash.ts'
import { spellRoom } from '../../world/rooms/spell-room.ts'
import { type Ladder, ladderOf, partAt } from './cancel-ladder.ts'
import { boardCodeOf, propertyIdOf } from './codes.ts'
import { type OfferFacts, type PricedOffer, retailOf, type ShopParts } from './price-offers.ts'
import { settingOf } from './settings.ts'

/** A booking as the stand-in keeps it: enough to show it, to price its cancellation and to release its rooms. */
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
  /** Set once it is cancelled: what that cost, as part of the price. */
  readonly cancelledFor?: number
}

export function keptOf(
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
    hotelId: propertyIdOf(view.vendorPropertyId),
    hotelName: view.name,
    checkIn: facts.checkIn,
    checkOut: facts.checkOut,
    timezone: property.place.timezone,
    currency: facts.currency,
    createdAt: now,
    holder: objectIn(body, 'holder'),
    rooms: offer.rooms.map((room, at) => ({
      name: spellRoom('free', property, room.rate.room),
      board: boardCodeOf(property, facts.worse === 'board' ? 'room_only' : room.rate.board),
      adults: room.party.adults,
      ages: room.party.childrenAges,
      retail: retailOf(room),
      net: room.net,
      ladder: ladderOf(shop.settings, property, room.rate, facts.checkIn, facts.worse === 'terms'),
      guest: guests.find(({ occupancyNumber }) => occupancyNumber === at + 1) ?? {},
    })),
  }
}

export const keptIn = (line: LedgerEntry): Kept => line.raw as Kept

const priceOf = ({ rooms }: Kept): number => rooms.reduce((sum, { retail }) => sum + retail, 0)
const netOf = ({ rooms }: Kept): number => rooms.reduce((sum, { net }) => sum + net, 0)

/** What cancelling costs now, as a part of the price. */
export const feeOf = ({ rooms }: Kept, now: number): number =>
  rooms.reduce((sum, { retail, ladder }) => sum + Math.round(retail * partAt(ladder, now)), 0)

/** What the vendor's own sandbox adds for the payment, as a part of the price. */
const PROCESSING = 0.04

/** How a cancelled booking stands: its fee and refund are parts of the price, or of the charge. */
export function settledOf(settings: Readonly<StandInSettings>, kept: Kept, cancelledFor: number) {
  const [price, net] = [priceOf(kept), netOf(kept)]
  const inNet = hashShare(hashText(kept.bookingId), 74) < settingOf(settings, 'netFees')
  const [whole, fee] = inNet ? [net, Math.round((cancelledFor * net) / price)] : [price, cancelledFor]
  return { status: cancelledFor > 0 ? 'CANCELLED_WITH_CHARGES' : 'CANCELLED', fee, refund: whole - fee }
}

/** What every form of a booking has. Penalties of a booking have been seen in net, unlike those of a rate. */
function presentBooking(settings: Readonly<StandInSettings>, kept: Kept, now: number) {
  const { currency, cancelledFor } = kept
  const amount = (minor: number) => toMajor({ minor, currency })
  const price = priceOf(kept)
  const settled = cancelledFor === undefined ? undefined : settledOf(settings, kept, cancelledFor)
  const hasFee = hashShare(hashText(kept.bookingId), 75) < settingOf(settings, 'processingFees')
  const isSilent = hashShare(hashText(kept.bookingId), 71) < settingOf(settings, 'silentEnvironment')
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
    commission: amount(price - netOf(kept)),
    currency,
    sellingPrice: String(amount(price)),
    prebookId: kept.prebookId,
    paymentStatus: 'succeeded',
    nationality: 'US',
    cancelledAt: cancelledFor === undefined ? null : new Date(now).toISOString().slice(0, 19),
    processingFee: hasFee ? amount(Math.round(price * PROCESSING)) : 0,
    amountRefunded: amount(settled?.refund ?? 0),
    refundType: settled === undefined || settled.refund === 0 ? '' : settled.fee === 0 ? 'full' : 'partial',
    ...(!isSilent && { sandbox: 1 }),
  }
}

/** The fullest form. Totals are objects here, and rates have lost their ids. */
export function presentDetail(settings: Readonly<StandInSettings>, kept: Kept, now: number) {
  const { currency } = kept
  return {
    ...presentBooking(settings, kept, now),
    bookedRooms: kept.rooms.map(({ name, board, adults, ages, retail, net, guest }, at) => ({
      roomType: { roomTypeId: '', name },
      boardType: board[0],
      boardName: board[1],
      adults,
      children: ages.length,
      childrenAges: ages,
      rate: { rateId: '', retailRate: { total: { amount: toMajor({ minor: retail, currency }), currency } } },
      amount: toMajor({ minor: net, currency }),
      currency,
      occupancy_number: at + 1,
      guests: [guest],
    })),
    specialRemarks: '',
    ...(hashText(kept.hotelId) % 4 === 0 ? UNTOLD : TOLD),
  }
}

/** What most hotels want their guests to know, told with the booking only. */
const TOLD = {
  mandatoryFees: '<p>A tourism levy is collected on arrival.</p>',
  optionalFees: '<p>Parking: 15 per night.</p>',
  knowBeforeYouGo: '<ul><li>Guests under 18 need an adult with them.</li></ul>',
  hotelRemarks: '<p>The lift is being repaired; rooms on lower floors are given out first.</p>',
  checkinInstructions: {
    idRequired: true,
    propertyContact: { email: 'reception@hotel.example', phone: '+15550142' },
    hasCommunication: false,
    instructions: '<p>The reception closes at midnight; call before arriving later.</p>',
    arrivalTimeRequested: true,
  },
}
const UNTOLD = {
  mandatoryFees: '',
  optionalFees: '',
  knowBeforeYouGo: '',
  hotelRemarks: '',
  checkinInstructions: {
    idRequired: false,
    propertyContact: { email: null, phone: null },
    hasCommunication: false,
    instructions: '',
    arrivalTimeRequested: false,
  },
}

/** The form of the list: other names for the same. */
export function presentListed(settings: Readonly<StandInSettings>, kept: Kept, now: number) {
  const { currency } = kept
  return {
    ...presentBooking(settings, kept, now),
    guestId: '0',
    rooms: kept.rooms.map(({ adults, ages, net, guest }, at) => ({
      adults,
      children: ages.join(','),
      occupancy_number: at + 1,
      amount: toMajor({ minor: net, currency }),
      currency,
      guests: [guest],
    })),
  }
}
