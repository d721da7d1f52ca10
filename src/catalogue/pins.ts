import type { CatalogueReader } from '../store/catalogue.ts'
import type { PinOf } from './matching/match-properties.ts'

/** An operator's splits and joins among these vendor properties; undefined in the usual case that there are none. */
export async function pinsAmong(reader: CatalogueReader, keys: readonly string[]): Promise<PinOf | undefined> {
  if (!(await reader.hasPins())) return undefined
  const rows = await reader.pins(keys)
  if (rows.length === 0) return undefined
  const pins = new Map(rows.map((row) => [`${row.a}\n${row.b}`, row.kind]))
  return (a, b) => pins.get(pinKey(a, b))
}

/** Two keys in one order, whichever way they are asked for. */
export const pinKey = (a: string, b: string): string => (a < b ? `${a}\n${b}` : `${b}\n${a}`)
