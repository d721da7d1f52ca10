import { arabicSimilarity, isArabicCountry, transliterate } from './arabic-words.ts'
import { BRAND_WORDS, expandBrand, isBrand, markBrands } from './brands.ts'
import {
  AFFILIATION,
  CLASHING,
  COMMON,
  FILLER,
  FLAT_GRADES,
  HAS_LETTER,
  KINDS_BY_WORD,
  LISTED_WORD,
  NUMBER,
  PART,
  PART_BESIDE_SIDE,
  SIDE,
  SIDE_OF_PART,
} from './name-tables.ts'
import { tokenizeName } from './name-tokens.ts'
import { isAbbreviation, wordSimilarity } from './word-similarity.ts'

export type NameWords = {
  /** Distinctive words, each once, in order. Brands are marked by "=". */
  readonly words: readonly string[]
  /** Words of the city, if the name has no others: "Hotel Corona" in Corona. */
  readonly cityWords: readonly string[]
  /** Distinctive and kind words without spaces, for spellings that differ only in spaces. */
  readonly joined: string
  /** All canonical words without articles, for names without distinctive words. */
  readonly plain: string
  /** Numbers, spelled out or not, sorted. */
  readonly numbers: readonly string[]
  readonly parts: string
  readonly sides: readonly string[]
  readonly kinds: readonly string[]
  readonly brands: readonly string[]
  /** Number of words before a dash or bar; a brand or slogan often follows. */
  readonly main: number
  /** Number of words before "by"; an operator follows. */
  readonly by: number
  /** A property follows the dash: "Palm Resorts - Lagoon Hotel". */
  readonly compound: boolean
  /** Number of words before "at": "The Level at Grand Hotel" has one. */
  readonly inside: number
  /** All capitals, as in reservation systems, which also abbreviate. */
  readonly capitals: boolean
  /** Transliterated from Arabic. */
  readonly arabic: boolean
  /** At the length limit of such a system, so it may be truncated. */
  readonly cut: boolean
}

const MAYBE_SEPARATED = /[-–—|]/
const SEPARATOR = /\s[-–—|]+\s|\s*\|\s*/

/** Reservation systems truncate names at 30 characters or a little more. */
const CUT_FROM = 28
const CUT_TO = 36

type Collected = {
  readonly capitals: boolean
  readonly arabic: boolean
  readonly isFlat: boolean
  joined: string
  words: string[]
  cityWords: string[]
  plain: string[]
  numbers: string[]
  parts: string[]
  sides: string[]
  kinds: string[]
}

/** Flat numbers: "B101", "3C". */
const UNIT = /^(?:[a-z]\d+|\d+[a-z])$/

/** Words of companies after "by": "by Far East Hospitality" is not a side of town. */
const OPERATOR_WORD = new Set('far east west north south asia group management'.split(' '))

const isKnown = (token: string): boolean => LISTED_WORD.has(token) || NUMBER.has(token) || BRAND_WORDS.has(token)

/** Has a kind and a word of its own, and no brand. */
const isProperty = (tokens: readonly string[]): boolean =>
  tokens.some((token) => KINDS_BY_WORD.has(token)) &&
  !tokens.some(isBrand) &&
  tokens.some((token) => !KINDS_BY_WORD.has(token) && !FILLER.has(token) && !COMMON.has(token))

const JUST_GRAMMAR = new Set('the a an le la les el l d de du des der die das and und et y of'.split(' '))

function readTokens(name: string, capitals: boolean, arabic: boolean, city: ReadonlySet<string>) {
  const spell = (tokens: string[]) => {
    if (arabic) return transliterate(tokens, (token) => isKnown(token) || city.has(token))
    return capitals ? tokens.map((token) => (LISTED_WORD.has(token) ? token : expandBrand(token))) : tokens
  }
  const read = (part: string) => markBrands(spell(tokenizeName(part)))
  const [head = '', ...tail] = MAYBE_SEPARATED.test(name) ? name.split(SEPARATOR) : [name]
  return { first: read(head), tail: tail.length === 0 ? [] : read(tail.join(' ')) }
}

/** `city`: words of the property's own city, because "New" of New York is not a side of town. */
export function parseNameWords(name: string, city: ReadonlySet<string> = new Set(), country = ''): NameWords {
  const arabic = isArabicCountry(country)
  const capitals = !/\p{Ll}/u.test(name) && /\p{Lu}/u.test(name)
  const { first, tail } = readTokens(name, capitals, arabic, city)
  const tokens = tail.length === 0 ? first : [...first, ...tail]
  const isFlat = tokens.some((token) => KINDS_BY_WORD.get(token)?.includes('flat'))
  const all: Collected = {
    capitals,
    arabic,
    isFlat,
    words: [],
    cityWords: [],
    joined: '',
    plain: [],
    numbers: [],
    parts: [],
    sides: [],
    kinds: [],
  }
  let inside = 0
  let main = 0
  let by = 0
  for (const [index, token] of tokens.entries()) {
    if (index === first.length && main === 0) main = all.words.length
    if (token === 'at' && inside === 0) inside = all.words.length
    if (token === 'by' && by === 0) by = all.words.length
    if (by > 0 && OPERATOR_WORD.has(token)) continue
    readToken(token, index, tokens, city, all)
  }
  // "DO & CO": without other words, filler words are the name.
  if (all.words.length === 0) {
    for (const token of all.plain) if (!KINDS_BY_WORD.has(token) && !city.has(token)) all.words.push(token)
    all.joined = all.words.join('')
  }
  return {
    words: all.words,
    cityWords: all.words.length === 0 ? all.cityWords : [],
    joined: all.joined,
    plain: all.plain
      .filter((token) => !city.has(token))
      .sort()
      .join(' '),
    numbers: all.numbers.sort(),
    parts: all.parts.sort().join(' '),
    sides: all.sides,
    kinds: all.kinds,
    brands: all.words.filter(isBrand),
    main: main || all.words.length,
    by: by || all.words.length,
    compound: isProperty(first) && isProperty(tail),
    inside,
    capitals,
    arabic,
    cut: capitals && name.length >= CUT_FROM && name.length <= CUT_TO,
  }
}

