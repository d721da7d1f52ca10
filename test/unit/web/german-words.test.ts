import { expect, test } from 'vitest'
import { BED_CODES, FACILITY_CODES } from '../../../sandbox/vendors/hotelbeds/codes.ts'
import { AMENITIES } from '../../../src/domain/property/amenity.ts'
import { IDEAS } from '../../../web/src/home/home-city.ts'
import { germanPlace, germanWord } from '../../../web/src/i18n/de-words.ts'

test('German has a word for every amenity of ours and of the sandbox vendors', () => {
  const labels = [...AMENITIES.map(({ label }) => label), ...Object.values(FACILITY_CODES).map(([, , name]) => name)]
  expect(labels.filter((label) => germanWord(label) === undefined)).toEqual([])
})

test('beds are translated with their number, including combinations and alternatives', () => {
  expect(germanWord('1 King Bed')).toBe('1 Kingsize-Bett')
  expect(germanWord('2 Twin Beds and 1 Sofa Bed')).toBe('2 Einzelbetten und 1 Schlafsofa')
  expect(germanWord('1 Double Bed or 2 Single Beds')).toBe('1 Doppelbett oder 2 Einzelbetten')
  const names = Object.values(BED_CODES).map(([, , name]) => name)
  expect(names.filter((name) => germanWord(name) === undefined)).toEqual([])
})

test('text in brackets is translated too, and unknown words are kept', () => {
  expect(germanWord('Car park (extra charge)')).toBe('Parkplatz (gegen Aufpreis)')
  expect(germanWord('Half board (buffet dinner)')).toBe('Halbpension (Abendbuffet)')
  expect(germanWord('Garage (12 EUR)')).toBe('Garage (12 EUR)')
  expect(germanWord('Wi-Fi: free of charge')).toBe('WLAN (kostenlos)')
  expect(germanWord('Royal falconry')).toBeUndefined()
  expect(germanWord('Lisbon')).toBe('Lissabon')
  expect(germanWord('Riyadh')).toBe('Riad')
})

test('the destinations of the home page have German names', () => {
  expect(IDEAS.map((name) => germanWord(name) ?? name)).toEqual([
    'Lissabon',
    'Istanbul',
    'Kyoto',
    'Marrakesch',
    'Wien',
    'Buenos Aires',
  ])
})

test('places have German names that depend on their country', () => {
  expect(germanPlace('Munich, Bavaria, Germany')).toBe('München, Bayern, Deutschland')
  expect(germanPlace('Vienna, Austria')).toBe('Wien, Österreich')
  expect(germanPlace('Vienna, Virginia, United States')).toBe('Vienna, Virginia, Vereinigte Staaten')
  expect(germanPlace('Hong Kong, Central and Western, Hong Kong')).toBe('Hongkong, Central and Western, Hongkong')
  expect(germanPlace('Florence'), 'as the home page suggests it').toBe('Florenz')
  expect(germanPlace('Porto, Portugal')).toBe('Porto, Portugal')
})
