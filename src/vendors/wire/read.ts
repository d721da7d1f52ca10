import { plainText } from '../../lib/text/clean-markup.ts'

/**
 * Readers for a vendor's JSON. Every field is `unknown` until one of them has looked at it, because vendors break their
 * own documents, and one unreadable item must cost only itself. A schema check of a long answer takes longer than
 * parsing it, so there is none.
 */

/** An object in a vendor's own spelling. */
export type Wire = Readonly<Record<string, unknown>>

/** Names that would reach an object's prototype if they were used as a key. */
const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/** The object to read fields of; undefined for anything that is no object. */
export const recordOf = (value: unknown): Wire | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Wire) : undefined

const NOTHING: readonly unknown[] = []
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : NOTHING)

/** The objects of a list; whatever else is in it is left out. */
export const recordsOf = (value: unknown): Wire[] =>
  listOf(value)
    .map(recordOf)
    .filter((item) => item !== undefined)

/** The entries of a map, in the vendor's order. */
export const entriesOf = (value: unknown): [string, unknown][] =>
  Object.entries(recordOf(value) ?? {}).filter(([key]) => !PROTOTYPE_KEYS.has(key))

/** Empty when it is no text. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The name of a guest, as it may be shown. */
export const guestNameOf = (value: unknown): string => plainText(textOf(value)).slice(0, 120)

export const textsOf = (value: unknown): string[] => listOf(value).filter((item) => typeof item === 'string')

/** A code as the vendor writes it, as text or as a number. Empty when it is none. */
export function codeOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : ''
}

const ID = /^[A-Za-z0-9_.:-]{1,128}$/

/** A code that may be used as a key or in a path. Empty when it may not. */
export function idOf(value: unknown): string {
  const id = codeOf(value)
  return ID.test(id) && !PROTOTYPE_KEYS.has(id) ? id : ''
}

/** A number, also where it comes as text ("4.3"). */
export function finiteOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** The same, and 0 when it is none. */
export const numberOf = (value: unknown): number => finiteOf(value) ?? 0

/** A whole number, also where it comes as text. */
export function wholeOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined
}

/** Decodes every item. One that cannot be read is left out and counted, never guessed at. */
export function decodeEach<Item, Decoded>(
  items: Iterable<Item>,
  decode: (item: Item) => Decoded | undefined,
): { decoded: Decoded[]; dropped: number } {
  const decoded: Decoded[] = []
  let dropped = 0
  for (const item of items) {
    const one = decode(item)
    if (one === undefined) dropped += 1
    else decoded.push(one)
  }
  return { decoded, dropped }
}