function readToken(
  token: string,
  index: number,
  tokens: readonly string[],
  city: ReadonlySet<string>,
  all: Collected,
): void {
  const beside = [tokens[index - 1] ?? '', tokens[index + 1] ?? '']
  const number = parseNumber(token, index, tokens)
  if (!JUST_GRAMMAR.has(token) && !all.plain.includes(token)) all.plain.push(token)
  if (number !== undefined) {
    all.numbers.push(number)
    return
  }
  if (UNIT.test(token)) all.numbers.push(token)
  const isCity = city.has(token) || ((all.capitals || all.arabic) && isPartOfCity(token, city))
  if (
    isPart(token, beside, all.arabic) ||
    (PART_BESIDE_SIDE.has(token) && isLetterOfPart(index + 1, tokens, all.capitals))
  )
    all.parts.push('part')
  else if (isLetterOfPart(index, tokens, all.capitals) || (!isCity && isSide(token, beside))) all.sides.push(token)
  if (isCity) {
    all.cityWords.push(token)
    return
  }
  const kinds = KINDS_BY_WORD.get(token)
  if (kinds !== undefined) all.kinds.push(...kinds.filter((kind) => !all.kinds.includes(kind)))
  else if ((FILLER.has(token) && !(all.isFlat && FLAT_GRADES.has(token))) || AFFILIATION.has(token)) return
  all.joined += token
  if (kinds === undefined && !all.words.includes(token)) all.words.push(token)
}

/** "MANHATTN", "WASH", "BARCELON" in abbreviated and truncated names. */
export function isPartOfCity(token: string, city: ReadonlySet<string>): boolean {
  if (token.length < 3) return false
  for (const word of city) {
    if (
      word.length >= 5 &&
      (word.startsWith(token) ||
        isAbbreviation(token, word) ||
        wordSimilarity(token, word) > 0.8 ||
        arabicSimilarity(token, transliterate([word], isKnown)[0] ?? '') > 0)
    )
      return true
  }
  return false
}

/** Arabic hotels are often called towers as a whole. */
const isPart = (token: string, beside: readonly string[], arabic: boolean): boolean =>
  (PART.has(token) && !(arabic && token === 'tower')) ||
  ((PART_BESIDE_SIDE.has(token) || token === 'tower') &&
    beside.some((word) => SIDE.has(word) || parseNumber(word) !== undefined))

/** "Tower A", "Marina Apartments B". Not "Tour d'Argent", "Marina B&B", nor the rest of a truncated word. */
function isLetterOfPart(index: number, tokens: readonly string[], capitals: boolean): boolean {
  const [letter = '', before = ''] = [tokens[index], tokens[index - 1]]
  if (!/^[a-z]$/.test(letter)) return false
  const isLast = index === tokens.length - 1
  if (HAS_LETTER.has(before)) return isLast || (letter !== 'd' && letter !== 'l')
  return isLast && !capitals && before.length > 1 && before !== 'and'
}

const isSide = (token: string, beside: readonly string[]): boolean =>
  (token === 'central' && beside[0] !== 'grand' && beside[1] !== 'park' && beside[1] !== 'station') ||
  SIDE.has(token) ||
  (SIDE_OF_PART.has(token) && beside.some((word) => PART.has(word)))

/** "I" is a number only at the end ("Marina I"), "dos" also after "las"; elsewhere they are words. */
function parseNumber(token: string, index = 0, tokens: readonly string[] = []): string | undefined {
  if (/^\d+$/.test(token)) return String(Number(token.slice(0, 9)))
  if (LAST_ONLY.has(token) && index !== tokens.length - 1 && !/^l[ao]s$/.test(tokens[index - 1] ?? '')) return undefined
  return NUMBER.get(token)
}

const LAST_ONLY = new Set(['i', 'dos'])

/** Penalty for two kinds of property; 0 if they are compatible. */
export function kindPenalty(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0 || a.some((kind) => b.includes(kind))) return 0
  let penalty = 0
  for (const x of a) for (const y of b) penalty = Math.min(penalty, CLASHING[x < y ? `${x} ${y}` : `${y} ${x}`] ?? 0)
  return penalty
}
