/** Letters only: digits could look like a card number. Pages without TLS lack `crypto.randomUUID`. */
export function randomId(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20))
  return `${prefix}_${Array.from(bytes, (byte) => String.fromCharCode(97 + (byte % 26))).join('')}`
}
