import { createHash, randomUUID } from 'node:crypto'
import { systemClock } from './clock.ts'
import { freshBytes } from './random-bytes.ts'

/** Crockford's alphabet: no I, L, O, U, so a reference survives being read out on the telephone. */
const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export type Ids = { uuid(): string; prefixed(prefix: string): string; reference(): string }

export const randomIds: Ids = {
  uuid: () => randomUUID(),
  /**
   * The millisecond, then 65 random bits. What is made together lies together in an index: of a database with many bookings,
   * a new one changes a few pages instead of one in every corner.
   */
  prefixed: (prefix) => `${prefix}_${time()}${chance(13)}`.toLowerCase(),
  /** Twenty of A–Z and 0–9, 100 random bits: fits the shortest vendor reference field and survives upper-casing. */
  reference: () => chance(20),
}

/** In seven symbols, which go round once a year. */
function time(): string {
  let symbols = ''
  for (let at = 7, rest = systemClock.now(); at > 0; at -= 1, rest = Math.floor(rest / 32)) {
    symbols = BASE32.charAt(rest % 32) + symbols
  }
  return symbols
}

/** One symbol a byte (the low five bits). */
function chance(symbols: number): string {
  let text = ''
  for (const byte of freshBytes(symbols)) text += BASE32.charAt(byte & 31)
  return text
}

/** A UUIDv5: the same name in the same namespace gives the same id on every machine, forever. */
export function uuidV5(namespace: string, name: string): string {
  const space = Buffer.from(namespace.replaceAll('-', ''), 'hex')
  const bytes = createHash('sha1').update(space).update(name).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
export const isUuid = (text: string): boolean => UUID.test(text)
