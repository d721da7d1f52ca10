import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { between } from '../../../bench/support/marked-page.ts'
import { DEFAULT_FIGURES, HOURS, withBench, withSetting } from '../../../bench/traffic-day/assumptions.ts'
import { createDemand, propertiesAt } from '../../../bench/traffic-day/demand.ts'
import { rateAt } from '../../../bench/traffic-day/play-day.ts'
import { logNormal, weighted, zipf } from '../../../bench/traffic-day/random.ts'
import { say } from '../../../bench/traffic-day/report.ts'
import { simulate } from '../../../bench/traffic-day/simulate.ts'
import { writtenPage } from '../../../bench/traffic-day.ts'
import { createRandom } from '../../../sandbox/world/hash.ts'
import { readConfig } from '../../../src/config.ts'
import { systemClock } from '../../../src/lib/time/clock.ts'
import { createHttpClient } from '../../../src/vendors/transport/http-client.ts'

test('the same seed plays the same day', () => {
  const play = (seed: number) => simulate({ peakPerSecond: 50, seed, sampled: 50 })
  expect(play(1)).toEqual(play(1))
  expect(play(1)).not.toEqual(play(2))
})

test('the busier the day, the more is reused and the more machines stand there', () => {
  const [quiet, busy] = [10, 100_000].map((peakPerSecond) => simulate({ peakPerSecond, sampled: 400 }).needs.peak)
  expect(busy?.reused).toBeGreaterThan((quiet?.reused ?? 1) + 0.1)
  expect(quiet?.nodes.count).toBe(2)
  expect(busy?.nodes.count).toBeGreaterThan(500)
})

test('without Redis every process asks for itself', () => {
  const play = (hasRedis: boolean) => simulate({ peakPerSecond: 20_000, sampled: 400, hasRedis }).needs.peak
  expect(play(false).reused).toBeLessThan(play(true).reused - 0.05)
  expect(play(false).redis.shards).toBe(0)
})

test('the curve is a day: its peak is the rate that was asked for, and midnight meets midnight', () => {
  expect(HOURS).toHaveLength(24)
  expect(Math.max(...HOURS)).toBe(1)
  expect(rateAt(1_000, 20)).toBe(1_000)
  expect(rateAt(1_000, 20.5)).toBeCloseTo(980, 6)
  expect(rateAt(1_000, 23.9999)).toBeCloseTo(rateAt(1_000, 0), 0)
})

test('popular things come as often as their share says', () => {
  const random = createRandom(5).next
  const places = zipf(100, 1)
  const total = Array.from({ length: 100 }, (_, index) => places.shareOf(index)).reduce((sum, share) => sum + share, 0)
  expect(total).toBeCloseTo(1, 9)
  expect(places.shareOf(0) / places.shareOf(9)).toBeCloseTo(10, 9)
  const counts = new Array<number>(3).fill(0)
  const some = weighted([1, 0, 3])
  for (let at = 0; at < 10_000; at += 1) {
    const drawn = some.draw(random)
    counts[drawn] = (counts[drawn] ?? 0) + 1
  }
  expect(counts[1]).toBe(0)
  expect((counts[2] ?? 0) / 10_000).toBeCloseTo(0.75, 1.5)
})

test('half of all latencies are below the median', () => {
  const random = createRandom(9).next
  const below = Array.from({ length: 10_000 }, () => logNormal(random, 900, 0.5)).filter((ms) => ms < 900).length
  expect(below / 10_000).toBeCloseTo(0.5, 1.5)
})

test('questions are rare, and a circle of one’s own is shared with nobody', () => {
  const random = createRandom(2).next
  const demand = createDemand(DEFAULT_FIGURES)
  const drawn = Array.from({ length: 5_000 }, () => demand.draw(random))
  expect(Math.max(...drawn.map(({ share }) => share))).toBeLessThan(1e-3)
  const own = drawn.filter(({ share }) => share === 0).length / drawn.length
  expect(own).toBeCloseTo(DEFAULT_FIGURES.ownRadiusShare, 1.5)
  expect(drawn.every(({ nights, rooms, properties }) => nights >= 1 && rooms >= 1 && properties >= 6)).toBe(true)
  expect(propertiesAt(0, 1_000)).toBe(1_000)
  expect(propertiesAt(19_999, 1_000)).toBeLessThan(20)
})

