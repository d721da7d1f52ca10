import { foldText } from '../../src/lib/text/fold-text.ts'
import type { Column } from '../../src/locations/byte-columns.ts'
import { NAME_KINDS, type NameKind } from '../../src/locations/match-class.ts'
import { chooseAliases, createAliasJudge } from './aliases.ts'
import type { Place } from './place.ts'

/** Words so common inside names that a query starting with one cannot refer to the place. */
const GENERIC_WORDS = new Set(
  `airport international regional airfield aerodrome national park island islands beach beaches city region county province
  district municipality de del della di da do dos das la le les el los las of the and am an der den im in und en sur upon
  station central hauptbahnhof hbf gare museum lake mount river valley street square saint san santa st
  provincia oblast kabupaten departement department coast area old new north south east west upper lower grand great
  al ad ash bin ibn bei ob a y e o`.split(/\s+/),
)
const KEY_BYTES_MAX = 120

type Word = { readonly key: number; readonly at: number; readonly text: string; readonly isGeneric: boolean }

/** Keys of all places as columns of the location file. Expects the most important places first. */
export function packKeys(places: readonly Place[]): Record<string, Column> {
  const postings = collectPostings(places)
  const keys = [...postings.keys()].sort()
  const bytes = keys.map((key) => Buffer.from(key, 'utf8'))
  const shared = bytes.map((key, index) => sharedBytes(bytes[index - 1], key))
  const lists = keys.map((key) => [...(postings.get(key) ?? [])].sort((a, b) => a - b))
  const words = sortedWords(keys, lists)
  return {
    keyShared: Uint8Array.from(shared),
    keyLength: Uint8Array.from(bytes.map((key, index) => key.length - (shared[index] ?? 0))),
    keyBytes: new Uint8Array(Buffer.concat(bytes.map((key, index) => key.subarray(shared[index])))),
    keyPostings: Uint16Array.from(lists.map((list) => list.length)),
    posting: Uint32Array.from(lists.flat()),
    wordKey: Uint32Array.from(words.map((word) => word.key)),
    wordAt: Uint8Array.from(words.map((word) => word.at)),
    wordIsGeneric: Uint8Array.from(words.map((word) => (word.isGeneric ? 1 : 0))),
    wordAfter: countKeysBefore(words, keys),
  }
}

/** Each folded text with its places, as row × 4 + kind; only the first kind of a place is kept. */
function collectPostings(places: readonly Place[]): Map<string, Set<number>> {
  const postings = new Map<string, Set<number>>()
  const mayKeep = createAliasJudge(places)

  function add(folded: string, row: number, kind: NameKind): void {
    if (folded === '' || Buffer.byteLength(folded) > KEY_BYTES_MAX) return
    const posting = row * 4 + NAME_KINDS.indexOf(kind)
    const current = postings.get(folded)
    if (current === undefined) postings.set(folded, new Set([posting]))
    else if (![...NAME_KINDS.keys()].some((better) => current.has(row * 4 + better))) current.add(posting)
  }

  for (const [row, place] of places.entries()) {
    add(foldText(place.name), row, 'name')
    for (const name of place.names) add(foldText(name), row, 'other_name')
    for (const code of place.codes) add(code.toLowerCase(), row, place.codeIsCityName ? 'alias' : 'code')
    for (const alias of chooseAliases(place)) if (mayKeep(alias, place)) add(alias, row, 'alias')
  }
  return postings
}

function sharedBytes(previous: Buffer | undefined, key: Buffer): number {
  if (previous === undefined) return 0
  const length = Math.min(previous.length, key.length)
  let shared = 0
  while (shared < length && previous[shared] === key[shared]) shared++
  return shared
}

/** Later words of names; aliases are found by prefix only. */
function sortedWords(keys: readonly string[], lists: readonly (readonly number[])[]): Word[] {
  const words: Word[] = []
  for (const [key, text] of keys.entries()) {
    if (!lists[key]?.some((posting) => (posting & 3) === 0)) continue
    for (let space = text.indexOf(' '); space >= 0; space = text.indexOf(' ', space + 1)) {
      const rest = text.slice(space + 1)
      const [first = ''] = rest.split(' ', 1)
      const at = Buffer.byteLength(text.slice(0, space + 1))
      words.push({ key, at, text: rest, isGeneric: GENERIC_WORDS.has(first) })
    }
  }
  return words.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : a.key - b.key))
}

/** Number of keys that sort before each word, as steps from one word to the next. */
function countKeysBefore(words: readonly Word[], keys: readonly string[]): Uint16Array {
  let key = 0
  let previous = 0
  const steps = words.map((word) => {
    while (key < keys.length && (keys[key] ?? '') <= word.text) key++
    const step = key - previous
    previous = key
    return step
  })
  if (steps.some((step) => step > 65_535)) throw new Error('a gap between words does not fit its column')
  return Uint16Array.from(steps)
}
