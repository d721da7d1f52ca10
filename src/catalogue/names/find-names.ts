import type { NameRows } from './name-rows.ts'
import { nearWords } from './near-words.ts'
import type { Postings } from './postings.ts'
import type { WordList } from './word-list.ts'

export const GRADES = ['exact', 'beginning', 'words', 'near'] as const
type Grade = (typeof GRADES)[number]
const [EXACT, BEGINNING, WORDS, NEAR] = [0, 1, 2, 3]
export type NameHit = { readonly row: number; readonly grade: Grade }

type Names = {
  readonly words: WordList
  readonly rows: NameRows
  readonly postings: Postings
  /** Rows not yet in the postings. */
  readonly changed: readonly ReadonlySet<number>[]
}

/** One bit per word. */
const WORDS_MAX = 8
/** Rows checked, best-known first, which bounds the time for "hotel". For a common prefix only its most common words are checked. */
const ROWS_MAX_SINGLE_WORD = 600
const ROWS_MAX = 2_000
const WORDS_PER_PREFIX = 50

/** Bits of the query words that each known word matches. Reused between lookups, all zero. */
let marks = new Uint8Array(1024)

/** Rows in which every query word is a prefix of a word of the name or town, at least one of the name. Falls back to typing errors. */
export function findNames(
  names: Names,
  queryWords: readonly string[],
  limit: number,
  mayBeMisspelt: boolean,
): NameHit[] {
  const words = queryWords.slice(0, WORDS_MAX)
  const found = findRows(
    names,
    words.map((word) => matchPrefix(names.words, word)),
    limit,
  )
  if (found.length > 0 || !mayBeMisspelt) return found
  return findRows(
    names,
    words.map((word) => matchNearly(names.words, word)),
    limit,
  )
}

type Wanted = {
  readonly word: string
  /** Known words that match. Undefined for a short word, which matches too many; rows are checked instead. */
  readonly numbers: Uint32Array | undefined
  /** The word itself, if known. */
  readonly whole: number | undefined
  readonly isNear: boolean
}

/** Shorter words occur in too many names; 東京 and パリ are whole names. */
const PREFIX_LETTERS_MIN = 3
const WHOLE_SYLLABLE = /[\p{Script_Extensions=Han}\p{Script_Extensions=Katakana}]/u
const isShort = (word: string) => word.length < PREFIX_LETTERS_MIN && !WHOLE_SYLLABLE.test(word)

const matchPrefix = (words: WordList, word: string): Wanted => ({
  word,
  numbers: isShort(word) ? undefined : words.beginningWith(word),
  whole: words.findNumber(word),
  isNear: false,
})

function matchNearly(words: WordList, word: string): Wanted {
  const near = nearWords(word, (other) => words.has(other)).map((other) => words.findNumber(other) ?? 0)
  const typed = matchPrefix(words, word)
  return { ...typed, numbers: typed.numbers && Uint32Array.from([...typed.numbers, ...near]), isNear: true }
}

function findRows(names: Names, wanted: readonly Wanted[], limit: number): NameHit[] {
  const lists = wanted.flatMap(({ numbers }) => (numbers === undefined ? [] : [numbers]))
  if (lists.length === 0 || lists.some((numbers) => numbers.length === 0)) return []
  if (marks.length < names.words.size) marks = new Uint8Array(names.words.size * 2)
  for (const [index, { numbers = [] }] of wanted.entries()) {
    for (const number of numbers) marks[number] = (marks[number] ?? 0) | (1 << index)
  }
  const best = new BestRows(limit)
  const check = createCheck(names, wanted, best)
  for (const rows of names.changed) for (const row of rows) check(row)
  checkPostings(names.postings, lists, check)
  for (const numbers of lists) for (const number of numbers) marks[number] = 0
  return best.hits()
}

