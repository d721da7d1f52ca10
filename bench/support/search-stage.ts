import { STAND_IN_IDS } from '../../sandbox/stand-ins.ts'
import { createContentProgressStore } from '../../src/catalogue/store/content-progress.ts'
import { WHOLE_EARTH } from '../../src/catalogue/sync/plan-area.ts'
import { isCountryCode } from '../../src/domain/property/country.ts'
import type { VendorProperty } from '../../src/domain/property/property.ts'
import type { Circle, Point } from '../../src/lib/geo.ts'
import { systemClock } from '../../src/lib/time/clock.ts'
import { DAY_MS } from '../../src/lib/time/durations.ts'
import { type BenchApp, call, startBenchApp } from './app.ts'
import { type Replay, startReplay } from './vendor-replay.ts'

export type SearchStage = {
  readonly bench: BenchApp
  readonly replay: Replay
  /**
   * Searches of all vendors in a circle with at least this many properties of each. All are different, because the
   * service merges identical concurrent searches.
   */
  bodiesFor(properties: number): readonly object[]
  close(): Promise<void>
}

export type SearchAnswer = {
  data: {
    availability: { property_id: string; offers: { vendor_id: string; vendors_property_id: string }[] }[]
    vendors: { vendor_id: string; took_ms: number; properties: number; status: string }[]
    search_id: string
  }
}

/** Default number of properties per vendor, which the targets refer to. */
export const STANDARD_SIZE = 500
const VENDOR_IDS: readonly string[] = STAND_IN_IDS
export const SEARCH_PATH = '/api/accommodation_searches/search'
const LONDON = { lat: 51.5074, lon: -0.1278 }
const WIDEST_KM = 100
const AREA_STEP_KM = 8
const AREA_MAX = 2_000
const KM_PER_DEGREE = 111.2
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const COUNTRIES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(isCountryCode)

/** The service with nearly free vendors, its catalogue filled with `size` properties of each around London. */
export async function openSearchStage(size: number): Promise<SearchStage> {
  let replay: Replay | undefined
  const bench = await startBenchApp(
    { search: { reuseMs: 0, savedTtlMs: 3_600_000, detailTimeoutMs: 8_000, propertiesMax: 10_000 } },
    {
      async createEnvironment(sandbox) {
        replay = await startReplay(sandbox)
        return replay.environment
      },
    },
  )
  if (replay === undefined) throw new Error('the vendors were never started')
  await fill(bench, size)
  const places = await call<{ data: { id: string }[] }>(bench, 'GET', '/api/locations/search?starts_with=london')
  const [place] = places.data
  if (place === undefined) throw new Error('the location index has no London')
  const day = (ahead: number) => new Date(systemClock.now() + ahead * DAY_MS).toISOString().slice(0, 10)
  const stay = {
    check_in: day(40),
    check_out: day(42),
    occupancies: [{ adults: 2 }],
    currency: 'EUR',
    vendors: VENDOR_IDS,
  }
  const { close } = replay
  return {
    bench,
    replay,
    bodiesFor(properties) {
      const search = { ...stay, destination_id: place.id, radius_km: radiusFor(bench, properties), timeout_ms: 15_000 }
      return COUNTRIES.map((country_code) => ({ ...search, country_code }))
    },
    async close() {
      await bench.close()
      close()
    },
  }
}

/** Reads content through the adapters, from the centre outwards, then marks every area as visited. */
async function fill({ app, database }: BenchApp, size: number): Promise<void> {
  const { vendors, catalogue } = app.operator
  const progress = createContentProgressStore(database)
  const context = { signal: AbortSignal.timeout(300_000), requestId: 'bench' }
  const search = vendors.filter(({ id }) => VENDOR_IDS.includes(id))
  await Promise.all(
    search.map(async (vendor) => {
      const read = new Set<string>()
      for (const circle of circlesAround(LONDON)) {
        for await (const { properties } of vendor.content({ kind: 'area', circle, limit: AREA_MAX }, context)) {
          for (const { vendorPropertyId } of properties) read.add(vendorPropertyId)
          await catalogue.ingest(properties as VendorProperty[])
        }
        if (read.size >= size) break
      }
      await progress.putAreas(vendor.id, [{ key: WHOLE_EARTH }], systemClock.now())
    }),
  )
  await catalogue.refresh()
}

/** Small circles without gaps, nearest first, because a vendor limits the number of properties per circle. */
function circlesAround(center: Point): Circle[] {
  const steps = Math.ceil(WIDEST_KM / AREA_STEP_KM)
  const range = Array.from({ length: 2 * steps + 1 }, (_, index) => (index - steps) * AREA_STEP_KM)
  const kmOfLon = KM_PER_DEGREE * Math.cos((center.lat * Math.PI) / 180)
  return range
    .flatMap((north) => range.map((east) => ({ north, east, km: Math.hypot(north, east) })))
    .filter(({ km }) => km <= WIDEST_KM)
    .sort((a, b) => a.km - b.km)
    .map(({ north, east }) => ({
      center: { lat: center.lat + north / KM_PER_DEGREE, lon: center.lon + east / kmOfLon },
      radiusKm: AREA_STEP_KM * Math.SQRT1_2,
    }))
}

function radiusFor({ app }: BenchApp, properties: number): number {
  const counts = new Map<string, number>()
  for (const { distanceKm, vendors } of app.operator.catalogue.candidates(
    { center: LONDON, radiusKm: WIDEST_KM },
    30_000,
  )) {
    for (const { vendorId } of vendors) counts.set(vendorId, (counts.get(vendorId) ?? 0) + 1)
    const isEnough = VENDOR_IDS.every((id) => (counts.get(id) ?? 0) >= properties)
    if (isEnough) return Math.ceil(distanceKm * 1000) / 1000
  }
  throw new Error(`not enough properties: ${JSON.stringify([...counts])}`)
}
