import type { VendorProperty } from '../domain/property/property.ts'
import type { Circle } from '../lib/geo.ts'
import type { Clock } from '../lib/time/clock.ts'
import { DAY_MS, MINUTE_MS } from '../lib/time/durations.ts'
import { type Locks, noLocks } from '../store/redis-locks.ts'
import type { Vendor } from '../vendors/contract.ts'
import { createAround } from './index/around.ts'
import { followStore } from './index/follow-store.ts'
import { createComparePair } from './matching/compare-pair.ts'
import { createCurateMatches } from './matching/curate-matches.ts'
import { createInspectMatches } from './matching/inspect-matches.ts'
import { createRejudge } from './matching/rejudge.ts'
import { createPropertyTexts } from './properties/property-texts.ts'
import { createRateRemarks } from './properties/rate-remarks.ts'
import { readProperty } from './properties/read-property.ts'
import { parseContent } from './properties/stored-content.ts'
import { createCurateRooms } from './rooms/curate-rooms.ts'
import { createRoomTypes } from './rooms/room-types.ts'
import type { CatalogueStore, VendorRef } from './store/catalogue.ts'
import type { ContentJobStore } from './store/content-jobs.ts'
import type { ContentProgressStore } from './store/content-progress.ts'
import type { MatchListStore } from './store/match-lists.ts'
import type { MatchProgressStore } from './store/match-progress.ts'
import type { PropertyTextsStore } from './store/property-texts.ts'
import type { RateRemarksStore } from './store/rate-remarks.ts'
import type { RoomTypeStore } from './store/room-types.ts'
import { AreaReader, type AreaSettings } from './sync/area-reader.ts'
import { createIngestContent } from './sync/ingest-content.ts'
import type { KeepSettings } from './sync/keep-content.ts'
import { createUpkeep } from './sync/upkeep.ts'

type CatalogueSettings = AreaSettings &
  KeepSettings & {
    /** Longest wait of a property page for rooms that have not been read. */
    readonly roomsPatienceMs: number
    /** Languages besides English in which content is read. */
    readonly languages: readonly string[]
    readonly summaryCacheBytes: number
    /** Interval for reading the changes of other processes. */
    readonly pollMs: number
  }

const CATALOGUE_DEFAULTS: CatalogueSettings = {
  live: true,
  lateVendorMs: 1_400,
  vendorTimeoutMs: 15_000,
  propertiesMax: 1_200,
  refreshAfterMs: 7 * DAY_MS,
  job: 'off',
  fullEveryMs: 30 * DAY_MS,
  changesEveryMs: DAY_MS,
  retryMs: 10 * MINUTE_MS,
  sliceMs: 2_000,
  quietMs: 3_000,
  roomsPatienceMs: 1_500,
  languages: [],
  summaryCacheBytes: 64 * 2 ** 20,
  pollMs: 3_000,
}

export type Catalogue = ReturnType<typeof createCatalogue>

type CatalogueDeps = {
  readonly store: CatalogueStore
  readonly progress: ContentProgressStore
  readonly jobs: ContentJobStore
  readonly matchProgress: MatchProgressStore
  readonly remarksStore: RateRemarksStore
  readonly textsStore: PropertyTextsStore
  readonly roomTypes: RoomTypeStore
  readonly matchLists: MatchListStore
  readonly vendors: readonly Vendor[]
  readonly clock: Clock
  readonly settings?: Partial<CatalogueSettings>
  /** Ensures that only one process reads a new area. */
  readonly locks?: Locks
  /** Places whose content is read ahead of time, in this order. */
  places?(): readonly Circle[]
  /** Number of content requests that this process has sent to a vendor. */
  countRequests?(vendorId: string): number
  /** Receives errors of background work and errors that an adapter should not have thrown. */
  onBug(error: unknown, where: string): void
}

/** Stores, matches and indexes the vendors' content. */
export function createCatalogue(deps: CatalogueDeps) {
  const { store, progress, matchProgress, vendors, clock, settings: some = {}, locks = noLocks, onBug } = deps
  const settings = { ...CATALOGUE_DEFAULTS, ...some }
  const { index, reads, stop } = followStore({ store, settings, onBug })
  // A feed reports changes; without one, stale properties are read again.
  const refreshAfterMs = settings.job === 'areas' ? settings.refreshAfterMs : Number.POSITIVE_INFINITY
  const ingest = createIngestContent({ store, clock, refreshAfterMs })
  const areas = new AreaReader({ vendors, ingest, progress, clock, settings, locks, onAdded: index.refresh, onBug })
  const remarks = createRateRemarks({ store: deps.remarksStore, vendors, clock, onBug })
  const texts = createPropertyTexts({ store, textsStore: deps.textsStore, vendors, clock, settings, onBug })
  const around = createAround({ areas, index })
  const curate = createCurateMatches({ store, clock })
  const upkeep = createUpkeep({ ...deps, settings, ingest, areas, syncRemarks: remarks.sync, keepTexts: texts.keep })
  const roomTypes = createRoomTypes({ store: deps.roomTypes, clock })
  const rooms = createCurateRooms({ catalogue: store, store: deps.roomTypes, roomTypes, clock })
  const rejudge = createRejudge({ store, progress: matchProgress, clock })

  return {
    /** Loads the index and starts following other processes. */
    start: index.start,
    /** Ends background work; the store may be closed afterwards. */
    async stop(): Promise<void> {
      upkeep.stop()
      await Promise.all([areas.stop(), remarks.stop(), texts.stop()])
      await stop()
    },
    ...reads,
    around: (...args: Parameters<typeof around>): ReturnType<typeof around> => {
      upkeep.noteSearch()
      return around(...args)
    },
    property: (propertyId: string) => readProperty(store, propertyId),

    content: async (ref: VendorRef): Promise<VendorProperty | undefined> => {
      const row = await store.content(ref)
      return row && parseContent(row)
    },
    ingest,
    remarks: remarks.read,
    /** Texts of a property's vendors in another language, by vendor. */
    texts: texts.read,
    ...upkeep.operations,
    roomTypes,
    rooms,
    ...curate,
    comparePair: createComparePair(store),
    inspect: createInspectMatches({ store, clock, lists: deps.matchLists, explain: curate.explain, rooms }),
    /** Judges the links again after the matching rules have changed. */
    rejudge: rejudge.slice,
    rejudgeAgain: rejudge.startAgain,
    /** Duplicate entries of one vendor for the same property. */
    twins: (limit: number) => store.twins(limit),
  }
}
