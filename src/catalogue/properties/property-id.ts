import { hash } from 'node:crypto'

/** Crockford's base 32 in lower case: URL-safe and unambiguous. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** Eighty bits. */
const ID = /^prp_[0-9a-hjkmnp-tv-z]{16}$/
const HEX_DIGITS = 20

/** Deterministic, so that a lost catalogue gets the same ids when synced again in the same order. `attempt` resolves collisions. */
export function derivePropertyId(vendorId: string, vendorPropertyId: string, attempt = 0): string {
  const digest = hash('sha256', JSON.stringify([vendorId, vendorPropertyId, attempt]), 'hex')
  const bits = BigInt(`0x${digest.slice(0, HEX_DIGITS)}`)
  const letters = bits.toString(32).padStart(16, '0')
  return `prp_${letters.replace(/./g, (digit) => ALPHABET[Number.parseInt(digit, 32)] ?? '')}`
}

export const isPropertyId = (text: string): boolean => ID.test(text)
