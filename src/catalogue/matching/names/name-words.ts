import { isBrand, markBrands } from './brands.ts'
import {
  AFFILIATION,
  CLASHING,
  FILLER,
  GRADE,
  HAS_LETTER,
  KINDS_OF,
  NUMBER,
  PART,
  PART_BESIDE_SIDE,
  SIDE,
  SIDE_OF_PART,
} from './name-tables.ts'
import { tokensOf } from './name-tokens.ts'
import { isAbbreviation, wordSimilarity } from './word-similarity.ts'

export type NameWords = {
  /** Words that can tell one property from another, each once, in the order of the name. Brands are marked by "=". */
  readonly words: readonly string[]
  /** The same and the words of kind run together, for spellings that differ only in spaces. */
  readonly joined: string
  /** Every word under its one spelling, without articles; for names that say nothing else. */
  readonly plain: string
  /** Numbers in the name, spelled out or not, sorted. */
  readonly numbers: readonly string[]
  readonly parts: string
  readonly sides: readonly string[]
  readonly kinds: readonly string[]
  readonly brands: readonly string[]
  /** How many of the words come before a dash or bar; what follows is often a brand or a slogan. */
  readonly main: number
  /** How many of the words come before "at": "The Level at Grand Hotel" has one. */
  readonly inside: number
  /** Written in capitals, as reservation systems do, which also abbreviate. */
  readonly capitals: boolean
  /** As long as such a system allows: what follows may have been cut off. */
  readonly cut: boolean
}

const MAYBE_SEPARATED = /[-–—|]/
const SEPARATOR = /\s[-–—|]+\s|\s*\|\s*/

/** Reservation systems cut names at 30 characters or a little more. */
const CUT_FROM = 28
const CUT_TO = 36

type Collected = {
  readonly capitals: boolean
  readonly isFlat: boolean
  joined: string
  words: string[]
  plain: string[]
  numbers: string[]
  parts: string[]
  sides: string[]
  kinds: string[]
}

/** The numbers of flats: "B101", "3C". */
const UNIT = /^(?:[a-z]\d+|\d+[a-z])$/

const JUST_GRAMMAR = new Set('the a an le la les el l d de du des der die das and und et y of'.split(' '))

/** `city` are the words of the property's own city: "New" of New York is no side of town. */
export function nameWordsOf(name: string, city: ReadonlySet<string> = new Set()): NameWords {
  const [head = '', ...tail] = MAYBE_SEPARATED.test(name) ? name.split(SEPARATOR) : [name]
  const first = markBrands(tokensOf(head))
  const tokens = tail.length === 0 ? first : [...first, ...markBrands(tokensOf(tail.join(' ')))]
  const capitals = !/\p{Ll}/u.test(name) && /\p{Lu}/u.test(name)
  const isFlat = tokens.some((token) => KINDS_OF.get(token)?.includes('flat'))
  const all: Collected = {
    capitals,
    isFlat,
    words: [],
    joined: '',
    plain: [],
    numbers: [],
    parts: [],
    sides: [],
    kinds: [],
  }
  let inside = 0
  let main = 0
  for (const [at, token] of tokens.entries()) {
    if (at === first.length) main = all.words.length
    if (token === 'at' && inside === 0) inside = all.words.length
    readToken(token, at, tokens, city, all)
  }
  // "DO & CO" is all there is: words that say nothing elsewhere are the name.
  if (all.words.length === 0) {
    for (const token of all.plain) if (!KINDS_OF.has(token) && !city.has(token)) all.words.push(token)
    all.joined = all.words.join('')
  }
  return {
    words: all.words,
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
    main: main === 0 ? all.words.length : main,
    inside,
    capitals,
    cut: capitals && name.length >= CUT_FROM && name.length <= CUT_TO,
  }
}

function readToken(
  token: string,
  at: number,
  tokens: readonly string[],
  city: ReadonlySet<string>,
  all: Collected,
): void {
  const beside = [tokens[at - 1] ?? '', tokens[at + 1] ?? '']
  const number = numberOf(token, at, tokens)
  if (!JUST_GRAMMAR.has(token) && !all.plain.includes(token)) all.plain.push(token)
  if (number !== undefined) {
    all.numbers.push(number)
    return
  }
  if (UNIT.test(token)) all.numbers.push(token)
  const isCity = city.has(token) || (all.capitals && isPartOfCity(token, city))
  if (isPart(token, beside) || (PART_BESIDE_SIDE.has(token) && isLetterOfPart(at + 1, tokens, all.capitals)))
    all.parts.push('part')
  else if (isLetterOfPart(at, tokens, all.capitals) || (!isCity && isSide(token, beside))) all.sides.push(token)
  if (isCity) return
  const kinds = KINDS_OF.get(token)
  if (kinds !== undefined) all.kinds.push(...kinds.filter((kind) => !all.kinds.includes(kind)))
  else if ((FILLER.has(token) && !(all.isFlat && GRADE.has(token))) || AFFILIATION.has(token)) return
  all.joined += token
  if (kinds === undefined && !all.words.includes(token)) all.words.push(token)
}

/** "MANHATTN", "WASH", "BARCELON" where names are abbreviated and cut. */
function isPartOfCity(token: string, city: ReadonlySet<string>): boolean {
  if (token.length < 3) return false
  for (const word of city) {
    if (
      word.length >= 5 &&
      (word.startsWith(token) || isAbbreviation(token, word) || wordSimilarity(token, word) > 0.8)
    )
      return true
  }
  return false
}

const isPart = (token: string, beside: readonly string[]): boolean =>
  PART.has(token) || (PART_BESIDE_SIDE.has(token) && beside.some((one) => SIDE.has(one) || numberOf(one) !== undefined))

/** "Tower A", "Marina Apartments B". Not "Tour d'Argent", "Marina B&B", nor a letter that is left of a word that was cut off. */
function isLetterOfPart(at: number, tokens: readonly string[], capitals: boolean): boolean {
  const [letter = '', before = ''] = [tokens[at], tokens[at - 1]]
  if (!/^[a-z]$/.test(letter)) return false
  const isLast = at === tokens.length - 1
  if (HAS_LETTER.has(before)) return isLast || (letter !== 'd' && letter !== 'l')
  return isLast && !capitals && before.length > 1 && before !== 'and'
}

const isSide = (token: string, beside: readonly string[]): boolean =>
  (token === 'central' && beside[0] !== 'grand' && beside[1] !== 'park' && beside[1] !== 'station') ||
  SIDE.has(token) ||
  (SIDE_OF_PART.has(token) && beside.some((one) => PART.has(one)))

/** A lone "I" counts only at the end ("Marina I"), and "dos" also after "las": elsewhere they are words of some language. */
function numberOf(token: string, at = 0, tokens: readonly string[] = []): string | undefined {
  if (/^\d+$/.test(token)) return String(Number(token.slice(0, 9)))
  if (AT_THE_END.has(token) && at !== tokens.length - 1 && !/^l[ao]s$/.test(tokens[at - 1] ?? '')) return undefined
  return NUMBER.get(token)
}

const AT_THE_END = new Set(['i', 'dos'])

/** How much two kinds of property speak against a pair; 0 where they go together. */
export function kindsClash(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0 || a.some((kind) => b.includes(kind))) return 0
  let most = 0
  for (const x of a) for (const y of b) most = Math.min(most, CLASHING[x < y ? `${x} ${y}` : `${y} ${x}`] ?? 0)
  return most
}
