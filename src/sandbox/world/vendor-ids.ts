import type { SandboxVendor } from './contract.ts'
import { hash } from './hash.ts'

const SALT: Record<SandboxVendor, number> = { expedia_rapid: 0x51ab, hotelbeds: 0x7c93 }
const ROUNDS = 4

/**
 * A vendor's own number for a building: a Feistel network over the two halves of the key, so numbers look unrelated,
 * never collide, and lead back without a table. Always a whole number from 0 to 2^32 - 1.
 */
export function vendorIdOf(vendor: SandboxVendor, key: number): number {
  let left = key >>> 16
  let right = key & 0xffff
  for (let round = 0; round < ROUNDS; round++) {
    const mixed = left ^ (hash(right, SALT[vendor], round) & 0xffff)
    left = right
    right = mixed
  }
  return ((left << 16) | right) >>> 0
}

export function keyOfVendorId(vendor: SandboxVendor, id: number): number {
  let left = id >>> 16
  let right = id & 0xffff
  for (let round = ROUNDS - 1; round >= 0; round--) {
    const mixed = right ^ (hash(left, SALT[vendor], round) & 0xffff)
    right = left
    left = mixed
  }
  return ((left << 16) | right) >>> 0
}
