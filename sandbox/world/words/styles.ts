import type { Style } from '../places/countries.ts'
import { AR, CN, FA, ID, IN, JP, KR, TH, VN } from './asia.ts'
import { BALTIC, HU, NORDIC, RO, RU, SLAV } from './eastern-europe.ts'
import { AF, AU, BR, CARIB, LATIN, US } from './new-worlds.ts'
import { ES, GR, PT, TR } from './southern-europe.ts'
import type { StyleWords } from './style-words.ts'
import { DE, FR, GB, IT, NL } from './western-europe.ts'

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

export const findStyleWords = (style: Style): StyleWords => WORDS[style]
