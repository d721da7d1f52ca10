import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readRoomPairs, scoreRoomPairs } from '../../../../scripts/score/score-rooms.ts'
import { compareRooms } from '../../../../src/catalogue/rooms/compare-rooms.ts'
import { withoutRateWords } from '../../../../src/catalogue/rooms/known-room.ts'
import { readAttributes } from '../../../../src/catalogue/rooms/read-attributes.ts'

const read = (name: string, beds?: string[]) => readAttributes({ name, ...(beds && { beds }) })
const compare = (a: string, b: string) => compareRooms(read(a), read(b))

describe('a name is read', () => {
  test('a room name is read regardless of word order, case and language', () => {
    const attributes = { grades: ['superior'], views: ['sea'], outdoor: ['balcony'], kinds: [], words: [] }
    for (const name of [
      'Superior Room, 1 Double Bed, Balcony, Sea View',
      'DOUBLE SUPERIOR WITH BALCONY SEA VIEW',
      'Doppelzimmer Superior mit Balkon und Meerblick',
      'Chambre Double Supérieure avec Balcon - Vue sur Mer',
      'Habitación Doble Superior con Balcón y Vistas al Mar',
      'Camera Matrimoniale Superiore con Balcone Vista Mare',
      'SUP DBL BALCONY SV',
    ])
      expect(read(name), name).toMatchObject(attributes)
  })

  test.each([
    ['King Room', ['1king']],
    ['Room, 2 Queen Beds', ['2queen']],
    ['Queen Room with Two Queen Beds', ['2queen']],
    ['Double Room with Two Double Beds', ['2double']],
    ['DOUBLE OR TWIN STANDARD', ['2single', 'double']],
    ['Room, 1 King Bed or 2 Twin Beds', ['1king', '2single']],
    ['Triple Room, 1 Double Bed and 1 Single Bed', ['1double+1single']],
    ['Habitación con 2 camas dobles', ['2double']],
    ['Deluxe Room', []],
    ['DOUBLE KING SIZE BED', ['1king']],
    ['DOUBLE SUPERIOR QUEEN SIZE BED', ['1queen']],
    ['DOUBLE QUEEN', ['2queen']],
  ])('the beds of a room name are read: %s', (name, choices) => {
    expect(read(name).beds.choices).toEqual(choices)
  })

  test('structured beds take precedence over the room name', () => {
    expect(read('Double Room', ['2 Twin Beds']).beds.choices).toEqual(['2single'])
  })

  test('rate words are dropped from a room name, and the hotel’s own words are kept', () => {
    const { words, grades } = read('Signature King Room - Room Only - Non Refundable - 20% off')
    expect([words, grades]).toEqual([['signature'], []])
    expect(withoutRateWords('Signature King Room - Room Only (Non Refundable)')).toBe('Signature King Room')
    expect(withoutRateWords('Breakfast Room')).toBe('Breakfast Room')
  })
})

describe('comparing rooms', () => {
  test.each([
    ['Executive Room', 'Executive Suite', 'kind'],
    ['Double Room', 'Double Room, Sea View', 'view'],
    ['Sea View Room', 'Partial Sea View Room', 'view'],
    ['King Room', 'Club King Room', 'features'],
    ['Suite', 'Suite with Kitchen', 'features'],
    ['Villa', 'Villa with Private Pool', 'features'],
    ['Double Room', 'Double Room with Balcony', 'outdoor'],
    ['King Room', 'King Room - Disability Access', 'access'],
    ['Apartment', 'Apartment, 2 Bedrooms', 'bedrooms'],
    ['Deluxe King', 'Superior King', 'grade'],
    ['Room, 1 King Bed', 'Room, 2 Queen Beds', 'beds'],
    ['Signature King', 'King Room', 'name'],
    ['King Room', 'King Room, High Floor', 'location'],
    ['King Room - Smoking', 'King Room', 'smoking'],
    ['Double Room', 'Double Room for Single Use', 'occupancy'],
    ['Doppelzimmer mit Balkon', 'Doppelzimmer ohne Balkon', 'outdoor'],
    ['Double Room with Balcony', 'Double Room with French Balcony', 'outdoor'],
    ['Poolside Bungalow', 'Beachside Bungalow', 'view'],
    ['Oceanfront Suite', 'Beachfront Suite', 'view'],
    ['Junior Suite Swim-up', 'Junior Suite with Beach Access', 'view'],
    ['Senior Suite', 'Suite', 'grade'],
    ['Tower A King Room', 'Tower D King Room', 'name'],
    ['Suite Nr. 5', 'Suite Nr. 6', 'name'],
    ['Apartment 40 m²', 'Apartment 70m2', 'size'],
    ['Apartment 400 sq ft', 'Apartment 75 sqm', 'size'],
    ['Einzelzimmer mit Bad', 'Einzelzimmer ohne Bad', 'features'],
  ])('"%s" and "%s" differ by %s', (a, b, attribute) => {
    expect(compare(a, b)).toEqual({ same: false, by: [attribute] })
    expect(compare(b, a)).toEqual({ same: false, by: [attribute] })
  })

  test('rooms match regardless of how a number is written and of a non-refundable rate', () => {
    expect(compare('Suite No. 5', 'Suite 5')).toMatchObject({ same: true })
    expect(compare('King Room NR 20% off', 'King Room')).toMatchObject({ same: true })
  })

  test('non-smoking, a sofa bed and the word "standard" do not separate rooms', () => {
    expect(compare('Standard King Room', 'Room, 1 King Bed with Sofa Bed, Non Smoking')).toMatchObject({ same: true })
  })
})

