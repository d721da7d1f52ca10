import type { NameRows } from './name-rows.ts'
import { nearWords } from './near-words.ts'
import type { Postings } from './postings.ts'
import type { WordList } from './word-list.ts'

/** The whole name, its beginning, some of its words, or nearly. */
export const GRADES = ['exact', 'beginning', 'words', 'near'] as const
type Grade = (typeof GRADES)[number]
const [EXACT, BEGINNING, WORDS, NEAR] = [0, 1, 2, 3]
export type NameHit = { readonly row: number; readonly grade: Grade }

type Names = {
  readonly words: WordList
  readonly rows: NameRows
  readonly postings: Postings
  /** Rows beside the postings. */
  readonly changed: readonly ReadonlySet<number>[]
}

/** A bit for each. */
const WORDS_MAX = 8
/**
 * Rows looked at, the best-known first: what bounds the time for "hotel". More where several words leave few of them. Of a
 * beginning that many words share, the most common of these are looked through, each for its best-known rows.
 */
const ROWS_MAX_FOR_ONE = 600
const ROWS_MAX = 2_000
const WORDS_OF_A_BEGINNING = 50

/** Which asked word a known word answers, as bits. Kept between look-ups, all zero. */
let marks = new Uint8Array(1024)

/**
 * Rows that answer every asked word with a word that begins so, in the name or in its town, but at least one in the name.
 * Where there are none, a word may also stand for one that is a slip away.
 */
export function findNames(names: Names, asked: readonly string[], limit: number, mayBeMisspelt: boolean): NameHit[] {
  const words = asked.slice(0, WORDS_MAX)
  const found = rowsFor(
    names,
    words.map((word) => asTyped(names.words, word)),
    limit,
  )
  if (found.length > 0 || !mayBeMisspelt) return found
  return rowsFor(
    names,
    words.map((word) => nearly(names.words, word)),
    limit,
  )
}

type Wanted = {
  readonly word: string
  /** Of the known words that answer it. Undefined for a short word: too many begin so, and rows are asked instead. */
  readonly numbers: Uint32Array | undefined
  /** Of the word itself, where it is known. */
  readonly whole: number | undefined
  readonly isNear: boolean
}

/** A shorter word stands in too many names to be looked for by itself; 東京 and パリ are whole names. */
const LETTERS_TO_BEGIN_WITH = 3
const WHOLE_SYLLABLE = /[\p{Script_Extensions=Han}\p{Script_Extensions=Katakana}]/u
const isShort = (word: string) => word.length < LETTERS_TO_BEGIN_WITH && !WHOLE_SYLLABLE.test(word)

const asTyped = (words: WordList, word: string): Wanted => ({
  word,
  numbers: isShort(word) ? undefined : words.beginningWith(word),
  whole: words.numberOf(word),
  isNear: false,
})

function nearly(words: WordList, word: string): Wanted {
  const near = nearWords(word, (one) => words.has(one)).map((one) => words.numberOf(one) ?? 0)
  const typed = asTyped(words, word)
  return { ...typed, numbers: typed.numbers && Uint32Array.from([...typed.numbers, ...near]), isNear: true }
}

function rowsFor(names: Names, wanted: readonly Wanted[], limit: number): NameHit[] {
  const lists = wanted.flatMap(({ numbers }) => (numbers === undefined ? [] : [numbers]))
  if (lists.length === 0 || lists.some((numbers) => numbers.length === 0)) return []
  if (marks.length < names.words.size) marks = new Uint8Array(names.words.size * 2)
  for (const [at, { numbers = [] }] of wanted.entries()) {
    for (const number of numbers) marks[number] = (marks[number] ?? 0) | (1 << at)
  }
  const best = new BestRows(limit)
  const look = createLook(names, wanted, best)
  for (const rows of names.changed) for (const row of rows) look(row)
  lookThrough(names.postings, lists, look)
  for (const numbers of lists) for (const number of numbers) marks[number] = 0
  return best.hits()
}

