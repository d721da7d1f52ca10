import { createHash, randomBytes, randomUUID } from 'node:crypto'

/** Crockford's alphabet: no I, L, O, U, so a reference survives being read out on the telephone. */
const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export type Ids = { uuid(): string; prefixed(prefix: string): string; reference(): string }

export const randomIds: Ids = {
  uuid: () => randomUUID(),
  prefixed: (prefix) => `${prefix}_${base32(randomBytes(13)).toLowerCase()}`,
  /** Twenty of A–Z and 0–9, 100 random bits: fits the shortest vendor reference field and survives upper-casing. */
  reference: () => base32(randomBytes(20)),
}

/** One symbol a byte (the low five bits). */
function base32(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => BASE32[byte & 31]).join('')
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
