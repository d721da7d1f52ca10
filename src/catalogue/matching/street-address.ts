import { tokenizeName } from './names/name-tokens.ts'
import { wordSimilarity } from './names/word-similarity.ts'

/** Comparable parts of an address. */
export type StreetAddress = {
  readonly words: readonly string[]
  /** First and last house number, 0 if there is none: "26-28" → 26, 28. */
  readonly from: number
  readonly to: number
  /** "rue", "calle": undefined if unknown. */
  readonly language: string | undefined
  /** Without a number or kind it may be a district. */
  readonly isStreet: boolean
}

/** Kinds of street, which vendors abbreviate, omit or translate, and filler words. */
const STREET_KIND = new Set(
  `street str straat road rd avenue boulevard drive dr lane ln way square place plaza platz piazza praca rue r rua via viale calle
  carrer c cl corso largo ul ulica cd caddesi sokak jalan jl soi thanon gasse g weg allee quai chaussee ch court ct terrace parkway
  pkwy highway hwy route rte no nr num n de du des la le les l d del dels della di da do dos das el els the of saint and passeig
  paseo pg psg placa pla ronda rda traversera travessera trav gran bis ter esq corner ecke northwest northeast southwest southeast
  nw ne sw se st suite floor`.split(/\s+/),
)

/** Kinds of street of one language. */
const LANGUAGES = new Map(
  Object.entries({
    en: 'street road rd drive lane highway',
    fr: 'rue quai chaussee allee',
    es: 'calle carrer carrera paseo passeig',
    it: 'via viale corso piazza',
    pt: 'rua praca',
    ar: 'tariq tareeq shari sharia sharea شارع طريق',
    tr: 'caddesi sokak',
    ru: 'ulitsa ul',
    id: 'jalan jl',
    th: 'thanon soi',
    zh: 'lu jie',
  }).flatMap(([language, words]) => words.split(' ').map((word) => [word, language] as const)),
)

const STREET_AFTER = new Set(['saint', 'street', 'avenue'])
const NUMBER_AFTER = new Set(['no', 'nr', 'num', 'numero'])
const RANGE_MAX = 20

const COMPASS = new Map(Object.entries({ w: 'west', e: 'east', n: 'north', s: 'south' }))
const SUFFIX = /(strasse|str|straat|gasse|gatan|gata|vej|veien|platz)$/

/** `notStreet`: words of the city, which some vendors repeat in the street. */
export function parseStreetAddresses(address: string, notStreet: ReadonlySet<string>): StreetAddress[] {
  if (address === '') return []
  return address
    .split(/\/(?=\s*\p{L}{3})|;|\s\|\s/u)
    .map((part) => parseStreetAddress(part, notStreet))
    .filter(({ words }) => words.length > 0)
}

function parseStreetAddress(address: string, notStreet: ReadonlySet<string>): StreetAddress {
  const words: string[] = []
  let from = 0
  let to = 0
  let language: string | undefined
  const tokens = tokenizeName(address.replace(/avenue of the americas/i, '6th avenue'))
  for (const [index, token] of tokens.entries()) {
    if (/^\d+[a-z]?$/.test(token)) {
      const number = Number.parseInt(token, 10)
      const [before = '', next = ''] = [tokens[index - 1], tokens[index + 1]]
      // "12 W 44 St": the second number is the street's; "Carrera 7 No. 124": the first is.
      if (from !== 0 && STREET_AFTER.has(next)) words.push(`${number}th`)
      else if (from === 0 || NUMBER_AFTER.has(before)) {
        if (from !== 0) words.push(`${from}th`)
        from = number
        to = number
      } else if (/^\d+[a-z]?$/.test(before) && number > from && number - from <= RANGE_MAX) to = number
      continue
    }
    const side = from === 0 ? undefined : COMPASS.get(token)
    language ??= LANGUAGES.get(token)
    if (notStreet.has(token)) continue
    if (side !== undefined) words.push(side)
    else if (!STREET_KIND.has(token)) {
      const word = token.replace(SUFFIX, '')
      if (word !== '') words.push(word)
    }
  }
  return {
    words,
    from,
    to,
    language,
    isStreet: from > 0 || tokens.some((token) => STREET_KIND.has(token) || SUFFIX.test(token)),
  }
}

export type StreetVerdict = 'unknown' | 'same number' | 'same street' | 'other number' | 'other street'

const BEST_FIRST: readonly StreetVerdict[] = ['same number', 'same street', 'other number', 'unknown', 'other street']

/** Best result of any two streets. */
export function compareAddresses(
  a: readonly StreetAddress[],
  b: readonly StreetAddress[],
  isTransliterated: boolean,
): StreetVerdict {
  if (a.length === 0 || b.length === 0) return 'unknown'
  const found = new Set(a.flatMap((street) => b.map((other) => compareStreets(street, other))))
  const best = BEST_FIRST.find((verdict) => found.has(verdict)) ?? 'unknown'
  return best === 'other street' && isTransliterated ? 'unknown' : best
}

function compareStreets(a: StreetAddress, b: StreetAddress): StreetVerdict {
  const [few, many] = a.words.length <= b.words.length ? [a.words, b.words] : [b.words, a.words]
  const found = few.filter((word) => many.some((other) => wordSimilarity(word, other) > 0)).length
  if (found < Math.max(1, few.length * 0.6) && few.join('') !== many.join(''))
    return areComparable(a, b) ? 'other street' : 'unknown'
  if (a.from === 0 || b.from === 0) return 'same street'
  return a.from <= b.to && b.from <= a.to ? 'same number' : 'other number'
}

/** Addresses in two scripts or languages, or of a district, say nothing. */
const areComparable = (a: StreetAddress, b: StreetAddress): boolean =>
  a.isStreet &&
  b.isStreet &&
  isLatin(a) === isLatin(b) &&
  (a.language === undefined || b.language === undefined || a.language === b.language)

const isLatin = ({ words }: StreetAddress): boolean => words.some((word) => /[a-z]/.test(word))
