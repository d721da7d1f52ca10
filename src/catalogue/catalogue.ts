import type { VendorProperty } from '../domain/property.ts'
import type { CallContext } from '../lib/call-context.ts'
import type { Clock } from '../lib/clock.ts'
import { startDeadline } from '../lib/deadline.ts'
import type { Circle, Point } from '../lib/geo.ts'
import type { CatalogueStore, VendorRef } from '../store/catalogue.ts'
import type { ContentProgressStore } from '../store/content-progress.ts'
import { type Locks, noLocks } from '../store/redis-locks.ts'
import type { Vendor } from '../vendors/contract.ts'
import { unpackContent } from './content-codec.ts'
import { createCurateMatches } from './curate-matches.ts'
import { type AreaSettings, type AreaVisit, createEnsureArea } from './ensure-area.ts'
import type { Candidate } from './index/geo-index.ts'
import { createIngestContent } from './ingest-content.ts'
import { createLiveIndex } from './live-index.ts'
import { mergeContent } from './merge-content.ts'
import { createSummaryCache } from './summary-cache.ts'
import { createSyncFeed } from './sync-feed.ts'
import { decodeRefs } from './write-properties.ts'

export type CatalogueSettings = AreaSettings & {
  /** How much longer while there is nothing at all to show. */
  readonly emptyHandedMs: number
  readonly summaryCacheBytes: number
  /** How often the additions of other processes are looked for. */
  readonly pollMs: number
}

export const CATALOGUE_DEFAULTS: CatalogueSettings = {
  firstVisitMs: 1_400,
  emptyHandedMs: 2_000,
  vendorTimeoutMs: 8_000,
  propertiesMax: 400,
  areaPropertiesMax: 4_000,
  backgroundTimeoutMs: 60_000,
  refreshAfterMs: 7 * 86_400_000,
  summaryCacheBytes: 64 * 2 ** 20,
  pollMs: 3_000,
}

export type CatalogueProperty = {
  /** May differ from the id asked for: a joined property answers under the id it has now. */
  readonly propertyId: string
  readonly point: Point
  /** The founder first. */
  readonly vendors: readonly VendorRef[]
}

export type PropertyContent = CatalogueProperty & {
  /** Each field from the vendor that has the most to say; see mergeContent. Its rooms are one vendor's only. */
  readonly merged: VendorProperty
  /** What each vendor says, rooms included, in the order of `vendors`. */
  readonly contents: readonly VendorProperty[]
}

export type Surroundings = {
  /** The circle that was looked at in the end; wider than asked for where that one was empty. */
  readonly circle: Circle
  readonly candidates: readonly Candidate[]
  readonly visits: readonly AreaVisit[]
}

export type Catalogue = ReturnType<typeof createCatalogue>

export type CatalogueDeps = {
  readonly store: CatalogueStore
  readonly progress: ContentProgressStore
  readonly vendors: readonly Vendor[]
  readonly clock: Clock
  readonly settings?: Partial<CatalogueSettings>
  /** So that of several nodes one reads a new area. */
  readonly locks?: Locks
  /** For what went wrong where nobody waits for it: background reads, and adapters that threw what they should not. */
  onBug(error: unknown, where: string): void
}

/** An empty circle is widened to these multiples before we say that there is nothing. */
const WIDENINGS = [1, 3, 8]
const WIDEST_KM = 150

/** Vendor content, kept and matched: what a search finds properties with. */
export function createCatalogue(deps: CatalogueDeps) {
  const { store, progress, vendors, clock, settings: some = {}, locks = noLocks, onBug } = deps
  const settings = { ...CATALOGUE_DEFAULTS, ...some }
  const summaries = createSummaryCache(store, settings.summaryCacheBytes)
  const index = createLiveIndex({ store, pollMs: settings.pollMs, onChanged: summaries.forget, onBug })
  const ingest = createIngestContent({ store, clock })
  const areas = createEnsureArea({ vendors, ingest, progress, clock, settings, locks, onAdded: index.refresh, onBug })
  const curate = createCurateMatches({ store, clock })

  /**
   * Candidates of the circle, after everybody has been asked about it once; widened where there are none. A vendor that is
   * slow is not waited for beyond the caller's patience while others have something to show: what it has is there for the
   * next visit.
   */
  async function around(circle: Circle, limit: number, context: CallContext, patienceMs = 0): Promise<Surroundings> {
    const first = await widening(circle, limit, context, Math.max(patienceMs, settings.firstVisitMs))
    const isEmptyHanded = first.candidates.length === 0 && first.visits.some(({ status }) => status === 'timeout')
    if (!isEmptyHanded || context.signal.aborted) return first
    return widening(circle, limit, context, settings.emptyHandedMs)
  }

  async function widening(
    circle: Circle,
    limit: number,
    context: CallContext,
    patienceMs: number,
  ): Promise<Surroundings> {
    using deadline = startDeadline(patienceMs, context.signal)
    const waiting = { ...context, signal: deadline.signal }
    let found: Surroundings = { circle, candidates: [], visits: [] }
    for (const times of WIDENINGS) {
      const radiusKm = Math.min(circle.radiusKm * times, Math.max(WIDEST_KM, circle.radiusKm))
      const wider = { center: circle.center, radiusKm }
      if (times > 1 && (radiusKm === found.circle.radiusKm || deadline.signal.aborted)) break
      const visits = await areas.ensureArea(wider, waiting)
      found = { circle: wider, candidates: index.candidates(wider, limit), visits }
      if (found.candidates.length > 0) break
    }
    return found
  }

  async function property(propertyId: string): Promise<CatalogueProperty | undefined> {
    let id: string | null = propertyId
    // A chain of joins is short; the bound is for a database that somebody has edited.
    for (let hops = 0; id !== null && hops < 10; hops += 1) {
      const [row] = await store.properties([id])
      if (row === undefined) return undefined
      if (row.merged_into === null) {
        return { propertyId: id, point: { lat: row.lat, lon: row.lon }, vendors: decodeRefs(row.vendors) }
      }
      id = row.merged_into
    }
    return undefined
  }

  return {
    /** Reads the index and begins to follow other processes. */
    start: index.start,
    /** Ends what runs in the background; the store may be closed afterwards. */
    async stop(): Promise<void> {
      await areas.stop()
      await index.stop()
    },
    /** Reads what others have added, at once. */
    refresh: index.refresh,
    size: index.size,
    ensureArea: areas.ensureArea,
    /** Nearest first; out of memory, no waiting. */
    candidates: index.candidates,
    around,
    /** Summaries by property id; ids that are unknown are missing from the map. */
    summaries: summaries.get,
    property,

    async content(ref: VendorRef): Promise<VendorProperty | undefined> {
      const row = await store.content(ref)
      return row && unpackContent(row.content)
    },

    async propertyContent(propertyId: string): Promise<PropertyContent | undefined> {
      const found = await property(propertyId)
      if (found === undefined) return undefined
      const rows = await store.contents([found.propertyId])
      const contents = found.vendors
        .map((ref) =>
          rows.find((row) => row.vendor_id === ref.vendorId && row.vendor_property_id === ref.vendorPropertyId),
        )
        .filter((row) => row !== undefined)
        .map((row) => unpackContent(row.content))
      return contents.length === 0 ? undefined : { ...found, contents, merged: mergeContent(contents) }
    },

    ingest,
    syncFeed: createSyncFeed({ ingest, progress, clock }),
    ...curate,
  }
}
