/**
 * Memory after garbage collection and disk space of saved searches. The same few queries repeat and their vendor
 * answers are cached before the first measurement, so that only the saved searches themselves add to it.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { readConfig } from '../src/config.ts'
import { call, startBenchApp } from './support/app.ts'
import { createStay, type SearchAnswer } from './support/client-calls.ts'
import { median, round } from './support/figures.ts'
import { report } from './support/report.ts'

const CONCURRENCY = 4
const QUESTIONS = 10
const WARM_UP = 40
const SETTLE_MS = 700
const SETTLE_TRIES = 12
const STABLE_MB = 0.5
const PATH = '/api/accommodation_searches/search'

export async function benchMemory({ quick }: { quick: boolean }): Promise<Record<string, number>> {
  const count = quick ? 200 : 1_000
  const { search: defaultSearch } = readConfig({ NODE_ENV: 'test' })
  const bench = await startBenchApp({ search: { ...defaultSearch, reuseMs: 600_000 } })
  try {
    const { data } = await call<{ data: { id: string }[] }>(bench, 'GET', '/api/locations/search?starts_with=lisbon')
    const destination = { destination_id: data[0]?.id, radius_km: 8, timeout_ms: 15_000 }
    const sizes: number[] = []
    const search = async (number: number) => {
      const body = { ...destination, ...createStay(10 + (number % QUESTIONS)) }
      const answer = await call<SearchAnswer>(bench, 'POST', PATH, body)
      sizes.push(answer.data.availability.length)
    }
    await runConcurrently(WARM_UP, search)
    sizes.length = 0
    const before = { heap: await waitForStableMb(), disk: diskKb(bench.dataDir) }
    await runConcurrently(count, search)
    const after = { heap: await waitForStableMb(), disk: diskKb(bench.dataDir) }
    return {
      kept_searches: count,
      kept_search_properties: median(sizes),
      // Two measurements differ by a megabyte or two without any search, so negative results are reported as 0.
      heap_per_1000_searches_mb: round(Math.max(0, ((after.heap - before.heap) * 1_000) / count), 1),
      disk_per_search_kb: round((after.disk - before.disk) / count),
    }
  } finally {
    await bench.close()
  }
}

async function runConcurrently(count: number, run: (number: number) => Promise<void>): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < count) {
      next += 1
      await run(next)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, lane))
}

/** Reachable memory after background work has stopped: the catalogue keeps filling after the first searches. */
async function waitForStableMb(): Promise<number> {
  let before = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < SETTLE_TRIES; tries += 1) {
    const held = readHeldMb()
    if (Math.abs(held - before) < STABLE_MB) return held
    before = held
    await wait(SETTLE_MS)
  }
  return before
}

function readHeldMb(): number {
  if (globalThis.gc === undefined)
    throw new Error('memory can be measured only after garbage collection: run node --expose-gc')
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1e6
}

/** Size of the database file, including its write-ahead log. */
function diskKb(dataDir: string): number {
  const file = join(dataDir, 'serai.db')
  const database = new DatabaseSync(file)
  database.exec('pragma wal_checkpoint(truncate)')
  database.close()
  return statSync(file).size / 1_000
}

if (import.meta.main) await report(benchMemory)
