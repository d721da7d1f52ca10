import type { CallContext } from '../lib/call-context.ts'
import type { Clock } from '../lib/clock.ts'
import { startDeadline } from '../lib/deadline.ts'
import type { Circle } from '../lib/geo.ts'
import type { ContentProgressStore } from '../store/content-progress.ts'
import type { Locks } from '../store/redis-locks.ts'
import type { Vendor } from '../vendors/contract.ts'
import { collectContent } from './collect-content.ts'
import type { IngestContent } from './ingest-content.ts'
import { type Area, holds, planArea, visitedCells, WHOLE_EARTH } from './plan-area.ts'

/** How one vendor's content of the area stands after the call. */
export type AreaVisit = {
  readonly vendorId: string
  /** `known`: from the catalogue, nobody was asked. Of `timeout` and `error` what came is kept; the next visit asks again. */
  readonly status: 'known' | 'synced' | 'timeout' | 'error'
  readonly properties: number
}

export type EnsureArea = (circle: Circle, context: CallContext) => Promise<readonly AreaVisit[]>

export type AreaSettings = {
  /**
   * How long a search waits at least for an area nobody has visited, widening and writing included; and at most for a
   * vendor that did not finish the last one it was asked for.
   */
  readonly firstVisitMs: number
  /** How long a vendor may take over an area nobody has visited. */
  readonly vendorTimeoutMs: number
  /** The most a vendor is asked for while a search waits: the nearest ones. */
  readonly propertiesMax: number
  /** Where there are more, the most that is read of an area afterwards, in the background. */
  readonly areaPropertiesMax: number
  readonly backgroundTimeoutMs: number
  /** An area read longer ago than this is read again, in the background. */
  readonly refreshAfterMs: number
}

type Deps = {
  readonly vendors: readonly Vendor[]
  readonly ingest: IngestContent
  readonly progress: ContentProgressStore
  readonly clock: Clock
  readonly settings: AreaSettings
  readonly locks: Locks
  /** Called when new rows are in the store; resolves when they can be found. */
  onAdded(): Promise<void>
  onBug(error: unknown, where: string): void
}

type Flight = { readonly circle: Circle; readonly visit: Promise<AreaVisit> }

const REMEMBERED_MAX = 20_000
/** For putting what was read into the store. */
const WRITING_MS = 5_000

