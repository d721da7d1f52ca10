/** No digits: a row of digits could be taken for a card number. */
const LETTERS = 'abcdefghijklmnop'

/**
 * Derives the key from the body, so that the same order gets the same key in every attempt and every run. Undefined
 * without WebCrypto (a page without TLS); the service then uses the offer as the key.
 */
export async function deriveIdempotencyKey(body: unknown): Promise<string | undefined> {
  const { subtle } = globalThis.crypto ?? {}
  if (subtle === undefined) return undefined
  const digest = await subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(sortMembers(body))))
  return `auto-${Array.from(new Uint8Array(digest), (byte) => LETTERS.charAt(byte >> 4) + LETTERS.charAt(byte & 15)).join('')}`
}

/** The order of members must not change the key. */
function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, inner]) => [name, sortMembers(inner)]))
}
