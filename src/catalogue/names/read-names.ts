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

/** Fewer than a database takes parameters, and little enough for one turn. */
const AT_ONCE = 500
/** Delay before reading: a property of a new area changes once per vendor, and the search that found it is still running. */
const AFTER_MS = 1_000

/** While very many are read, the names are put in order each time this share has changed: those that are not slow each look-up. */
const SHARE_WHILE_READING = 1 / 8

/** Reads the names of new and changed properties in the background, after a short delay. */
export function createReadNames(deps: Deps) {
  const waiting = new Set<string>()
  let reading: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function readOn(): Promise<void> {
    while (waiting.size > 0 && !stopped) {
      const ids: string[] = []
      for (const id of waiting) {
        if (ids.length === AT_ONCE) break
        ids.push(id)
        waiting.delete(id)
      }
      await readSome(deps, ids).catch((error: unknown) => {
        for (const id of ids) waiting.add(id)
        throw error
      })
      await deps.names.settle(SHARE_WHILE_READING)
      await pause()
    }
    await deps.names.settle()
  }

  function start(): Promise<void> {
    reading ??= readOn().finally(() => {
      reading = undefined
    })
    return reading
  }

  /** Until it succeeds: names that were not read would be missing for as long as the process lives. */
  function startLater(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      start().catch((error) => {
        deps.onBug(error, 'reading the names of properties')
        if (!stopped) startLater()
      })
    }, AFTER_MS).unref()
  }

  return {
    /** The property is new or has changed. */
    changed(propertyId: string): void {
      waiting.add(propertyId)
      startLater()
    },
    /** Resolves when every change that was told before has been read; rejects if that fails. */
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

async function readSome({ store, names }: Deps, ids: readonly string[]): Promise<void> {
  const [properties, rows] = await Promise.all([store.properties(ids), store.names(ids)])
  const named = new Map(rows.map((row) => [rowKey(row), row]))
  for (const { property_id: propertyId, vendors } of properties) {
    // What a vendor no longer sells is not in the property's list, though its row may stay.
    const sold = decodeRefs(vendors).flatMap((ref) => named.get(refKey(ref)) ?? [])
    names.put({
      propertyId,
      names: sold.map(({ name }) => name),
      town: sold.find(({ city }) => city !== '')?.city ?? '',
      starRating: Math.max(0, ...sold.map((row) => row.star_rating)),
    })
  }
}