/** Makes sure that the area's content has been read from every vendor, once. */
export function createEnsureArea(deps: Deps): { ensureArea: EnsureArea; stop(): Promise<void> } {
  const memory = new Map<string, number>()
  const flights = new Map<string, Set<Flight>>()
  const reads = new Set<Promise<unknown>>()
  /** Vendors that ran out of time over the last area: a content service that hangs must not hold up every new place. */
  const late = new Set<string>()
  const stopped = new AbortController()

  return {
    async ensureArea(circle, context) {
      const area = planArea(circle)
      return Promise.all(deps.vendors.map((vendor) => ensureOne(vendor, area, context)))
    },
    /** Cuts short what is being read; resolves when the last of it is written. */
    async stop() {
      stopped.abort()
      await Promise.allSettled(reads)
    },
  }

  async function ensureOne(vendor: Vendor, area: Area, context: CallContext): Promise<AreaVisit> {
    const syncedAt = memory.get(memoryKey(vendor.id, area.key))
    if (syncedAt !== undefined) return known(vendor, area, syncedAt, context.requestId)
    // Looking it up is part of the shared flight: a lookup that ends after another's fetch would know nothing of it.
    const visit = share(vendor, area, async () => {
      const stored = await storedSyncedAt(vendor.id, area)
      if (stored !== undefined) return known(vendor, area, stored, context.requestId)
      return fetchInTurn(vendor, area, context.requestId)
    })
    if (!late.has(vendor.id)) return untilAborted(visit, vendor.id, context.signal)
    using hurry = startDeadline(deps.settings.firstVisitMs, context.signal)
    return await untilAborted(visit, vendor.id, hurry.signal)
  }

  function known(vendor: Vendor, area: Area, syncedAt: number, requestId: string): AreaVisit {
    if (isOld(syncedAt)) void share(vendor, area, () => fetchInTurn(vendor, area, requestId))
    return { vendorId: vendor.id, status: 'known', properties: 0 }
  }

  function isOld(syncedAt: number): boolean {
    return deps.clock.now() - syncedAt > deps.settings.refreshAfterMs
  }

  /** When the area was read from the vendor, by its oldest part; undefined while a part of it never was. */
  async function storedSyncedAt(vendorId: string, { key, cells = [] }: Area): Promise<number | undefined> {
    const rows = await deps.progress.areas(vendorId, [key, WHOLE_EARTH, ...cells])
    const at = new Map(rows.map((row) => [row.area_key, row.synced_at]))
    const oldestCell = cells.length === 0 ? 0 : Math.min(...cells.map((cell) => at.get(cell) ?? 0))
    const syncedAt = Math.max(at.get(key) ?? 0, at.get(WHOLE_EARTH) ?? 0, oldestCell)
    if (syncedAt === 0) return undefined
    // Another process may have read it: its rows must be found before we say that the area is known.
    await deps.onAdded()
    remember(vendorId, key, syncedAt)
    return syncedAt
  }

  function remember(vendorId: string, key: string, syncedAt: number): void {
    if (memory.size >= REMEMBERED_MAX) memory.clear()
    memory.set(memoryKey(vendorId, key), syncedAt)
  }

  /** Visits that come together share one fetch, also when one circle lies inside the other's. */
  function share(vendor: Vendor, area: Area, start: () => Promise<AreaVisit>): Promise<AreaVisit> {
    const ofVendor = flights.get(vendor.id) ?? new Set<Flight>()
    flights.set(vendor.id, ofVendor)
    for (const flight of ofVendor) if (holds(flight.circle, area.circle)) return flight.visit
    const flight: Flight = {
      circle: area.circle,
      visit: start()
        .catch((error): AreaVisit => {
          deps.onBug(error, `the area of ${vendor.id}`)
          return { vendorId: vendor.id, status: 'error', properties: 0 }
        })
        .finally(() => ofVendor.delete(flight)),
    }
    ofVendor.add(flight)
    return flight.visit
  }

  /** Another node may be reading the same area, or have read it anew since we last looked: then it is not read again. */
  function fetchInTurn(vendor: Vendor, area: Area, requestId: string): Promise<AreaVisit> {
    const patienceMs = deps.settings.vendorTimeoutMs
    const turn = { ttlMs: patienceMs + WRITING_MS, patienceMs, signal: stopped.signal }
    return deps.locks.inTurn(`area:${vendor.id}:${area.key}`, turn, async () => {
      if (stopped.signal.aborted) return { vendorId: vendor.id, status: 'timeout', properties: 0 }
      const stored = await storedSyncedAt(vendor.id, area)
      if (stored !== undefined && !isOld(stored)) return { vendorId: vendor.id, status: 'known', properties: 0 }
      return fetchArea(vendor, area, requestId)
    })
  }

  /** Under a deadline of its own: whoever asked first may hang up without taking the others' answer away. */
  async function fetchArea(vendor: Vendor, area: Area, requestId: string): Promise<AreaVisit> {
    const { vendorTimeoutMs, propertiesMax } = deps.settings
    const visit = await readArea(vendor, area, propertiesMax, vendorTimeoutMs, requestId)
    if (visit.status === 'synced' && visit.properties >= propertiesMax) deepen(vendor, area, requestId)
    return visit
  }

  /** A town with more houses than a first visit may wait for: the rest is read while the first guests look at these. */
  function deepen(vendor: Vendor, area: Area, requestId: string): void {
    const { areaPropertiesMax, backgroundTimeoutMs } = deps.settings
    readArea(vendor, area, areaPropertiesMax, backgroundTimeoutMs, requestId).catch((error) =>
      deps.onBug(error, `the rest of an area of ${vendor.id}`),
    )
  }

  function readArea(...args: Parameters<typeof readNow>): Promise<AreaVisit> {
    const read = readNow(...args)
    reads.add(read)
    const forget = () => reads.delete(read)
    read.then(forget, forget)
    return read
  }

  async function readNow(
    vendor: Vendor,
    area: Area,
    limit: number,
    timeoutMs: number,
    requestId: string,
  ): Promise<AreaVisit> {
    using deadline = startDeadline(timeoutMs, stopped.signal)
    const query = { kind: 'area', circle: area.circle, limit } as const
    const { properties, outcome, bug } = await collectContent(vendor, query, { signal: deadline.signal, requestId })
    if (bug !== undefined) deps.onBug(bug, `content of ${vendor.id}`)
    if (outcome === 'timeout') late.add(vendor.id)
    else late.delete(vendor.id)
    if (properties.length > 0) await deps.ingest(properties)
    if (outcome === 'whole') {
      const points = properties.map(({ location }) => location)
      const now = deps.clock.now()
      const cells = visitedCells(area, points, properties.length < limit)
      await deps.progress.putAreas(vendor.id, [area.key, ...cells], now)
      remember(vendor.id, area.key, now)
    }
    await deps.onAdded()
    const status = outcome === 'whole' ? 'synced' : outcome === 'timeout' ? 'timeout' : 'error'
    return { vendorId: vendor.id, status, properties: properties.length }
  }
}

const memoryKey = (vendorId: string, key: string) => `${vendorId} ${key}`

/** The visit goes on for those who come later; this caller has stopped waiting. */
async function untilAborted(visit: Promise<AreaVisit>, vendorId: string, signal: AbortSignal): Promise<AreaVisit> {
  const aborted = Promise.withResolvers<AreaVisit>()
  const onAbort = () => aborted.resolve({ vendorId, status: 'timeout', properties: 0 })
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([visit, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
