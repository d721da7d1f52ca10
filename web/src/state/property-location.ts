/** The same as in src/domain/property-location.ts; a test compares them. */
const PROPERTY_NAMESPACE = '3f6c2b8e-1d54-4f0a-9c47-6b7a0e5d2a90'

/**
 * The id under which a property can be searched as a destination (UUIDv5). Undefined where the browser has no hash
 * functions, as on an address without https.
 */
export async function propertyLocationId(propertyId: string): Promise<string | undefined> {
  if (globalThis.crypto?.subtle === undefined) return undefined
  const space = PROPERTY_NAMESPACE.replaceAll('-', '').match(/../g) ?? []
  const name = new TextEncoder().encode(propertyId)
  const bytes = Uint8Array.from([...space.map((byte) => Number.parseInt(byte, 16)), ...name])
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-1', bytes)).slice(0, 16)
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x50
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
