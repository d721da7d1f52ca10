import type { VendorProperty } from '../../domain/property.ts'
import { foldText } from '../../lib/fold-text.ts'
import type { MatchRow } from '../../store/catalogue.ts'
import { type NameWords, nameWordsOf, tokensOf } from './name-words.ts'

/** What two vendor properties are compared by, taken apart once. */
export type MatchTraits = {
  /** `vendor_id:vendor_property_id`. */
  readonly key: string
  readonly vendorId: string
  readonly lat: number
  readonly lon: number
  readonly name: NameWords
  readonly city: readonly string[]
  readonly chain: readonly string[]
  /** The last digits, which every way of writing a number shares; empty where there are too few. */
  readonly phone: string
  readonly street: readonly string[]
  readonly houseNumber: string
  readonly postalCode: string
  readonly stars: number
}

/** The facts of a vendor property that matching looks at, as they are kept in the store. */
export type MatchFacts = Omit<MatchRow, 'property_id'>

export function matchFactsOf(property: VendorProperty): MatchFacts {
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

export function matchTraitsOf(facts: MatchFacts): MatchTraits {
  const street = streetOf(facts.address)
  return {
    key: vendorKey(facts.vendor_id, facts.vendor_property_id),
    vendorId: facts.vendor_id,
    lat: facts.lat,
    lon: facts.lon,
    name: nameWordsOf(facts.name),
    city: tokensOf(facts.city),
    chain: tokensOf(facts.chain).filter((token) => !BUSINESS.has(token)),
    phone: phoneOf(facts.phone),
    street: street.words,
    houseNumber: street.number,
    postalCode: foldText(facts.postal_code).replaceAll(' ', ''),
    stars: facts.star_rating,
  }
}

export const vendorKey = (vendorId: string, vendorPropertyId: string): string => `${vendorId}:${vendorPropertyId}`

/** Said of companies, not of brands. */
const BUSINESS = new Set(
  'hotel hotels resort resorts international group worldwide global the and by company hospitality'.split(' '),
)

const PHONE_DIGITS = 8

function phoneOf(phone: string): string {
  const digits = phone.replace(/\D+/g, '')
  return digits.length >= PHONE_DIGITS ? digits.slice(-PHONE_DIGITS) : ''
}

/** Kinds of street, which one vendor abbreviates, the next leaves out and a third translates. */
const STREET_KIND = new Set(
  `street str strasse straat road rd avenue av ave boulevard blvd bd bvd drive dr lane ln way square place pl plaza
  platz piazza praca rue rua via viale calle carrer c corso largo ul ulica cd caddesi sokak jalan jl soi thanon gasse
  weg allee allée quai chaussee ch court ct terrace parkway pkwy highway hwy route rte no nr n de du des la le les del
  della di da do dos das el the of saint and`.split(/\s+/),
)

function streetOf(address: string): { words: string[]; number: string } {
  const words: string[] = []
  let number = ''
  for (const token of tokensOf(address)) {
    if (/^\d+[a-z]?$/.test(token)) {
      if (number === '') number = token.replace(/\D/g, '')
    } else if (!STREET_KIND.has(token))
      words.push(token.replace(/(strasse|str|straat|gasse|gatan|gata|vej|veien)$/, ''))
  }
  return { words: words.filter((word) => word !== ''), number }
}
