import { isBrand } from './brands.ts'

const COUNTRIES = new Set('AE BH DJ DZ EG IQ JO KW LB LY MA MR OM PS QA SA SD SY TN YE'.split(' '))

/** True where Arabic names are transliterated in many ways. */
export const isArabicCountry = (code: string): boolean => COUNTRIES.has(code)

/** Kinds, titles and companies in Arabic, which is written without short vowels. */
const WORDS = new Map(
  `فندق:hotel هوتيل:hotel اوتيل:hotel الفندقية:hotel فندقية:hotel شقق:apartments للشقق:apartments المفروشة:furnished مفروشة:furnished
  منتجع:resort اجنحة:suites للاجنحة:suites سويت:suites نزل:inn برج:tower ابراج:tower بلازا:plaza جراند:grand غراند:grand بارك:park
  بالاس:palace رويال:royal سنتر:centre مركز:centre هيلتون:hilton ماريوت:marriott شيراتون:sheraton ميريديان:meridien روتانا:rotana
  موفنبيك:movenpick راديسون:radisson بلو:blu نوفوتيل:novotel ايبيس:ibis حياة:hyatt انتركونتيننتال:intercontinental فيرمونت:fairmont
  رافلز:raffles كمبينسكي:kempinski هوليداي:holiday ان:inn ميركيور:mercure سوفيتيل:sofitel رمادا:ramada و:and
  funduq:hotel fundoq:hotel fondok:hotel fonduk:hotel fondouk:hotel fundouq:hotel fonduq:hotel fundooq:hotel finduq:hotel
  abraj:tower burj:tower`
    .split(/\s+/)
    .map((row) => row.split(':') as [string, string]),
)

const LETTERS = new Map(
  'ا:a ب:b ت:t ث:t ج:j ح:h خ:k د:d ذ:d ر:r ز:z س:s ش:x ص:s ض:d ط:t ظ:z ع:a غ:g ف:f ق:k ك:k ل:l م:m ن:n ه:h و:u ي:i ى:a ة:a ئ:i ؤ:u ء: پ:b ڤ:f گ:g چ:j'
    .split(' ')
    .map((row) => row.split(':') as [string, string]),
)
const ARABIC = /[\u0621-\u06d2]/
const ARTICLE = /^(?:a|e|u)[lsnrtzd]h?$/
/** "Alnakheel", "Assafa", and "الصفا" after transliteration. */
const JOINED_ARTICLE = /^(?:[aeu]l(?=[^aeiouy].{3})|[aeu]([snrtzd])(?=\1.{3}))/

/** Writes words in one transliteration and drops articles: "Ash Shams", "El-Shams" and "الشمس" → xams. `isListed`: an English word. */
export function transliterate(tokens: readonly string[], isListed: (token: string) => boolean): string[] {
  const written: string[] = []
  for (const [index, token] of tokens.entries()) {
    const word = WORDS.get(token) ?? WORDS.get(token.replace(/^ال/, ''))
    if (word !== undefined) written.push(word)
    else if (isListed(token) && !isArticle(token, tokens[index + 1])) written.push(token)
    else if (!isArticle(token, tokens[index + 1])) written.push(writePlainly(token))
  }
  return written.filter((token) => token !== '')
}

/** "al", or assimilated: "as" before "Salam". */
const isArticle = (token: string, next = ''): boolean =>
  ARTICLE.test(token) && next !== '' && (token[1] === 'l' || token[1] === next[0])

const plain = new Map<string, string>()
const PLAIN_MAX = 20_000

function writePlainly(token: string): string {
  let found = plain.get(token)
  if (found === undefined) {
    found = /\d/.test(token) ? token : toOneSpelling(token)
    if (plain.size >= PLAIN_MAX) plain.clear()
    plain.set(token, found)
  }
  return found
}

function toOneSpelling(token: string): string {
  const latin = ARABIC.test(token)
    ? Array.from(token.replace(/^ال(?=...)/, ''), (letter) => LETTERS.get(letter) ?? letter).join('')
    : token
  return latin
    .replace(JOINED_ARTICLE, '')
    .replace(/sh|ch/g, 'x')
    .replace(/ph|v/g, 'f')
    .replace(/kh|q|c/g, 'k')
    .replace(/([tdgw])h/g, '$1')
    .replace(/p/g, 'b')
    .replace(/j/g, 'g')
    .replace(/ou|oo|[ow]/g, 'u')
    .replace(/ee|ei|ey|ai|ay|y/g, 'i')
    .replace(/(.)\1+/g, '$1')
    .replace(/(?<=[aeiu])h$|(?<=...)[aeiu]$/, '')
}

/** Consonants and the vowels before each. */
type Sounds = { readonly consonants: string; readonly vowels: readonly string[] }
const sounds = new Map<string, Sounds>()

function soundsOf(word: string): Sounds {
  let found = sounds.get(word)
  if (found === undefined) {
    found = { consonants: word.replace(/[aeiu]/g, ''), vowels: word.split(/[^aeiu]/) }
    if (sounds.size >= PLAIN_MAX) sounds.clear()
    sounds.set(word, found)
  }
  return found
}

/** Short vowels are often omitted, and "e" may be any of them, but a long "i" is never an "a". */
const isSameVowel = (a: string, b: string): boolean =>
  a === '' || b === '' || a.includes('e') || b.includes('e') || Array.from(a).some((vowel) => b.includes(vowel))

/** Equal consonants and compatible vowels: "Qasr" and "Qaser", but not "Salam" and "Saleem". */
export function arabicSimilarity(a: string, b: string): number {
  if (isBrand(a) || isBrand(b)) return 0
  const [x, y] = [soundsOf(a), soundsOf(b)]
  if (x.consonants !== y.consonants || x.consonants.length < 2 || /\d/.test(a)) return 0
  if ((x.vowels[0] === '') !== (y.vowels[0] === '')) return 0
  return x.vowels.every((vowel, index) => isSameVowel(vowel, y.vowels[index] ?? '')) ? 0.97 : 0
}
