import { foldText } from '../lib/text/fold-text.ts'
import { OTHER_SPELLING } from '../lib/text/other-spelling.ts'

const CODE_UNITS_MAX = 400
const CODE_POINTS_MAX = 100
const PLAIN = /^[a-z0-9]+(?: [a-z0-9]+)*$/

/** Normalises the text like the keys. Truncates first, so that a megabyte costs no more than a line. */
export function normalizeQuery(text: string): string {
  if (text.length <= CODE_POINTS_MAX && PLAIN.test(text)) return text
  return [...foldText(text.slice(0, CODE_UNITS_MAX))].slice(0, CODE_POINTS_MAX).join('').trimEnd()
}

const LETTERS_MIN = 3
/** 東京, パリ and 서울 are complete names. */
const WHOLE_SYLLABLE =
  /[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script=Hangul}]/u

/** True below three letters; a Han, Kana or Hangul character counts as two. */
export function isTooShort(text: string): boolean {
  let letters = 0
  for (const letter of text) {
    letters += WHOLE_SYLLABLE.test(letter) ? 2 : 1
    if (letters >= LETTERS_MIN) return false
  }
  return true
}

const SPELLINGS_MAX = 4

/** The query and its variants: "st moritz" also as "saint moritz". The last word may be incomplete ("st" → "stockholm"). */
export function listSpellings(query: string): string[] {
  // Lower-casing turns a final capital sigma into ς.
  if (query.endsWith('ς')) return [query, `${query.slice(0, -1)}σ`]
  if (!query.includes(' ')) return [query]
  let spellings: string[][] = [[]]
  const words = query.split(' ')
  for (const [index, word] of words.entries()) {
    const other = index < words.length - 1 ? OTHER_SPELLING.get(word) : undefined
    const extended = spellings.map((spelling) => [...spelling, word])
    if (other !== undefined && spellings.length < SPELLINGS_MAX) {
      extended.push(...spellings.map((spelling) => [...spelling, other]))
    }
    spellings = extended
  }
  return spellings.map((spelling) => spelling.join(' '))
}

const LEADING_FILLER = /^(?:(?:hotels?|hostels?|apartments?|rooms?|stays?|in|near|at|the|city of) )+/
const TRANSCRIBED_UMLAUT = /([aou])e/g

/** Alternatives for a query without matches: without filler words, and with German ae, oe, ue as one letter. */
export function alternativeQueries(query: string): string[] {
  const bare = query.replace(LEADING_FILLER, '')
  const alternatives = new Set([bare, query.replace(TRANSCRIBED_UMLAUT, '$1'), bare.replace(TRANSCRIBED_UMLAUT, '$1')])
  alternatives.delete(query)
  alternatives.delete('')
  return [...alternatives]
}
