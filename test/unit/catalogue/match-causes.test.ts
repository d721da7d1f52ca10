import { describe, expect, test } from 'vitest'
import { compareTraits, MATCH_ODDS } from '../../../src/catalogue/matching/compare-traits.ts'
import { matchProperties } from '../../../src/catalogue/matching/match-properties.ts'
import { getMatchTraits, type MatchFacts } from '../../../src/catalogue/matching/match-traits.ts'
import { north } from './a-vendor-property.ts'

const CENTERS = {
  'New York': { lat: 40.75491, lon: -73.98412, country: 'US' },
  Wexford: { lat: 42.88123, lon: -78.87812, country: 'US' },
  Singapore: { lat: 1.28671, lon: 103.84512, country: 'SG' },
  Tayba: { lat: 24.46712, lon: 39.61123, country: 'SA' },
  Paris: { lat: 48.87381, lon: 2.29512, country: 'FR' },
} as const
type City = keyof typeof CENTERS

function record(vendor: string, city: City, name: string, meters: number, more: Partial<MatchFacts> = {}): MatchFacts {
  const { country, ...center } = CENTERS[city]
  return {
    vendor_id: vendor,
    vendor_property_id: `${name} ${meters}`,
    ...north(center, meters),
    name,
    address: '',
    postal_code: '',
    city,
    country_code: country,
    phone: '',
    star_rating: 0,
    chain: '',
    category: '',
    ...more,
  }
}

type More = { readonly a?: Partial<MatchFacts>; readonly b?: Partial<MatchFacts> }

function compare(city: City, nameA: string, nameB: string, meters: number, { a = {}, b = {} }: More = {}) {
  const x = getMatchTraits(record('a', city, nameA, 0, a))
  return compareTraits(x, getMatchTraits(record('b', city, nameB, meters, b)))
}

const oddsOf = (...pair: Parameters<typeof compare>): number => compare(...pair)?.odds ?? Number.NEGATIVE_INFINITY

describe('names of reservation systems', () => {
  test.each([
    ['Wexford', 'SUPER 8 LARKMO WEXFOR', 'Super 8 by Wyndham Larkmoor/Wexford Area', 40],
    ['New York', 'ALOFT MIDTOWN LARKSPUR SQRE', 'Aloft Midtown - Larkspur Square', 60],
    ['Wexford', 'SPRINGHILL STES LARKS', 'SpringHill Suites by Marriott Larkspur', 60],
    ['New York', 'HILTON GI LARKSPUR', 'Hilton Garden Inn New York/Larkspur', 40],
    ['New York', 'DOUBLETREE BY HILTON LARKSPR D', 'DoubleTree by Hilton New York Larkspur District', 40],
    ['Wexford', 'HOL INN EXP WEXFORD UNIV', 'Holiday Inn Express Wexford - University Area', 60],
    ['Wexford', 'EXTENDED STAY AMERICA WEXFRD S', 'Extended Stay America - Wexford - Southgate', 40],
    ['Wexford', 'SHERATN LARKSPUR LK', 'Sheraton Larkspur Lake', 60],
    ['Wexford', 'MICROTEL INN STES WEXFORD LARK', 'Microtel Inn & Suites by Wyndham Larkspur', 60],
    ['New York', 'HAMPTON INN LARKSPR SQ GDN', 'Hampton Inn Larkspur Square Garden Area', 60],
    ['New York', 'MARR LARKSPUR EAST SIDE', 'New York Marriott Larkspur East Side', 40],
    ['Wexford', 'HOWARD JOHNSN LARKSPUR', 'Howard Johnson by Wyndham Larkspur', 60],
    ['Wexford', 'LARKSPUR HTL AND STES CONV CTR', 'Larkspur Hotel & Suites Convention Center', 60],
  ] as const)('in %s, "%s" is "%s"', (city, a, b, meters) => {
    expect(oddsOf(city, a, b, meters)).toBeGreaterThanOrEqual(MATCH_ODDS)
  })

  test('a city that one vendor cuts is recognised in the other vendor’s city', () => {
    const pair = ['Wexford', 'CANDLEWOOD STES LARKM', 'Candlewood Suites Larkmoor Westgate', 40] as const
    expect(oddsOf(...pair, { b: { city: 'Larkmoor' } })).toBeGreaterThanOrEqual(MATCH_ODDS)
  })

  test.each([
    ['Wexford', 'COURTYARD WEXFORD ARPT', 'FAIRFIELD INN WEXFORD AIRPORT MARRIOTT', 40],
    ['Wexford', 'HAMPTON INN STES LARKSPUR', 'HOMEWOOD STES LARKSPUR', 20],
    ['New York', 'HOTEL LARK', 'HOTEL LARKSPUR', 60],
    ['Wexford', 'HYATT PLACE LARKSPUR', 'HYATT HOUSE LARKSPUR', 60],
    ['Wexford', 'COMFORT INN WEXFORD AIRPORT', 'Quality Inn Wexford Airport', 60],
  ] as const)('in %s, "%s" is not "%s"', (city, a, b, meters) => {
    expect(oddsOf(city, a, b, meters)).toBeLessThan(MATCH_ODDS)
  })
})

