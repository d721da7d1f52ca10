/** Without digits, which in a row could be taken for a card number. */
const LETTERS = 'abcdefghijklmnop'

/**
 * Made from the body: the same order gets the same key, in this call's repeats as in a later run of the program. Undefined
 * where there is no WebCrypto (a page without TLS); the service then takes the offer itself for the key.
 */
export async function keyOf(body: unknown): Promise<string | undefined> {
  const { subtle } = globalThis.crypto ?? {}
  if (subtle === undefined) return undefined
  const digest = await subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(sorted(body))))
  return `auto-${Array.from(new Uint8Array(digest), (byte) => LETTERS.charAt(byte >> 4) + LETTERS.charAt(byte & 15)).join('')}`
}

/** The order of members does not make another order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]))
}
