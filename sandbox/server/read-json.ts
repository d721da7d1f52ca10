/** JSON of unknown shape: read field by field, never trusted. */
export type Json = Readonly<Record<string, unknown>>

const NOTHING: Json = {}

export function objectIn(value: unknown, name?: string): Json {
  const found = name === undefined ? value : objectIn(value)[name]
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as Json) : NOTHING
}

export function listIn(value: unknown, name: string): readonly unknown[] {
  const found = objectIn(value)[name]
  return Array.isArray(found) ? found : []
}

export function textIn(value: unknown, name: string): string {
  const found = objectIn(value)[name]
  return typeof found === 'string' ? found : ''
}

export function numberIn(value: unknown, name: string): number | undefined {
  const found = objectIn(value)[name]
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined
}