/** Starts with the rarest word, which leaves the fewest rows to check. */
function checkPostings({ rows, starts }: Postings, lists: readonly Uint32Array[], check: (row: number) => void): void {
  const countRows = (number: number) => Math.max(0, (starts[number + 1] ?? 0) - (starts[number] ?? 0))
  const counted = lists.map((numbers) => ({
    numbers,
    count: numbers.reduce((sum, number) => sum + countRows(number), 0),
  }))
  let left = lists.length === 1 ? ROWS_MAX_SINGLE_WORD : ROWS_MAX
  for (const [place, { numbers, count }] of counted.sort((a, b) => a.count - b.count).entries()) {
    // A word in more names than can be checked adds nothing to a rarer one.
    if (place > 0 && count > ROWS_MAX) break
    const common = count <= left ? numbers : mostCommon(numbers, countRows)
    const share = count <= left ? left : Math.ceil(left / common.length)
    for (const number of common) {
      const from = starts[number] ?? 0
      const to = Math.min(starts[number + 1] ?? 0, from + share)
      for (let i = from; i < to; i++) check(rows[i] ?? 0)
      left -= Math.max(0, to - from)
    }
  }
}

/** Words with the most rows. Thousands may share a prefix, and sorting plain numbers is much faster. */
function mostCommon(numbers: Uint32Array, countRows: (number: number) => number): Uint32Array {
  if (numbers.length <= WORDS_PER_PREFIX) return numbers
  const threshold = numbers.map(countRows).sort().at(-WORDS_PER_PREFIX) ?? 0
  const more = numbers.filter((number) => countRows(number) > threshold)
  const tied = numbers.filter((number) => countRows(number) === threshold)
  return Uint32Array.from([...more, ...tied.subarray(0, WORDS_PER_PREFIX - more.length)])
}

/** Adds a row to `best` if it matches every word. */
function createCheck({ rows, words: list }: Names, wanted: readonly Wanted[], best: BestRows): (row: number) => void {
  const { start, nameWords, townWords, fame, words } = rows
  const grade = createGrade(rows, list, wanted)
  const known = marks
  const short = wanted.filter(({ numbers }) => numbers === undefined)
  const all = wanted.reduce((bits, { numbers }, index) => (numbers === undefined ? bits : bits | (1 << index)), 0)
  const hasShort = (from: number, to: number) =>
    short.every(({ word }) => {
      for (let i = from; i < to; i++) if (list.beginsWith(words[i] ?? 0, word)) return true
      return false
    })
  return (row) => {
    const from = start[row] ?? 0
    const townFrom = from + (nameWords[row] ?? 0)
    let matched = 0
    for (let i = from; i < townFrom; i++) matched |= known[words[i] ?? 0] ?? 0
    if (matched === 0 || fame[row] === 0) return
    const to = townFrom + (townWords[row] ?? 0)
    for (let i = townFrom; i < to && matched !== all; i++) matched |= known[words[i] ?? 0] ?? 0
    if (matched !== all || (short.length > 0 && !hasShort(from, to))) return
    best.add({ row, grade: grade(row), fame: fame[row] ?? 0 })
  }
}

function createGrade(
  { start, firstWords, words }: NameRows,
  list: WordList,
  wanted: readonly Wanted[],
): (row: number) => number {
  if (wanted.some(({ isNear }) => isNear)) return () => NEAR
  const matches = (number: number, { word, numbers }: Wanted, index: number) =>
    numbers === undefined ? list.beginsWith(number, word) : (((marks[number] ?? 0) >> index) & 1) === 1
  return (row) => {
    const from = start[row] ?? 0
    let isWhole = wanted.length === firstWords[row]
    for (const [index, word] of wanted.entries()) {
      const number = words[from + index] ?? 0
      if (index >= (firstWords[row] ?? 0) || !matches(number, word, index)) return WORDS
      isWhole &&= number === word.whole
    }
    return isWhole ? EXACT : BEGINNING
  }
}

type Ranked = { readonly row: number; readonly grade: number; readonly fame: number }

/** Keeps the best rows, each once. */
class BestRows {
  readonly #limit: number
  readonly #best: Ranked[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  add(found: Ranked): void {
    const best = this.#best
    const last = best[best.length - 1]
    if (best.length === this.#limit && last !== undefined && byRank(last, found) <= 0) return
    if (best.some(({ row }) => row === found.row)) return
    let index = best.length
    for (let before = best[index - 1]; before !== undefined && byRank(found, before) < 0; before = best[index - 1])
      index--
    best.splice(index, 0, found)
    if (best.length > this.#limit) best.pop()
  }

  hits(): NameHit[] {
    return this.#best.map(({ row, grade }) => ({ row, grade: GRADES[grade] ?? 'words' }))
  }
}

const byRank = (a: Ranked, b: Ranked): number => a.grade - b.grade || b.fame - a.fame || a.row - b.row
