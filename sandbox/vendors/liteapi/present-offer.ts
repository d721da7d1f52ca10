import { toMajor } from '../../../src/domain/money/money.ts'
import { hash, hashShare, hashText } from '../../world/hash.ts'
import { convertMinor } from '../../world/prices/exchange.ts'
import { spellRoom } from '../../world/rooms/spell-room.ts'
import { createLadder, presentLadder } from './cancel-ladder.ts'
import { toBoardCode, toRoomId } from './codes.ts'
import {
  type OfferFacts,
  type PricedOffer,
  type PricedRoom,
  retailPrice,
  type ShopParts,
  totalPrice,
} from './price-offers.ts'
import { readSetting } from './settings.ts'

/** Public market price as a factor; sellers must not publish a lower one. */
const SUGGESTED_FACTOR = 1.08

const OFFER_TTL_MS = 15 * 60_000

/** An offer in the list of rates; some are stubs. */
export function presentOffer(shop: ShopParts, offer: PricedOffer, facts: OfferFacts, isMapped: boolean) {
  const seed = offerSeed(offer)
  const money = (minor: number) => {
    const amount = { amount: toMajor({ minor, currency: facts.currency }), currency: facts.currency }
    return hashShare(seed, 64) < readSetting(shop.settings, 'listedPrices') ? [amount] : amount
  }
  const total = totalPrice(offer)
  const saved = offer.rooms.reduce((sum, room) => sum + room.saved, 0)
  const isForMembers = hashShare(seed, 76) < readSetting(shop.settings, 'memberOffers')
  const isStub = hashShare(seed, 65) < readSetting(shop.settings, 'stubs')
  return {
    roomTypeId: `T${seed.toString(32)}`,
    ...(!isStub && { offerId: shop.tokens.seal('offer', facts, OFFER_TTL_MS).token }),
    supplier: 'nuitee',
    supplierId: 2,
    rates: isStub ? [STUB] : presentRates(shop, offer, facts, isMapped),
    offerRetailRate: money(total),
    suggestedSellingPrice: money(Math.round(total * SUGGESTED_FACTOR)),
    offerInitialPrice: money(total + saved),
    priceType: 'commission',
    rateType: offer.isPackage ? 'package' : 'standard',
    paymentTypes: ['NUITEE_PAY'],
    ...(isForMembers && { loyaltyMembershipIdRequired: true }),
  }
}

const offerSeed = ({ property, plan, isPackage, rooms }: PricedOffer): number =>
  hash(hash(property.key, hashText(plan)), rooms[0]?.rate.room.number ?? 0, isPackage ? 1 : 0)

const STUB = {
  rateId: '',
  occupancyNumber: 0,
  name: '',
  maxOccupancy: 0,
  adultCount: 0,
  childCount: 0,
  boardType: '',
  boardName: '',
  remarks: '',
  priceType: '',
  commission: null,
  retailRate: { total: null, suggestedSellingPrice: null, taxesAndFees: null },
  cancellationPolicies: { cancelPolicyInfos: null, hotelRemarks: null },
}

/** One rate for each room of the stay. Inside a rate, prices are always lists. */
export function presentRates(
  shop: ShopParts,
  offer: PricedOffer,
  facts: OfferFacts,
  isMapped: boolean,
  omitsTaxes = false,
) {
  const { currency } = facts
  const { property, view } = offer
  const list = (minor: number) => [{ amount: toMajor({ minor, currency }), currency }]
  return offer.rooms.map((room, index) => {
    const { rate, party } = room
    const [boardType, boardName] = toBoardCode(
      property,
      facts.worse === 'board' ? 'room_only' : rate.board,
      shop.settings,
    )
    const ladder = createLadder(shop.settings, property, rate, facts.checkIn, facts.worse === 'terms')
    const retail = retailPrice(room)
    const hasNetPenalties = hashShare(offerSeed(offer), 78) < readSetting(shop.settings, 'netPenalties')
    const whole = hasNetPenalties ? room.net : retail
    const amount = (part: number) => toMajor({ minor: Math.round((part === 1 ? whole : retail) * part), currency })
    const isKnown = hashShare(hash(property.key, rate.room.number), 66) >= readSetting(shop.settings, 'unmappedRooms')
    return {
      rateId: `R${hash(offerSeed(offer), index).toString(32)}`,
      occupancyNumber: index + 1,
      name: `${spellRoom('free', property, rate.room)} - ${boardName}${rate.refundable ? '' : ' - Non Refundable'}`,
      maxOccupancy: rate.room.sleeps,
      adultCount: party.adults,
      childCount: party.childrenAges.length,
      childrenAges: party.childrenAges,
      boardType,
      boardName,
      remarks: property.key % 4 === 0 ? `<p>Check-in from ${property.checkInTime}.</p>` : '',
      priceType: 'commission',
      commission: list(room.commission),
      retailRate: {
        total: list(retail),
        suggestedSellingPrice: list(Math.round(retail * SUGGESTED_FACTOR)),
        initialPrice: list(retail + room.saved),
        ...(!omitsTaxes && { taxesAndFees: presentTaxes(shop, offer, room, facts) }),
      },
      cancellationPolicies: presentLadder(ladder, property, amount, currency),
      ...(isMapped && { mappedRoomId: isKnown ? toRoomId(view.vendorPropertyId, rate.room) : null }),
    }
  })
}

/**
 * Included taxes in the requested currency; taxes collected by the property often in its own. Null if there are none.
 */
function presentTaxes(shop: ShopParts, { property }: PricedOffer, room: PricedRoom, { currency }: OfferFacts) {
  const { rate, includedTax } = room
  const isLocal = hashShare(property.key, 67) < readSetting(shop.settings, 'localTaxes')
  const line = (included: boolean, description: string, minor: number, unit: string) =>
    minor > 0 ? [{ included, description, amount: toMajor({ minor, currency: unit }), currency: unit }] : []
  const collected = (description: string, local: number) =>
    isLocal
      ? line(false, description, local, rate.currency)
      : line(false, description, convertMinor(local, rate.currency, currency), currency)
  const taxes = [
    ...line(true, 'Taxes', includedTax, currency),
    ...collected('City tax', rate.cityTaxMinor),
    ...collected('Resort fee', rate.resortFeeMinor),
    ...line(false, 'Service fee', room.moved, currency),
  ]
  return taxes.length === 0 ? null : taxes
}
