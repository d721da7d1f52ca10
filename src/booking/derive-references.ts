import { createHmac } from 'node:crypto'
import { toSymbols } from '../lib/crypto/ids.ts'
import type { Keyring } from '../lib/crypto/keyring.ts'

/** Version of the derivation. A change would give repeated requests other references than before. */
const VERSION = 1
/** 100 bits; the shortest field of a vendor for our reference has 20 characters. */
const LENGTH = 20

export type ReferenceIntent = {
  readonly accountId: string
  readonly simulated: boolean
  /** The client's key; without one, the lineage takes its place. */
  readonly idempotencyKey: string | undefined
  readonly lineage: string
  readonly offerId: string
}

/**
 * References under which this request may be, or may have been, sent, in the order of use. They follow from the request
 * alone, so that a repeat finds its booking at the vendor if our row is lost.
 */
export function deriveReferences(
  keyring: Keyring,
  secretId: string | undefined,
  { accountId, simulated, idempotencyKey, lineage, offerId }: ReferenceIntent,
): readonly [string, ...string[]] {
  const { secret } = keyring.byId(secretId ?? '') ?? keyring.current
  const derive = (...parts: readonly string[]): string => {
    const text = JSON.stringify([VERSION, accountId, simulated ? 'simulated' : 'real', ...parts])
    return toSymbols(createHmac('sha256', secret).update(text).digest().subarray(0, LENGTH))
  }
  if (idempotencyKey !== undefined) return [derive('key', idempotencyKey)]
  // A lineage may be booked again once its first booking is rejected or cancelled.
  return [derive('lineage', lineage), derive('offer', lineage, offerId)]
}
