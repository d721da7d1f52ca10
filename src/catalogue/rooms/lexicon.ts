import words from '../../../data/words/rooms.json' with { type: 'json' }
import { foldText } from '../../lib/text/fold-text.ts'
import { editsWithin } from '../matching/names/word-similarity.ts'

/** Meaning of a phrase, such as `grade:deluxe`; an unknown word is `word:…`. */
export type Fact = { readonly name: string; readonly value: string }

/** By phrase. Several meanings are joined by "+"; a phrase has the first meaning that lists it. */
const PHRASES = new Map<string, readonly Fact[]>()
for (const [facts, phrases] of Object.values(words).flatMap((group) => Object.entries<string>(group))) {
  const parsed = facts.split('+').map((fact) => {
    const [name = '', value = ''] = fact.split(':')
    return { name, value }
  })
  for (const phrase of phrases.split(', ').map(foldText))
    if (phrase !== '' && !PHRASES.has(phrase)) PHRASES.set(phrase, parsed)
}

/** Trie of the phrases, one step per word. */
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

/** Words of scripts without spaces, replaced before the name is split. */
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

/** Endings of compound words: "Komfortzimmer", "Familiekamer", "Seeblick", "Juniorsuite". */
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

/** Phrases never span these. */
const BREAKS = /[,;:|()[\]]|\s[-–—]+\s/
const BREAK: Fact = { name: 'break', value: '' }
const ORDINAL = /^(\d+)(?:st|nd|rd|th)$/
const COUNTED = /^(\d+)x?([a-z]{2,})$|^x(\d+)$/

/** Facts in the order of the words. */
export function parseFacts(name: string): Fact[] {
  return joinCounts(name)
    .split(BREAKS)
    .flatMap((part, index) => (index === 0 ? parsePart(part) : [BREAK, ...parsePart(part)]))
}

/** "One - Bedroom" is one phrase. */
const joinCounts = (name: string): string =>
  name.replace(
    /\b(one|two|three|four|five|\d)\s+[-–—]\s*(?=(?:bed|king|queen|double|twin|single))|(?<=\b(?:one|two|three|four|five|\d))[-–—]\s+(?=bed)/gi,
    '$1 ',
  )

/** Parts of a name between commas, dashes and brackets, each with its separator. */
export function splitName(name: string): { readonly before: string; readonly text: string }[] {
  const pieces = name.split(new RegExp(`(${BREAKS.source})`))
  return pieces.flatMap((text, index) => (index % 2 === 0 ? [{ before: pieces[index - 1] ?? '', text }] : []))
}

function parsePart(part: string): Fact[] {
  const words = splitWords(part)
  const facts: Fact[] = []
  for (let index = 0; index < words.length; ) {
    const found = isNamedByLetter(words, index) ? undefined : longestPhrase(words, index)
    const phrase = found ?? { length: 1, facts: parseUnknown(words[index] ?? '') }
    facts.push(...phrase.facts)
    index += phrase.length
  }
  return facts
}

const LETTERED = new Set(['tower', 'torre', 'wing', 'block', 'building', 'type', 'typ', 'tipo', 'category'])

/** "Suite A" is not "Suite D", although "a" and "d" are noise elsewhere. */
const isNamedByLetter = (words: readonly string[], index: number) =>
  index > 0 &&
  /^[a-z]$/.test(words[index] ?? '') &&
  (index === words.length - 1 || LETTERED.has(words[index - 1] ?? ''))

function splitWords(name: string): string[] {
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
  return joinTorn(foldText(text).split(' '))
    .flatMap((word) => (PHRASES.has(word) ? [word] : splitCount(word)))
    .filter((word) => word !== '')
}

const TORN_MIN = 5

/** "Doub le" and "Superi or": words that a vendor's system tore apart. */
function joinTorn(words: readonly string[]): string[] {
  const joined: string[] = []
  for (let index = 0; index < words.length; index += 1) {
    const [word = '', next = ''] = [words[index], words[index + 1]]
    const whole = word + next
    const isTorn = whole.length >= TORN_MIN && next !== '' && !(PHRASES.has(word) && PHRASES.has(next)) && isWord(whole)
    joined.push(isTorn ? whole : word)
    if (isTorn) index += 1
  }
  return joined
}

const isWord = (word: string): boolean => CORRECTED_FACTS.has(PHRASES.get(word)?.[0]?.name ?? '')

/** "2x" and "2queen" are two words; "19th" is a number. */
function splitCount(word: string): string[] {
  const ordinal = ORDINAL.exec(word)
  if (ordinal !== null) return [ordinal[1] ?? '']
  const counted = COUNTED.exec(word)
  if (counted === null) return [word.replace(/^(\d+)x$/, '$1')]
  return counted[3] === undefined ? [counted[1] ?? '', counted[2] ?? ''] : [counted[3]]
}

function longestPhrase(words: readonly string[], start: number) {
  let found: { length: number; facts: readonly Fact[] } | undefined
  let step: Step | undefined = START
  for (let index = start; index < words.length; index += 1) {
    step = step.next.get(words[index] ?? '')
    if (step === undefined) break
    if (step.facts !== undefined) found = { length: index + 1 - start, facts: step.facts }
  }
  return found
}

const unknownWords = new Map<string, readonly Fact[]>()
const UNKNOWN_MAX = 20_000

/** A compound, a misspelling, or one of the hotel's own words. */
function parseUnknown(word: string): readonly Fact[] {
  const seen = unknownWords.get(word)
  if (seen !== undefined) return seen
  if (/^\d+$/.test(word)) return [{ name: 'num', value: String(Number(word)) }]
  if (unknownWords.size >= UNKNOWN_MAX) unknownWords.clear()
  const facts = parseCompound(word) ?? correctSpelling(word) ?? [{ name: 'word', value: word }]
  unknownWords.set(word, facts)
  return facts
}

function parseCompound(word: string): readonly Fact[] | undefined {
  for (const ending of ENDINGS) {
    if (!word.endsWith(ending) || word.length - ending.length < 3) continue
    const start = word.slice(0, -ending.length)
    const head = PHRASES.get(start) ?? (start.endsWith('s') ? PHRASES.get(start.slice(0, -1)) : undefined)
    if (head !== undefined) return [...head, ...(PHRASES.get(ending) ?? [])]
  }
  return undefined
}

/** In shorter words a wrong letter may make another word. */
const CORRECTED_MIN = 6
const CORRECTED_FACTS = new Set(['kind', 'grade', 'base', 'bed', 'place', 'view', 'out', 'occ'])
const LONG_WORDS = [...PHRASES].flatMap(([phrase, [fact]]) =>
  phrase.length >= CORRECTED_MIN && !phrase.includes(' ') && CORRECTED_FACTS.has(fact?.name ?? '') ? [phrase] : [],
)

function correctSpelling(word: string): readonly Fact[] | undefined {
  if (word.length < CORRECTED_MIN) return undefined
  const intended = LONG_WORDS.find((known) => known[0] === word[0] && editsWithin(word, known, 1) <= 1)
  return intended === undefined ? undefined : PHRASES.get(intended)
}
