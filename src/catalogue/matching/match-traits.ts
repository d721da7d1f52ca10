import { LRUCache } from 'lru-cache'
import type { VendorProperty } from '../../domain/property/property.ts'
import { lruLimit } from '../../lib/async/memoize.ts'
import { foldText } from '../../lib/text/fold-text.ts'
import { rowKey } from '../properties/vendor-key.ts'
import { MATCH_FACTS, type MatchRow } from '../store/columns.ts'
import { findCityWords } from './names/city-names.ts'
import { FLAT_CATEGORY, HOTEL_CATEGORY } from './names/name-tables.ts'
import { tokenizeName } from './names/name-tokens.ts'
import { type NameWords, parseNameWords } from './names/name-words.ts'
import { normalizePhone } from './phone.ts'
import { parseStreetAddresses, type StreetAddress } from './street-address.ts'

/** Prepared once per property. */
export type MatchTraits = {
  /** `vendor_id:vendor_property_id`. */
  readonly key: string
  readonly vendorId: string
  readonly lat: number
  readonly lon: number
  /** Possible error of coordinates with few decimals. */
  readonly coarseKm: number
  readonly name: NameWords
  /** All words of the city's names. */
  readonly city: ReadonlySet<string>
  readonly chain: readonly string[]
  /** Digits only; empty if there are too few. */
  readonly phone: string
  /** Several if a building is at a corner. */
  readonly streets: readonly StreetAddress[]
  readonly postalCode: string
  readonly stars: number
  /** Kind according to the vendor. */
  readonly kind: 'hotel' | 'flat' | ''
}

/** A flat or villa, according to the vendor or the name. */
export const isFlat = ({ kind, name: { kinds } }: MatchTraits): boolean =>
  kind === 'flat' || kinds.includes('flat') || kinds.includes('villa')

/** Stored fields that matching uses. */
export type MatchFacts = Omit<MatchRow, 'property_id'>

export function toMatchFacts(property: VendorProperty): MatchFacts {
  const { address, location } = property
  return {
    vendor_id: property.vendorId,
    vendor_property_id: property.vendorPropertyId,
    lat: location.lat,
    lon: location.lon,
    name: property.name,
    chain: property.chain,
    category: property.category,
    star_rating: property.starRating,
    phone: property.phone,
    address: address.line1,
    city: address.city,
    postal_code: address.postalCode,
    country_code: address.countryCode,
  }
}

/** Neighbours are compared again with every arrival nearby, so a town or two are cached. */
const TRAITS_MAX = 6_000
const cache = new LRUCache<string, { readonly facts: MatchFacts; readonly traits: MatchTraits }>(lruLimit(TRAITS_MAX))

export function getMatchTraits(facts: MatchFacts): MatchTraits {
  const key = rowKey(facts)
  const cached = cache.get(key)
  if (cached !== undefined && MATCH_FACTS.every((fact) => cached.facts[fact] === facts[fact])) return cached.traits
  const traits = prepareTraits(facts)
  cache.set(key, { facts, traits })
  return traits
}

function prepareTraits(facts: MatchFacts): MatchTraits {
  const city = findCityWords(facts.city)
  return {
    key: rowKey(facts),
    vendorId: facts.vendor_id,
    lat: facts.lat,
    lon: facts.lon,
    coarseKm: coarseness(facts),
    name: parseNameWords(facts.name, city, facts.country_code),
    city,
    chain: facts.chain === '' ? [] : tokenizeName(facts.chain).filter((token) => !BUSINESS.has(token)),
    phone: normalizePhone(facts.phone),
    streets: parseStreetAddresses(facts.address, city),
    postalCode: foldText(facts.postal_code).replaceAll(' ', ''),
    stars: facts.star_rating,
    kind: parseKind(facts.category),
  }
}

const isRound = (value: number, factor: number) => Math.abs(value * factor - Math.round(value * factor)) < 1e-6

/** Coordinates with few decimals may be wrong by this much and more. */
function coarseness({ lat, lon }: MatchFacts): number {
  if (isRound(lat, 100) && isRound(lon, 100)) return 0.1
  return isRound(lat, 1000) && isRound(lon, 1000) ? 0.07 : 0
}

function parseKind(category: string): MatchTraits['kind'] {
  if (FLAT_CATEGORY.test(category)) return 'flat'
  return HOTEL_CATEGORY.test(category) ? 'hotel' : ''
}

/** Words of company names, not of brands. */
const BUSINESS = new Set(
  'hotel hotels resort resorts international group worldwide global the and by company hospitality'.split(' '),
)
