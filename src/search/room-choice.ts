import { hash } from 'node:crypto'
import type { Sale } from '../domain/booking/sale.ts'
import { convertCancelTerms, convertPrice } from '../domain/money/convert-price.ts'
import { convertMoney, type ExchangeRates } from '../domain/money/exchange.ts'
import type { Money } from '../domain/money/money.ts'
import type { CancelTerms, EachRoom, Price, RoomOffer } from '../domain/offer.ts'
import type { DescribedRoom } from '../domain/property/property-texts.ts'
import { type BookingInfo, type SealedOffer, sealOffer } from '../domain/sealed-offer.ts'
import type { Keyring } from '../lib/crypto/keyring.ts'

/** A bookable room as the client sees it: offer, room content and price in the requested currency, sealed. */
export type RoomChoice = {
  readonly vendorId: string
  readonly vendorPropertyId: string
  readonly offer: RoomOffer
  /** Content of the first room, if the offer has several kinds. */
  readonly content: DescribedRoom | undefined
  /** Our name for the room, whichever vendor sells it. */
  readonly roomTypeName: string
  /** Language of the vendor's rate name and extras. */
  readonly language: string
  /** Capacity of all rooms of the offer; 0 if it is not known for each. */
  readonly sleeps: number
  /** Beds of the rate, or else of the room. */
  readonly beds: readonly string[]
  /** Each room of the stay, if they are of different kinds. */
  readonly eachRoom?: readonly EachRoom[]
  /** Selling price in the requested currency. */
  readonly price: Price
  /** The vendor's total in the same currency. */
  readonly net: Money
  /** True if the payment is in the vendor's own currency. */
  readonly converted: boolean
  readonly cancel: CancelTerms | undefined
  /** Absent if the offer is not shown as the result of a search. */
  readonly meetsConditions?: boolean
  readonly bookingInfo: BookingInfo
  readonly expiresAt: number
}

/** Offer data that is not specific to the room. */
export type OfferContext = Omit<
  SealedOffer,
  | 'offerId'
  | 'roomId'
  | 'roomIds'
  | 'roomName'
  | 'roomTypeName'
  | 'beds'
  | 'board'
  | 'sleeps'
  | 'extras'
  | 'price'
  | 'cancel'
  | 'bounds'
  | 'payable'
  | 'sale'
  | 'notices'
  | 'ref'
  | 'visible'
  | 'expiresAt'
>

/** The length of a sealed offer is limited. */
const SEALED_EXTRAS_MAX = 20

/** Undefined if the vendor's currency cannot be converted: a price that cannot be compared is not shown. */
export function createRoomChoice(
  deps: {
    keyring: Keyring
    rates: ExchangeRates
    offerId: string
    offerTtlMs: number
    now: number
    language: string
    roomTypeName: string
  },
  context: OfferContext,
  offer: RoomOffer,
  sale: Sale | undefined,
  findRoom: (roomId: string) => DescribedRoom | undefined,
): RoomChoice | undefined {
  const content = findRoom(offer.roomId)
  const price = sale?.price ?? convertPrice(offer.price, context.market.currency, deps.rates)
  if (price === undefined) return undefined
  const beds = offer.beds.length > 0 ? offer.beds : (content?.beds ?? [])
  const expiresAt = Math.min(offer.expiresAt, deps.now + deps.offerTtlMs)
  const sealed: SealedOffer = {
    ...context,
    offerId: deps.offerId,
    lineage: context.lineage ?? deriveLineage(context, offer),
    roomId: offer.roomId,
    ...(offer.roomIds !== undefined && { roomIds: offer.roomIds }),
    roomName: offer.name,
    roomTypeName: deps.roomTypeName,
    beds,
    board: offer.board,
    ...(offer.sleeps !== undefined && { sleeps: offer.sleeps }),
    extras: offer.extras.slice(0, SEALED_EXTRAS_MAX),
    price: offer.price,
    cancel: offer.cancel,
    ...(offer.bounds !== undefined && { bounds: offer.bounds }),
    ...(offer.payable !== undefined && { payable: offer.payable }),
    ...(sale !== undefined && { sale }),
    ...(offer.notices !== undefined && { notices: offer.notices }),
    ref: offer.ref,
    visible: offer.visible,
    expiresAt,
  }
  return {
    vendorId: context.vendorId,
    vendorPropertyId: context.vendorPropertyId,
    offer,
    content,
    roomTypeName: deps.roomTypeName,
    language: deps.language,
    sleeps:
      countSleeps(offer.roomIds ?? context.stay.occupancies.map(() => offer.roomId), findRoom) || (offer.sleeps ?? 0),
    beds,
    ...(offer.roomIds !== undefined && { eachRoom: describeEachRoom(offer.roomIds, findRoom) }),
    price,
    net:
      (offer.payable && convertMoney(offer.payable, context.market.currency, deps.rates)) ?? sale?.net ?? price.total,
    converted: sale === undefined && offer.price.total.currency !== context.market.currency,
    cancel:
      sale === undefined
        ? offer.cancel && convertCancelTerms(offer.cancel, context.market.currency, deps.rates)
        : sale.cancel,
    bookingInfo: sealOffer(deps.keyring, sealed),
    expiresAt,
  }
}

/** Excludes texts, which depend on the language, and all that changes when a vendor is asked again. */
function deriveLineage(context: OfferContext, offer: RoomOffer): string {
  const { searchId, propertyId, vendorId, vendorPropertyId } = context
  const { roomId, roomIds = [roomId], board, cancel, visible } = offer
  const room = [vendorPropertyId, roomIds, board, cancel?.refundable, visible]
  return hash('sha256', JSON.stringify([searchId, propertyId, vendorId, ...room]), 'base64url').slice(0, 22)
}

/** Empty or 0 if the vendor does not describe the room. */
export const describeEachRoom = (
  roomIds: readonly string[],
  findRoom: (roomId: string) => DescribedRoom | undefined,
): EachRoom[] =>
  roomIds.map((roomId) => {
    const { name = '', sleeps = 0, beds = [] } = findRoom(roomId) ?? {}
    return { name, sleeps, beds }
  })

/** For all rooms of the offer, like the price. */
function countSleeps(roomIds: readonly string[], findRoom: (roomId: string) => DescribedRoom | undefined): number {
  const each = roomIds.map((roomId) => findRoom(roomId)?.sleeps ?? 0)
  return each.includes(0) ? 0 : each.reduce((sum, sleeps) => sum + sleeps, 0)
}
