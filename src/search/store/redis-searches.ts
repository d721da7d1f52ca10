import type { SavedSearch } from '../../domain/saved-search.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Cache } from '../../store/cache.ts'
import { fromHead, type SearchStore } from './searches.ts'

/** Lets other nodes read searches without the database, which is written first: losing the cache loses nothing. */
export function withSearchCache(store: SearchStore, cache: Cache, clock: Clock): SearchStore {
  const cacheKey = (accountId: string, searchId: string) => `search:${accountId}:${searchId}`
  const keep = (search: SavedSearch, results: Uint8Array) =>
    cache.set(cacheKey(search.accountId, search.searchId), pack(search, results), search.expiresAt - clock.now())

  return {
    ...store,
    async save(search, results) {
      await store.save(search, results)
      // Best effort: a node that finds nothing asks the database.
      void keep(search, results)
    },
    async withResults(accountId, searchId) {
      const kept = await cache.get(cacheKey(accountId, searchId))
      const cached = kept && unpack(kept)
      if (cached !== undefined) return cached
      const stored = await store.withResults(accountId, searchId)
      if (stored !== undefined) void keep(stored.search, stored.results)
      return stored
    },
  }
}

const FORMAT = 1
const PREAMBLE_BYTES = 5

/** Format byte, length of the head, head as JSON, packed results. */
function pack(search: SavedSearch, results: Uint8Array): Buffer {
  const head = Buffer.from(JSON.stringify(search))
  const preamble = Buffer.alloc(PREAMBLE_BYTES)
  preamble.writeUInt8(FORMAT, 0)
  preamble.writeUInt32LE(head.length, 1)
  return Buffer.concat([preamble, head, results])
}

/** Undefined if another version wrote it; the database is asked then. */
function unpack(kept: Buffer): { search: SavedSearch; results: Uint8Array } | undefined {
  if (kept.length < PREAMBLE_BYTES || kept.readUInt8(0) !== FORMAT) return undefined
  const end = PREAMBLE_BYTES + kept.readUInt32LE(1)
  if (end > kept.length) return undefined
  return { search: fromHead(kept.toString('utf8', PREAMBLE_BYTES, end)), results: kept.subarray(end) }
}
