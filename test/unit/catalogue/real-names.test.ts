import { describe, expect, test } from 'vitest'
import { compareTraits, MATCH_ODDS } from '../../../src/catalogue/matching/compare-traits.ts'
import { matchProperties } from '../../../src/catalogue/matching/match-properties.ts'
import { getMatchTraits, type MatchFacts } from '../../../src/catalogue/matching/match-traits.ts'
import { north } from './a-vendor-property.ts'

const CENTERS = {
  Paris: { lat: 48.8738, lon: 2.295, country: 'FR' },
  'New York': { lat: 40.7549, lon: -73.984, country: 'US' },
  Washington: { lat: 38.9047, lon: -77.0418, country: 'US' },
  Barcelona: { lat: 41.3874, lon: 2.1686, country: 'ES' },
  Wien: { lat: 48.2082, lon: 16.3738, country: 'AT' },
} as const
type City = keyof typeof CENTERS

/** A vendor's name at the given distance from the city centre, without other evidence. */
function facts(city: City, vendor: string, name: string, meters: number, more: Partial<MatchFacts> = {}): MatchFacts {
  const { lat, lon, country } = CENTERS[city]
  return {
    vendor_id: vendor,
    vendor_property_id: `${name} ${meters}`,
    ...north({ lat, lon }, meters),
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

type More = { readonly meters?: number; readonly a?: string; readonly b?: string }

function odds(city: City, nameA: string, nameB: string, { meters = 25, a = '', b = a }: More = {}): number {
  const x = getMatchTraits(facts(city, 'a', nameA, 0, { address: a }))
  const y = getMatchTraits(facts(city, 'b', nameB, meters, { address: b }))
  return compareTraits(x, y)?.odds ?? Number.NEGATIVE_INFINITY
}

describe('one property', () => {
  test.each<[string, City, string, string, More]>([
    ['brand added', 'Paris', 'Hôtel Astrelle', 'Hôtel Astrelle Étoile by Kestrel', { a: '10 rue du Lac' }],
    ['district added', 'Paris', 'Ormelle', 'Ormelle Champs Elysées', { a: '10 rue du Lac' }],
    ['slogan after a dash', 'Barcelona', 'Hotel Brisal', 'Hotel Brisal - Adults Only & Rooftop', {}],
    [
      'slogan on one side, district on the other',
      'Paris',
      'Hôtel Vireille - Kestrel',
      'Hôtel Vireille Opéra',
      { a: '4 rue X' },
    ],
    ['a collection', 'Wien', 'Hotel Rathauspark Wien - Handwritten Collection', 'Hotel Rathauspark', {}],
    [
      'capitals and abbreviations',
      'New York',
      'HAMPTON INN STES NYC DWTN',
      'Hampton Inn & Suites New York Downtown',
      {},
    ],
    ['express', 'New York', 'HOLIDAY INN EXP NYC TIMES SQ', 'Holiday Inn Express New York City Times Square', {}],
    [
      'inn and suites',
      'Washington',
      'FAIRFIELD INN AND STES DC DWTN',
      'Fairfield Inn & Suites Washington, DC/Downtown',
      {},
    ],
    ['financial district', 'New York', 'HOTEL INDIGO NYC FIN DIST', 'Hotel Indigo NYC Financial District', {}],
    ['initials', 'New York', 'RESIDENCE INN MANHATTAN WTC', 'Residence Inn New York World Trade Center', {}],
    [
      'cut at thirty',
      'New York',
      'COURTYARD NYC MANHATTAN MIDTOW',
      'Courtyard by Marriott New York Manhattan/Midtown East',
      {},
    ],
    ['cut city', 'Washington', 'CAPITOL LARKSPUR HTL WASHINGTO', 'Capitol Larkspur Hotel', {}],
    ['"New" of New York', 'New York', 'Larkspur Hotel New York', 'The Larkspur Hotel', {}],
    [
      '"Garden" of a brand',
      'New York',
      'HILTON GARDEN INN NYC CHELSEA',
      'Hilton Garden Inn New York/Manhattan-Chelsea',
      {},
    ],
    ['names of the city', 'Wien', 'Zokari Wien', 'Zokari Vienna', {}],
    ['brand only', 'New York', 'Moxy', 'Moxy NYC Times Square', {}],
    [
      'coarse coordinates, same address',
      'Paris',
      'Hôtel Astrelle',
      'Hotel Astrelle',
      { meters: 1_300, a: '12, rue du Lac', b: '12 Rue du Lac' },
    ],
    [
      'coarse coordinates, address, longer name',
      'Paris',
      'Hôtel Astrelle',
      'Astrelle Montmartre',
      { meters: 600, a: '12 rue du Lac' },
    ],
    [
      'coarse coordinates, name of its own',
      'Paris',
      'Hôtel Merisier Vaudoyer',
      'HOTEL MERISIER VAUDOYER',
      { meters: 500 },
    ],
    ['stars in the name', 'Barcelona', 'Casa Brisal 4* Sup', 'Casa Brisal', {}],
    ['asterisks', 'Wien', 'Hotel Steinhofer ****', 'Hotel Steinhofer', {}],
    ['a landmark that is a tower', 'Paris', 'Pullman Paris Tour Eiffel', 'Pullman Paris Eiffel Tower', {}],
    [
      'a landmark that is a building',
      'New York',
      'HAMPTON INN EMPIRE STATE BLDG',
      'Hampton Inn Manhattan Empire State Building',
      {},
    ],
    ['aparthotel and hotel of a brand', 'Paris', 'Aparthotel Adagio Paris Montmartre', 'Hotel Adagio Montmartre', {}],
    ['a plain name', 'New York', 'Hotel 91', 'HOTEL 91', { meters: 6, a: '91 East Broadway', b: '91 E Broadway' }],
    ['a number that is the address', 'New York', 'Larkspur 57', 'Larkspur', { a: '57 Bank St' }],
    ['an arrondissement', 'Paris', 'Ormelle Paris 19ème', 'ORMELLE PARIS 19', {}],
    ['a number in words', 'Paris', 'Hôtel des 2 Ormelles', 'Hôtel des Deux Ormelles', {}],
    ['a number in words', 'Wien', 'Hotel Drei Steinhofer', 'Hotel 3 Steinhofer', {}],
    ['"dos" that is not a number', 'Barcelona', 'Pousada dos Brisais', 'Pousada Brisais', {}],
    ['written together', 'Wien', 'Hotel am Rilke Platz', 'Hotel Rilkeplatz', {}],
    [
      'a company after the name',
      'New York',
      'Residence Inn Chelsea by Marriott',
      'Residence Inn by Marriott Chelsea',
      {},
    ],
    ['a letter', 'New York', 'Tower A - Larkspur Apartments', 'Larkspur Apartments Tower A', {}],
    ['a landmark with an elision', 'Paris', "Hôtel de la Tour d'Ormelle", 'HOTEL TOUR ORMELLE', {}],
    ['umlauts', 'Wien', 'Hotel Schönblickerhof', 'Hotel Schoenblickerhof', {}],
    ['guesthouses', 'Wien', 'Guesthouse Steinhofer', 'Gästehaus Steinhofer', {}],
    ['"boutique"', 'Barcelona', 'Hotel Boutique Brisal Gran', 'Brisal Gran - Terraza', {}],
    ['sharp s', 'Wien', 'Pension Weißgerber', 'Pension Weissgerber', {}],
    ['elision', 'Paris', "Hôtel de l'Ormelaie", 'HOTEL ORMELAIE', {}],
    ['ampersands', 'Barcelona', 'Chic & Brisal', 'Chic y Brisal', {}],
    ['words that say nothing elsewhere', 'Wien', 'DO & CO Hotel Vienna', 'DO&CO Hotel', {}],
  ])('%s: in %s, "%s" and "%s" are matched', (_, city, a, b, more) => {
    expect(odds(city, a, b, more)).toBeGreaterThanOrEqual(MATCH_ODDS)
  })

  test.each([
    ['123 W 44th St', '123 West 44th Street'],
    ['790 8th Ave', '790 Eighth Avenue'],
    ['1515 Rhode Island Ave NW', '1515 Rhode Island Avenue Northwest'],
    ['1335 Avenue of the Americas', '1335 6th Ave'],
    ['12 W 44 St', '12 West 44th Street'],
    ['Neubaugürtel 26-28', 'Neubaugürtel 28'],
    ['Josefstädterstraße 10-12', 'Josefstädter Straße 12'],
    ['Graben 21 / Petersplatz 7', 'Petersplatz 7'],
    ['12 bis, rue du Faubourg Saint-Honoré', '12 R. Faubourg St Honore'],
    ["Carrer d'Aragó, 271", 'C/ Aragón 271'],
    ['Passeig de Gràcia 68', 'Paseo de Gracia, 68'],
  ])('"%s" and "%s" have the same street and house number', (a, b) => {
    const [x, y] = [
      facts('New York', 'a', 'Larkspur', 0, { address: a }),
      facts('New York', 'b', 'Larkspur', 9, { address: b }),
    ]
    const found = compareTraits(getMatchTraits(x), getMatchTraits(y))
    expect(found?.evidence.map(({ fact }) => fact)).toContain('same street and house number')
  })
})

describe('two properties', () => {
  test.each<[string, City, string, string]>([
    ['sisters in one building', 'New York', 'Courtyard New York Central Park', 'Residence Inn New York Central Park'],
    ['sisters in one building', 'Paris', 'Novotel Paris Bercy', 'ibis Paris Bercy'],
    ['a cheaper brand of the name', 'Wien', 'ibis Wien Messe', 'ibis budget Wien Messe'],
    [
      'a cheaper brand of the name',
      'New York',
      'HOLIDAY INN NYC TIMES SQ',
      'Holiday Inn Express New York Times Square',
    ],
    ['a brand and its parent', 'Washington', 'Hilton Washington Downtown', 'Hilton Garden Inn Washington Downtown'],
    ['an annex', 'Paris', 'Hôtel Ormelle', 'Hôtel Ormelle Annexe'],
    ['a tower', 'Barcelona', 'Hotel Brisal', 'Hotel Brisal Torre Sur'],
    ['two towers', 'New York', 'Larkspur North Tower', 'Larkspur South Tower'],
    ['a hotel inside another', 'Barcelona', 'The Level at Brisal Sky', 'Brisal Sky'],
    ['a club inside another', 'New York', 'Heritage Rooms at Larkspur Palace', 'Larkspur Palace Hotel'],
    ['apartments above a hotel', 'Paris', 'Ormelle Apartments', 'Hôtel Ormelle'],
    ['a hostel below a hotel', 'Barcelona', 'Hotel Brisal', 'Brisal Hostel'],
    ['numbers', 'New York', 'Pod 39', 'Pod 51'],
    ['two towers by letters', 'New York', 'Larkspur Tower A', 'Larkspur Tower B'],
    ['two buildings by letters', 'Barcelona', 'Brisal Apartments Building A', 'Brisal Apartments Building B'],
    ['one building of several', 'Barcelona', 'Brisal Apartments Block D', 'Brisal Apartments'],
    ['flats by letters', 'Wien', 'Apartment Steinhofer A', 'Apartment Steinhofer B'],
    ['a brand of the same company', 'New York', 'Hampton Inn Chelsea by Hilton', 'Hilton Chelsea'],
    ['a brand with a name of its own', 'Wien', 'Nyxora Hotel Messe by Leonardo Hotels', 'Leonardo Hotel Messe'],
    ['holiday flats of a hotel company', 'New York', 'Hilton Grand Vacations Chelsea', 'Hilton Chelsea'],
    ['flats inside another property', 'New York', 'Homely Stay @ Larkspur Residence', 'Larkspur Residence'],
    ['a house beside the house', 'Wien', 'Hotel Steinhofer', 'Hotel Steinhofer Nebenhaus'],
    ['numbered sister', 'Wien', 'Hotel Steinhofer', 'Hotel Steinhofer II'],
    ['sides of a square', 'New York', 'Hampton Inn Times Square South', 'Hampton Inn Times Square Central'],
    ['two stations', 'Paris', 'Timhotel Gare du Nord', "Timhotel Gare de l'Est"],
    ['two quarters', 'Paris', 'Mercure Paris Opéra Lafayette', 'Mercure Paris Opéra Garnier'],
    ['kinds of one owner', 'Wien', 'FeelFine Apartments - GreenLiving', 'FeelFine Apartments - SmartLiving'],
    ['neighbours of one quarter', 'Paris', 'Hôtel Cluny Vaudoyer', 'Hôtel Royal Vaudoyer'],
  ])('%s: in %s, "%s" and "%s" are not matched at one address', (_, city, a, b) => {
    expect(odds(city, a, b, { meters: 5, a: '12 rue du Lac' })).toBeLessThan(MATCH_ODDS)
  })

  test.each([
    ['Villas Steinhofer', 'Apartments Steinhofer'],
    ['Suites Steinhofer', 'Villas Steinhofer'],
    ['Camping Steinhofer', 'Apartments Steinhofer'],
    ['PENSION ROSA', 'Pension Rosalinda'],
    ['CASA ANA', 'Casa Anabela'],
  ])('"%s" and "%s" are not matched next door without other evidence', (a, b) => {
    expect(odds('Wien', a, b)).toBeLessThan(MATCH_ODDS)
  })

  test.each<[string, string, string]>([
    ['names of one letter difference', 'Apartment Maria', 'Apartment Mario'],
    ['names of one letter difference', 'Old Town Studio Luna', 'Old Town Studio Lena'],
    [
      'one short word in a long name',
      'Residence Apartment Old Town Square Max',
      'Residence Apartment Old Town Square Leo',
    ],
    ['the last of several words', 'Danube Loft Apartment Amber', 'Danube Loft Apartment Jasper'],
    ['numbers of flats', 'Marina Heights B101', 'Marina Heights B102'],
    ['numbers of flats', 'Marina Heights 3B', 'Marina Heights 3C'],
    ['a number and a name', 'Danube Stay Apartment 102', 'Danube Stay Apartment Hanna'],
    ['a side and a name', 'Danube Stay Apartment North', 'Danube Stay Apartment Hanna'],
    ['a name after a dash', 'Danube Stay Apartment - Hanna', 'Danube Stay Apartment Ruby'],
    ['grades of flats', 'Steinhofer Apartments Deluxe', 'Steinhofer Apartments Superior'],
    ['east and west', 'Hotel Bellevue Este', 'Hotel Bellevue Oeste'],
    ['signs of East Asian scripts', '旅館山本別館', '旅館山本本館'],
  ])('%s: "%s" and "%s" are not matched, even with one owner’s address and telephone', (_, a, b) => {
    const owner = { address: '12 rue du Lac', postal_code: '1010', phone: '+43 1 5550123', star_rating: 4 }
    const [x, y] = [facts('Wien', 'a', a, 0, owner), facts('Wien', 'b', b, 0, owner)]
    const found = compareTraits(getMatchTraits(x), getMatchTraits(y))
    expect(found?.odds ?? Number.NEGATIVE_INFINITY).toBeLessThan(MATCH_ODDS)
  })

  test('the name of a quarter does not match properties, because many names nearby contain it', () => {
    const quarter = ['Cadet', 'Royal', 'Bergère', 'Lafayette'].map((name, n) =>
      facts('Paris', 'b', `Hôtel ${name} Vaudoyer`, 150 + n * 90),
    )
    const plain = facts('Paris', 'a', 'Hôtel Vaudoyer', 0)
    const near = facts('Paris', 'b', 'Hôtel Cluny Vaudoyer', 40)
    const joined = (others: MatchFacts[]) =>
      matchProperties([plain, near, ...others]).groups.some(({ members }) => members.includes(0) && members.length > 1)
    expect(joined([])).toBe(true)
    expect(joined(quarter)).toBe(false)
  })

  test('a two-word name in two villages without addresses is not matched', () => {
    const inn = (vendor: string, meters: number, city: string) =>
      getMatchTraits(facts('Wien', vendor, 'Gasthof Goldener Steinbock', meters, { city }))
    const compareOdds = (city: string, other: string) => compareTraits(inn('a', 0, city), inn('b', 700, other))?.odds
    expect(compareOdds('Oberdorf', 'Unterdorf')).toBeLessThan(MATCH_ODDS)
    expect(compareOdds('Oberdorf', 'Oberdorf')).toBeGreaterThanOrEqual(MATCH_ODDS)
  })

  test('flats at two addresses with one telephone and name are not matched, but hotels are', () => {
    const recordAt = (vendor: string, name: string, meters: number, address: string) =>
      getMatchTraits(facts('Wien', vendor, name, meters, { address, phone: '+43 1 5550123' }))
    const compareOdds = (name: string, other: string) =>
      compareTraits(recordAt('a', name, 0, 'Hauptstrasse 12'), recordAt('b', other, 300, 'Ringgasse 5'))?.odds
    expect(compareOdds('Steinhofer Apartments', 'Steinhofer Apartments')).toBeLessThan(MATCH_ODDS)
    expect(compareOdds('Steinhofer Apartments', 'Steinhofer Apartments Mozart')).toBeLessThan(MATCH_ODDS)
    expect(compareOdds('Hotel Steinhofer', 'Hotel Steinhofer')).toBeGreaterThanOrEqual(MATCH_ODDS)
  })

  test('a number is an arrondissement only in the French cities that have them', () => {
    const oddsIn = (postal_code: string) => {
      const [x, y] = ['Hostal Ormelle 1', 'Hostal Ormelle'].map((name, index) =>
        getMatchTraits(facts('Paris', `vendor ${index}`, name, 9, { postal_code })),
      )
      return x && y && compareTraits(x, y)?.odds
    }
    expect(oddsIn('28001')).toBeLessThan(MATCH_ODDS)
    expect(oddsIn('75001')).toBeGreaterThanOrEqual(MATCH_ODDS)
  })

  test('with three entries of one name at a vendor, a flat matches none and a hotel matches one', () => {
    const countJoins = (name: string) => {
      const entry = (vendor: string, meters: number) =>
        facts('Wien', vendor, name, meters, { address: 'Hauptstrasse 12', vendor_property_id: `${vendor}${meters}` })
      const { groups } = matchProperties([entry('a', 0), entry('b', 0), entry('b', 3), entry('b', 6)])
      return groups.filter(({ members }) => members.length > 1).length
    }
    expect(countJoins('Apartment Steinhofer Altblick')).toBe(0)
    expect(countJoins('Hotel Steinhofer Altblick')).toBe(1)
  })

  test('a bare brand name does not join two contradicting names', () => {
    const { groups } = matchProperties([
      facts('New York', 'a', 'Hampton Inn', 0),
      facts('New York', 'b', 'Hampton Inn Times Square South', 15),
      facts('New York', 'c', 'HAMPTON INN TIMES SQ CENTRAL', 30),
    ])
    expect(groups.every(({ members }) => !(members.includes(1) && members.includes(2)))).toBe(true)
  })
})
