import { toDecimal } from '../money/money.ts'
import type { Discrepancy } from './discrepancy.ts'

/** For operators: one line, with vendors' names as they came. */
export function describeDiscrepancy(one: Discrepancy): string {
  const until = one.until === undefined ? '' : ` (until ${new Date(one.until).toISOString()})`
  return `${one.code}: ${differenceOf(one)}${until}`
}

/** The same without the code, as part of a sentence. */
export const differenceOf = (one: Discrepancy): string =>
  `booked ${wordsFor(one.booked)}, the vendor says ${wordsFor(one.vendorSays)}`

function wordsFor(value: Discrepancy['booked'] | Discrepancy['vendorSays']): string {
  if (typeof value !== 'object') return String(value)
  if ('minor' in value) return `${toDecimal(value)} ${value.currency}`
  if ('fee' in value) return `a fee of ${wordsFor(value.fee)} from ${new Date(value.from).toISOString()}`
  if ('board' in value) return value.board
  return 'rooms' in value ? `another name in room ${value.rooms.join(', ')}` : Object.values(value).join(' ')
}
