import { expect, test } from 'vitest'
import { BED_CODES, FACILITY_CODES } from '../../../sandbox/vendors/hotelbeds/codes.ts'
import { AMENITIES } from '../../../src/domain/property/amenity.ts'
import { IDEAS } from '../../../web/src/home/home-city.ts'
import { placeName as translatePlace, word as translateWord } from '../../../web/src/i18n/de-words.ts'

test('German has a word for every amenity of ours and of the sandbox vendors', () => {
  const labels = [...AMENITIES.map(({ label }) => label), ...Object.values(FACILITY_CODES).map(([, , name]) => name)]
  expect(labels.filter((label) => translateWord(label) === undefined)).toEqual([])
})

test('beds are translated with their number, including combinations and alternatives', () => {
  expect(translateWord('1 King Bed')).toBe('1 Kingsize-Bett')
  expect(translateWord('2 Twin Beds and 1 Sofa Bed')).toBe('2 Einzelbetten und 1 Schlafsofa')
  expect(translateWord('1 Double Bed or 2 Single Beds')).toBe('1 Doppelbett oder 2 Einzelbetten')
  const names = Object.values(BED_CODES).map(([, , name]) => name)
  expect(names.filter((name) => translateWord(name) === undefined)).toEqual([])
})

test('text in brackets is translated too, and unknown words are kept', () => {
  expect(translateWord('Car park (extra charge)')).toBe('Parkplatz (gegen Aufpreis)')
  expect(translateWord('Half board (buffet dinner)')).toBe('Halbpension (Abendbuffet)')
  expect(translateWord('Garage (12 EUR)')).toBe('Garage (12 EUR)')
  expect(translateWord('Wi-Fi: free of charge')).toBe('WLAN (kostenlos)')
  expect(translateWord('Royal falconry')).toBeUndefined()
  expect(translateWord('Lisbon')).toBe('Lissabon')
  expect(translateWord('Riyadh')).toBe('Riad')
})

test('the destinations of the home page have German names', () => {
  expect(IDEAS.map((name) => translateWord(name) ?? name)).toEqual([
    'Lissabon',
    'Istanbul',
    'Kyoto',
    'Marrakesch',
    'Wien',
    'Buenos Aires',
  ])
})

test('places have German names that depend on their country', () => {
  expect(translatePlace('Munich, Bavaria, Germany')).toBe('München, Bayern, Deutschland')
  expect(translatePlace('Vienna, Austria')).toBe('Wien, Österreich')
  expect(translatePlace('Vienna, Virginia, United States')).toBe('Vienna, Virginia, Vereinigte Staaten')
  expect(translatePlace('Hong Kong, Central and Western, Hong Kong')).toBe('Hongkong, Central and Western, Hongkong')
  expect(translatePlace('Florence'), 'as the home page suggests it').toBe('Florenz')
  expect(translatePlace('Porto, Portugal')).toBe('Porto, Portugal')
})
