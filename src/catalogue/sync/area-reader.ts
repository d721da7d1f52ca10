import { LRUCache } from 'lru-cache'
import type { CallContext } from '../../lib/async/call-context.ts'
import { atMost } from '../../lib/async/remember.ts'
import type { Circle, Point } from '../../lib/geo.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { startDeadline, unlessAborted } from '../../lib/time/deadline.ts'
import type { Locks } from '../../store/redis-locks.ts'
import type { Vendor } from '../../vendors/contract.ts'
import type { ContentProgressStore } from '../store/content-progress.ts'
import { collectContent } from './collect-content.ts'
import type { IngestContent } from './ingest-content.ts'
import { type Area, cellsWithin, holds, planArea, reachOf, WHOLE_EARTH } from './plan-area.ts'

/** How one vendor's content of the area stands after the call. */
export type AreaVisit = {
  readonly vendorId: string
  /**
   * `known`: from the catalogue, nobody was asked. Of `timeout` and `error` what came is kept; the next visit asks again.
   * `unread`: not complete in the catalogue, and nobody may be asked while a search waits.
   */
  readonly status: 'known' | 'synced' | 'timeout' | 'error' | 'unread'
  /** Set where the vendor has more than are read of one area: within this circle all of it was read. */
  readonly reach?: Circle
}

/** That an area was read from a vendor, and how far where it was not read to its edge. */
type Reading = { readonly at: number; readonly reach: Circle | undefined }

