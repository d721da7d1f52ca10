import type { VendorProperty } from '../../domain/property/property.ts'
import type { CallContext } from '../../lib/async/call-context.ts'
import type { Circle } from '../../lib/geo.ts'
import { type Clock, monotonicMs } from '../../lib/time/clock.ts'
import type { Vendor } from '../../vendors/contract.ts'
import type { PropertyTextsReader } from '../properties/property-texts.ts'
import type { RateRemarks } from '../properties/rate-remarks.ts'
import { type PropertyContent, readPropertyContent } from '../properties/read-property.ts'
import { createCompleteRooms } from '../rooms/complete-rooms.ts'
import type { CatalogueStore } from '../store/catalogue.ts'
import type { ContentJobStore } from '../store/content-jobs.ts'
import type { ContentProgressStore } from '../store/content-progress.ts'
import type { AreaReader } from './area-reader.ts'
import { type ContentStatus, readContentStatus } from './content-status.ts'
import { createDropMissing } from './drop-properties.ts'
import type { IngestContent } from './ingest-content.ts'
import { createKeepContent, type KeepSettings } from './keep-content.ts'
import { createSyncFeed } from './sync-feed.ts'

type Deps = {
  readonly store: CatalogueStore
  readonly progress: ContentProgressStore
  readonly jobs: ContentJobStore
  readonly vendors: readonly Vendor[]
  readonly clock: Clock
  readonly settings: KeepSettings & { readonly live: boolean; readonly roomsPatienceMs: number }
  readonly ingest: IngestContent
  readonly areas: Pick<AreaReader, 'readArea'>
  readonly syncRemarks: RateRemarks['sync']
  readonly keepTexts: PropertyTextsReader['keep']
  places?(): readonly Circle[]
  countRequests?(vendorId: string): number
  onBug(error: unknown, where: string): void
}

/** Keeps content complete and fresh, on schedule and when a property is opened. */
export function createUpkeep(deps: Deps) {
  const { store, progress, jobs, vendors, clock, settings, ingest, areas, onBug } = deps
  const { places = () => [] } = deps
  const syncFeed = createSyncFeed({ ingest, progress, clock, syncRemarks: deps.syncRemarks })
  const rooms = createCompleteRooms({ store, vendors, ingest, patienceMs: settings.roomsPatienceMs, onBug })
  const dropMissing = createDropMissing({ store, clock, ingest })
  // The first search often comes right after the start, so reading ahead is delayed.
  let searchedAt = monotonicMs()
  const isBusy = () => monotonicMs() - searchedAt < settings.quietMs
  const parts = {
    vendors,
    jobs,
    progress,
    store,
    areas,
    rooms,
    clock,
    settings,
    syncFeed,
    dropMissing,
    keepTexts: deps.keepTexts,
  }
  const keep = createKeepContent({ ...parts, places, countRequests: deps.countRequests ?? (() => 0), isBusy })

  /** Reads missing rooms first, if vendors may be asked. */
  async function propertyContent(propertyId: string, context?: CallContext): Promise<PropertyContent | undefined> {
    const found = await readPropertyContent(store, propertyId)
    const mayAsk = ({ vendorId }: VendorProperty) =>
      settings.live || vendors.find(({ id }) => id === vendorId)?.capabilities.readsDetailsOnDemand === true
    const incomplete = found?.contents.filter((content) => content.roomsUnread && mayAsk(content)) ?? []
    if (incomplete.length === 0) return found
    await rooms.now(incomplete, context)
    return readPropertyContent(store, propertyId)
  }

  return {
    operations: {
      propertyContent,
      syncFeed,
      keepContent: keep.round,
      contentStatus: (): Promise<ContentStatus[]> => readContentStatus({ vendors, jobs, progress, clock, settings }),
    },
    /** Pauses background work. */
    noteSearch(): void {
      searchedAt = monotonicMs()
    },
    stop: keep.stop,
  }
}
