/** Memory and lookup times of the names of a million properties: node --expose-gc bench/property-names.ts */
import { setImmediate as pause } from 'node:timers/promises'
import { createRandom } from '../sandbox/world/hash.ts'
import { PropertyNames } from '../src/catalogue/names/property-names.ts'
import { derivePropertyId } from '../src/catalogue/properties/property-id.ts'
import { monotonicMs } from '../src/lib/time/clock.ts'
import { loadCityPlaces } from '../src/locations/load-locations.ts'
import { percentile, round } from './support/figures.ts'
import { report } from './support/report.ts'

const COUNT = 1_000_000
const TOWNS = 60_000
const QUERIES = 3_000
const LIMIT = 5
const ROUNDS = 3

const KINDS = ['Hotel', 'Hôtel', 'Apartments', 'Inn', 'Suites', 'Resort', 'Hostel', 'Villa', 'Casa', 'Pension', 'Lodge']
const COMMON_WORDS = [
  'Grand',
  'Royal',
  'Park',
  'Central',
  'Golden',
  'Blue',
  'Old Town',
  'City',
  'Garden',
  'Palace',
  'Sea View',
]
const SYLLABLES = 'ka ri mo ta lu be sa no vi de ra mi to la pe su an or el is gu fe zo ny du chi bra sto'.split(' ')

type Named = { readonly propertyId: string; readonly name: string; readonly town: string }

/** Kinds, well-known words, chains of up to some thousand properties, towns, and invented words. */
function* inventNames(random: () => number): Generator<Named> {
  const towns = [...loadCityPlaces()].slice(0, TOWNS).map(({ name }) => name)
  const pick = (from: readonly string[]) => from[Math.floor(random() ** 2 * from.length)] ?? ''
  const word = () => {
    const text = Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(SYLLABLES)).join('')
    return text.charAt(0).toUpperCase() + text.slice(1)
  }
  const chains = Array.from({ length: 400 }, word)
  for (let n = 0; n < COUNT; n += 1) {
    const town = pick(towns)
    const kind = random()
    const name =
      kind < 0.25
        ? `${pick(chains)} ${town} ${pick(COMMON_WORDS)}`
        : kind < 0.6
          ? `${pick(KINDS)} ${word()} ${word()}`
          : `${pick(COMMON_WORDS)} ${pick(KINDS)} ${word()} ${town}`
    yield { propertyId: derivePropertyId('bench', String(n)), name, town }
  }
}

/** Typical user input: the start of a name, some of its words, a word and the town. */
function createQueries(all: readonly Named[], random: () => number): string[] {
  return Array.from({ length: QUERIES }, () => {
    const { name, town } = all[Math.floor(random() * all.length)] ?? { name: 'Hotel', town: '' }
    const words = name.split(' ')
    const kind = random()
    const text = kind < 0.4 ? name : kind < 0.7 ? words.slice(-2).join(' ') : `${words[kind < 0.85 ? 0 : 1]} ${town}`
    return text.slice(0, 3 + Math.floor(random() * 20))
  })
}

/** Memory outside the heap is released only some event-loop turns after it becomes unreachable. */
async function heldBytes(): Promise<number> {
  for (let turn = 0; turn < 5; turn += 1) {
    globalThis.gc?.()
    await pause()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function benchPropertyNames(): Promise<Record<string, number>> {
  const random = createRandom(7).next
  const all = [...inventNames(random)]
  const queries = createQueries(all, random)
  const before = await heldBytes()
  const startedAt = monotonicMs()
  const names = new PropertyNames()
  for (const { propertyId, name, town } of all) {
    names.put({ propertyId, names: [name], town, starRating: Math.floor(random() * 6) })
  }
  await names.settle()
  const filledMs = monotonicMs() - startedAt
  const memoryMb = ((await heldBytes()) - before) / 2 ** 20
  const best = queries.map(() => Number.POSITIVE_INFINITY)
  for (let run = 0; run < ROUNDS; run += 1) {
    for (const [index, query] of queries.entries()) {
      const started = monotonicMs()
      names.find(query, LIMIT, true)
      best[index] = Math.min(best[index] ?? Number.POSITIVE_INFINITY, 1000 * (monotonicMs() - started))
    }
  }
  return {
    property_names: all.length,
    property_names_memory_mb: round(memoryMb, 1),
    property_names_filled_ms: Math.round(filledMs),
    property_names_p50_us: round(percentile(best, 0.5), 1),
    property_names_p99_us: round(percentile(best, 0.99), 1),
  }
}

if (import.meta.main) await report(benchPropertyNames)
