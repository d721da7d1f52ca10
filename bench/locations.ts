/**
 * The location look-up beside other ways to do it, on the same places and queries, on this machine. Engines that are not
 * installed are left out; `npm run bench` installs them.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { foldText } from '../src/lib/text/fold-text.ts'
import { monotonicMs } from '../src/lib/time/clock.ts'
import { loadLocations } from '../src/locations/load-locations.ts'
import type { LocationIndex } from '../src/locations/location-index.ts'
import type { Alternative, Doc } from './locations/alternative-search.ts'
import { installedAlternatives } from './locations/installed.ts'
import { percentile, round } from './support/figures.ts'
import { report } from './support/report.ts'

const LIMIT = 10
const OWN_QUERIES = 20_000
const ROUNDS = 3
/** The quickest library and the quickest database: all that a quick run has time for. */
const NEAREST = ['flexsearch', 'sqlite']

export async function benchLocations({ quick }: { quick: boolean }): Promise<Record<string, number>> {
  const before = heldBytes()
  const index = loadLocations()
  const memoryMb = (heldBytes() - before) / 2 ** 20
  const queries = prefixes(index, OWN_QUERIES)
  const lookUps = await quickest(queries, (query) => index.rank(query, LIMIT))
  const presented = await quickest(queries, (query) => index.search(query, LIMIT))
  const compared = quick ? 60 : 300
  const alternatives = installedAlternatives().filter(({ name }) => !quick || NEAREST.includes(name))
  const docs: Doc[] = Array.from({ length: index.count }, (_, id) => ({
    id,
    name: foldText(index.at(id).name.split(',')[0] ?? ''),
  }))
  return {
    locations_places: index.count,
    locations_index_ready_ms: readyMs(quick ? 1 : 3),
    locations_memory_mb: round(memoryMb, 1),
    ...spread('locations_lookup', lookUps),
    ...spread('locations_present', presented),
    // On the very queries the others get.
    ...(await besideAlternatives(alternatives, docs, queries.slice(0, compared), mean(lookUps.slice(0, compared)))),
  }
}

async function besideAlternatives(
  alternatives: readonly Alternative[],
  docs: readonly Doc[],
  queries: readonly string[],
  oursUs: number,
) {
  const figures: Record<string, number> = {}
  const libraries: number[] = []
  for (const alternative of alternatives) {
    const us = await meanOf(alternative, docs, queries).catch((error: Error) => {
      console.error(`${alternative.name} is left out: ${error.message.split('\n')[0]}`)
    })
    if (us === undefined) continue
    figures[`locations_${alternative.name}_mean_us`] = round(us, 1)
    figures[`locations_lookup_vs_${alternative.name}`] = round(us / oursUs, 1)
    if (alternative.isLibrary) libraries.push(us)
  }
  if (libraries.length > 0) figures.locations_lookup_vs_best_library = round(Math.min(...libraries) / oursUs, 1)
  return figures
}

async function meanOf(alternative: Alternative, docs: readonly Doc[], queries: readonly string[]): Promise<number> {
  try {
    const search = await alternative.build(docs)
    return mean(await quickest(queries, (query) => search(query, LIMIT)))
  } finally {
    await alternative.close?.()
  }
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

const mean = (times: readonly number[]): number => times.reduce((sum, time) => sum + time, 0) / times.length

const spread = (name: string, times: readonly number[]): Record<string, number> => ({
  [`${name}_mean_us`]: round(mean(times), 1),
  [`${name}_p50_us`]: round(percentile(times, 0.5), 1),
  [`${name}_p99_us`]: round(percentile(times, 0.99), 1),
})

/** From the start of a process to the first answer, the quickest of a few. */
function readyMs(times: number): number {
  const program = `
    const { loadLocations } = await import(${JSON.stringify(join(import.meta.dirname, '../src/locations/load-locations.ts'))})
    loadLocations().search('par', 10)
    console.log(performance.now())`
  const runs = Array.from({ length: times }, () =>
    Number(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })),
  )
  return Math.round(Math.min(...runs))
}

/** Collected twice: memory outside the heap is given back after the first one has found that nobody holds it. */
function heldBytes(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

if (import.meta.main) await report(benchLocations)
