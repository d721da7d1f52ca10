import { isPoint, type Point } from '../../lib/geo.ts'
import { asNumber, asText, type Wire } from './read.ts'

export const SQUARE_FEET_PER_METER = 10.7639

/** Reads coordinates from numbers or texts. Vendors write unknown locations as 0, 0. */
export function readPoint({ latitude, longitude }: Wire): Point | undefined {
  const [lat, lon] = [asNumber(latitude), asNumber(longitude)]
  if (lat === undefined || lon === undefined || !isPoint(lat, lon)) return undefined
  return lat === 0 && lon === 0 ? undefined : { lat, lon }
}

/** Converts `0044…` to `+44…`; empty if it is not a telephone number. */
export function readPhone(value: unknown): string {
  const text = asText(value).trim()
  const digits = text.replace(/\D/g, '')
  if (digits.length < 5 || digits.length > 18) return ''
  if (text.startsWith('+')) return `+${digits}`
  return digits.startsWith('00') ? `+${digits.slice(2)}` : digits
}

/** Formats a number of beds, such as "2 twin beds". */
export const formatBeds = (count: number, kind: string): string =>
  `${count} ${kind}${count > 1 && kind.endsWith('bed') ? 's' : ''}`
