/**
 * The location lookup compared with alternatives, on the same places, queries and machine. Engines that are not
 * installed are skipped; `npm run bench` installs them.
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
/** The fastest library and the fastest database: all that a quick run has time for. */
const NEAREST = ['flexsearch', 'sqlite']

export async function benchLocations({ quick }: { quick: boolean }): Promise<Record<string, number>> {
  const before = heldBytes()
  const index = loadLocations()
  const memoryMb = (heldBytes() - before) / 2 ** 20
  const queries = createPrefixes(index, OWN_QUERIES)
  const lookupTimes = await measureFastest(queries, (query) => index.rank(query, LIMIT))
  const presented = await measureFastest(queries, (query) => index.search(query, LIMIT))
  const compared = quick ? 60 : 300
  const alternatives = installedAlternatives().filter(({ name }) => !quick || NEAREST.includes(name))
  const docs: Doc[] = Array.from({ length: index.count }, (_, id) => ({
    id,
    name: foldText(index.at(id).name.split(',')[0] ?? ''),
  }))
  return {
    locations_places: index.count,
    locations_index_ready_ms: measureReady(quick ? 1 : 3),
    locations_memory_mb: round(memoryMb, 1),
    ...summarize('locations_lookup', lookupTimes),
    ...summarize('locations_present', presented),
    // On the same queries as the alternatives.
    ...(await compareAlternatives(
      alternatives,
      docs,
      queries.slice(0, compared),
      mean(lookupTimes.slice(0, compared)),
    )),
  }
}

async function compareAlternatives(
  alternatives: readonly Alternative[],
  docs: readonly Doc[],
  queries: readonly string[],
  oursUs: number,
) {
  const figures: Record<string, number> = {}
  const libraries: number[] = []
  for (const alternative of alternatives) {
    const us = await measureMean(alternative, docs, queries).catch((error: Error) => {
      console.error(`${alternative.name} is skipped: ${error.message.split('\n')[0]}`)
    })
    if (us === undefined) continue
    figures[`locations_${alternative.name}_mean_us`] = round(us, 1)
    figures[`locations_lookup_vs_${alternative.name}`] = round(us / oursUs, 1)
    if (alternative.isLibrary) libraries.push(us)
  }
  if (libraries.length > 0) figures.locations_lookup_vs_best_library = round(Math.min(...libraries) / oursUs, 1)
  return figures
}

async function measureMean(
  alternative: Alternative,
  docs: readonly Doc[],
  queries: readonly string[],
): Promise<number> {
  try {
    const search = await alternative.build(docs)
    return mean(await measureFastest(queries, (query) => search(query, LIMIT)))
  } finally {
    await alternative.close?.()
  }
}

/** Prefixes of three to eight letters of names from the whole index, well-known ones more often. */
function createPrefixes(index: LocationIndex, count: number): string[] {
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

/** The best of several rounds per query, so that other load on the machine does not affect the result. */
async function measureFastest(queries: readonly string[], run: (query: string) => unknown): Promise<number[]> {
  const best = queries.map(() => Number.POSITIVE_INFINITY)
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, query] of queries.entries()) {
      const started = monotonicMs()
      const answer = run(query)
      if (answer instanceof Promise) await answer
      best[index] = Math.min(best[index] ?? Number.POSITIVE_INFINITY, 1000 * (monotonicMs() - started))
    }
  }
  return best
}

const mean = (times: readonly number[]): number => times.reduce((sum, time) => sum + time, 0) / times.length

const summarize = (name: string, times: readonly number[]): Record<string, number> => ({
  [`${name}_mean_us`]: round(mean(times), 1),
  [`${name}_p50_us`]: round(percentile(times, 0.5), 1),
  [`${name}_p99_us`]: round(percentile(times, 0.99), 1),
})

/** Time from the start of a process to the first result, the fastest of several runs. */
function measureReady(times: number): number {
  const program = `
    const { loadLocations } = await import(${JSON.stringify(join(import.meta.dirname, '../src/locations/load-locations.ts'))})
    loadLocations().search('par', 10)
    console.log(performance.now())`
  const runs = Array.from({ length: times }, () =>
    Number(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })),
  )
  return Math.round(Math.min(...runs))
}

/** Collected twice, because memory outside the heap is released after the first collection. */
function heldBytes(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

if (import.meta.main) await report(benchLocations)