test('figures of the bench take the place of ours, and nonsense does not', () => {
  const { cpuFixedMs } = DEFAULT_FIGURES
  const faster = withBench(DEFAULT_FIGURES, {
    figures: { search_cpu_ms: 50 + cpuFixedMs, search_main_cpu_ms: 30 + cpuFixedMs, search_properties: 1_000 },
  })
  expect(faster.cpuAskedMs).toBeCloseTo(0.03, 9)
  expect(faster.cpuAsideAskedMs).toBeCloseTo(0.02 + DEFAULT_FIGURES.cpuAsideReusedMs, 9)
  expect(faster.cpuReusedMs / DEFAULT_FIGURES.cpuReusedMs).toBeCloseTo(0.03 / DEFAULT_FIGURES.cpuAskedMs, 9)
  for (const file of [null, {}, { figures: { search_cpu_ms: 'x', search_main_cpu_ms: 9, search_properties: 0 } }]) {
    expect(withBench(DEFAULT_FIGURES, file)).toEqual(DEFAULT_FIGURES)
  }
})

test('any figure can be set, and only figures', () => {
  expect(withSetting(DEFAULT_FIGURES, 'lookToBook=500').lookToBook).toBe(500)
  expect(() => withSetting(DEFAULT_FIGURES, 'toString=1')).toThrow('no figure')
  for (const bad of ['lookToBook', 'lookToBook=', 'lookToBook=-1', 'lookToBook=many']) {
    expect(() => withSetting(DEFAULT_FIGURES, bad)).toThrow('must be a number')
  }
})

test('figures that are settings are those of the service', () => {
  const { search, databaseConnections } = readConfig({ NODE_ENV: 'test' })
  const { reuseOwnS, reuseSharedS, savedMinutes } = DEFAULT_FIGURES
  expect((reuseOwnS + reuseSharedS) * 1_000).toBe(search.reuseMs)
  expect(savedMinutes * 60_000).toBe(search.savedTtlMs)
  expect(DEFAULT_FIGURES.databaseConnections).toBe(databaseConnections)
})

test('figures that are code are those of the service', async () => {
  const client = createHttpClient({ vendor: 'any', origins: { any: 'http://127.0.0.1:9' }, clock: systemClock })
  expect(DEFAULT_FIGURES.inFlightMax).toBe(client.limitOf('search'))
  await client.close()
  expect(DEFAULT_FIGURES.candidatesMax).toBe(readConfig({ NODE_ENV: 'test' }).search.propertiesMax)
})

test('figures of the bench are near what it measured last', () => {
  const { figures } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../bench/figures.json'), 'utf8')) as {
    figures: Record<string, number>
  }
  const measured = withBench(DEFAULT_FIGURES, { figures })
  const pairs = {
    cpuAskedMs: measured.cpuAskedMs,
    cpuAsideAskedMs: measured.cpuAsideAskedMs,
    cpuDetailMs: figures.detail_first_cpu_ms ?? 0,
    cpuLookupMs: (figures.locations_http_cpu_us ?? 0) / 1_000,
  }
  for (const [name, value] of Object.entries(pairs)) {
    const ours = DEFAULT_FIGURES[name as keyof typeof pairs]
    expect(value / ours, name).toBeGreaterThan(0.6)
    expect(value / ours, name).toBeLessThan(1.7)
  }
})

test('numbers are said with three digits', () => {
  expect([1234567, 0.1234, 45.678, 0, Number.NaN].map(say)).toEqual(['1,230,000', '0.12', '45.7', '0', '–'])
})

test('the scaling page shows what the figures give: node bench/traffic-day.ts --write docs/scaling.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/scaling.md'), 'utf8')
  expect(writtenPage(page)).toBe(page)
  expect(() => between(page, 'no such mark', '')).toThrow('no place')
}, 60_000)
