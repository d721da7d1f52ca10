import { convertMoney } from '../domain/money/exchange.ts'
import type { Money } from '../domain/money/money.ts'
import type { SellingBounds } from '../domain/offer.ts'
import type { Stay } from '../domain/stay.ts'
import type { Rule } from './rules.ts'
import { firstMatchingRule } from './rules.ts'
import { createSeller, matchingRules, type Pricing } from './seller.ts'
import type { SellingSum } from './selling-price.ts'

/** An offer to price on trial. */
export type Trial = {
  readonly accountId: string
  readonly vendorId: string
  readonly propertyId: string
  readonly stars: number
  readonly countryCode: string
  readonly locationId: string
  readonly stay: Stay
  readonly net: Money
  readonly bounds?: SellingBounds
  /** Requested currency. */
  readonly currency: string
  /** Time of the search; defaults to now. */
  readonly at?: number
}

export type TrialPrice = {
  readonly version: number
  /** Undefined if no rule matched. */
  readonly rule: Rule | undefined
  readonly currency: string
  readonly sum: SellingSum
}

/** Undefined if the offer has no price in the requested currency. */
export function tryPrice(pricing: Pricing, trial: Trial, now: number): TrialPrice | undefined {
  const { accountId, vendorId, propertyId, stars, stay, currency, net } = trial
  const location = { id: trial.locationId, countryCode: trial.countryCode, timezone: 'UTC' }
  const search = { accountId, at: trial.at ?? now, location, stay, currency }
  const facts = { vendorId, propertyId, stars }
  const converted = convertMoney(net, currency, pricing.rates)
  const isConverted = net.currency !== currency
  const sum = converted && createSeller(pricing, search).forOffer(facts).total(converted, isConverted, trial.bounds)
  if (sum === undefined) return undefined
  return {
    version: pricing.rules.version,
    rule: firstMatchingRule(matchingRules(pricing, search), facts),
    currency,
    sum,
  }
}
