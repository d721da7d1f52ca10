/**
 * Letters only: digits in a row could be taken for a card number, which the service refuses. `crypto.randomUUID` is missing in
 * pages without TLS, except on localhost.
 */
export function randomId(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20))
  return `${prefix}_${Array.from(bytes, (byte) => String.fromCharCode(97 + (byte % 26))).join('')}`
}