describe('brands', () => {
  test.each([
    [
      'a parent company after the place',
      'COURTYARD LARKSPUR UNIV MARRIOTT',
      'Courtyard by Marriott Larkspur/University',
      7,
    ],
    ['a parent company after the place', 'RESIDENCE INN LARKSPUR MARRIOTT', 'Residence Inn Larkspur Moorland', 6],
    ['a grade that one vendor omits', 'Hyatt Centric Larkspur Square', 'HYATT LARKSPUR SQUARE', 60],
    ['a brand before a name of its own', 'Mercure Hotel Brisal Gran', 'Hotel Brisal Gran', 30],
  ])('%s: "%s" and "%s" are matched', (_, a, b, meters) => {
    expect(oddsOf('Wexford', a, b, meters)).toBeGreaterThanOrEqual(MATCH_ODDS)
  })

  test.each([
    ['only the place is shared', 'Hyatt Larkspur Square', 'LARKSPUR SQUARE HOTEL', 61],
    ['only the place is shared', 'Hampton Inn Larkspur', 'Larkspur Inn', 40],
    ['only the place is shared', 'Holiday Inn Larkspur Quay', 'Larkspur Quay Hotel', 60],
    ['a grade, but too far apart', 'Hyatt Centric Larkspur Square', 'HYATT LARKSPUR SQUARE', 160],
    ['two grades', 'Hyatt Regency Larkspur', 'Grand Hyatt Larkspur', 30],
    ['another brand of the family', 'Hyatt Regency Larkspur', 'Hyatt Place Larkspur', 30],
    ['sister brands of a company', 'RESIDENCE INN LARKSPUR MARRIOTT', 'COURTYARD LARKSPUR MARRIOTT', 30],
    ['flats of a hotel brand', 'Raffles Residences', 'Raffles Hotel', 60],
    ['a club of the brand', 'Hilton Larkspur', 'Hilton Club Larkspur', 60],
    ['a name before common words', 'Sailors International House', 'International House', 60],
  ])('%s: "%s" and "%s" are not matched', (_, a, b, meters) => {
    expect(oddsOf('New York', a, b, meters)).toBeLessThan(MATCH_ODDS)
  })

  test('a brand in the chain of the other record is not missing from its name', () => {
    const pair = ['New York', 'Hyatt Larkspur Square', 'Larkspur Square Hotel', 20] as const
    expect(oddsOf(...pair, { b: { chain: 'Hyatt Hotels' } })).toBeGreaterThanOrEqual(MATCH_ODDS)
    expect(oddsOf(...pair, { b: { chain: 'Opaline' } })).toBeLessThan(MATCH_ODDS)
  })
})

