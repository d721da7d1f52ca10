import type { ListValue } from './cast-value.ts'

type Value = Exclude<ListValue, null>

/** Orders two values of one type: numbers by size, false before true, text bytewise, lists entry by entry. */
export function compareValues(a: Value, b: Value): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  if (isTexts(a) && isTexts(b)) return compareTexts(a, b)
  return a < b ? -1 : a > b ? 1 : 0
}

export const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value)

/** By code point, which is the byte order of UTF-8: how databases order text when no language is named. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const one = a.charCodeAt(at)
    const other = b.charCodeAt(at)
    if (one !== other) return weightOf(one) - weightOf(other)
  }
  return a.length - b.length
}

/** UTF-16 puts the halves of large code points below U+E000; by code point they belong above U+FFFF. */
function weightOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

function compareTexts(a: readonly string[], b: readonly string[]): number {
  for (const [at, text] of a.entries()) {
    const other = b[at]
    if (other === undefined) return 1
    const order = compareText(text, other)
    if (order !== 0) return order
  }
  return a.length - b.length
}
