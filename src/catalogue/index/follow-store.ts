import { describeNamed } from '../names/describe-named.ts'
import { PropertyNames } from '../names/property-names.ts'
import { createReadNames } from '../names/read-names.ts'
import { currentIds } from '../properties/read-property.ts'
import { createSummaries } from '../properties/summaries.ts'
import type { CatalogueStore } from '../store/catalogue.ts'
import { createLiveIndex } from './live-index.ts'

type Deps = {
  readonly store: CatalogueStore
  readonly settings: { readonly summaryCacheBytes: number; readonly pollMs: number }
  onBug(error: unknown, where: string): void
}

/** What is kept in memory of the store and follows its changes, whichever process makes them. */
export function followStore({ store, settings, onBug }: Deps) {
  const summaries = createSummaries(store, settings.summaryCacheBytes)
  const names = new PropertyNames()
  const reading = createReadNames({ store, names, onBug })
  const onChanged = (propertyId: string) => {
    summaries.forget(propertyId)
    reading.changed(propertyId)
  }
  const index = createLiveIndex({ store, pollMs: settings.pollMs, onChanged, onBug })
  return {
    index,
    async stop(): Promise<void> {
      await index.stop()
      await reading.stop()
    },
    reads: {
      /** Reads what others have added, at once. */
      refresh: index.refresh,
      /** Nearest first, from memory. */
      candidates: index.candidates,
      /** Summaries by property id; ids that are unknown are missing from the map. */
      summaries: summaries.get,
      /** The id that each of these properties has now, by the id asked for. */
      currentIds: (propertyIds: readonly string[]) => currentIds(store, propertyIds),
      /** Properties by the words of their names, and by their location ids; out of memory. */
      names,
      /** Resolves when the names of all changes that are in the index have been read. */
      namesSettled: reading.settled,
      /** What a search by name shows of properties: a description for each that is still sold. */
      named: (propertyIds: readonly string[]) => describeNamed(store, summaries.get, propertyIds),
    },
  }
}
