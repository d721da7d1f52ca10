import { hash } from 'node:crypto'

/** The space in which a source's own key becomes a location id. Changing it changes every id ever given out. */
export const LOCATION_NAMESPACE = '5d0c8f3a-7f0e-4c53-9d0b-2f4f8a6f1c11'

const NAMESPACE_BYTES = Buffer.from(LOCATION_NAMESPACE.replaceAll('-', ''), 'hex')
const KEY_BYTES_MAX = 1024
const room = Buffer.concat([NAMESPACE_BYTES, Buffer.alloc(KEY_BYTES_MAX)])
const VARIANT = '89ab'

/** The UUIDv5 of a source key. A page of results makes dozens, so it is done in one call without any allocation. */
export function locationId(key: string): string {
  const length = NAMESPACE_BYTES.length + room.write(key, NAMESPACE_BYTES.length, 'utf8')
  const hex = hash('sha1', room.subarray(0, length), 'hex')
  const variant = VARIANT.charAt(Number.parseInt(hex.charAt(16), 16) & 3)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
