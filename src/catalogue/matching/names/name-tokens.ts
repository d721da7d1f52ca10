import { foldText } from '../../../lib/text/fold-text.ts'
import { LISTED_WORD, ORDINAL, SAME_WORD } from './name-tables.ts'

/** "Hôtel de l'Opéra" contains the word Opéra. */
const ELISION = /(^|[\s(,/-])([ldns]|qu)['’´`](?=\p{L})/giu
/** "4* Sup" and "****" are noise. */
const STARS =
  /\b[1-5]\s*(?:\*+|stars?\b|sterne\b|[ée]toiles?\b|estrellas?\b|estrelles\b|stelle\b|sup(?:erior)?\b)\s*(?:s|sup(?:erior)?)?\b|\*+\s*s?\b/giu
const MAYBE_STARS = /[*1-5]/

/** Phrases that become one word. Tested first, because most names have none. */
const PHRASE = /guest house|tels?\b|eif| st\b|\bn y|\bny c|\bd c\b|\d [a-z]\b/
const APARTHOTEL = /\b(?:apart|appart|apartments?|appartements?|apartamentos?) ?(?:ho)?tels?\b/g

/** Folded canonical words: "Aloft & Spa St. Gallen" → aloft, and, spa, saint, gallen. */
export function tokenizeName(text: string): string[] {
  let plain = text
  if (/['’´`]/.test(plain)) plain = plain.replace(ELISION, '$1$2 ')
  if (MAYBE_STARS.test(plain)) plain = plain.replace(STARS, ' ')
  if (plain.includes('@')) plain = plain.replaceAll('@', ' at ')
  if (plain.includes('&')) plain = plain.replaceAll('&', ' and ')
  const folded = foldText(plain)
  if (folded === '') return []
  const tokens: string[] = []
  for (const raw of (PHRASE.test(folded) ? withPhrases(folded) : folded).split(' ')) {
    const spelling = canonicalTokens(raw)
    if (spelling.length === 1) tokens.push(spelling[0] ?? '')
    else tokens.push(...spelling)
  }
  return tokens
}

const withPhrases = (folded: string): string =>
  folded
    .replace(/\bguest house\b/g, 'guesthouse')
    .replace(APARTHOTEL, 'aparthotel')
    .replace(/\b(?:tour eif\w*|eiffel tower|torre eiffel|eiffelturm)\b/g, 'eiffel')
    .replace(/(?<=\b\d+(?:st|nd|rd|th) )st\b|(?<= )st$/g, 'street')
    .replace(/\bny? y?( ?c)\b/g, 'nyc')
    .replace(/\bn y\b/g, 'ny')
    .replace(/\bd c\b/g, 'dc')
    .replace(/\b(\d+) ([bcfghjkmpqrtvxz])\b/g, '$1$2')

const COMPOUND = /^(\p{L}{3,})(hotel|pension|hostel|apartments?|appartements?)s?$/u
const WORD_WITH_NUMBER = /^(?:(\d+)(\p{L}{3,})|(\p{L}{4,})(\d+))$/u
const ORDINAL_SUFFIX = /^(\d+)(?:st|nd|rd|th|e|er|eme|ieme)$/

/** Cache: names consist of the same words again and again. */
const spelled = new Map<string, readonly string[]>()
const SPELLED_MAX = 50_000

function canonicalTokens(raw: string): readonly string[] {
  let tokens = spelled.get(raw)
  if (tokens === undefined) {
    tokens = splitWord(raw)
    if (spelled.size >= SPELLED_MAX) spelled.clear()
    spelled.set(raw, tokens)
  }
  return tokens
}

/** "Parkhotel" is a Park Hotel, "Ramblas108" has a number, "Schoenbrunn" is Schönbrunn. */
function splitWord(raw: string): readonly string[] {
  const same = SAME_WORD.get(raw)
  if (same !== undefined) return [same]
  const ordinal = ORDINAL_SUFFIX.exec(raw)?.[1] ?? ORDINAL.get(raw)
  if (ordinal !== undefined) return [`${Number(ordinal)}th`]
  if (LISTED_WORD.has(raw)) return [raw]
  const compound = COMPOUND.exec(raw)
  if (compound !== null) return [...splitWord(compound[1] ?? ''), ...splitWord(compound[2] ?? '')]
  const counted = WORD_WITH_NUMBER.exec(raw)
  if (counted !== null) return counted.slice(1).filter((part) => part !== undefined)
  return [raw.length > 4 ? raw.replace(/([aou])e/g, '$1').replaceAll('ph', 'f') : raw]
}
