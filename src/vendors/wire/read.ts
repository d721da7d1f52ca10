import { plainText } from '../../lib/text/clean-markup.ts'

/**
 * Readers for a vendor's JSON. Every field is `unknown`, because vendors violate their own schemas and one invalid item
 * must not cost the others; checking a schema would take longer than parsing.
 */

/** Object in a vendor's format. */
export type Wire = Readonly<Record<string, unknown>>

/** Keys that would reach an object's prototype. */
const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/** Returns undefined unless the value is an object. */
export const asRecord = (value: unknown): Wire | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Wire) : undefined

const EMPTY: readonly unknown[] = []
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : EMPTY)

/** Objects in a list; other items are skipped. */
export const asRecords = (value: unknown): Wire[] =>
  asList(value)
    .map(asRecord)
    .filter((item) => item !== undefined)

/** Entries of a map, in the vendor's order. */
export const asEntries = (value: unknown): [string, unknown][] =>
  Object.entries(asRecord(value) ?? {}).filter(([key]) => !PROTOTYPE_KEYS.has(key))

/** Empty if it is not a string. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

export const readGuestName = (value: unknown): string => plainText(asText(value)).slice(0, 120)

export const asTexts = (value: unknown): string[] => asList(value).filter((item) => typeof item === 'string')

/** Code written as a string or number; empty if it is neither. */
export function readCode(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : ''
}

const ID = /^[A-Za-z0-9_.:-]{1,128}$/

/** Code that is safe as a key and in a path; otherwise empty. */
export function readId(value: unknown): string {
  const id = readCode(value)
  return ID.test(id) && !PROTOTYPE_KEYS.has(id) ? id : ''
}

/** Number, or a numeric string such as "4.3". */
export function asNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

export const asNumberOrZero = (value: unknown): number => asNumber(value) ?? 0

/** Integer, or a string of digits. */
export function asInteger(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined
}

/** Decodes every item. Items that cannot be decoded are skipped and counted. */
export function decodeEach<Item, Decoded>(
  items: Iterable<Item>,
  decode: (item: Item) => Decoded | undefined,
): { decoded: Decoded[]; dropped: number } {
  const decoded: Decoded[] = []
  let dropped = 0
  for (const item of items) {
    const result = decode(item)
    if (result === undefined) dropped += 1
    else decoded.push(result)
  }
  return { decoded, dropped }
}
