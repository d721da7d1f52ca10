import { setImmediate as pause } from 'node:timers/promises'
import type { Region } from '../../lib/geo.ts'
import { decodeRefs } from '../properties/stored-content.ts'
import type { CatalogueStore } from '../store/catalogue.ts'
import { type Candidate, GeoIndex } from './geo-index.ts'

type Deps = {
  readonly store: Pick<CatalogueStore, 'changes'>
  readonly pollMs: number
  onChanged(propertyId: string): void
  onBug(error: unknown, where: string): void
}

export type LiveIndex = ReturnType<typeof createLiveIndex>

const PAGE = 2_000

/** Keeps the geo index up to date by reading changes after the last sequence number, which all processes share. */
export function createLiveIndex({ store, pollMs, onChanged, onBug }: Deps) {
  let index = new GeoIndex()
  let seq = 0
  let timer: NodeJS.Timeout | undefined
  let reading: Promise<void> | undefined
  let next: Promise<void> | undefined

  /** Resolves when everything committed before the call is indexed. */
  function refresh(): Promise<void> {
    if (reading === undefined) {
      reading = readChanges().finally(() => {
        reading = undefined
      })
      return reading
    }
    // The current read may have started before the caller's commit; one more serves all waiting callers.
    next ??= reading
      .catch(() => undefined)
      .then(() => {
        next = undefined
        return refresh()
      })
    return next
  }

  async function readChanges(): Promise<void> {
    // Rebuilds an index with many empty rows while the old one stays in use.
    const target = index.hasManyEmptyRows() ? new GeoIndex() : index
    let from = target === index ? seq : 0
    for (;;) {
      const rows = await store.changes(from, PAGE)
      for (const row of rows) {
        const point = { lat: row.lat, lon: row.lon }
        target.put({ propertyId: row.property_id, point, vendors: decodeRefs(row.vendors) })
        if (row.seq > seq) onChanged(row.property_id)
        from = row.seq
      }
      if (rows.length < PAGE) break
      await pause()
    }
    seq = from
    index = target
    index.settle().catch((error) => onBug(error, 'building the geo index'))
  }

  return {
    async start(): Promise<void> {
      await refresh()
      await index.settle()
      timer ??= setInterval(() => {
        refresh().catch((error) => onBug(error, 'following the catalogue'))
      }, pollMs).unref()
    },
    async stop(): Promise<void> {
      clearInterval(timer)
      timer = undefined
      await Promise.allSettled([reading, next])
    },
    refresh,
    candidates: (region: Region, limit: number): Candidate[] => index.candidates(region, limit),
  }
}
