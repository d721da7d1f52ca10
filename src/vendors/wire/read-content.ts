import { isPoint, type Point } from '../../lib/geo.ts'
import { finiteOf, textOf, type Wire } from './read.ts'

export const SQUARE_FEET_PER_METER = 10.7639

/** A place on earth, from numbers or texts. Properties of unknown place are put at 0, 0. */
export function pointOf({ latitude, longitude }: Wire): Point | undefined {
  const [lat, lon] = [finiteOf(latitude), finiteOf(longitude)]
  if (lat === undefined || lon === undefined || !isPoint(lat, lon)) return undefined
  return lat === 0 && lon === 0 ? undefined : { lat, lon }
}

/** `0044…` is written `+44…`; empty when it is no telephone number. */
export function phoneOf(value: unknown): string {
  const text = textOf(value).trim()
  const digits = text.replace(/\D/g, '')
  if (digits.length < 5 || digits.length > 18) return ''
  if (text.startsWith('+')) return `+${digits}`
  return digits.startsWith('00') ? `+${digits.slice(2)}` : digits
}

/** "2 twin beds". */
export const bedsOf = (count: number, kind: string): string =>
  `${count} ${kind}${count > 1 && kind.endsWith('bed') ? 's' : ''}`
