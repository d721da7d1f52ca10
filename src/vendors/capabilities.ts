import { CATALOGUE_LANGUAGE, primaryLanguage } from '../domain/property/property-texts.ts'
import { countNights, type Market, type Stay } from '../domain/stay.ts'
import { daysBetween, type PlainDate } from '../lib/time/plain-date.ts'

/** Limits and behaviour of a vendor, for callers to check before a call. */
export type Capabilities = {
  readonly roomsMax: number
  /** Per room; absent if the vendor has no limit. */
  readonly adultsMax?: number
  readonly nightsMax: number
  /** Maximum number of days from today to check-in. */
  readonly leadDaysMax: number
  /** Maximum number of ids in one `availability` call. */
  readonly propertiesPerCallMax: number
  /** "No such booking" from this vendor proves absence once the visibility lag has passed. */
  readonly absenceIsFinal: boolean
  /** Time for which a price check may wait while the client does; 20 seconds if absent. */
  readonly priceCheckTimeoutMs?: number
  /** Time after which a `book` call can no longer succeed. */
  readonly bookTimeoutMs: number
  /** Time after `bookTimeoutMs` during which a booking may still appear in `find`. */
  readonly visibilityLagMs: number
  /** Time for which a price from `availability` or `rooms` may be shown. */
  readonly offerTtlMs: number
  /** Daily budget of content requests for refreshing the catalogue; absent if unlimited. */
  readonly contentRequestsPerDay?: number
  /** Content of a property may be read when a user opens it. */
  readonly readsDetailsOnDemand?: boolean
  /** Languages besides English, as primary tags such as `de`. */
  readonly languages?: { readonly content: ReadonlySet<string>; readonly rates: ReadonlySet<string> }
}

/** Language in which a vendor names the rooms and rates of a search. */
export function rateLanguage(vendor: { readonly capabilities: Capabilities } | undefined, market: Market): string {
  const language = primaryLanguage(market.language)
  return vendor?.capabilities.languages?.rates.has(language) ? language : CATALOGUE_LANGUAGE
}

type Limits = Pick<Capabilities, 'roomsMax' | 'adultsMax' | 'nightsMax' | 'leadDaysMax'>

type Limited = { readonly capabilities: Limits }

/** Describes the limit that excludes this stay; undefined if the vendor can be asked. */
export function describeLimit({ capabilities }: Limited, stay: Stay, today: PlainDate): string | undefined {
  const { roomsMax, adultsMax = Number.POSITIVE_INFINITY, nightsMax, leadDaysMax } = capabilities
  if (stay.occupancies.length > roomsMax) return `at most ${roomsMax} rooms`
  if (stay.occupancies.some(({ adults }) => adults > adultsMax)) return `at most ${adultsMax} adults in a room`
  if (countNights(stay) > nightsMax) return `at most ${nightsMax} nights`
  return daysBetween(today, stay.checkIn) > leadDaysMax ? `a check_in at most ${leadDaysMax} days ahead` : undefined
}

/** A vendor that cannot serve the stay is skipped; this is not a failure. */
export const canAnswer = (vendor: Limited, stay: Stay, today: PlainDate): boolean =>
  describeLimit(vendor, stay, today) === undefined

export type LimitKind = 'search' | 'booking' | 'content'
/** Number of calls in a period; `Call.load` counts instead of calls if it is set. */
export type Quota = { readonly kind: LimitKind; readonly amount: number; readonly windowMs: number }
export type QuotaUsage = Quota & { readonly used: number }
