import { PLACES } from './de-places.ts'
import { TABLE } from './de-word-table.ts'

const parseTable = (table: string): readonly (readonly [english: string, german: string])[] =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split(' = '))
    .map(([english = '', german = '']) => [english, german])

const BY_PLACE = new Map(parseTable(PLACES))
const firstPart = (place: string): string => place.split(', ')[0] ?? ''
/** For time zones and names without a country. */
const CITIES: readonly (readonly [string, string])[] = [...BY_PLACE].map(([place, german]) => [
  firstPart(place),
  german,
])
const BY_CITY = new Map(CITIES)

/**
 * Translates short words of vendors' content (amenities, beds, property types, fees, headings) that a vendor has only
 * in English. Whole sentences stay untranslated, except Serai's own.
 */
const WORDS = new Map([...parseTable(TABLE), ...CITIES].map(([english, german]) => [english.toLowerCase(), german]))

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const REGION_NAMES = {
  en: new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }),
  de: new Intl.DisplayNames('de', { type: 'region', fallback: 'none' }),
}
/** Countries known to the browser, by English name. */
const COUNTRIES = new Map(
  [...LETTERS].flatMap((first) =>
    [...LETTERS].flatMap((second) => {
      const english = REGION_NAMES.en.of(first + second)
      const german = REGION_NAMES.de.of(first + second)
      return english === undefined || german === undefined ? [] : [[english, german] as const]
    }),
  ),
)

/** "Munich, Bavaria, Germany" → "München, Bayern, Deutschland". Unknown names stay in English, as the service has them. */
export function placeName(name: string): string {
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

/** "1 King Bed and 2 Sofa Beds" → "1 Kingsize-Bett und 2 Schlafsofas"; undefined if a part is unknown. */
function translateBeds(text: string): string | undefined {
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

/** Undefined without a translation. Text in brackets or after a colon is translated separately. */
export function word(text: string): string | undefined {
  const known = WORDS.get(text.trim().toLowerCase()) ?? translateBeds(text.trim())
  if (known !== undefined) return known
  const sentence = SENTENCES.find(([pattern]) => pattern.test(text))
  if (sentence !== undefined) return text.replace(...sentence)
  const [, head = '', rest = ''] = /^(.*?)(?: \((.+)\)|: (.+))$/.exec(text)?.filter((part) => part !== undefined) ?? []
  const translated = WORDS.get(head.toLowerCase())
  return translated === undefined ? undefined : `${translated} (${WORDS.get(rest.toLowerCase()) ?? rest})`
}