describe('compounds, operators and numbers', () => {
  test.each([
    ['a resort before the dash', 'Palmora World Bay - Hotel Mikado', 'Hotel Mikado'],
    ['an operator after "by"', 'The Larkspur Hotel by Far East Hospitality', 'The Larkspur Hotel'],
    ['a number written together', 'seven4 Larkspur', 'Seven/4 Hotel Larkspur'],
    ['a name that is a number', 'Hotel 1874 @ Larkspur', '1874'],
    ['a number and its unit', 'Refuge 850 m', 'Refuge 850m'],
    ['two words for the centre', 'Adagio Singapore City', 'Adagio Singapore Centre'],
  ])('%s: "%s" and "%s" are matched', (_, a, b) => {
    expect(oddsOf('Singapore', a, b, 20)).toBeGreaterThanOrEqual(MATCH_ODDS)
  })

  test.each([
    ['another house of the resort', 'Palmora World Resort', 'Palmora World Resort - Mikado Hotel'],
    ['two houses of the resort', 'Palmora World Bay - Hotel Mikado', 'Palmora World Bay - Hotel Zafiro'],
    ['a place after the operator', 'lyra by Opaline Larkspur', 'lyra by Opaline Finchley'],
    ['two numbers', 'Hotel 1874 @ Larkspur', '1875'],
    ['a number in another brand', 'Hampton 1874', '1874'],
  ])('%s: "%s" and "%s" are not matched', (_, a, b) => {
    expect(oddsOf('Singapore', a, b, 120)).toBeLessThan(MATCH_ODDS)
  })

  test('a hotel named after its city matches itself, whether or not both vendors name the same city', () => {
    const pair = ['Wexford', 'Wexford Hotel', 'Hotel Wexford', 20] as const
    expect(oddsOf(...pair)).toBeGreaterThanOrEqual(MATCH_ODDS)
    expect(oddsOf(...pair, { b: { city: 'Larkmoor' } })).toBeGreaterThanOrEqual(MATCH_ODDS)
    expect(oddsOf('Wexford', 'Wexford Hotel', 'Wexford Plaza Hotel', 60)).toBeLessThan(MATCH_ODDS)
    expect(oddsOf('Wexford', 'Wexford Hotel', 'Wexford Motel', 60)).toBeLessThan(MATCH_ODDS)
  })
})

describe('Arabic names', () => {
  test.each([
    ['Dar Al Eiman Sahat Hotel', 'Dar Al Iman Sahat'],
    ['Ilan Kinzah Hotel', 'Elan Kinza Hotel'],
    ['As Salam Palace Hotel', 'Al Salam Palace'],
    ['Ash Shuruq Hotel', 'El Shorouk Hotel'],
    ['Alnakheel Plaza', 'Al Nakhil Plaza Hotel'],
    ['Dar-us-Salam Hotel', 'Darussalam Hotel'],
    ['Funduq Al Horreya', 'El Horria Hotel'],
    ['Qasr Metropole', 'Qaser Metropole Hotel'],
    ['Souq Wahif Boutique Hotel', 'Souk Wahef Boutique Hotels'],
    ['Al Rahmah Towers Hotel', 'Abraj Al Rahma'],
    ['فندق النخيل بلازا', 'Al Nakheel Plaza Hotel'],
    ['فندق دار الإيمان', 'Dar Al Eiman Hotel'],
    ['هيلتون النخيل', 'Hilton Al Nakheel'],
  ])('"%s" is "%s"', (a, b) => {
    expect(oddsOf('Tayba', a, b, 60)).toBeGreaterThanOrEqual(MATCH_ODDS)
  })

  test.each([
    ['Al Salam Hotel', 'Al Saleem Hotel'],
    ['Al Noor Plaza', 'Al Nahar Plaza'],
    ['Al Noor Plaza', 'Al Anwar Plaza'],
    ['Dar Al Khair', 'Dar Al Khalil'],
    ['Al Rahmah Tower 1', 'Al Rahma Tower 2'],
    ['Dar Al Eiman Sahat', 'Dar Al Eiman Royal'],
    ['Fajr Al Badea 2', 'Fajr Al Badia 3'],
    ['فندق النخيل', 'فندق النور'],
  ])('"%s" is not "%s"', (a, b) => {
    expect(oddsOf('Tayba', a, b, 60)).toBeLessThan(MATCH_ODDS)
  })

  test('outside Arabic countries the vowels of a name count', () => {
    expect(oddsOf('Paris', 'Hotel Iman Sahat', 'Hotel Eman Sohat', 60)).toBeLessThan(MATCH_ODDS)
  })
})

