import type { Markup, SaleTerms } from '../domain/booking/sale.ts'
import type { PlainDate } from '../lib/time/plain-date.ts'

export type Span<T> = { readonly from?: T; readonly to?: T }

/** Conditions of a rule. All that are given must hold; a list holds if it contains the value. */
export type RuleMatch = {
  readonly account?: readonly string[]
  readonly vendor?: readonly string[]
  /** Two-letter codes of the searched destination. */
  readonly country?: readonly string[]
  /** Ids of the searched destination. */
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

/** Known before any vendor is asked. */
type SearchFacts = {
  readonly accountId: string
  readonly countryCode: string
  readonly locationId: string
  readonly checkIn: PlainDate
  readonly leadDays: number
  readonly nights: number
}

export type OfferFacts = { readonly vendorId: string; readonly propertyId: string; readonly stars: number }

/** Rules that can match in a search, so that each offer is compared with few of them. */
export const filterRules = ({ rules }: RuleSet, facts: SearchFacts): readonly Rule[] =>
  rules.filter(
    ({ match }) =>
      matchesList(match.account, facts.accountId) &&
      matchesList(match.country, facts.countryCode) &&
      matchesList(match.location, facts.locationId) &&
      matchesSpan(match.checkIn, facts.checkIn) &&
      matchesSpan(match.leadDays, facts.leadDays) &&
      matchesSpan(match.nights, facts.nights),
  )

export const firstMatchingRule = (rules: readonly Rule[], facts: OfferFacts): Rule | undefined =>
  rules.find((rule) => matchesOffer(rule, facts))

export const matchesOffer = ({ match }: Rule, facts: OfferFacts): boolean =>
  matchesList(match.vendor, facts.vendorId) &&
  matchesList(match.property, facts.propertyId) &&
  matchesSpan(match.stars, facts.stars)

const matchesList = (wanted: readonly string[] | undefined, value: string): boolean =>
  wanted === undefined || wanted.includes(value)

const matchesSpan = <T extends number | string>(span: Span<T> | undefined, value: T): boolean =>
  span === undefined || ((span.from === undefined || value >= span.from) && (span.to === undefined || value <= span.to))

/** Sealed into an offer that was priced by this rule, or by none. */
export function toSaleTerms(version: number, rule: Rule | undefined, exchangePercent: number): SaleTerms {
  const exchange = exchangePercent > 0 ? { exchangePercent } : {}
  if (rule === undefined) return { version, ...exchange }
  const { match: _, ...terms } = rule
  return { version, ...terms, ...exchange }
}

/** In the order of evaluation. Rules of equal priority keep their order. */
export const sortRules = (rules: readonly Rule[]): readonly Rule[] => rules.toSorted((a, b) => a.priority - b.priority)
