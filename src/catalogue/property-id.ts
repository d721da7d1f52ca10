import { createHash } from 'node:crypto'

/** Crockford's base 32 in lower case: safe in a URL, and no letter is mistaken for another. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const VALUE = new Map([...ALPHABET].map((letter, value) => [letter, value]))
const PREFIX = 'prp_'
const LETTERS = 16

/** Eighty bits. */
export const PROPERTY_ID_BYTES = 10

/**
 * Our id for the property that this vendor property founds. The same everywhere, so a catalogue that was lost and
 * synced anew in the same order gives the same ids. `attempt` makes another one where that is taken.
 */
export function propertyIdOf(vendorId: string, vendorPropertyId: string, attempt = 0): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([vendorId, vendorPropertyId, attempt]))
    .digest()
  return propertyIdFrom(hash, 0)
}

/** The id whose ten bytes begin at `offset`. */
export function propertyIdFrom(bytes: Uint8Array, offset: number): string {
  let text = PREFIX
  let held = 0
  let bits = 0
  for (let at = offset; at < offset + PROPERTY_ID_BYTES; at += 1) {
    held = ((held << 8) | (bytes[at] ?? 0)) & 0xffff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += ALPHABET[(held >> bits) & 31]
    }
  }
  return text
}

/** Writes the id's ten bytes to `target`; false when the text is no property id of ours. */
export function writePropertyId(propertyId: string, target: Uint8Array, offset: number): boolean {
  if (propertyId.length !== PREFIX.length + LETTERS || !propertyId.startsWith(PREFIX)) return false
  let held = 0
  let bits = 0
  let at = offset
  for (let letter = PREFIX.length; letter < propertyId.length; letter += 1) {
    const value = VALUE.get(propertyId.charAt(letter))
    if (value === undefined) return false
    held = ((held << 5) | value) & 0xffff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    target[at] = (held >> bits) & 0xff
    at += 1
  }
  return true
}

export const isPropertyId = (text: string): boolean => writePropertyId(text, new Uint8Array(PROPERTY_ID_BYTES), 0)
