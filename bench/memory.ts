/**
 * What saved searches hold: in memory after a collection, and on disk. They are the same few questions again and again, whose
 * answers are all kept before the first reading: what comes on top is what a saved search itself leaves behind.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { readConfig } from '../src/config.ts'
import { call, startBenchApp } from './support/app.ts'
import { type SearchAnswer, stay } from './support/client-calls.ts'
import { median, round } from './support/figures.ts'
import { report } from './support/report.ts'

const AT_ONCE = 4
const QUESTIONS = 10
const WARM_UP = 40
const SETTLE_MS = 700
const SETTLE_TRIES = 12
const STILL_MB = 0.5
const PATH = '/api/accommodation_searches/search'

export async function benchMemory({ quick }: { quick: boolean }): Promise<Record<string, number>> {
  const count = quick ? 200 : 1_000
  const { search: usual } = readConfig({ NODE_ENV: 'test' })
  const bench = await startBenchApp({ search: { ...usual, reuseMs: 600_000 } })
  try {
    const { data } = await call<{ data: { id: string }[] }>(bench, 'GET', '/api/locations/search?starts_with=lisbon')
    const destination = { destination_id: data[0]?.id, radius_km: 8, timeout_ms: 15_000 }
    const sizes: number[] = []
    const search = async (number: number) => {
      const body = { ...destination, ...stay(10 + (number % QUESTIONS)) }
      const answer = await call<SearchAnswer>(bench, 'POST', PATH, body)
      sizes.push(answer.data.availability.length)
    }
    await each(WARM_UP, search)
    sizes.length = 0
    const before = { heap: await settledMb(), disk: diskKb(bench.dataDir) }
    await each(count, search)
    const after = { heap: await settledMb(), disk: diskKb(bench.dataDir) }
    return {
      kept_searches: count,
      kept_search_properties: median(sizes),
      // Two readings differ by a megabyte or two without any search; less than nothing is held by none.
      heap_per_1000_searches_mb: round(Math.max(0, ((after.heap - before.heap) * 1_000) / count), 1),
      disk_per_search_kb: round((after.disk - before.disk) / count),
    }
  } finally {
    await bench.close()
  }
}

async function each(count: number, run: (number: number) => Promise<void>): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < count) {
      next += 1
      await run(next)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}

/** What is reachable, once the background has stopped changing it: the catalogue goes on filling after the first visits. */
async function settledMb(): Promise<number> {
  let before = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < SETTLE_TRIES; tries += 1) {
    const held = heldMb()
    if (Math.abs(held - before) < STILL_MB) return held
    before = held
    await wait(SETTLE_MS)
  }
  return before
}

function heldMb(): number {
  if (globalThis.gc === undefined) throw new Error('memory is only told after a collection: node --expose-gc')
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1e6
}

/** The database's own file, with all that was waiting in its log. */
function diskKb(dataDir: string): number {
  const file = join(dataDir, 'serai.db')
  const database = new DatabaseSync(file)
  database.exec('pragma wal_checkpoint(truncate)')
  database.close()
  return statSync(file).size / 1_000
}

if (import.meta.main) await report(benchMemory)
