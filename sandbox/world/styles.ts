import type { Style } from './countries.ts'
import { AR, CN, FA, ID, IN, JP, KR, TH, VN } from './words/asia.ts'
import { BALTIC, HU, NORDIC, RO, RU, SLAV } from './words/eastern-europe.ts'
import { AF, AU, BR, CARIB, LATIN, US } from './words/new-worlds.ts'
import { ES, GR, PT, TR } from './words/southern-europe.ts'
import type { StyleWords } from './words/style-words.ts'
import { DE, FR, GB, IT, NL } from './words/western-europe.ts'

const WORDS: Record<Style, StyleWords> = {
  fr: FR,
  it: IT,
  de: DE,
  es: ES,
  latin: LATIN,
  pt: PT,
  br: BR,
  gr: GR,
  tr: TR,
  ar: AR,
  jp: JP,
  cn: CN,
  kr: KR,
  th: TH,
  vn: VN,
  in: IN,
  id: ID,
  gb: GB,
  us: US,
  au: AU,
  af: AF,
  nordic: NORDIC,
  nl: NL,
  slav: SLAV,
  ru: RU,
  baltic: BALTIC,
  hu: HU,
  ro: RO,
  carib: CARIB,
  fa: FA,
}

export const wordsOf = (style: Style): StyleWords => WORDS[style]