test('room matching makes no wrong match and finds at least 98 % of the project’s labelled set', () => {
  const pairs = readRoomPairs(readFileSync(new URL('../fixtures/rooms.json', import.meta.url), 'utf8'))
  const { right, wrong, missed } = scoreRoomPairs(pairs)
  expect(wrong.map(({ a, b }) => `${a.name} / ${b.name}`)).toEqual([])
  expect(right / (right + missed.length)).toBeGreaterThanOrEqual(0.98)
})

test('a file of room pairs with an error is rejected with its position', () => {
  expect(() => readRoomPairs('{}')).toThrow('not a list')
  expect(() =>
    readRoomPairs('[{"a":{"name":"x"},"b":{"name":"y"},"same":true},{"a":{"name":"x"},"same":true}]'),
  ).toThrow(/pair 2.*b/)
})

describe('habits of vendors', () => {
  test.each([
    ['"double" as the number of guests', 'DOUBLE KING SIZE BED LAKE VIEW', 'Room, 1 King Bed, Lake View'],
    ['"quadruple" beside its beds', 'QUADRUPLE TWO QUEEN BEDS', 'Room, 2 Queen Beds'],
    ['a brand', 'Sheraton Deluxe King', 'Deluxe Room, 1 King Bed'],
    ['a bed brand', 'King Room with Heavenly Bed', 'King Room'],
    ['a torn word', 'Deluxe Doub le Room', 'Deluxe Double Room'],
    ['a torn word', 'Exec utive King', 'Executive King Room'],
    ['a tower in brackets', 'Deluxe Room (Marisol Tower)', 'Marisol Deluxe Room'],
    ['a fee', 'Deluxe King Room - No Resort Fee', 'Deluxe King Room'],
    ['a price', 'Queen Room - Special Price', 'Queen Room'],
    ['a price', 'Room, 1 King Bed (Express Deal)', 'King Room'],
    ['a dash after a number', 'Two - Bedroom Apartment with Balcony', 'Apartment, 2 Bedrooms, Balcony'],
    ['numbers of high floors', 'King Room High Floor (10-20)', 'King Room - High Floor'],
  ])('%s: "%s" is "%s"', (_, a, b) => {
    expect(compare(a, b).same).toBe(true)
  })

  test.each([
    ['Deluxe Room (Marisol Tower)', 'Deluxe Room (Lunasol Tower)'],
    ['Deluxe Room (Marisol Tower)', 'Deluxe Room (Marisol Wing)'],
    ['Deluxe Room', 'Deluxe Room (Tower)'],
    ['Deluxe Room', 'Deluxe Room (Marisol Tower)'],
    ['QUADRUPLE', 'Room, 2 Queen Beds'],
    ['DOUBLE QUEEN', 'Room, 1 Queen Bed'],
    ['One - Bedroom Suite', 'Two - Bedroom Suite'],
    ['Deluxe King (floors 5 to 10)', 'Deluxe King (floors 19 to 25)'],
    ['King Room High Floor for 3 people', 'King Room High Floor'],
    ['Sheraton Club King', 'Sheraton King Room'],
  ])('"%s" is not "%s"', (a, b) => {
    expect(compare(a, b).same).toBe(false)
  })
})
