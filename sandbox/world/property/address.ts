import type { WorldProperty } from '../contract.ts'
import { ASPECT, createRandom, hash, itemAt, type Random } from '../hash.ts'
import { findStyleWords } from '../words/styles.ts'
import type { Traits } from './traits.ts'

/** Countries without postal codes. */
const WITHOUT_POSTAL_CODES = new Set([
  'AE',
  'HK',
  'QA',
  'IE',
  'PA',
  'BS',
  'FJ',
  'AO',
  'ZW',
  'UG',
  'RW',
  'GH',
  'BO',
  'JM',
  'AG',
  'MO',
])
// biome-ignore format: a table reads better in rows
const POSTAL: Record<string, string> = {
  CH: '####', AT: '####', BE: '####', LU: 'L-####', DK: '####', NO: '####', IS: '###', PT: '####-###', CA: '@#@ #@#', SI: '####',
  BG: '####', PL: '##-###', SE: '### ##', HR: '#####', RS: '#####', ZA: '####', AR: '@####@@@', PE: '#####', CL: '#######', CO: '######',
  EC: '######', SG: '######', PH: '####', NP: '#####', TW: '###', AU: '####', NZ: '####', TN: '####', NG: '######', VE: '####',
}

export function createAddress(traits: Traits): WorldProperty['address'] {
  const { place, country } = traits
  const words = findStyleWords(country.style)
  const street = itemAt(words.streets, hash(traits.rootKey, ASPECT.address))
  // Towers of one resort share a house number; two properties in one street do not.
  const numberKey = traits.twin?.relation === 'towers' ? traits.rootKey : traits.key
  const random = createRandom(hash(numberKey, ASPECT.address, 1))
  const line = itemAt(words.line, hash(traits.rootKey, ASPECT.address, 2))
  return {
    line1: line
      .replace('{s}', street)
      .replaceAll(/\{n\}|\{N\}/g, (symbol) =>
        String(symbol === '{n}' ? houseNumber(random) : 100 + random.below(9800)),
      ),
    city: place.name,
    region: place.region,
    postalCode: postalCode(traits),
    countryCode: place.countryCode,
  }
}

/** Low numbers are the most common everywhere. */
const houseNumber = (random: Random) => 1 + Math.floor(random.next() ** 2 * 180)

function postalCode({ place, country, rootKey }: Traits): string {
  if (WITHOUT_POSTAL_CODES.has(place.countryCode)) return ''
  const pattern = POSTAL[place.countryCode] ?? findStyleWords(country.style).postal
  // Properties of one place share the first half of the code.
  const shared = createRandom(hash(place.sourceId, ASPECT.address, 3))
  const own = createRandom(hash(rootKey, ASPECT.address, 4))
  const half = Math.ceil(pattern.length / 2)
  return [...pattern].map((symbol, i) => drawCharacter(symbol, i < half ? shared : own, i === 0)).join('')
}

function drawCharacter(symbol: string, random: Random, first: boolean): string {
  if (symbol === '#') return String(first ? 1 + random.below(9) : random.below(10))
  if (symbol === '@') return itemAt([...'ABCDEFGHJKLMNPRSTUVWXYZ'], random.below(23))
  return symbol
}

/** "+33 4 93 12 34 56": enough digits to be dialled, from unassigned ranges. */
export function createPhone({ country, key }: Traits): string {
  const random = createRandom(hash(key, ASPECT.address, 5))
  const digits = (count: number) => Array.from({ length: count }, () => random.below(10)).join('')
  const area = country.callingCode === '1' ? 201 + random.below(700) : 2 + random.below(8)
  if (country.callingCode.startsWith('1')) {
    return country.callingCode === '1'
      ? `+1 ${area} 555 ${digits(4)}`
      : `+1 ${country.callingCode.slice(1)} 555 ${digits(4)}`
  }
  return `+${country.callingCode} ${area} ${digits(4)} ${digits(4)}`
}