export type AreaSettings = {
  /** Whether vendors may be asked for content while a search waits. */
  readonly live: boolean
  /** How long a search waits for a vendor that did not finish the last area it was asked for. */
  readonly lateVendorMs: number
  /** How long a vendor may take over an area nobody has visited. */
  readonly vendorTimeoutMs: number
  /** How many of an area are read of each vendor, the nearest: more than a search looks at. */
  readonly propertiesMax: number
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

type Flight = Pick<Area, 'key' | 'circle'> & { readonly visit: Promise<AreaVisit>; readonly readers: Set<OnRead> }

/** Called each time more of an area can be found. */
type OnRead = () => void

const REMEMBERED_MAX = 20_000
/** For putting what was read into the store. */
const WRITING_MS = 5_000

/** Makes sure that an area's content has been read from every vendor, once. */
export class AreaReader {
  readonly #deps: Deps
  /** The last time that an area was read from a vendor. */
  readonly #readings = new LRUCache<string, Reading>(atMost(REMEMBERED_MAX))
  readonly #flights = new Map<string, Set<Flight>>()
  readonly #reads = new Set<Promise<unknown>>()
  /** Vendors that ran out of time over the last area: a content service that hangs must not hold up every new place. */
  readonly #late = new Set<string>()
  readonly #stopped = new AbortController()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async ensureArea(circle: Circle, context: CallContext, onRead?: OnRead): Promise<readonly AreaVisit[]> {
    const area = this.#planned(circle)
    return Promise.all(this.#deps.vendors.map((vendor) => this.#ensureOne(vendor, area, context, onRead)))
  }

  /** Reads an area of one vendor, whether or not a search waits for it; again if it was read too long ago. */
  async readArea(vendor: Vendor, circle: Circle, requestId: string): Promise<AreaVisit> {
    const area = this.#planned(circle)
    return this.#share(vendor, area, () => this.#fetchInTurn(vendor, area, requestId)).visit
  }

  /** Cuts short what is being read; resolves when the last of it is written. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await Promise.allSettled(this.#reads)
  }

  #planned(circle: Circle): Area {
    return planArea(circle, this.#deps.settings.propertiesMax)
  }

  async #ensureOne(vendor: Vendor, area: Area, context: CallContext, onRead?: OnRead): Promise<AreaVisit> {
    const reading = this.#readings.get(memoryKey(vendor.id, area.key))
    if (reading !== undefined) return this.#known(vendor, area, reading, context.requestId)
    // The lookup is part of what is shared: one that ended after another caller's fetch would miss its result.
    const { key, visit, readers } = this.#share(vendor, area, async () => {
      const stored = await this.#storedReading(vendor.id, area)
      if (stored !== undefined) return this.#known(vendor, area, stored, context.requestId)
      return this.#deps.settings.live ? this.#fetchInTurn(vendor, area, context.requestId) : visitOf(vendor, 'unread')
    })
    // The visit goes on for those who come later, also when this caller stops waiting.
    using hurry = this.#late.has(vendor.id)
      ? startDeadline(this.#deps.settings.lateVendorMs, context.signal)
      : undefined
    if (onRead !== undefined) readers.add(onRead)
    try {
      const visited = await unlessAborted(visit, hurry?.signal ?? context.signal)
      if (visited === undefined) return visitOf(vendor, 'timeout')
      // A wider area that was not read completely may lack properties of this one.
      return key === area.key || alsoHoldsFor(visited, area) ? visited : this.#ensureOne(vendor, area, context, onRead)
    } finally {
      if (onRead !== undefined) readers.delete(onRead)
    }
  }

  #known(vendor: Vendor, area: Area, reading: Reading, requestId: string): AreaVisit {
    if (this.#deps.settings.live && this.#isOld(reading))
      this.#share(vendor, area, () => this.#fetchInTurn(vendor, area, requestId))
    return visitOf(vendor, 'known', reading.reach)
  }

  #isOld({ at }: Reading): boolean {
    return this.#deps.clock.now() - at > this.#deps.settings.refreshAfterMs
  }

  /** When the area was read from the vendor, by its oldest part; undefined while a part of it never was. */
  async #storedReading(vendorId: string, { key, circle, cells = [] }: Area): Promise<Reading | undefined> {
    const rows = await this.#deps.progress.areas(vendorId, [key, WHOLE_EARTH, ...cells])
    const rowOf = new Map(rows.map((row) => [row.area_key, row]))
    const timeOf = (one: string) => rowOf.get(one)?.synced_at ?? 0
    const oldestCell = cells.length === 0 ? 0 : Math.min(...cells.map(timeOf))
    const wholeAt = Math.max(timeOf(WHOLE_EARTH), oldestCell)
    const at = Math.max(timeOf(key), wholeAt)
    if (at === 0) return undefined
    // Another process may have read it: its rows must be found before we say that the area is known.
    await this.#deps.onAdded()
    const reachKm = wholeAt > 0 ? undefined : (rowOf.get(key)?.reach_km ?? undefined)
    const reading = { at, reach: reachKm === undefined ? undefined : { center: circle.center, radiusKm: reachKm } }
    this.#readings.set(memoryKey(vendorId, key), reading)
    return reading
  }

  /** Visits that come together share one fetch, also when one circle lies inside the other's. */
  #share(vendor: Vendor, area: Area, start: () => Promise<AreaVisit>): Flight {
    const ofVendor = this.#flights.get(vendor.id) ?? new Set<Flight>()
    this.#flights.set(vendor.id, ofVendor)
    for (const flight of ofVendor) if (holds(flight.circle, area.circle)) return flight
    const flight: Flight = {
      key: area.key,
      circle: area.circle,
      readers: new Set(),
      visit: start()
        .catch((error): AreaVisit => {
          this.#deps.onBug(error, `the area of ${vendor.id}`)
          return visitOf(vendor, 'error')
        })
        .finally(() => ofVendor.delete(flight)),
    }
    ofVendor.add(flight)
    return flight
  }

  /** Called when more of the vendor's content was stored, so that waiting searches can use it. */
  async #tell(vendorId: string): Promise<void> {
    await this.#deps.onAdded()
    for (const { readers } of this.#flights.get(vendorId) ?? []) for (const onRead of readers) onRead()
  }

  /** Another node may be reading the same area, or have read it since we last looked: then it is not read again. */
  #fetchInTurn(vendor: Vendor, area: Area, requestId: string): Promise<AreaVisit> {
    const patienceMs = this.#deps.settings.vendorTimeoutMs
    const turn = { ttlMs: patienceMs + WRITING_MS, patienceMs, signal: this.#stopped.signal }
    return this.#deps.locks.inTurn(`area:${vendor.id}:${area.key}`, turn, async () => {
      if (this.#stopped.signal.aborted) return visitOf(vendor, 'timeout')
      const stored = await this.#storedReading(vendor.id, area)
      if (stored !== undefined && !this.#isOld(stored)) return visitOf(vendor, 'known', stored.reach)
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

  /** Under a deadline of its own: the first caller may hang up without ending it for the others. */
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
        await this.#tell(vendor.id)
      },
    )
    if (bug !== undefined) this.#deps.onBug(bug, `content of ${vendor.id}`)
    if (outcome === 'timeout') this.#late.add(vendor.id)
    else this.#late.delete(vendor.id)
    const reach = isCut ? reachOf(area, points) : undefined
    if (outcome === 'synced') {
      const at = this.#deps.clock.now()
      const cells = cellsWithin(reach ?? area.circle).map((key) => ({ key }))
      await this.#deps.progress.putAreas(vendor.id, [{ key: area.key, reachKm: reach?.radiusKm }, ...cells], at)
      this.#readings.set(memoryKey(vendor.id, area.key), { at, reach })
    }
    return visitOf(vendor, outcome, reach)
  }
}

/** Whether the result of reading a wider area also holds for this one. */
const alsoHoldsFor = ({ status, reach }: AreaVisit, { circle }: Area): boolean =>
  status !== 'unread' && (reach === undefined || holds(reach, circle))

const memoryKey = (vendorId: string, key: string) => `${vendorId} ${key}`

const visitOf = (vendor: Vendor, status: AreaVisit['status'], reach?: Circle): AreaVisit => ({
  vendorId: vendor.id,
  status,
  ...(reach !== undefined && { reach }),
})
