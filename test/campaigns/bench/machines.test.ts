import { expect, test } from 'vitest'
import { DEFAULT_FIGURES, type Figures, type VendorModel } from '../../../bench/traffic-day/assumptions.ts'
import { dayOf, needsOf, otherCpuMs } from '../../../bench/traffic-day/machines.ts'
import type { HourSample } from '../../../bench/traffic-day/play-day.ts'

const FIGURES: Figures = {
  ...DEFAULT_FIGURES,
  lookToBook: 1_000,
  lookupsPerSearch: 0,
  pagesPerSearch: 0,
  detailsPerSearch: 0,
  cpuBookMs: 0,
  utilisation: 0.5,
  nodeCores: 8,
  inFlightMax: 32,
  databaseConnections: 10,
  commitsPerBooking: 6,
  redisOverhead: 1,
  redisShardGb: 24,
  savedMinutes: 60,
  reuseSharedS: 30,
  keptExpiredHours: 23,
}
const RAPID: VendorModel = {
  id: 'rapid',
  share: 1,
  questions: 1,
  propertiesPerCall: 250,
  rawBytes: 1,
  packedShare: 1,
  latencyMedianMs: 1,
  latencySpread: 0,
  quota: { kind: 'load_per_minute', most: 600_000 },
}
const SAMPLE: HourSample = {
  hour: 20,
  rate: 100,
  reusedOwn: 0.1,
  reusedShared: 0.1,
  properties: 500,
  mainMs: 40,
  asideMs: 20,
  savedBytes: 20_000,
  answerBytes: 200_000,
  keptAnswerBytes: 10_000,
  redisOps: 5,
  tookMs: { p50: 1_000, p95: 2_000 },
  vendors: [{ id: 'rapid', calls: 2, load: 1_000, bytes: 100_000, latencyMs: 1_000, lateShare: 0 }],
}
const needs = (over: Partial<HourSample> = {}, rate = 100, figures = FIGURES) =>
  needsOf({ ...SAMPLE, ...over }, rate, figures, [RAPID], true)

test('processors: rate × time, at the utilisation planned for', () => {
  expect(needs()).toMatchObject({ cores: 12, nodes: { count: 2, because: 'two at least' } })
  expect(needs({}, 1_000)).toMatchObject({ cores: 120, nodes: { count: 15, because: 'processors' } })
})

test('calls under way bind where vendors are slow: rate × calls × latency over what a process may have', () => {
  const slow = needs({ vendors: [{ ...vendor(), latencyMs: 5_000 }] }, 1_000)
  expect(slow.vendors[0]?.inFlight).toBe(10_000)
  expect(slow.nodes).toEqual({ count: Math.ceil(10_000 / (32 * 0.7 * 8)), because: 'calls under way' })
})

test('a quota by load counts properties × rooms × nights a minute, one by calls counts calls', () => {
  expect(needs().vendors[0]).toMatchObject({ used: 6_000_000, most: 600_000, refusedShare: 0.9, callsPerSecond: 200 })
  expect(needs({}, 10).vendors[0]).toMatchObject({ used: 600_000, refusedShare: 0 })
  const byCalls = { ...RAPID, quota: { kind: 'calls_per_second', most: 50 } } as const
  expect(needsOf(SAMPLE, 100, FIGURES, [byCalls], true).vendors[0]).toMatchObject({ used: 200, refusedShare: 0.75 })
})

test('Redis holds the saved searches of an hour and the answers of half a minute', () => {
  const { redis } = needs()
  expect(redis.gb).toBeCloseTo((100 * 20_000 * 3_600 + 100 * 10_000 * 30) / 1e9, 6)
  expect(redis).toMatchObject({ ops: 500, shards: 1 })
  expect(needs({}, 1_000).redis.shards).toBe(4)
  expect(needsOf(SAMPLE, 100, FIGURES, [RAPID], false).redis.shards).toBe(0)
})

test('PostgreSQL commits every search and every step of a booking, and each process has its connections', () => {
  expect(needs().database).toMatchObject({
    commits: 100 + 0.1 * 6,
    mbPerSecond: 2,
    primaries: 1,
    connections: 2 * 8 * 10,
  })
  expect(needs({}, 20_000).database.primaries).toBe(3)
})

test('what comes along with a search is paid for with it', () => {
  expect(otherCpuMs(FIGURES)).toBe(0)
  const busy = { ...FIGURES, lookupsPerSearch: 6, cpuLookupMs: 0.5, pagesPerSearch: 2, cpuPageMs: 5 }
  expect(otherCpuMs(busy)).toBe(13)
})

test('nodes are paid by the hour, what keeps data by the peak, and searches stay on disk until they are forgotten', () => {
  const quiet = { ...SAMPLE, hour: 3, rate: 10 }
  const day = dayOf([needs({}, 1_000), needs({ hour: 3 }, 10)], [{ ...SAMPLE, rate: 1_000 }, quiet], FIGURES)
  expect(day.peak.rate).toBe(1_000)
  expect(day.nodeHours).toBe(17)
  expect(day.searches).toBe(1_010 * 3_600)
  expect(day.databaseGb).toBeCloseTo((1_010 * 3_600 * 20_000) / 1e9, 6)
  expect(day.euroPerMillionSearches).toBeCloseTo(day.euroAMonth / (30 * day.searches * 1e-6), 6)
})

function vendor() {
  const [first] = SAMPLE.vendors
  if (first === undefined) throw new Error('the sample has a vendor')
  return first
}
