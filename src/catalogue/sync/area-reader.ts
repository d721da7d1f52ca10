import { LRUCache } from 'lru-cache'
import { AppError } from '../../domain/errors.ts'
import type { CallContext } from '../../lib/async/call-context.ts'
import { lruLimit } from '../../lib/async/memoize.ts'
import type { Circle, Point } from '../../lib/geo.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { startDeadline, unlessAborted } from '../../lib/time/deadline.ts'
import type { Locks } from '../../store/redis-locks.ts'
import type { Vendor } from '../../vendors/contract.ts'
import type { ContentProgressStore } from '../store/content-progress.ts'
import { collectContent } from './collect-content.ts'
import type { IngestContent } from './ingest-content.ts'
import { type Area, cellsWithin, findCompleteCircle, holds, planArea, WHOLE_EARTH } from './plan-area.ts'

export type AreaVisit = {
  readonly vendorId: string
  /** `known`: from the catalogue. `timeout`, `error`: partial content; the next visit retries. `unread`: incomplete, and not `live`. */
  readonly status: 'known' | 'synced' | 'timeout' | 'error' | 'unread'
  /** Circle that was read completely, if the vendor has more properties than the limit. */
  readonly reach?: Circle
  /** Our own failure, such as a full disk. */
  readonly failure?: AppError
}

/** `reach` is set if the area was not read to its edge. */
type Reading = { readonly at: number; readonly reach: Circle | undefined }

export type AreaSettings = {
  /** True if a search may request content from vendors. */
  readonly live: boolean
  /** Longest wait for a vendor that did not finish its last area. */
  readonly lateVendorMs: number
  /** Timeout of a vendor for a new area. */
  readonly vendorTimeoutMs: number
  /** Nearest properties read per area and vendor; more than a search uses. */
  readonly propertiesMax: number
  /** Older areas are read again in the background. */
  readonly refreshAfterMs: number
}

type Deps = {
  readonly vendors: readonly Vendor[]
  readonly ingest: IngestContent
  readonly progress: ContentProgressStore
  readonly clock: Clock
  readonly settings: AreaSettings
  readonly locks: Locks
  /** Called after new rows are stored; resolves when they are indexed. */
  onAdded(): Promise<void>
  onBug(error: unknown, where: string): void
}

type Fetch = Pick<Area, 'key' | 'circle'> & { readonly visit: Promise<AreaVisit>; readonly readers: Set<OnRead> }

/** Called whenever more of an area is indexed. */
type OnRead = () => void

const CACHED_MAX = 20_000
/** Additional lock time for storing the content. */
const WRITING_MS = 5_000

