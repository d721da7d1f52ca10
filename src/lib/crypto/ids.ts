import { hash, randomBytes, randomUUID } from 'node:crypto'
import { systemClock } from '../time/clock.ts'

/** Crockford's alphabet: no I, L, O, U, so a reference survives being read out on the telephone. */
const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export type Ids = { uuid(): string; prefixed(prefix: string): string }

export const randomIds: Ids = {
  uuid: () => randomUUID(),
  /** The millisecond, then 65 random bits. Ids made together are adjacent in an index, so that an insert touches few pages. */
  prefixed: (prefix) => `${prefix}_${timeSymbols()}${randomSymbols(13)}`.toLowerCase(),
}

/** Milliseconds in seven symbols; wraps around about once a year. */
function timeSymbols(): string {
  let symbols = ''
  for (let left = 7, rest = systemClock.now(); left > 0; left -= 1, rest = Math.floor(rest / 32)) {
    symbols = BASE32.charAt(rest % 32) + symbols
  }
  return symbols
}

const randomSymbols = (count: number): string => toSymbols(randomBytes(count))

/** One symbol per byte: its low five bits. The symbols survive upper-casing, which some vendors apply. */
export function toSymbols(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += BASE32.charAt(byte & 31)
  return text
}

/** Makes UUIDv5s: the same name in the same namespace always gives the same id. */
export function uuidV5In(namespace: string): (name: string) => string {
  const space = Buffer.from(namespace.replaceAll('-', ''), 'hex')
  return (name) => {
    const hex = hash('sha1', Buffer.concat([space, Buffer.from(name, 'utf8')]), 'hex')
    const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
export const isUuid = (text: string): boolean => UUID.test(text)

/** We never issue ids or references of another shape, and PostgreSQL refuses a NUL. */
export const hasIdShape = (text: string): boolean => /^[\w-]{1,64}$/.test(text)
