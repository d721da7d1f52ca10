import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import type { Cache } from '../store/cache.ts'
import type { AvailabilityAnswer, AvailabilityQuery, Vendor } from '../vendors/contract.ts'
import { questionKey } from './shared-answers.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** Where the shape of an answer changes, this does: two versions side by side never read each other's. */
const FORMAT = 'a4'

/**
 * Vendors count questions: what one node was told, the others need not ask again. Availability only; rooms, price checks and
 * bookings always go to the vendor. Without an answer from the cache, the vendor is asked as if there were none.
 */
export function withAnswerReuse(vendor: Vendor, cache: Cache, reuseMs: number): Vendor {
  if (reuseMs <= 0) return vendor
  return {
    ...vendor,
    async availability(query, context) {
      const key = keyOf(vendor.id, query)
      const known = await read(cache, key)
      if (known !== undefined) return known
      const answer = await vendor.availability(query, context)
      if (answer.isIncomplete !== true) void keep(cache, key, answer, reuseMs)
      return answer
    },
  }
}

const keyOf = (vendorId: string, query: AvailabilityQuery) =>
  `answer:${FORMAT}:${vendorId}:${createHash('sha256').update(questionKey(vendorId, query)).digest('base64url')}`

async function read(cache: Cache, key: string): Promise<AvailabilityAnswer | undefined> {
  const packed = await cache.get(key)
  if (packed === undefined) return undefined
  try {
    const answer: AvailabilityAnswer | null = JSON.parse((await decompress(packed)).toString('utf8'))
    return answer !== null && Array.isArray(answer.offers) ? answer : undefined
  } catch {
    // Not ours, or damaged: as good as nothing.
    return undefined
  }
}

async function keep(cache: Cache, key: string, answer: AvailabilityAnswer, reuseMs: number): Promise<void> {
  await cache.set(key, await compress(JSON.stringify(answer)), reuseMs)
}
