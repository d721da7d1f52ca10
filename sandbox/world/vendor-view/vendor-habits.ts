import type { Point } from '../../../src/lib/geo.ts'
import type { WorldProperty } from '../contract.ts'
import type { Random } from '../hash.ts'
import { movePoint } from '../places/position.ts'

/** Invented companies that market independent properties. */
const AFFILIATIONS = ['Kestrel Collection', 'Ardenne Hotels', 'Moorfield Group', 'Opaline', 'Sundial Stays', 'Vermeil']
const SLOGANS = ['City Getaway', 'Rooftop Pool', 'Adults Only', 'Garden View', 'Boutique Stay', 'Quiet Rooms']
const QUARTERS = ['Old Town', 'City', 'Centre', 'Museum Quarter', 'Market Square']
const UMLAUTS: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  Ä: 'Ae',
  Ö: 'Oe',
  Ü: 'Ue',
  ø: 'oe',
  å: 'aa',
}

/** Additions and omissions of vendors: brand, quarter, slogan, stars, and the place of a chain's property. */
export function adornName(name: string, { chain, stars }: WorldProperty, random: Random): string {
  const draw = random.next()
  const text = random.chance(0.3) ? name.replace(/[äöüÄÖÜøå]/g, (letter) => UMLAUTS[letter] ?? letter) : name
  if (/Tower|Wing| II$| 2$/.test(text)) return text
  if (draw < 0.03) return `${text} by ${random.pick(AFFILIATIONS)}`
  if (draw < 0.06) return `${text} - ${random.pick(SLOGANS)}`
  if (draw < 0.08 && chain === '') return `${text} ${random.pick(QUARTERS)}`
  if (draw < 0.1) return `${text}, ${random.pick(AFFILIATIONS)}`
  if (draw < 0.13) return `${text} ${random.chance(0.5) ? '*'.repeat(Math.floor(stars)) : `${Math.floor(stars)} Sup`}`
  if (draw < 0.16 && chain !== '' && text.startsWith(chain)) return chain
  return text
}

const RESERVATION_WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bHOTEL\b/, 'HTL'],
  [/\bHOTELS\b/, 'HTLS'],
  [/\bAND\b|&/, 'AND'],
  [/\bSUITES\b/, 'STES'],
  [/\bEXPRESS\b/, 'EXP'],
  [/\bDOWNTOWN\b/, 'DWTN'],
  [/\bMIDTOWN\b/, 'MDTN'],
  [/\bINTERNATIONAL\b/, 'INTL'],
  [/\bAIRPORT\b/, 'ARPT'],
  [/\bCENT(?:ER|RE)\b/, 'CTR'],
  [/\bSQUARE\b/, 'SQ'],
  [/\bSTATION\b/, 'STN'],
  [/\bAPARTMENTS\b/, 'APTS'],
  [/\bGARDEN\b/, 'GDN'],
  [/\bPLAZA\b/, 'PLZ'],
  [/\bNORTH\b/, 'NTH'],
  [/\bSOUTH\b/, 'STH'],
]
const RESERVATION_LENGTH = 30

/** Formats a name like a reservation system: capitals without accents, abbreviated, cut at thirty characters. */
export function reservationName(name: string, random: Random): string {
  let text = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replaceAll('ß', 'ss')
    .toUpperCase()
    .replace(/[.,'’|]/g, '')
    .replace(/ - | – |\//g, ' ')
  for (const [word, short] of RESERVATION_WORDS) if (random.chance(0.5)) text = text.replace(word, short)
  return text.replace(/ +/g, ' ').slice(0, RESERVATION_LENGTH).trim()
}

/** Position of the street or the quarter instead of the building, or rounded to two decimals. */
export function coarsenPoint(point: Point, random: Random): Point {
  const draw = random.next()
  if (draw < 0.025) return movePoint(point, random.between(0.15, 0.6), random.next())
  if (draw < 0.03) return { lat: Math.round(point.lat * 100) / 100, lon: Math.round(point.lon * 100) / 100 }
  return point
}

/** "12 Rue X" becomes "12-14 Rue X": the same building, with its neighbour's number. */
export const addNumberRange = (line: string, random: Random): string =>
  random.chance(0.05) ? line.replace(/\b\d+\b/, (number) => `${number}-${Number(number) + 2}`) : line
