import { expect, test } from 'vitest'
import { localName } from '../../../src/locations/present.ts'

test.each([
  ['Munich, Bavaria, Germany', 'DE', 'de-AT', 'München, Bayern, Deutschland'],
  ['Vienna, Austria', 'AT', 'de', 'Wien, Österreich'],
  ['Vienna, Virginia, United States', 'US', 'de', 'Vienna, Virginia, Vereinigte Staaten'],
  ['Hong Kong, Central and Western, Hong Kong', 'HK', 'de', 'Hongkong, Central and Western, Hongkong'],
  ['Hotel Ritz, Lisbon, Portugal', 'PT', 'de', 'Hotel Ritz, Lissabon, Portugal'],
  ['Germany', 'DE', 'de', 'Deutschland'],
  ['Munich, Bavaria, Germany', 'DE', 'fr', 'Munich, Bavaria, Allemagne'],
  ['Munich, Bavaria, Germany', 'DE', 'en-GB', 'Munich, Bavaria, Germany'],
  ['Munich, Bavaria, Germany', 'DE', 'zzz', 'Munich, Bavaria, Germany'],
  ['Nowhere', '', 'de', 'Nowhere'],
])('“%s” (%s) is in %s “%s”', (name, countryCode, language, shown) => {
  expect(localName({ name, countryCode }, language)).toBe(shown)
})
