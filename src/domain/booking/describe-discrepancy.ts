import { toDecimal } from '../money/money.ts'
import type { Discrepancy } from './discrepancy.ts'

/** One line for operators, with names as the vendor wrote them. */
export function describeDiscrepancy(discrepancy: Discrepancy): string {
  const until = discrepancy.until === undefined ? '' : ` (until ${formatMinute(discrepancy.until)})`
  return `${discrepancy.code}: ${describeDifference(discrepancy)}${until}`
}

/** Part of a sentence, without the code. */
export const describeDifference = ({ booked, vendorSays }: Discrepancy): string =>
  `booked ${formatValue(booked)}, the vendor says ${formatValue(vendorSays)}`

function formatValue(value: Discrepancy['booked'] | Discrepancy['vendorSays']): string {
  if (typeof value !== 'object') return String(value)
  if ('minor' in value) return `${toDecimal(value)} ${value.currency}`
  if ('fee' in value) return `a fee of ${formatValue(value.fee)} from ${formatMinute(value.from)}`
  if ('board' in value) return value.board
  return 'rooms' in value ? `another name in room ${value.rooms.join(', ')}` : Object.values(value).join(' ')
}

const formatMinute = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
