import { hash } from 'node:crypto'

/** Independent of key order and white space. */
export function computeFingerprint(body: unknown): string {
  return hash('sha256', canonical(body))
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, child]) => `${JSON.stringify(key)}:${canonical(child)}`)
  return `{${members.join(',')}}`
}
