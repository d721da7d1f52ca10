import { setImmediate as pause } from 'node:timers/promises'
import { decodeRefs } from '../properties/stored-content.ts'
import { refKey, rowKey } from '../properties/vendor-key.ts'
import type { CatalogueStore } from '../store/catalogue.ts'
import type { PropertyNames } from './property-names.ts'

type Deps = {
  readonly store: Pick<CatalogueStore, 'properties' | 'names'>
  readonly names: PropertyNames
  onBug(error: unknown, where: string): void
}

/** Below the parameter limit of databases, and short enough for one turn. */
const BATCH_SIZE = 500
/** A property of a new area changes once per vendor, while its search is still running. */
const DELAY_MS = 1_000

/** During a bulk read, names are sorted whenever this share has changed: unsorted names slow each lookup. */
const SHARE_WHILE_READING = 1 / 8

export function createReadNames(deps: Deps) {
  const waiting = new Set<string>()
  let reading: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function readWaiting(): Promise<void> {
    while (waiting.size > 0 && !stopped) {
      const ids: string[] = []
      for (const id of waiting) {
        if (ids.length === BATCH_SIZE) break
        ids.push(id)
        waiting.delete(id)
      }
      await readBatch(deps, ids).catch((error: unknown) => {
        for (const id of ids) waiting.add(id)
        throw error
      })
      await deps.names.settle(SHARE_WHILE_READING)
      await pause()
    }
    await deps.names.settle()
  }

  function start(): Promise<void> {
    reading ??= readWaiting().finally(() => {
      reading = undefined
    })
    return reading
  }

  /** Retries until it succeeds: unread names would be missing for the life of the process. */
  function startLater(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      start().catch((error) => {
        deps.onBug(error, 'reading the names of properties')
        if (!stopped) startLater()
      })
    }, DELAY_MS).unref()
  }

  return {
    changed(propertyId: string): void {
      waiting.add(propertyId)
      startLater()
    },
    /** Resolves when every earlier change has been read; rejects if that fails. */
    async settled(): Promise<void> {
      while (waiting.size > 0 && !stopped) await start()
      await reading
    },
    async stop(): Promise<void> {
      stopped = true
      clearTimeout(timer)
      await reading?.catch(() => undefined)
    },
  }
}

async function readBatch({ store, names }: Deps, ids: readonly string[]): Promise<void> {
  const [properties, rows] = await Promise.all([store.properties(ids), store.names(ids)])
  const named = new Map(rows.map((row) => [rowKey(row), row]))
  for (const { property_id: propertyId, vendors } of properties) {
    // Skips vendors that have dropped the property; their rows may remain.
    const sold = decodeRefs(vendors).flatMap((ref) => named.get(refKey(ref)) ?? [])
    names.put({
      propertyId,
      names: sold.map(({ name }) => name),
      town: sold.find(({ city }) => city !== '')?.city ?? '',
      starRating: Math.max(0, ...sold.map((row) => row.star_rating)),
    })
  }
}
