import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import type { Cache } from '../store/cache.ts'
import type { AvailabilityAnswer, AvailabilityQuery, Vendor } from '../vendors/contract.ts'
import { questionKey } from './shared-answers.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** Changes with the format, so that two versions running side by side do not read each other's entries. */
const FORMAT = 'a5'

/** Shares availability between nodes, because vendors limit requests. Rooms and bookings are always requested. */
export function withAvailabilityCache(vendor: Vendor, cache: Cache, reuseMs: number): Vendor {
  if (reuseMs <= 0) return vendor
  return {
    ...vendor,
    async availability(query, context) {
      const key = cacheKey(vendor.id, query)
      const known = await read(cache, key)
      if (known !== undefined) return known
      const answer = await vendor.availability(query, context)
      if (answer.isIncomplete !== true) void store(cache, key, answer, reuseMs)
      return answer
    },
  }
}

const cacheKey = (vendorId: string, query: AvailabilityQuery) =>
  `answer:${FORMAT}:${vendorId}:${createHash('sha256').update(questionKey(vendorId, query)).digest('base64url')}`

async function read(cache: Cache, key: string): Promise<AvailabilityAnswer | undefined> {
  const packed = await cache.get(key)
  if (packed === undefined) return undefined
  try {
    const answer: AvailabilityAnswer | null = JSON.parse((await decompress(packed)).toString('utf8'))
    return answer !== null && Array.isArray(answer.offers) ? answer : undefined
  } catch {
    // A foreign or damaged entry counts as a miss.
    return undefined
  }
}

async function store(cache: Cache, key: string, answer: AvailabilityAnswer, reuseMs: number): Promise<void> {
  await cache.set(key, await compress(JSON.stringify(answer)), reuseMs)
}
