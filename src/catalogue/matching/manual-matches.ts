import type { CatalogueReader, CatalogueWriter } from '../store/catalogue.ts'
import type { FindPin } from './match-properties.ts'

/** Operators' splits and joins among these vendor properties; undefined if there are none, the usual case. */
export async function pinsAmong(reader: CatalogueReader, keys: readonly string[]): Promise<FindPin | undefined> {
  if (!(await reader.hasPins())) return undefined
  const rows = await reader.pins(keys)
  if (rows.length === 0) return undefined
  const pins = new Map(rows.map((row) => [`${row.a}\n${row.b}`, row.kind]))
  return (a, b) => pins.get(pinKey(a, b))
}

/** Copies the operator's decisions to an entry's new id, except pairs that are already decided there. */
export async function inheritPins(writer: CatalogueWriter, from: string, to: string): Promise<void> {
  const rows = await writer.pins([from, to])
  const decided = new Set(rows.map((row) => pinKey(row.a, row.b)))
  const inherited = rows.flatMap((row) => {
    const other = row.a === from ? row.b : row.a
    if ((row.a !== from && row.b !== from) || other === to || decided.has(pinKey(to, other))) return []
    const [a, b] = sortPair(to, other)
    return [{ ...row, a, b }]
  })
  await writer.putPins(inherited)
}

export const sortPair = (a: string, b: string): [string, string] => (a < b ? [a, b] : [b, a])

export const pinKey = (a: string, b: string): string => sortPair(a, b).join('\n')
