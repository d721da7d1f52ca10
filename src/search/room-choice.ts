import type { Sale } from '../domain/booking/sale.ts'
import { cancelIn, priceIn } from '../domain/money/convert-price.ts'
import { convertMoney, type ExchangeRates } from '../domain/money/exchange.ts'
import type { Money } from '../domain/money/money.ts'
import type { CancelTerms, Price, RoomOffer } from '../domain/offer.ts'
import type { DescribedRoom } from '../domain/property/property-texts.ts'
import { type BookingInfo, type SealedOffer, sealOffer } from '../domain/sealed-offer.ts'
import type { Keyring } from '../lib/crypto/keyring.ts'

/** One bookable choice as a client sees it: vendor's offer, room's content, price in the asked currency, sealed. */
export type RoomChoice = {
  readonly vendorId: string
  readonly vendorPropertyId: string
  readonly offer: RoomOffer
  /** Of the first room, where the offer has several kinds. */
  readonly content: DescribedRoom | undefined
  /** What we call the room, whichever vendor sells it. */
  readonly roomTypeName: string
  /** Of the name and the extras that the vendor gives its rate. */
  readonly language: string
  /** How many the rooms of the offer hold together; 0 where that is not known of each. */
  readonly sleeps: number
  /** Those of the rate, or else those of the room. */
  readonly beds: readonly string[]
  /** The selling price, in the currency that was asked for. */
  readonly price: Price
  /** The vendor's total in the same currency. */
  readonly net: Money
  /** Whether what is paid will be in the vendor's own currency. */
  readonly converted: boolean
  readonly cancel: CancelTerms | undefined
  readonly bookingInfo: BookingInfo
  readonly expiresAt: number
}

/** Everything about the offer that the room itself does not know. */
export type OfferFrame = Omit<
  SealedOffer,
  | 'offerId'
  | 'roomId'
  | 'roomIds'
  | 'roomName'
  | 'roomTypeName'
  | 'beds'
  | 'board'
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

/** Undefined where the vendor's currency cannot be converted: a price nobody can compare is not shown. */
export function chooseRoom(
  deps: {
    keyring: Keyring
    rates: ExchangeRates
    offerId: string
    offerTtlMs: number
    now: number
    language: string
    roomTypeName: string
  },
  frame: OfferFrame,
  offer: RoomOffer,
  sale: Sale | undefined,
  roomOf: (roomId: string) => DescribedRoom | undefined,
): RoomChoice | undefined {
  const content = roomOf(offer.roomId)
  const price = sale?.price ?? priceIn(offer.price, frame.market.currency, deps.rates)
  if (price === undefined) return undefined
  const beds = offer.beds.length > 0 ? offer.beds : (content?.beds ?? [])
  const expiresAt = Math.min(offer.expiresAt, deps.now + deps.offerTtlMs)
  const sealed: SealedOffer = {
    ...frame,
    offerId: deps.offerId,
    roomId: offer.roomId,
    ...(offer.roomIds !== undefined && { roomIds: offer.roomIds }),
    roomName: offer.name,
    roomTypeName: deps.roomTypeName,
    beds,
    board: offer.board,
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
    vendorId: frame.vendorId,
    vendorPropertyId: frame.vendorPropertyId,
    offer,
    content,
    roomTypeName: deps.roomTypeName,
    language: deps.language,
    sleeps: sleepsOf(offer.roomIds ?? frame.stay.occupancies.map(() => offer.roomId), roomOf) || (offer.sleeps ?? 0),
    beds,
    price,
    net: (offer.payable && convertMoney(offer.payable, frame.market.currency, deps.rates)) ?? sale?.net ?? price.total,
    converted: sale === undefined && offer.price.total.currency !== frame.market.currency,
    cancel:
      sale === undefined ? offer.cancel && cancelIn(offer.cancel, frame.market.currency, deps.rates) : sale.cancel,
    bookingInfo: sealOffer(deps.keyring, sealed),
    expiresAt,
  }
}

/** The price is for all rooms, and so is this. */
function sleepsOf(roomIds: readonly string[], roomOf: (roomId: string) => DescribedRoom | undefined): number {
  const each = roomIds.map((roomId) => roomOf(roomId)?.sleeps ?? 0)
  return each.includes(0) ? 0 : each.reduce((sum, sleeps) => sum + sleeps, 0)
}
