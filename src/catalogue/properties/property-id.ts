import { hash } from 'node:crypto'

/** Crockford's base 32 in lower case: safe in a URL, and no letter is mistaken for another. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** Eighty bits. */
const ID = /^prp_[0-9a-hjkmnp-tv-z]{16}$/
const HEX_DIGITS = 20

/**
 * Our id for the property that this vendor property founds. The same everywhere, so a catalogue that was lost and
 * synced again in the same order gives the same ids. `attempt` makes another one where that is taken.
 */
export function propertyIdOf(vendorId: string, vendorPropertyId: string, attempt = 0): string {
  const digest = hash('sha256', JSON.stringify([vendorId, vendorPropertyId, attempt]), 'hex')
  const bits = BigInt(`0x${digest.slice(0, HEX_DIGITS)}`)
  const letters = bits.toString(32).padStart(16, '0')
  return `prp_${letters.replace(/./g, (digit) => ALPHABET[Number.parseInt(digit, 32)] ?? '')}`
}

export const isPropertyId = (text: string): boolean => ID.test(text)