describe('distance, addresses and stars', () => {
  /** Enough other properties to show which words are rare. */
  const others = (vendor: string) =>
    ['Alder', 'Birch', 'Cedar', 'Doriso', 'Elmira', 'Fennel'].map((name, n) =>
      record(vendor, 'New York', `Hotel ${name} ${vendor}`, 900 + n * 90),
    )
  const isJoined = (a: MatchFacts, b: MatchFacts, around: readonly MatchFacts[] = []) =>
    matchProperties([a, b, ...others('a'), ...others('b'), ...around]).groups.some(
      ({ members }) => members.includes(0) && members.includes(1),
    )
  const larkspur = (vendor: string, name: string, meters: number, more: Partial<MatchFacts> = {}) =>
    record(vendor, 'New York', name, meters, more)

  test('a name that is the only one of its kind in town survives coarse coordinates', () => {
    expect(isJoined(larkspur('a', 'The Larkspur', 0), larkspur('b', 'THE LARKSPUR HOTEL', 280))).toBe(true)
    expect(
      isJoined(larkspur('a', 'Larkspur Garden Square', 0), larkspur('b', 'Larkspur New York Garden Square', 240)),
    ).toBe(true)
    expect(isJoined(larkspur('a', 'The Larkspur', 0), larkspur('b', 'THE LARKSPUR HOTEL', 700))).toBe(false)
  })

  test('a name that is frequent in town, or at two addresses, does not', () => {
    const chain = ['Soho', 'Harlem', 'Chelsea'].map((quarter, n) =>
      larkspur('b', `Larkspur ${quarter}`, -900 - n * 200),
    )
    const pair = [larkspur('a', 'The Larkspur', 0), larkspur('b', 'The Larkspur', 280)] as const
    expect(isJoined(...pair)).toBe(true)
    expect(isJoined(...pair, chain)).toBe(false)
    const [a, b] = ['12 Maple Street', '90 Cedar Street'].map((address, n) =>
      larkspur(n === 0 ? 'a' : 'b', 'The Larkspur', n * 280, { address }),
    )
    expect(a && b && isJoined(a, b)).toBe(false)
  })

  test('coordinates with three decimals may be 80 m wrong', () => {
    const [exact, round] = [40.75612, 40.757].map((lat) =>
      getMatchTraits(larkspur(`vendor ${lat}`, 'Larkspur', 0, { lat, lon: lat === 40.757 ? -73.984 : -73.98412 })),
    )
    const [x, y] = [40.75612, 40.75701].map((lat) => getMatchTraits(larkspur(`vendor ${lat}`, 'Larkspur', 0, { lat })))
    if (!(exact && round && x && y)) throw new Error('A record is missing.')
    expect(compareTraits(exact, round)?.odds).toBeGreaterThan(compareTraits(x, y)?.odds ?? 0)
  })

  test.each([
    ['two languages', 'Rue de la Paix 5', 'Peace Street 5'],
    ['two scripts', '平和通り 5', 'Heiwa Dori Street 5'],
    ['a district', 'Larkmoor District', '12 Maple Street'],
  ])('addresses in %s say nothing, unlike two streets', (_, a, b) => {
    const facts = (addressA: string, addressB: string) =>
      compare('Paris', 'Hotel Ormelle', 'Hotel Ormelle', 60, {
        a: { address: addressA },
        b: { address: addressB },
      })?.evidence.map(({ fact }) => fact)
    expect(facts(a, b)).not.toContain('other street')
    expect(facts('12 Maple Street', '5 Cedar Street')).toContain('other street')
  })

  test('a difference of two stars does not outweigh an equal name next door', () => {
    const stars = { a: { star_rating: 5 }, b: { star_rating: 3 } }
    expect(oddsOf('Paris', 'Hotel Ormelle', 'Hotel Ormelle', 60, stars)).toBeGreaterThanOrEqual(MATCH_ODDS)
  })

  test('the evidence lists the words that only one name has, and the words that differ', () => {
    const factsOf = (a: string, b: string) => compare('Paris', a, b, 20)?.evidence.map(({ fact }) => fact)
    expect(factsOf('Hotel Ormelle', 'Hotel Ormelle Lilas')).toContain('in one name only: lilas')
    expect(factsOf('Hotel Ormelle Brisal Lilas', 'Hotel Ormelle Brisal Vireille')).toContain(
      'different words: lilas / vireille',
    )
  })
})
