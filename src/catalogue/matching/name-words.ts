import { foldText } from '../../lib/fold-text.ts'

/** Spellings of one word; the right one is compared. */
const SAME_WORD: Record<string, string> = {
  st: 'saint',
  ste: 'saint',
  sankt: 'saint',
  san: 'saint',
  santa: 'saint',
  sant: 'saint',
  sainte: 'saint',
  mt: 'mount',
  intl: 'international',
  int: 'international',
  center: 'centre',
  ctr: 'centre',
  centro: 'centre',
  zentrum: 'centre',
  theatre: 'theater',
  harbour: 'harbor',
  grey: 'gray',
  apt: 'apartments',
  apts: 'apartments',
  apartment: 'apartments',
  apartamentos: 'apartments',
  appartements: 'apartments',
  apartaments: 'apartments',
  appartement: 'apartments',
  apart: 'apartments',
  flats: 'apartments',
  hotels: 'hotel',
  hotell: 'hotel',
  otel: 'hotel',
  hostal: 'hostel',
  hostels: 'hostel',
  resorts: 'resort',
  suite: 'suites',
  residence: 'residences',
  residencia: 'residences',
  residenz: 'residences',
  residenza: 'residences',
  guesthouse: 'guesthouse',
  gasthaus: 'gasthof',
  pensione: 'pension',
  annexe: 'annex',
  dependance: 'annex',
  towers: 'tower',
  torre: 'tower',
  tour: 'tower',
  bldg: 'building',
  natl: 'national',
  univ: 'university',
  dwtn: 'downtown',
  sq: 'square',
  nth: 'north',
  sth: 'south',
}

/** Words that nearly every name may carry or drop without becoming another property's. */
const FILLER = new Set(
  `the a an by at in on of and or with to near de du des d la le les l el los las da do das dos di del della delle
  al il lo et y e und am im an der die das zum zur den auf van het t ter den och og i u w na hotel hotelli spa wellness
  boutique luxury deluxe design lifestyle collection member autograph curio tribute portfolio affiliated brand
  adults only all inclusive superior classic style rooms room s b bb bnb bandb bed breakfast co inc ltd`.split(/\s+/),
)

/** What kind of house the name says it is. Vendors drop these words, but seldom swap one for another. */
const KIND_OF: Record<string, string> = {
  apartments: 'flat',
  aparthotel: 'flat',
  residences: 'flat',
  studios: 'flat',
  condos: 'flat',
  condominium: 'flat',
  lofts: 'flat',
  hostel: 'hostel',
  backpackers: 'hostel',
  hotel: 'hotel',
  inn: 'hotel',
  motel: 'motel',
  suites: 'suites',
  resort: 'resort',
  lodge: 'lodge',
  guesthouse: 'guesthouse',
  pension: 'guesthouse',
  gasthof: 'guesthouse',
  auberge: 'guesthouse',
  albergo: 'hotel',
  villa: 'villa',
  villas: 'villa',
  camping: 'camping',
  glamping: 'camping',
}

/** Kinds that are sold as different things even at one address. */
const CLASHING = new Set(['flat hostel', 'flat hotel', 'camping hotel', 'hostel hotel', 'hotel villa', 'flat resort'])

/** Parts of one estate: a name with one of these is never the name without it. */
const PART = new Set('tower annex wing building block phase'.split(' '))

/** Words that tell apart two houses of one name in one town. */
const SIDE = new Set(
  `north south east west northeast northwest southeast southwest nord sud est ouest norte sur este oeste upper lower
  old new alt neu airport aeroport aeropuerto flughafen station bahnhof gare stazione downtown uptown midtown harbor
  beach beachfront lakeside riverside oceanfront garden lagoon`.split(/\s+/),
)

const NUMBER: Record<string, string> = {
  i: '1',
  ii: '2',
  iii: '3',
  iv: '4',
  vi: '6',
  vii: '7',
  viii: '8',
  ix: '9',
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
  ten: '10',
  first: '1',
  second: '2',
  third: '3',
  '1st': '1',
  '2nd': '2',
  '3rd': '3',
  uno: '1',
  dos: '2',
  eins: '1',
  zwei: '2',
}

export type NameWords = {
  /** Words that can tell one house from another, each once, in the order of the name. */
  readonly words: readonly string[]
  /** The same and the words of kind run together, for spellings that differ only in spaces. */
  readonly joined: string
  /** Numbers in the name, spelled out or not, sorted. */
  readonly numbers: string
  readonly parts: string
  readonly sides: string
  readonly kinds: readonly string[]
}

export function nameWordsOf(name: string): NameWords {
  const words: string[] = []
  const numbers: string[] = []
  const parts: string[] = []
  const sides: string[] = []
  const kinds: string[] = []
  let joined = ''
  const tokens = tokensOf(name)
  for (const [at, token] of tokens.entries()) {
    const number = numberOf(token, at, tokens.length)
    if (number !== undefined) numbers.push(number)
    else if (PART.has(token)) parts.push(token)
    else if (SIDE.has(token)) sides.push(token)
    const kind = KIND_OF[token]
    if (kind !== undefined && !kinds.includes(kind)) kinds.push(kind)
    if (number !== undefined || (kind === undefined && FILLER.has(token))) continue
    joined += token
    if (kind === undefined && !words.includes(token)) words.push(token)
  }
  return {
    words,
    joined,
    numbers: numbers.sort().join(' '),
    parts: parts.sort().join(' '),
    sides: sides.sort().join(' '),
    kinds,
  }
}

/** Folded words under their one spelling. "Aloft & Spa St. Gallen" → aloft, spa, saint, gallen. */
export function tokensOf(text: string): string[] {
  const folded = foldText(text).replace(/\bguest house\b/g, 'guesthouse')
  return folded === '' ? [] : folded.split(' ').map((token) => SAME_WORD[token] ?? token)
}

/** A lone "I" counts only at the end ("Marina I"): elsewhere it is a word of some language. */
function numberOf(token: string, at: number, length: number): string | undefined {
  if (/^\d+$/.test(token)) return String(Number(token.slice(0, 9)))
  if (token === 'i' && at !== length - 1) return undefined
  return Object.hasOwn(NUMBER, token) ? NUMBER[token] : undefined
}

export function kindsClash(a: readonly string[], b: readonly string[]): boolean {
  if (a.length === 0 || b.length === 0 || a.some((kind) => b.includes(kind))) return false
  return a.some((x) => b.some((y) => CLASHING.has(x < y ? `${x} ${y}` : `${y} ${x}`)))
}
