import { CATALOGUE_LANGUAGE, primaryLanguage } from '../domain/property/property-texts.ts'
import { type Market, nightsOf, type Stay } from '../domain/stay.ts'
import { daysBetween, type PlainDate } from '../lib/time/plain-date.ts'

/** What a vendor can do and how it behaves, as facts a caller can branch on before it calls. */
export type Capabilities = {
  readonly roomsMax: number
  /** In one room; absent where the vendor has no limit. */
  readonly adultsMax?: number
  readonly nightsMax: number
  /** How many days ahead check-in may be. */
  readonly leadDaysMax: number
  /** `availability` is never called with more ids than this. */
  readonly propertiesPerCallMax: number
  /** The vendor's answer "no such booking" proves absence once the horizon has passed. */
  readonly absenceIsFinal: boolean
  /** How long `book` may take before nothing will come any more. */
  readonly bookTimeoutMs: number
  /** How long after that a booking may still turn up in `find`. */
  readonly visibilityLagMs: number
  /** How long a price from `availability` or `rooms` may be shown. */
  readonly offerTtlMs: number
  /** How many requests for content a day may be spent on keeping the catalogue fresh; absent where nobody counts. */
  readonly contentRequestsPerDay?: number
  /** Languages besides English, as primary tags such as `de`: those it describes properties in, and those it names rates in. */
  readonly languages?: { readonly content: ReadonlySet<string>; readonly rates: ReadonlySet<string> }
}

/** The language in which a vendor names the rooms and rates of a search. */
export function rateLanguage(vendor: { readonly capabilities: Capabilities } | undefined, market: Market): string {
  const language = primaryLanguage(market.language)
  return vendor?.capabilities.languages?.rates.has(language) ? language : CATALOGUE_LANGUAGE
}

type Limits = Pick<Capabilities, 'roomsMax' | 'adultsMax' | 'nightsMax' | 'leadDaysMax'>

type Limited = { readonly capabilities: Limits }

/** What keeps a vendor from being asked about a stay, in words; undefined where nothing does. */
export function limitFor({ capabilities }: Limited, stay: Stay, today: PlainDate): string | undefined {
  const { roomsMax, adultsMax = Number.POSITIVE_INFINITY, nightsMax, leadDaysMax } = capabilities
  if (stay.occupancies.length > roomsMax) return `at most ${roomsMax} rooms`
  if (stay.occupancies.some(({ adults }) => adults > adultsMax)) return `at most ${adultsMax} adults in a room`
  if (nightsOf(stay) > nightsMax) return `at most ${nightsMax} nights`
  return daysBetween(today, stay.checkIn) > leadDaysMax ? `a check_in at most ${leadDaysMax} days ahead` : undefined
}

/** Whether a vendor can be asked about a stay at all. One that cannot is skipped and has not failed. */
export const canAnswer = (vendor: Limited, stay: Stay, today: PlainDate): boolean =>
  limitFor(vendor, stay, today) === undefined
