import { PLACES } from './de-places.ts'
import { TABLE } from './de-word-table.ts'

const linesOf = (table: string): readonly (readonly [english: string, german: string])[] =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split(' = '))
    .map(([english = '', german = '']) => [english, german])

const BY_PLACE = new Map(linesOf(PLACES))
const cityOf = (place: string): string => place.split(', ')[0] ?? ''
/** For time zones, and for names that are typed without a country. */
const CITIES: readonly (readonly [string, string])[] = [...BY_PLACE].map(([place, german]) => [cityOf(place), german])
const BY_CITY = new Map(CITIES)

/**
 * German for the short words of vendors' content: amenities, beds, kinds of property, fees and headings, for what a vendor has
 * in English only. Whole sentences stay as they are, except those that Serai writes itself.
 */
const WORDS = new Map([...linesOf(TABLE), ...CITIES].map(([english, german]) => [english.toLowerCase(), german]))

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const NAMERS = {
  en: new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }),
  de: new Intl.DisplayNames('de', { type: 'region', fallback: 'none' }),
}
/** The countries that the browser knows, by their English names. */
const COUNTRIES = new Map(
  [...LETTERS].flatMap((first) =>
    [...LETTERS].flatMap((second) => {
      const english = NAMERS.en.of(first + second)
      const german = NAMERS.de.of(first + second)
      return english === undefined || german === undefined ? [] : [[english, german] as const]
    }),
  ),
)

/**
 * "Munich, Bavaria, Germany" → "München, Bayern, Deutschland", as far as the names are known. The service has places by their
 * English names.
 */
export function germanPlace(name: string): string {
  const parts = name.split(', ')
  const country = parts.at(-1) ?? ''
  const others = parts.slice(0, -1).map((part) => BY_PLACE.get(`${part}, ${country}`) ?? part)
  return [...others, COUNTRIES.get(country) ?? BY_CITY.get(country) ?? country].join(', ')
}

const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/^The minimum age to check in is (\d+)\.$/, 'Das Mindestalter beim Check-in ist $1 Jahre.'],
  [/^Accepted at the property: (.+)$/, 'In der Unterkunft akzeptiert: $1'],
]

const BEDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  king: ['Kingsize-Bett', 'Kingsize-Betten'],
  queen: ['Queensize-Bett', 'Queensize-Betten'],
  double: ['Doppelbett', 'Doppelbetten'],
  full: ['Doppelbett', 'Doppelbetten'],
  twin: ['Einzelbett', 'Einzelbetten'],
  single: ['Einzelbett', 'Einzelbetten'],
  sofa: ['Schlafsofa', 'Schlafsofas'],
  bunk: ['Etagenbett', 'Etagenbetten'],
}
const BED = /^(?:(\d+) )?(king|queen|double|full|twin|single|sofa|bunk)(?:[ -]size)? beds?(?: \d.*)?$/i

/** "1 King Bed and 2 Sofa Beds" → "1 Kingsize-Bett und 2 Schlafsofas"; undefined where a part is not understood. */
function bedsIn(text: string): string | undefined {
  const parts = text.split(/ (and|or) /)
  const read = parts.map((part) => {
    if (part === 'and') return 'und'
    if (part === 'or') return 'oder'
    const [, count, size = ''] = BED.exec(part) ?? []
    const names = BEDS[size.toLowerCase()]
    if (names === undefined) return undefined
    return count === undefined ? names[0] : `${count} ${names[count === '1' ? 0 : 1]}`
  })
  return read.includes(undefined) ? undefined : read.join(' ')
}

/** The German word, or undefined where there is none. What stands in brackets or after a colon is read on its own. */
export function germanWord(text: string): string | undefined {
  const known = WORDS.get(text.trim().toLowerCase()) ?? bedsIn(text.trim())
  if (known !== undefined) return known
  const sentence = SENTENCES.find(([pattern]) => pattern.test(text))
  if (sentence !== undefined) return text.replace(...sentence)
  const [, head = '', rest = ''] = /^(.*?)(?: \((.+)\)|: (.+))$/.exec(text)?.filter((part) => part !== undefined) ?? []
  const word = WORDS.get(head.toLowerCase())
  return word === undefined ? undefined : `${word} (${WORDS.get(rest.toLowerCase()) ?? rest})`
}