/** The rarest word first: it leaves the least to look at. */
function lookThrough({ rows, starts }: Postings, lists: readonly Uint32Array[], look: (row: number) => void): void {
  const rowsOf = (number: number) => Math.max(0, (starts[number + 1] ?? 0) - (starts[number] ?? 0))
  const counted = lists.map((numbers) => ({ numbers, count: numbers.reduce((sum, one) => sum + rowsOf(one), 0) }))
  let left = lists.length === 1 ? ROWS_MAX_FOR_ONE : ROWS_MAX
  for (const [place, { numbers, count }] of counted.sort((a, b) => a.count - b.count).entries()) {
    // A word that stands in more names than can be looked at says nothing beside a rarer one.
    if (place > 0 && count > ROWS_MAX) break
    const common = count <= left ? numbers : mostCommon(numbers, rowsOf)
    const share = count <= left ? left : Math.ceil(left / common.length)
    for (const number of common) {
      const from = starts[number] ?? 0
      const to = Math.min(starts[number + 1] ?? 0, from + share)
      for (let at = from; at < to; at++) look(rows[at] ?? 0)
      left -= Math.max(0, to - from)
    }
  }
}

/** The words with the most rows. Thousands may share a beginning; sorting plain numbers is much faster than sorting them by count. */
function mostCommon(numbers: Uint32Array, rowsOf: (number: number) => number): Uint32Array {
  if (numbers.length <= WORDS_OF_A_BEGINNING) return numbers
  const least = numbers.map(rowsOf).sort().at(-WORDS_OF_A_BEGINNING) ?? 0
  const more = numbers.filter((number) => rowsOf(number) > least)
  const asMany = numbers.filter((number) => rowsOf(number) === least)
  return Uint32Array.from([...more, ...asMany.subarray(0, WORDS_OF_A_BEGINNING - more.length)])
}

/** Looks at a row, and adds it to `best` if it answers every word. */
function createLook({ rows, words: list }: Names, wanted: readonly Wanted[], best: BestRows): (row: number) => void {
  const { start, nameWords, townWords, fame, words } = rows
  const grade = createGrade(rows, list, wanted)
  const known = marks
  const short = wanted.filter(({ numbers }) => numbers === undefined)
  const all = wanted.reduce((bits, { numbers }, at) => (numbers === undefined ? bits : bits | (1 << at)), 0)
  const hasShort = (from: number, to: number) =>
    short.every(({ word }) => {
      for (let at = from; at < to; at++) if (list.beginsWith(words[at] ?? 0, word)) return true
      return false
    })
  return (row) => {
    const from = start[row] ?? 0
    const townFrom = from + (nameWords[row] ?? 0)
    let answered = 0
    for (let at = from; at < townFrom; at++) answered |= known[words[at] ?? 0] ?? 0
    if (answered === 0 || fame[row] === 0) return
    const to = townFrom + (townWords[row] ?? 0)
    for (let at = townFrom; at < to && answered !== all; at++) answered |= known[words[at] ?? 0] ?? 0
    if (answered !== all || (short.length > 0 && !hasShort(from, to))) return
    best.add({ row, grade: grade(row), fame: fame[row] ?? 0 })
  }
}

function createGrade(
  { start, firstWords, words }: NameRows,
  list: WordList,
  wanted: readonly Wanted[],
): (row: number) => number {
  if (wanted.some(({ isNear }) => isNear)) return () => NEAR
  const answers = (number: number, { word, numbers }: Wanted, at: number) =>
    numbers === undefined ? list.beginsWith(number, word) : (((marks[number] ?? 0) >> at) & 1) === 1
  return (row) => {
    const from = start[row] ?? 0
    let isWhole = wanted.length === firstWords[row]
    for (const [at, one] of wanted.entries()) {
      const number = words[from + at] ?? 0
      if (at >= (firstWords[row] ?? 0) || !answers(number, one, at)) return WORDS
      isWhole &&= number === one.whole
    }
    return isWhole ? EXACT : BEGINNING
  }
}

type Ranked = { readonly row: number; readonly grade: number; readonly fame: number }

/** The best of the rows that it is given, each once. */
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
    let at = best.length
    for (let before = best[at - 1]; before !== undefined && byRank(found, before) < 0; before = best[at - 1]) at--
    best.splice(at, 0, found)
    if (best.length > this.#limit) best.pop()
  }

  hits(): NameHit[] {
    return this.#best.map(({ row, grade }) => ({ row, grade: GRADES[grade] ?? 'words' }))
  }
}

const byRank = (a: Ranked, b: Ranked): number => a.grade - b.grade || b.fame - a.fame || a.row - b.row
