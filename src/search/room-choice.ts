import { convertMoney, type ExchangeRates } from '../domain/exchange.ts'
import type { Money } from '../domain/money.ts'
import type { CancelTerms, Fee, Price, RoomOffer } from '../domain/offer.ts'
import type { RoomContent } from '../domain/property.ts'
import { type BookingInfo, type SealedOffer, sealOffer } from '../domain/sealed-offer.ts'
import type { Keyring } from '../lib/keyring.ts'

/** One bookable choice as a client sees it: vendor's offer, room's content, price in the asked currency, sealed. */
export type RoomChoice = {
  readonly vendorId: string
  readonly vendorPropertyId: string
  readonly offer: RoomOffer
  /** Of the first room, where the offer has several kinds. */
  readonly content: RoomContent | undefined
  /** How many the rooms of the offer hold together; 0 where that is not known of each. */
  readonly sleeps: number
  /** Those of the rate, or else those of the room. */
  readonly beds: readonly string[]
  /** In the currency that was asked for. */
  readonly price: Price
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
  | 'beds'
  | 'board'
  | 'price'
  | 'cancel'
  | 'bounds'
  | 'notices'
  | 'ref'
  | 'visible'
  | 'expiresAt'
>

/** Undefined where the vendor's currency cannot be converted: a price nobody can compare is not shown. */
export function chooseRoom(
  deps: { keyring: Keyring; rates: ExchangeRates; offerId: string; offerTtlMs: number; now: number },
  frame: OfferFrame,
  offer: RoomOffer,
  roomOf: (roomId: string) => RoomContent | undefined,
): RoomChoice | undefined {
  const content = roomOf(offer.roomId)
  const price = priceIn(offer.price, frame.market.currency, deps.rates)
  if (price === undefined) return undefined
  const beds = offer.beds.length > 0 ? offer.beds : (content?.beds ?? [])
  const expiresAt = Math.min(offer.expiresAt, deps.now + deps.offerTtlMs)
  const sealed: SealedOffer = {
    ...frame,
    offerId: deps.offerId,
    roomId: offer.roomId,
    ...(offer.roomIds !== undefined && { roomIds: offer.roomIds }),
    roomName: offer.name,
    beds,
    board: offer.board,
    price: offer.price,
    cancel: offer.cancel,
    ...(offer.bounds !== undefined && { bounds: offer.bounds }),
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
    sleeps: sleepsOf(offer.roomIds ?? frame.stay.occupancies.map(() => offer.roomId), roomOf) || (offer.sleeps ?? 0),
    beds,
    price,
    converted: offer.price.total.currency !== frame.market.currency,
    cancel: offer.cancel && cancelIn(offer.cancel, frame.market.currency, deps.rates),
    bookingInfo: sealOffer(deps.keyring, sealed),
    expiresAt,
  }
}

/** The price is for all rooms, and so is this. */
function sleepsOf(roomIds: readonly string[], roomOf: (roomId: string) => RoomContent | undefined): number {
  const each = roomIds.map((roomId) => roomOf(roomId)?.sleeps ?? 0)
  return each.includes(0) ? 0 : each.reduce((sum, sleeps) => sum + sleeps, 0)
}

/**
 * Converted parts are made to add up again: the total and each fee are converted, sums of fees are added up anew where
 * the vendor's did, and the base is what remains.
 */
export function priceIn(price: Price, currency: string, rates: ExchangeRates): Price | undefined {
  if (price.total.currency === currency) return price
  const convert = (money: Money) => convertMoney(money, currency, rates)
  const total = convert(price.total)
  const publicTotal = convert(price.publicTotal)
  const fees = price.fees.flatMap((fee) => {
    const amount = convert(fee.amount)
    return amount === undefined ? [] : [{ ...fee, amount }]
  })
  const onSpot = (fee: Fee) => fee.paidAt === 'property'
  const taxesFees = sumAnew(price.taxesFees, price.fees, fees) ?? convert(price.taxesFees)
  const due = price.dueAtProperty
  const dueAtProperty = sumAnew(due, price.fees.filter(onSpot), fees.filter(onSpot)) ?? convert(due)
  if (total === undefined || taxesFees === undefined || dueAtProperty === undefined || publicTotal === undefined)
    return undefined
  return {
    total,
    taxesFees,
    base: { minor: total.minor - taxesFees.minor, currency },
    dueAtProperty,
    publicTotal: publicTotal.minor > total.minor ? publicTotal : total,
    fees,
  }
}

/** The converted fees' sum, where the vendor's fees were all of `whole`. */
function sumAnew(whole: Money, own: readonly Fee[], converted: readonly Fee[]): Money | undefined {
  const sum = (fees: readonly Fee[]) => fees.reduce((minor, { amount }) => minor + amount.minor, 0)
  const [first] = converted
  const isAll = own.length === converted.length && sum(own) === whole.minor
  return isAll && first !== undefined ? { minor: sum(converted), currency: first.amount.currency } : undefined
}

function cancelIn(terms: CancelTerms, currency: string, rates: ExchangeRates): CancelTerms {
  return {
    ...terms,
    penalties: terms.penalties.map((penalty) => ({
      ...penalty,
      amount: convertMoney(penalty.amount, currency, rates) ?? penalty.amount,
    })),
  }
}
