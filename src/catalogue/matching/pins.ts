import type { CatalogueReader, CatalogueWriter } from '../store/catalogue.ts'
import type { PinOf } from './match-properties.ts'

/** An operator's splits and joins among these vendor properties; undefined in the usual case that there are none. */
export async function pinsAmong(reader: CatalogueReader, keys: readonly string[]): Promise<PinOf | undefined> {
  if (!(await reader.hasPins())) return undefined
  const rows = await reader.pins(keys)
  if (rows.length === 0) return undefined
  const pins = new Map(rows.map((row) => [`${row.a}\n${row.b}`, row.kind]))
  return (a, b) => pins.get(pinKey(a, b))
}

/** What an operator decided on an entry holds for its new code too, unless something was decided on that already. */
export async function inheritPins(writer: CatalogueWriter, from: string, to: string): Promise<void> {
  const rows = await writer.pins([from, to])
  const decided = new Set(rows.map((row) => pinKey(row.a, row.b)))
  const inherited = rows.flatMap((row) => {
    const other = row.a === from ? row.b : row.a
    if ((row.a !== from && row.b !== from) || other === to || decided.has(pinKey(to, other))) return []
    const [a, b] = inOneOrder(to, other)
    return [{ ...row, a, b }]
  })
  await writer.putPins(inherited)
}

/** Two keys in one order, whichever way they are given. */
export const inOneOrder = (a: string, b: string): [string, string] => (a < b ? [a, b] : [b, a])

export const pinKey = (a: string, b: string): string => inOneOrder(a, b).join('\n')
