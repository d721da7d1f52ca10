import { foldText } from '../../lib/text/fold-text.ts'
import { editsWithin } from '../matching/names/word-similarity.ts'
import { FEATURE_WORDS } from './feature-name-words.ts'
import { BED_WORDS, KIND_WORDS } from './kind-name-words.ts'
import { RATE_WORDS } from './rate-name-words.ts'

/** What a phrase says, such as `grade:deluxe`; a word that nobody knows is `word:…`. */
export type Fact = { readonly name: string; readonly value: string }

const PHRASES = new Map<string, readonly Fact[]>()
for (const line of [KIND_WORDS, BED_WORDS, FEATURE_WORDS, RATE_WORDS].join('\n').split('\n')) {
  const [facts = '', phrases = ''] = line.split(' | ')
  const said = facts.split('+').map((fact) => {
    const [name = '', value = ''] = fact.split(':')
    return { name, value }
  })
  for (const phrase of phrases.split(', ').map(foldText))
    if (phrase !== '' && !PHRASES.has(phrase)) PHRASES.set(phrase, said)
}

/** The same phrases by their words, one step a word. */
type Step = { facts: readonly Fact[] | undefined; readonly next: Map<string, Step> }
const START: Step = { facts: undefined, next: new Map() }
for (const [phrase, facts] of PHRASES) {
  let step = START
  for (const word of phrase.split(' ')) {
    const next = step.next.get(word) ?? { facts: undefined, next: new Map() }
    step.next.set(word, next)
    step = next
  }
  step.facts = facts
}

/** Names without spaces between words: written out before the name is split. */
const UNSPACED: readonly (readonly [RegExp, string])[] = [
  [/豪华|豪華|デラックス/g, ' deluxe '],
  [/标准|標準|スタンダード/g, ' standard '],
  [/高级|高級|スーペリア/g, ' superior '],
  [/行政/g, ' executive '],
  [/大床|キング/g, ' king '],
  [/双床|雙床|ツイン/g, ' twin '],
  [/双人|雙人|ダブル/g, ' double '],
  [/单人|單人|シングル/g, ' single '],
  [/家庭|ファミリー/g, ' family '],
  [/套房|スイート/g, ' suite '],
  [/海景|オーシャンビュー/g, ' sea view '],
  [/禁煙|无烟/g, ' non smoking '],
  [/喫煙/g, ' smoking '],
  [/客房|ルーム|房间|房/g, ' room '],
]

/** Ends of compound words, as in "Komfortzimmer", "Familiekamer", "Seeblick", "Juniorsuite". */
const ENDINGS = [
  'zimmer',
  'suite',
  'suiten',
  'kamer',
  'blick',
  'sicht',
  'zicht',
  'bett',
  'betten',
  'appartement',
  'apartment',
  'studio',
  'rum',
  'rom',
  'vaerelse',
  'huone',
  'room',
  'view',
  'bed',
  'beds',
]

/** Phrases do not reach across these. */
const BREAKS = /[,;:|()[\]]|\s[-–—]+\s/
const BREAK: Fact = { name: 'break', value: '' }
const ORDINAL = /^(\d+)(?:st|nd|rd|th)$/
const COUNTED = /^(\d+)x?([a-z]{2,})$|^x(\d+)$/

/** The facts of a name in the order of its words. */
export function factsOf(name: string): Fact[] {
  return name.split(BREAKS).flatMap((part, at) => (at === 0 ? factsOfPart(part) : [BREAK, ...factsOfPart(part)]))
}

/** The parts of a name between commas, dashes and brackets, each with what stands before it. */
export function partsOfName(name: string): { readonly before: string; readonly text: string }[] {
  const pieces = name.split(new RegExp(`(${BREAKS.source})`))
  return pieces.flatMap((text, at) => (at % 2 === 0 ? [{ before: pieces[at - 1] ?? '', text }] : []))
}

function factsOfPart(part: string): Fact[] {
  const words = wordsOf(part)
  const facts: Fact[] = []
  for (let at = 0; at < words.length; ) {
    const found = isNamedByLetter(words, at) ? undefined : longestPhrase(words, at)
    const { length, said } = found ?? { length: 1, said: unknownWord(words[at] ?? '') }
    facts.push(...said)
    at += length
  }
  return facts
}

