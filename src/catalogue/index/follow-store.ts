import { describeNamed } from '../names/describe-named.ts'
import { PropertyNames } from '../names/property-names.ts'
import { createReadNames } from '../names/read-names.ts'
import { currentIds } from '../properties/read-property.ts'
import { createSummaries } from '../properties/summaries.ts'
import type { CatalogueStore, VendorRef } from '../store/catalogue.ts'
import { createLiveIndex } from './live-index.ts'

type Deps = {
  readonly store: CatalogueStore
  readonly settings: { readonly summaryCacheBytes: number; readonly pollMs: number }
  onBug(error: unknown, where: string): void
}

/** In-memory copies of the store that follow the changes of all processes. */
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
      /** Reads the changes of other processes immediately. */
      refresh: index.refresh,
      /** Nearest first. */
      candidates: index.candidates,
      /** Summaries by property id, without unknown ids. */
      summaries: summaries.get,
      /** Current id of each property, by the requested id. */
      currentIds: (propertyIds: readonly string[]) => currentIds(store, propertyIds),
      /** Our id of a vendor's property; undefined if it is unknown. */
      async findPropertyId({ vendorId, vendorPropertyId }: VendorRef): Promise<string | undefined> {
        const [row] = await store.synced(vendorId, [vendorPropertyId])
        return row?.property_id
      },
      /** In-memory index of names and location ids. */
      names,
      /** Resolves when the names of all indexed changes have been read. */
      namesSettled: reading.settled,
      /** Descriptions of the properties that are still sold. */
      named: (propertyIds: readonly string[]) => describeNamed(store, summaries.get, propertyIds),
    },
  }
}
