import type { WorldProperty } from '../contract.ts'
import type { Random } from '../hash.ts'

/** Optional before a proper name: "Hotel Aurora" may be "Aurora", but "Hôtel de la Gare" must stay. */
const LEADING_WORD = /^(?:H[oô]tell?|Albergo) (?=\p{Lu})(?!Restaurant|Garni|Ristorante|Boutique|Palacio|Club|Park)/u
const NAMES_ITS_KIND =
  /h[oô]tel|hotell|otel|inn\b|hostel|hostal|apart|house|haus|resort|pension|suites|residen|motel|lodge|logis|auberge|palace|szálló|gostinitsa|wing|tower/i

/** Respells a name as another vendor would; a person still recognises it. */
export function respellName(name: string, place: string, prefersAscii: boolean, random: Random): string {
  let text = name
  if (random.chance(prefersAscii ? 0.5 : 0.12)) text = withoutAccents(text)
  if (random.chance(0.3)) text = text.includes('&') ? text.replaceAll('&', 'and') : text.replace(/ and /g, ' & ')
  const draw = random.next()
  if (draw < 0.14) text = text.replace(LEADING_WORD, '').replace(/(?<=\p{L}{4,} \p{L}{3,}) Hotel$/u, '')
  else if (draw < 0.24) text = text.replace(/^Hotel (?=\p{Lu})(.+)$/u, '$1 Hotel')
  else if (draw < 0.32) text = text.replace(/^(?!The |Grand )(.+) Hotel$/, 'Hotel $1')
  else if (draw < 0.52 && !NAMES_ITS_KIND.test(text)) text = `${text} Hotel`
  else if (draw < 0.6 && !NAMES_ITS_KIND.test(text) && !text.startsWith('The ')) text = `Hotel ${text}`
  if (random.chance(0.2) && !text.includes(place)) text = `${text}${random.chance(0.5) ? ', ' : ' '}${place}`
  if (random.chance(0.2)) text = shortenName(text)
  return prefersAscii && random.chance(0.04) ? text.toUpperCase() : text
}

const shortenName = (name: string) =>
  name
    .replace('Saint-', 'St. ')
    .replace('Apartments', 'Apts')
    .replace('Residences', 'Res.')
    .replace('International', 'Intl')
    .replace('Guest House', 'Guesthouse')
    .replace(/^The /, '')
    .replace(' - ', ', ')
    .replace(/ II$/, ' 2')

const SHORT_WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bStreet\b/, 'St'],
  [/\bRoad\b/, 'Rd'],
  [/\bAvenue\b/, 'Ave'],
  [/\bAvenida\b/, 'Av.'],
  [/\bBoulevard\b/, 'Blvd'],
  [/\bPlace\b/, 'Pl.'],
  [/\bDrive\b/, 'Dr'],
  [/straße\b/, 'str.'],
  [/\bCalle\b/, 'C/'],
  [/\bCaddesi\b/, 'Cad.'],
  [/\bSokak\b/, 'Sok.'],
  [/\bUlica\b/, 'Ul.'],
  [/\bUlitsa\b/, 'ul.'],
  [/\bJalan\b/, 'Jl.'],
  [/\bPiazza\b/, 'P.za'],
  [/\bStrada\b/, 'Str.'],
]

export function respellAddress(address: WorldProperty['address'], random: Random): WorldProperty['address'] {
  let line1 = address.line1
  if (random.chance(0.35)) for (const [word, short] of SHORT_WORDS) line1 = line1.replace(word, short)
  if (random.chance(0.2)) line1 = line1.replace(',', '')
  if (random.chance(0.25)) line1 = withoutAccents(line1)
  return {
    ...address,
    line1,
    city: random.chance(0.2) ? withoutAccents(address.city) : address.city,
    region: random.chance(0.15) ? '' : address.region,
    postalCode: random.chance(0.08)
      ? ''
      : random.chance(0.15)
        ? address.postalCode.replace(/[ -]/g, '')
        : address.postalCode,
  }
}

/** Spaces, dashes, brackets or nothing; one in ten is missing. */
export function respellPhone(phone: string, random: Random): string {
  const draw = random.next()
  if (draw < 0.1) return ''
  if (draw < 0.4) return phone.replaceAll(' ', '')
  if (draw < 0.55) return phone.replace('+', '00').replaceAll(' ', '')
  if (draw < 0.7) return phone.replaceAll(' ', '-').replace(/^(\+\d+)-/, '$1 ')
  return phone
}

export function respellChain(chain: string, random: Random): string {
  if (chain === '') return ''
  const draw = random.next()
  if (draw < 0.15) return ''
  if (draw < 0.3) return `${chain} Hotels`
  if (draw < 0.4) return `${withoutAccents(chain)} Hotels & Resorts`
  return draw < 0.5 ? chain.toUpperCase() : chain
}

const withoutAccents = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('đ', 'd')
    .replaceAll('ı', 'i')
