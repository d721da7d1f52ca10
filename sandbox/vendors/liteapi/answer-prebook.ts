import { toMajor } from '../../../src/domain/money/money.ts'
import type { StandInAnswer } from '../../server/answer-under-faults.ts'
import { hasFault } from '../../server/fault-plan.ts'
import type { Fault } from '../../server/faults.ts'
import { objectIn, textIn } from '../../server/read-json.ts'
import { chooseWorsening } from '../../server/worse-terms.ts'
import { hash, hashShare, hashText } from '../../world/hash.ts'
import { formatHotelId } from './codes.ts'
import { presentRates } from './present-offer.ts'
import { findOffer, type OfferFacts, type PricedOffer, type ShopParts, totalPrice } from './price-offers.ts'
import { readSetting } from './settings.ts'
import { json, missing, problem } from './vendor-words.ts'

/** Price factor after a `price_change`. */
const RAISE_FACTOR = 1.12
const PREBOOK_TTL_MS = 15 * 60_000

/** Checks an offer and locks its price. Changes are reported in three fields and in the rates. */
export function answerPrebook(shop: ShopParts, body: unknown, faults: readonly Fault[], now: number): StandInAnswer {
  if (typeof objectIn(body).usePaymentSdk !== 'boolean') return missing('usePaymentSdk is required')
  const opened = shop.tokens.open<OfferFacts>('offer', textIn(body, 'offerId'))
  if (opened === 'invalid') return missing('invalid offerId')
  if (opened === 'expired' || hasFault(faults, 'expired')) return problem(408, 4040, 'outdated offer')
  // Offers without a margin are shown but cannot be booked.
  if (opened.margin === 0)
    return problem(409, 2001, 'no availability found', 'provider price exceeds locked selling price')
  const facts = applyFaults(shop, opened, faults)
  const offer = hasFault(faults, 'sold_out') ? undefined : findOffer(shop, facts, now)
  if (offer === undefined) return problem(400, 2001, 'no prebook availability found')
  if (hasFault(faults, 'product_error')) return problem(408, 4016, 'prebook timed out')
  const isPackage = hasFault(faults, 'packaging')
  return json(200, { data: present(shop, offer, facts, isPackage), guestLevel: 0, sandbox: true })
}

function applyFaults({ settings }: ShopParts, facts: OfferFacts, faults: readonly Fault[]): OfferFacts {
  const draw = hashShare(facts.hotel, hashText(`${facts.plan} ${facts.checkIn}`), 57)
  const worse = facts.worse ?? chooseWorsening(faults, settings, draw)
  return {
    ...facts,
    raise: facts.raise * (hasFault(faults, 'price_change') ? RAISE_FACTOR : 1),
    ...(worse !== undefined && { worse }),
  }
}

function present(shop: ShopParts, offer: PricedOffer, facts: OfferFacts, isPackage: boolean) {
  const { currency, raise, worse } = facts
  const total = totalPrice(offer)
  const commission = offer.rooms.reduce((sum, room) => sum + room.commission, 0)
  const seed = hash(offer.property.key, hashText(facts.plan))
  const omitsTaxes = hashShare(seed, 70) < readSetting(shop.settings, 'silentTaxes')
  const hasWallet = hashShare(seed, 77) >= readSetting(shop.settings, 'walletRefusals')
  const amount = (minor: number) => toMajor({ minor, currency })
  return {
    prebookId: shop.tokens.seal('prebook', facts, PREBOOK_TTL_MS).token,
    offerId: '',
    hotelId: formatHotelId(facts.hotel),
    checkin: facts.checkIn,
    checkout: facts.checkOut,
    currency,
    termsAndConditions: offer.property.key % 3 === 0 ? '<p>The rate is for guests of the named country only.</p>' : '',
    // Rates are identified by occupancy number, not by order.
    roomTypes: [{ rates: presentRates(shop, offer, facts, true, omitsTaxes && worse !== 'fees').toReversed() }],
    suggestedSellingPrice: { amount: amount(Math.round(total * 1.08)), currency, source: '' },
    isPackageRate: isPackage ? true : null,
    commission: amount(commission),
    price: amount(total),
    priceType: 'commission',
    priceDifferencePercent: Math.round((raise - 1) * 100),
    cancellationChanged: worse === 'terms',
    boardChanged: worse === 'board',
    supplier: 'nuitee',
    supplierId: 2,
    paymentTypes: ['NUITEE_PAY', 'ACC_CREDIT_CARD', ...(hasWallet ? ['WALLET'] : [])],
  }
}
