/**
 * The location look-up beside other ways to do it, on the same places and queries, on this machine.
 * node bench/locations.ts (after `npm ci` in bench/locations; engines that are not installed are left out)
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { monotonicMs } from '../src/lib/clock.ts'
import { foldText } from '../src/lib/fold-text.ts'
import { loadLocations } from '../src/locations/load-locations.ts'
import type { LocationIndex } from '../src/locations/location-index.ts'
import { buildRivals, type Doc } from './locations/rivals.ts'
import { report } from './support/report.ts'

const FILE = join(import.meta.dirname, '../data/locations.bin.zst')
const LIMIT = 10
const OWN_QUERIES = 20_000
const RIVAL_QUERIES = 300
const ROUNDS = 3

export async function benchLocations(): Promise<Record<string, number>> {
  const before = heldBytes()
  const index = loadLocations(FILE)
  const memoryMb = (heldBytes() - before) / 2 ** 20
  const queries = prefixes(index, OWN_QUERIES)
  const results: Record<string, number> = { places: index.count, ready_ms: readyMs(), memory_mb: round(memoryMb) }

  Object.assign(results, spread('look_up', await quickest(queries, (query) => index.rank(query, LIMIT))))
  Object.assign(results, spread('look_up_and_present', await quickest(queries, (query) => index.search(query, LIMIT))))

  const docs: Doc[] = Array.from({ length: index.count }, (_, id) => ({
    id,
    name: foldText(index.at(id).name.split(',')[0] ?? ''),
  }))
  const mean = results.look_up_mean_us ?? Number.NaN
  for (const { name, build } of await buildRivals()) {
    const search = await build(docs)
    const times = await quickest(queries.slice(0, RIVAL_QUERIES), (query) => search(query, LIMIT))
    const rival = times.reduce((sum, time) => sum + time, 0) / times.length
    results[`${name}_mean_us`] = round(rival)
    results[`${name}_times_slower`] = round(rival / mean)
  }
  return results
}

/** Beginnings of three to eight letters of names from all over the index, the better-known more often. */
function prefixes(index: LocationIndex, count: number): string[] {
  let state = 20_260_101
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const queries: string[] = []
  while (queries.length < count) {
    const name = foldText(index.at(Math.floor(random() ** 2 * index.count)).name.split(',')[0] ?? '')
    const query = [...name]
      .slice(0, 3 + Math.floor(random() * 6))
      .join('')
      .trim()
    if (query.length >= 3) queries.push(query)
  }
  return queries
}

/** The best of a few rounds for each query: what the code costs, not what else the machine was doing. */
async function quickest(queries: readonly string[], run: (query: string) => unknown): Promise<number[]> {
  const best = queries.map(() => Number.POSITIVE_INFINITY)
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, query] of queries.entries()) {
      const started = monotonicMs()
      const answer = run(query)
      if (answer instanceof Promise) await answer
      best[at] = Math.min(best[at] ?? Number.POSITIVE_INFINITY, 1000 * (monotonicMs() - started))
    }
  }
  return best
}

function spread(name: string, times: readonly number[]): Record<string, number> {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) => round(sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN)
  return {
    [`${name}_mean_us`]: round(sorted.reduce((sum, time) => sum + time, 0) / sorted.length),
    [`${name}_p50_us`]: at(0.5),
    [`${name}_p99_us`]: at(0.99),
  }
}

/** From the start of a process to the first answer, the quickest of three. */
function readyMs(): number {
  const program = `
    const { loadLocations } = await import(${JSON.stringify(join(import.meta.dirname, '../src/locations/load-locations.ts'))})
    loadLocations(${JSON.stringify(FILE)}).search('par', 10)
    console.log(performance.now())`
  const runs = [1, 2, 3].map(() =>
    Number(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })),
  )
  return Math.round(Math.min(...runs))
}

function heldBytes(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const round = (value: number): number => Math.round(10 * value) / 10

if (import.meta.main) await report(benchLocations)
