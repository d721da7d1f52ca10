import { hash } from '../hash.ts'

const ROUNDS = 4

/** Spreads the small salts. Changing it renumbers every property of every vendor. */
const spreadSalt = (salt: number): number => 0x26c3 + 0x2ae8 * salt

/**
 * Vendor's own number for a property. A Feistel network over the two halves of the key makes numbers look unrelated,
 * without collisions and reversible without a table. Always an integer from 0 to 2^32 - 1.
 */
export function toVendorId(salt: number, key: number): number {
  let left = key >>> 16
  let right = key & 0xffff
  for (let round = 0; round < ROUNDS; round++) {
    const mixed = left ^ (hash(right, spreadSalt(salt), round) & 0xffff)
    left = right
    right = mixed
  }
  return ((left << 16) | right) >>> 0
}

export function fromVendorId(salt: number, id: number): number {
  let left = id >>> 16
  let right = id & 0xffff
  for (let round = ROUNDS - 1; round >= 0; round--) {
    const mixed = right ^ (hash(left, spreadSalt(salt), round) & 0xffff)
    right = left
    left = mixed
  }
  return ((left << 16) | right) >>> 0
}