const LETTERED = new Set(['tower', 'torre', 'wing', 'block', 'building', 'type', 'typ', 'tipo', 'category'])

/** "Suite A" is not "Suite D", nor "Tower A King" "Tower D King", though "a" and "d" mean nothing elsewhere. */
const isNamedByLetter = (words: readonly string[], at: number) =>
  at > 0 && /^[a-z]$/.test(words[at] ?? '') && (at === words.length - 1 || LETTERED.has(words[at - 1] ?? ''))

function wordsOf(name: string): string[] {
  let text = name
  if (/[^ -\u024f]/.test(name)) for (const [sign, words] of UNSPACED) text = text.replace(sign, words)
  text = text
    .replace(/\bw\//gi, 'with ')
    .replace(/\b(?:nr|no|num)\b\.?\s*(?=\d)/gi, ' ')
    .replace(/\b(double|queen|king|dbl|qn)\s*\/\s*\1\b/gi, '$1 $1')
    .replace(/(\d)\s*(?:m²|㎡|m\^2|m2)/g, '$1 m2')
    .replace(/(?<=\p{L})\s*\/\s*(?=\p{L})/gu, ' or ')
    .replace(/[&+]/g, ' and ')
    .replace(/['’`]/g, ' ')
  return foldText(text)
    .split(' ')
    .flatMap((word) => (PHRASES.has(word) ? [word] : splitCount(word)))
    .filter((word) => word !== '')
}

/** "2x" and "2queen" are two words; "19th" is a number. */
function splitCount(word: string): string[] {
  const ordinal = ORDINAL.exec(word)
  if (ordinal !== null) return [ordinal[1] ?? '']
  const counted = COUNTED.exec(word)
  if (counted === null) return [word.replace(/^(\d+)x$/, '$1')]
  return counted[3] === undefined ? [counted[1] ?? '', counted[2] ?? ''] : [counted[3]]
}

function longestPhrase(words: readonly string[], start: number) {
  let found: { length: number; said: readonly Fact[] } | undefined
  let step: Step | undefined = START
  for (let at = start; at < words.length; at += 1) {
    step = step.next.get(words[at] ?? '')
    if (step === undefined) break
    if (step.facts !== undefined) found = { length: at + 1 - start, said: step.facts }
  }
  return found
}

const unknown = new Map<string, readonly Fact[]>()
const UNKNOWN_MAX = 20_000

/** A compound, a misspelling of a known word, or a word of the hotel's own. */
function unknownWord(word: string): readonly Fact[] {
  const seen = unknown.get(word)
  if (seen !== undefined) return seen
  if (/^\d+$/.test(word)) return [{ name: 'num', value: String(Number(word)) }]
  if (unknown.size >= UNKNOWN_MAX) unknown.clear()
  const facts = compound(word) ?? misspelt(word) ?? [{ name: 'word', value: word }]
  unknown.set(word, facts)
  return facts
}

function compound(word: string): readonly Fact[] | undefined {
  for (const ending of ENDINGS) {
    if (!word.endsWith(ending) || word.length - ending.length < 3) continue
    const start = word.slice(0, -ending.length)
    const head = PHRASES.get(start) ?? (start.endsWith('s') ? PHRASES.get(start.slice(0, -1)) : undefined)
    if (head !== undefined) return [...head, ...(PHRASES.get(ending) ?? [])]
  }
  return undefined
}

/** Long enough that one wrong letter does not make it another word. */
const MISSPELT_MIN = 6
const OFTEN_MISSPELT = new Set(['kind', 'grade', 'base', 'bed', 'place', 'view', 'out', 'occ'])
const LONG_WORDS = [...PHRASES].flatMap(([phrase, [fact]]) =>
  phrase.length >= MISSPELT_MIN && !phrase.includes(' ') && OFTEN_MISSPELT.has(fact?.name ?? '') ? [phrase] : [],
)

function misspelt(word: string): readonly Fact[] | undefined {
  if (word.length < MISSPELT_MIN) return undefined
  const meant = LONG_WORDS.filter((known) => known[0] === word[0] && editsWithin(word, known, 1) <= 1)
  const [only] = meant
  return only === undefined ? undefined : PHRASES.get(only)
}
