import type { Sale, SaleTerms } from '../domain/booking/sale.ts'
import type { ExchangeRates } from '../domain/money/exchange.ts'
import type { Money } from '../domain/money/money.ts'
import type { SellingBounds } from '../domain/offer.ts'
import type { Location } from '../domain/property/location.ts'
import { countNights, type Stay } from '../domain/stay.ts'
import { dateIn, daysBetween } from '../lib/time/plain-date.ts'
import { createFindRule } from './find-rule.ts'
import { countRoomNights, isSale, makeSale, type NetOffer } from './make-sale.ts'
import { filterRules, type OfferFacts, type Rule, type RuleSet, toSaleTerms } from './rules.ts'
import { convertBounds, convertMarkup, type SellingSum, sellingSum } from './selling-price.ts'

/** Rules and rates at one moment. */
export type Pricing = {
  readonly rules: RuleSet
  readonly exchangePercent: number
  readonly rates: ExchangeRates
}

/** The search that is priced. Prices depend on its day, so that a later request gets the same ones. */
export type PricedSearch = {
  readonly accountId: string
  readonly at: number
  readonly location: Pick<Location, 'id' | 'countryCode' | 'timezone'>
  readonly stay: Stay
  readonly currency: string
}

export type Seller = ReturnType<typeof createSeller>

/** Prices all offers of one search. */
export function createSeller(pricing: Pricing, search: PricedSearch) {
  const { rules, exchangePercent, rates } = pricing
  const { stay, currency } = search
  const matching = matchingRules(pricing, search)
  const findRule = createFindRule(matching)
  const stayMarkup = { currency, roomNights: countRoomNights(stay) }
  const sellers = new Map<Rule | undefined, OfferSeller>()

  function createOfferSeller(rule: Rule | undefined): OfferSeller {
    const terms = toSaleTerms(rules.version, rule, exchangePercent)
    const own = convertMarkup(terms, { ...stayMarkup, isConverted: false }, rates)
    const converted = convertMarkup(terms, { ...stayMarkup, isConverted: true }, rates)
    return {
      terms,
      total(net, isConverted, bounds) {
        const markup = isConverted ? converted : own
        return markup && sellingSum(net.minor, markup, bounds && convertBounds(bounds, currency, rates))
      },
      isSale: (sum, isConverted) => isSale(terms, isConverted, sum),
      makeSale: (offer) => makeSale(offer, terms, { stay, currency, rates }),
    }
  }

  return {
    /** True if no markup applies, so that only the vendors' limits matter. */
    isPlain: matching.length === 0 && exchangePercent === 0,
    forOffer(facts: OfferFacts): OfferSeller {
      const rule = findRule(facts)
      let seller = sellers.get(rule)
      if (seller === undefined) {
        seller = createOfferSeller(rule)
        sellers.set(rule, seller)
      }
      return seller
    },
  }
}

export type OfferSeller = {
  readonly terms: SaleTerms
  /** In the requested currency; undefined if it cannot be converted. */
  total(net: Money, isConverted: boolean, bounds: SellingBounds | undefined): SellingSum | undefined
  isSale(sum: SellingSum, isConverted: boolean): boolean
  makeSale(offer: NetOffer): Sale | 'unpriced' | undefined
}

export const matchingRules = ({ rules }: Pricing, { accountId, at, location, stay }: PricedSearch) =>
  filterRules(rules, {
    accountId,
    countryCode: location.countryCode,
    locationId: location.id,
    checkIn: stay.checkIn,
    leadDays: daysBetween(dateIn(location.timezone, at), stay.checkIn),
    nights: countNights(stay),
  })
