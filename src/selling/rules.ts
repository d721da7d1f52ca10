import type { Markup, SaleTerms } from '../domain/booking/sale.ts'
import type { PlainDate } from '../lib/time/plain-date.ts'

export type Span<T> = { readonly from?: T; readonly to?: T }

/** What a rule applies to: all of these that are named must hold. Of a list, one entry. */
export type RuleMatch = {
  /** Ids of accounts. */
  readonly account?: readonly string[]
  readonly vendor?: readonly string[]
  /** Of the destination that was searched, in two letters. */
  readonly country?: readonly string[]
  /** Ids of the destination. */
  readonly location?: readonly string[]
  readonly property?: readonly string[]
  readonly stars?: Span<number>
  readonly checkIn?: Span<PlainDate>
  /** Days from the day of the search to the check-in. */
  readonly leadDays?: Span<number>
  readonly nights?: Span<number>
}

export type Rule = Markup & { readonly priority: number; readonly match: RuleMatch }

/** All rules of one version, the lowest priority number first. */
export type RuleSet = { readonly version: number; readonly rules: readonly Rule[] }

export const NO_RULES: RuleSet = { version: 0, rules: [] }

/** What is known of a search before any vendor was asked. */
type SearchFacts = {
  readonly accountId: string
  readonly countryCode: string
  readonly locationId: string
  readonly checkIn: PlainDate
  readonly leadDays: number
  readonly nights: number
}

export type OfferFacts = { readonly vendorId: string; readonly propertyId: string; readonly stars: number }

/** The rules that can match in a search, so that each of its offers is compared with few of them. */
export const rulesFor = ({ rules }: RuleSet, facts: SearchFacts): readonly Rule[] =>
  rules.filter(
    ({ match }) =>
      isOneOf(match.account, facts.accountId) &&
      isOneOf(match.country, facts.countryCode) &&
      isOneOf(match.location, facts.locationId) &&
      isWithin(match.checkIn, facts.checkIn) &&
      isWithin(match.leadDays, facts.leadDays) &&
      isWithin(match.nights, facts.nights),
  )

/** The first that matches wins. */
export const ruleOf = (rules: readonly Rule[], facts: OfferFacts): Rule | undefined =>
  rules.find((rule) => matchesOffer(rule, facts))

export const matchesOffer = ({ match }: Rule, facts: OfferFacts): boolean =>
  isOneOf(match.vendor, facts.vendorId) &&
  isOneOf(match.property, facts.propertyId) &&
  isWithin(match.stars, facts.stars)

const isOneOf = (wanted: readonly string[] | undefined, value: string): boolean =>
  wanted === undefined || wanted.includes(value)

const isWithin = <T extends number | string>(span: Span<T> | undefined, value: T): boolean =>
  span === undefined || ((span.from === undefined || value >= span.from) && (span.to === undefined || value <= span.to))

/** What is sealed into an offer that was priced by this rule, or by none. */
export function termsOf(version: number, rule: Rule | undefined, exchangePercent: number): SaleTerms {
  const exchange = exchangePercent > 0 ? { exchangePercent } : {}
  if (rule === undefined) return { version, ...exchange }
  const { match: _, ...terms } = rule
  return { version, ...terms, ...exchange }
}

/** In the order in which they are tried; those of one priority in the order in which they were written. */
export const inOrder = (rules: readonly Rule[]): readonly Rule[] => rules.toSorted((a, b) => a.priority - b.priority)
