import { hash, randomBytes, randomUUID } from 'node:crypto'
import { systemClock } from '../time/clock.ts'

/** Crockford's alphabet: no I, L, O, U, so a reference survives being read out on the telephone. */
const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export type Ids = { uuid(): string; prefixed(prefix: string): string; reference(): string }

export const randomIds: Ids = {
  uuid: () => randomUUID(),
  /**
   * The millisecond, then 65 random bits. What is made together lies together in an index: of a database with many bookings,
   * a new one changes a few pages instead of one in every corner.
   */
  prefixed: (prefix) => `${prefix}_${time()}${randomSymbols(13)}`.toLowerCase(),
  /** Twenty of A–Z and 0–9, 100 random bits: fits the shortest vendor reference field and survives upper-casing. */
  reference: () => randomSymbols(20),
}

/** In seven symbols, which go round once a year. */
function time(): string {
  let symbols = ''
  for (let at = 7, rest = systemClock.now(); at > 0; at -= 1, rest = Math.floor(rest / 32)) {
    symbols = BASE32.charAt(rest % 32) + symbols
  }
  return symbols
}

/** One symbol for each byte: its low five bits. */
function randomSymbols(symbols: number): string {
  let text = ''
  for (const byte of randomBytes(symbols)) text += BASE32.charAt(byte & 31)
  return text
}

/** Makes UUIDv5s: the same name in the same namespace gives the same id on every machine, forever. */
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

/** Ids and references of another shape were never given out, and PostgreSQL refuses one with a NUL in it. */
export const hasIdShape = (text: string): boolean => /^[\w-]{1,64}$/.test(text)