/** Reads an area's content from every vendor, once. */
export class AreaReader {
  readonly #deps: Deps
  readonly #readings = new LRUCache<string, Reading>(lruLimit(CACHED_MAX))
  readonly #fetches = new Map<string, Set<Fetch>>()
  readonly #reads = new Set<Promise<unknown>>()
  /** Vendors that timed out on their last area: a hanging content service must not delay every new place. */
  readonly #late = new Set<string>()
  readonly #stopped = new AbortController()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async ensureArea(circle: Circle, context: CallContext, onRead?: OnRead): Promise<readonly AreaVisit[]> {
    const area = this.#plan(circle)
    const visits = await Promise.all(
      this.#deps.vendors.map((vendor) => this.#ensureVendor(vendor, area, context, onRead)),
    )
    // Not the vendor's failure, and the search could not be saved either.
    for (const { failure } of visits) if (failure !== undefined) throw failure
    return visits
  }

  /** Reads an area of one vendor in the background; again if the last reading is too old. */
  async readArea(vendor: Vendor, circle: Circle, requestId: string): Promise<AreaVisit> {
    const area = this.#plan(circle)
    return this.#share(vendor, area, () => this.#fetchInTurn(vendor, area, requestId)).visit
  }

  /** Aborts reading; resolves when the last content is stored. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await Promise.allSettled(this.#reads)
  }

  #plan(circle: Circle): Area {
    return planArea(circle, this.#deps.settings.propertiesMax)
  }

  async #ensureVendor(vendor: Vendor, area: Area, context: CallContext, onRead?: OnRead): Promise<AreaVisit> {
    const reading = this.#readings.get(memoryKey(vendor.id, area.key))
    if (reading !== undefined) return this.#known(vendor, area, reading, context.requestId)
    // The lookup is shared too: one that ended after another caller's fetch would miss its result.
    const { key, visit, readers } = this.#share(vendor, area, async () => {
      const stored = await this.#storedReading(vendor.id, area)
      if (stored !== undefined) return this.#known(vendor, area, stored, context.requestId)
      return this.#deps.settings.live
        ? this.#fetchInTurn(vendor, area, context.requestId)
        : createVisit(vendor, 'unread')
    })
    // The visit continues for later callers if this one stops waiting.
    using lateDeadline = this.#late.has(vendor.id)
      ? startDeadline(this.#deps.settings.lateVendorMs, context.signal)
      : undefined
    if (onRead !== undefined) readers.add(onRead)
    try {
      const visited = await unlessAborted(visit, lateDeadline?.signal ?? context.signal)
      if (visited === undefined) return createVisit(vendor, 'timeout')
      // An incomplete wider area may lack properties of this one.
      return key === area.key || isValidFor(visited, area) ? visited : this.#ensureVendor(vendor, area, context, onRead)
    } finally {
      if (onRead !== undefined) readers.delete(onRead)
    }
  }

  #known(vendor: Vendor, area: Area, reading: Reading, requestId: string): AreaVisit {
    if (this.#deps.settings.live && this.#isStale(reading))
      this.#share(vendor, area, () => this.#fetchInTurn(vendor, area, requestId))
    return createVisit(vendor, 'known', reading.reach)
  }

  #isStale({ at }: Reading): boolean {
    return this.#deps.clock.now() - at > this.#deps.settings.refreshAfterMs
  }

  /** Reading of the oldest part of the area; undefined if a part was never read. */
  async #storedReading(vendorId: string, { key, circle, cells = [] }: Area): Promise<Reading | undefined> {
    const rows = await this.#deps.progress.areas(vendorId, [key, WHOLE_EARTH, ...cells])
    const rowByKey = new Map(rows.map((row) => [row.area_key, row]))
    const syncedAt = (areaKey: string) => rowByKey.get(areaKey)?.synced_at ?? 0
    const oldestCell = cells.length === 0 ? 0 : Math.min(...cells.map(syncedAt))
    const wholeAt = Math.max(syncedAt(WHOLE_EARTH), oldestCell)
    const at = Math.max(syncedAt(key), wholeAt)
    if (at === 0) return undefined
    // Another process may have read it, so index its rows first.
    await this.#deps.onAdded()
    const reachKm = wholeAt > 0 ? undefined : (rowByKey.get(key)?.reach_km ?? undefined)
    const reading = { at, reach: reachKm === undefined ? undefined : { center: circle.center, radiusKm: reachKm } }
    this.#readings.set(memoryKey(vendorId, key), reading)
    return reading
  }

  /** Concurrent visits share one fetch, also if one circle is inside the other. */
  #share(vendor: Vendor, area: Area, start: () => Promise<AreaVisit>): Fetch {
    const vendorFetches = this.#fetches.get(vendor.id) ?? new Set<Fetch>()
    this.#fetches.set(vendor.id, vendorFetches)
    for (const fetch of vendorFetches) if (holds(fetch.circle, area.circle)) return fetch
    const fetch: Fetch = {
      key: area.key,
      circle: area.circle,
      readers: new Set(),
      visit: start()
        .catch((error): AreaVisit => {
          this.#deps.onBug(error, `the area of ${vendor.id}`)
          return { ...createVisit(vendor, 'error'), ...(error instanceof AppError && { failure: error }) }
        })
        .finally(() => vendorFetches.delete(fetch)),
    }
    vendorFetches.add(fetch)
    return fetch
  }

  /** Notifies waiting searches after more of the vendor's content was stored. */
  async #notify(vendorId: string): Promise<void> {
    await this.#deps.onAdded()
    for (const { readers } of this.#fetches.get(vendorId) ?? []) for (const onRead of readers) onRead()
  }

  /** Locks the area, because another process may be reading it or may have just read it. */
  #fetchInTurn(vendor: Vendor, area: Area, requestId: string): Promise<AreaVisit> {
    const patienceMs = this.#deps.settings.vendorTimeoutMs
    const turn = { ttlMs: patienceMs + WRITING_MS, patienceMs, signal: this.#stopped.signal }
    return this.#deps.locks.withLock(`area:${vendor.id}:${area.key}`, turn, async () => {
      if (this.#stopped.signal.aborted) return createVisit(vendor, 'timeout')
      const stored = await this.#storedReading(vendor.id, area)
      if (stored !== undefined && !this.#isStale(stored)) return createVisit(vendor, 'known', stored.reach)
      return this.#fetchArea(vendor, area, requestId)
    })
  }

  #fetchArea(vendor: Vendor, area: Area, requestId: string): Promise<AreaVisit> {
    const read = this.#readAndStore(vendor, area, requestId)
    this.#reads.add(read)
    const forget = () => this.#reads.delete(read)
    read.then(forget, forget)
    return read
  }

  /** Has its own deadline, so that the first caller's disconnect does not affect the others. */
  async #readAndStore(vendor: Vendor, area: Area, requestId: string): Promise<AreaVisit> {
    const { vendorTimeoutMs, propertiesMax: limit } = this.#deps.settings
    using deadline = startDeadline(vendorTimeoutMs, this.#stopped.signal)
    const query = { kind: 'area', circle: area.circle, limit, withRooms: false } as const
    const points: Point[] = []
    const { outcome, isCut, bug } = await collectContent(
      vendor,
      query,
      { signal: deadline.signal, requestId },
      async (properties) => {
        for (const { location } of properties) points.push(location)
        await this.#deps.ingest(properties)
        await this.#notify(vendor.id)
      },
    )
    if (bug instanceof AppError) throw bug
    if (bug !== undefined) this.#deps.onBug(bug, `content of ${vendor.id}`)
    if (outcome === 'timeout') this.#late.add(vendor.id)
    else this.#late.delete(vendor.id)
    const reach = isCut ? findCompleteCircle(area, points) : undefined
    if (outcome === 'synced') {
      const at = this.#deps.clock.now()
      const cells = cellsWithin(reach ?? area.circle).map((key) => ({ key }))
      await this.#deps.progress.putAreas(vendor.id, [{ key: area.key, reachKm: reach?.radiusKm }, ...cells], at)
      this.#readings.set(memoryKey(vendor.id, area.key), { at, reach })
    }
    return createVisit(vendor, outcome, reach)
  }
}

/** True if the result of a wider area also applies to this one. */
const isValidFor = ({ status, reach }: AreaVisit, { circle }: Area): boolean =>
  status !== 'unread' && (reach === undefined || holds(reach, circle))

const memoryKey = (vendorId: string, key: string) => `${vendorId} ${key}`

const createVisit = (vendor: Vendor, status: AreaVisit['status'], reach?: Circle): AreaVisit => ({
  vendorId: vendor.id,
  status,
  ...(reach !== undefined && { reach }),
})
