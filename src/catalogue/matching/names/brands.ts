import words from '../../../../data/words/brands.json' with { type: 'json' }
import { FILLER, KINDS_BY_WORD } from './name-tables.ts'
import { isAbbreviation } from './word-similarity.ts'

/** Replaces a brand in a name by one unique word. */
const mark = (brand: string): string => `=${brand.replaceAll(' ', '')}`

type Spelling = { readonly tokens: readonly string[]; readonly brand: string }

const markAll = (brands: string): ReadonlySet<string> => new Set(brands.split(' ').map(mark))
const markRows = (rows: Readonly<Record<string, string>>): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(Object.entries(rows).map(([brand, others]) => [mark(brand), markAll(others)]))

/** Brands of the companies that are brands themselves: "Courtyard Riverside Marriott" is a Courtyard. */
const COMPANIES = markRows(words.companies)

/** Grades of one brand, which some vendors omit. Unlike "Hyatt Place", they are rarely next to a hotel of the plain brand. */
const GRADES = markRows(words.grades)

/** Brands before a hotel's own name, which some vendors omit: "Mercure Hotel Raphael". The others precede only a place. */
const BEFORE_NAMES = markAll(words.beforeNames)

/**
 * Spellings by first word, longest first, with abbreviations expanded. Brands differ by one word ("Ibis" and "Ibis Budget" share
 * buildings), and the company behind a brand ("by Hilton") is part of the spelling.
 */
const BY_FIRST = new Map<string, Spelling[]>()
for (const [name, spellings] of Object.entries(words.spellings)) {
  for (const spelling of spellings.split('|')) {
    const tokens = spelling.split(' ')
    const list = BY_FIRST.get(tokens[0] ?? '') ?? []
    list.push({ tokens, brand: mark(name) })
    BY_FIRST.set(tokens[0] ?? '', list)
  }
}
for (const list of BY_FIRST.values()) list.sort((a, b) => b.tokens.length - a.tokens.length)

/** Every word of the brands. */
export const BRAND_WORDS: ReadonlySet<string> = new Set(
  [...BY_FIRST.values()].flatMap((spellings) => spellings.flatMap(({ tokens }) => tokens)),
)
const LONG_BRANDS = [...BRAND_WORDS].filter((word) => word.length >= 7)

/** "SHERATN" in a reservation system: first and last letter and all consonants. */
export const expandBrand = (token: string): string =>
  token.length < 5 || BRAND_WORDS.has(token)
    ? token
    : (LONG_BRANDS.find(
        (word) => word[0] === token[0] && word.at(-1) === token.at(-1) && word !== token && isAbbreviation(token, word),
      ) ?? token)

export const isBrand = (word: string): boolean => word.startsWith('=')

/** True for "Hyatt" and "Hyatt Centric". */
export const isGradeOf = (a: string, b: string): boolean =>
  GRADES.get(a)?.has(b) === true || GRADES.get(b)?.has(a) === true

export const isBeforeNames = (brand: string): boolean => BEFORE_NAMES.has(brand)

/** "Nyx by Leonardo" is not a "Leonardo", but "Suites by Leonardo" has no other name. */
const isEndorsed = (before: readonly string[]): boolean =>
  before.at(-1) === 'by' && before.slice(0, -1).some((token) => !KINDS_BY_WORD.has(token) && !FILLER.has(token))

/** Replaces all spellings of brands by their marks, without the company beside its brand. */
export function markBrands(tokens: readonly string[]): string[] {
  const marked = markSpellings(tokens)
  return marked.filter((word) => {
    const own = isBrand(word) ? COMPANIES.get(word) : undefined
    return own === undefined || !marked.some((other) => own.has(other))
  })
}

function markSpellings(tokens: readonly string[]): string[] {
  const marked: string[] = []
  // "W New York": later in a name the letter is an abbreviation.
  if (tokens[0] === 'w' && tokens.length > 1) return [mark('w'), ...markSpellings(tokens.slice(1))]
  for (let index = 0; index < tokens.length; ) {
    const found = BY_FIRST.get(tokens[index] ?? '')?.find((spelling) =>
      spelling.tokens.every((token, i) => tokens[index + i] === token),
    )
    if (found === undefined) marked.push(tokens[index] ?? '')
    else if (!isEndorsed(marked) && !marked.includes(found.brand)) marked.push(found.brand)
    index += found?.tokens.length ?? 1
  }
  return marked
}
