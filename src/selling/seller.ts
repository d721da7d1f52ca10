import type { ExchangeRates } from '../domain/exchange.ts'
import type { Location } from '../domain/location.ts'
import type { Money } from '../domain/money.ts'
import type { SellingBounds } from '../domain/offer.ts'
import type { Sale, SaleTerms } from '../domain/sale.ts'
import { nightsOf, type Stay } from '../domain/stay.ts'
import { dateIn, daysBetween } from '../lib/plain-date.ts'
import { isSale, makeSale, type NetOffer, roomNightsOf } from './make-sale.ts'
import { type OfferFacts, type RuleSet, ruleOf, rulesFor, termsOf } from './rules.ts'
import { boundsIn, markupIn, type SellingSum, type StayMarkup, sellingSum } from './selling-price.ts'

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

/** A total in the currency that was asked for, and how it came about. */
export type Quoted = SellingSum & { readonly isSale: boolean }

export type Seller = ReturnType<typeof createSeller>

/** Sells the offers of one search: every list, stream and room of it gets its prices here. */
export function createSeller(pricing: Pricing, search: PricedSearch) {
  const { rules, exchangePercent, rates } = pricing
  const { stay, currency } = search
  const matching = matchingRules(pricing, search)
  const stayMarkup = { currency, roomNights: roomNightsOf(stay) }
  /** By rule; a search knows few of them. */
  const known = new Map<object, Priced>()

  function pricedBy(facts: OfferFacts): Priced {
    const rule = matching.length === 0 ? undefined : ruleOf(matching, facts)
    const key = rule ?? NO_RULE
    let priced = known.get(key)
    if (priced === undefined) {
      const terms = termsOf(rules.version, rule, exchangePercent)
      priced = {
        terms,
        own: markupIn(terms, { ...stayMarkup, isConverted: false }, rates),
        converted: markupIn(terms, { ...stayMarkup, isConverted: true }, rates),
      }
      known.set(key, priced)
    }
    return priced
  }

  return {
    /** Nothing is added to any price, so only the vendors' own limits matter. */
    isPlain: matching.length === 0 && exchangePercent === 0,
    /** The selling total of a net total in the currency that was asked for; undefined where it cannot be told. */
    total(net: Money, isConverted: boolean, bounds: SellingBounds | undefined, facts: OfferFacts): Quoted | undefined {
      const { terms, own, converted } = pricedBy(facts)
      const markup = isConverted ? converted : own
      if (markup === undefined) return undefined
      const sum = sellingSum(net.minor, markup, bounds && boundsIn(bounds, currency, rates))
      return { ...sum, isSale: isSale(terms, isConverted, sum) }
    },
    termsFor: (facts: OfferFacts): SaleTerms => pricedBy(facts).terms,
    sale: (offer: NetOffer, facts: OfferFacts): Sale | 'unpriced' | undefined =>
      makeSale(offer, pricedBy(facts).terms, { stay, currency, rates }),
  }
}

export const matchingRules = ({ rules }: Pricing, search: PricedSearch) => rulesFor(rules, factsOf(search))

const NO_RULE = {}

type Priced = {
  readonly terms: SaleTerms
  readonly own: StayMarkup | undefined
  readonly converted: StayMarkup | undefined
}

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
