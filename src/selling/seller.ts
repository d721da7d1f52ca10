import type { Sale, SaleTerms } from '../domain/booking/sale.ts'
import type { ExchangeRates } from '../domain/money/exchange.ts'
import type { Money } from '../domain/money/money.ts'
import type { SellingBounds } from '../domain/offer.ts'
import type { Location } from '../domain/property/location.ts'
import { nightsOf, type Stay } from '../domain/stay.ts'
import { dateIn, daysBetween } from '../lib/time/plain-date.ts'
import { createFindRule } from './find-rule.ts'
import { isSale, makeSale, type NetOffer, roomNightsOf } from './make-sale.ts'
import { type OfferFacts, type Rule, type RuleSet, rulesFor, termsOf } from './rules.ts'
import { boundsIn, markupIn, type SellingSum, sellingSum } from './selling-price.ts'

/** What prices are made with at one moment. */
export type Pricing = {
  readonly rules: RuleSet
  readonly exchangePercent: number
  readonly rates: ExchangeRates
}

/** The search that prices are made for. Its day counts, so that what is looked at later costs the same. */
export type PricedSearch = {
  readonly accountId: string
  readonly at: number
  readonly location: Pick<Location, 'id' | 'countryCode' | 'timezone'>
  readonly stay: Stay
  readonly currency: string
}

export type Seller = ReturnType<typeof createSeller>

/** Sells the offers of one search: every list, stream and room of it gets its prices here. */
export function createSeller(pricing: Pricing, search: PricedSearch) {
  const { rules, exchangePercent, rates } = pricing
  const { stay, currency } = search
  const matching = matchingRules(pricing, search)
  const findRule = createFindRule(matching)
  const stayMarkup = { currency, roomNights: roomNightsOf(stay) }
  /** By rule; a search knows few of them. */
  const known = new Map<Rule | undefined, OfferSeller>()

  function sellerBy(rule: Rule | undefined): OfferSeller {
    const terms = termsOf(rules.version, rule, exchangePercent)
    const own = markupIn(terms, { ...stayMarkup, isConverted: false }, rates)
    const converted = markupIn(terms, { ...stayMarkup, isConverted: true }, rates)
    return {
      terms,
      total(net, isConverted, bounds) {
        const markup = isConverted ? converted : own
        return markup && sellingSum(net.minor, markup, bounds && boundsIn(bounds, currency, rates))
      },
      isSale: (sum, isConverted) => isSale(terms, isConverted, sum),
      sale: (offer) => makeSale(offer, terms, { stay, currency, rates }),
    }
  }

  return {
    /** Nothing is added to any price, so only the vendors' own limits matter. */
    isPlain: matching.length === 0 && exchangePercent === 0,
    /** How one offer is sold. */
    of(facts: OfferFacts): OfferSeller {
      const rule = findRule(facts)
      let seller = known.get(rule)
      if (seller === undefined) {
        seller = sellerBy(rule)
        known.set(rule, seller)
      }
      return seller
    },
  }
}

export type OfferSeller = {
  readonly terms: SaleTerms
  /** The selling total of a net total in the currency that was asked for; undefined where it cannot be told. */
  total(net: Money, isConverted: boolean, bounds: SellingBounds | undefined): SellingSum | undefined
  isSale(sum: SellingSum, isConverted: boolean): boolean
  sale(offer: NetOffer): Sale | 'unpriced' | undefined
}

export const matchingRules = ({ rules }: Pricing, search: PricedSearch) => rulesFor(rules, factsOf(search))

function factsOf({ accountId, at, location, stay }: PricedSearch) {
  return {
    accountId,
    countryCode: location.countryCode,
    locationId: location.id,
    checkIn: stay.checkIn,
    leadDays: daysBetween(dateIn(location.timezone, at), stay.checkIn),
    nights: nightsOf(stay),
  }
}
