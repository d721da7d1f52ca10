/**
 * How well and how fast vendor properties are matched.
 *   node bench/matching.ts            quality on the sandbox world, then time for a million
 *   node bench/matching.ts --errors   also prints every wrong and every missed pair
 */
import { readFileSync } from 'node:fs'
import { assignMatches, type MatchNode } from '../src/catalogue/matching/assign-matches.ts'
import { compareTraits } from '../src/catalogue/matching/compare-traits.ts'
import { type MatchFacts, type MatchTraits, matchTraitsOf } from '../src/catalogue/matching/match-traits.ts'
import { pairNeighbours } from '../src/catalogue/matching/pair-neighbours.ts'
import { type Place, SANDBOX_VENDORS } from '../src/sandbox/world/contract.ts'
import { createWorld } from '../src/sandbox/world/world.ts'
import { round, threadCpuMs } from './support/figures.ts'
import { report } from './support/report.ts'

const MILLION = 1_000_000

function readPlaces(): Place[] {
  const file = new URL('../test/unit/catalogue/fixtures/places.tsv', import.meta.url)
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [id, name = '', countryCode = '', lat, lon, population, timezone = ''] = line.split('\t')
      const point = { lat: Number(lat), lon: Number(lon) }
      return {
        sourceId: Number(id),
        name,
        region: '',
        countryCode,
        countryName: countryCode,
        point,
        population: Number(population),
        timezone,
      }
    })
}

type Known = { readonly facts: MatchFacts; readonly truth: number }

/** Everything both sandbox vendors sell, with the true building beside it. */
function worldFacts(): Known[] {
  const world = createWorld({ places: readPlaces() })
  const known: Known[] = []
  for (const vendor of SANDBOX_VENDORS) {
    let after = 0
    for (;;) {
      const { properties, position, done } = world.walk(vendor, after, 1_000)
      for (const property of properties) {
        const view = world.view(vendor, property)
        if (view === undefined) continue
        known.push({
          truth: property.key,
          facts: {
            vendor_id: vendor,
            vendor_property_id: String(view.vendorPropertyId),
            lat: view.point.lat,
            lon: view.point.lon,
            name: view.name,
            chain: view.chain,
            category: property.kind,
            star_rating: view.stars,
            phone: view.phone,
            address: view.address.line1,
            city: view.address.city,
            postal_code: view.address.postalCode,
            country_code: view.address.countryCode,
          },
        })
      }
      if (done) break
      after = position
    }
  }
  return known
}

function match(traits: readonly MatchTraits[]) {
  const nodes: MatchNode[] = traits.map((one) => ({ traits: one, propertyId: undefined }))
  const pairs = pairNeighbours(nodes, () => true)
  return assignMatches({ nodes, pairs })
}

function quality(title: string, known: readonly Known[], showErrors: boolean): { precision: number; recall: number } {
  const traits = known.map(({ facts }) => matchTraitsOf(facts))
  const groups = match(traits)
  const byTruth = Map.groupBy(known.keys(), (number) => known[number]?.truth ?? 0)
  const truePairs = [...byTruth.values()].filter((numbers) => numbers.length === 2)
  let right = 0
  let wrong = 0
  const say = (words: string, a: number, b: number) => {
    if (!showErrors) return
    const [x, y] = [known[a]?.facts, known[b]?.facts]
    const [s, t] = [traits[a], traits[b]]
    if (x === undefined || y === undefined || s === undefined || t === undefined) return
    console.log(`${words}: "${x.name}" | "${y.name}"  ${x.address} | ${y.address}  ${x.phone} | ${y.phone}`)
    console.log(`   ${JSON.stringify(compareTraits(s, t))}`)
  }
  const found = new Set<string>()
  for (const { members } of groups) {
    for (const [at, a] of members.entries()) {
      for (const b of members.slice(at + 1)) {
        found.add(a < b ? `${a} ${b}` : `${b} ${a}`)
        if (known[a]?.truth === known[b]?.truth) right += 1
        else {
          wrong += 1
          say('WRONG ', a, b)
        }
      }
    }
  }
  for (const [a = 0, b = 0] of truePairs) if (!found.has(a < b ? `${a} ${b}` : `${b} ${a}`)) say('MISSED', a, b)
  console.log(`${title}: ${known.length} vendor properties, ${truePairs.length} true pairs`)
  console.log(`  precision ${(right / (right + wrong)).toFixed(4)}  (${wrong} wrong)`)
  console.log(`  recall    ${(right / truePairs.length).toFixed(4)}  (${truePairs.length - right} missed)`)
  return { precision: right / (right + wrong), recall: right / truePairs.length }
}

/**
 * The same towns again and again, each time moved elsewhere: density and names stay those of the world. Answers the seconds of
 * processor time it took.
 */
function million(known: readonly Known[]): number {
  const facts: MatchFacts[] = []
  for (let round = 0; facts.length < MILLION; round += 1) {
    for (const { facts: one } of known) {
      if (facts.length === MILLION) break
      const lon = ((one.lon + 180 + round * 1.37) % 360) - 180
      facts.push({ ...one, lon, vendor_property_id: `${round}-${one.vendor_property_id}` })
    }
  }
  let started = threadCpuMs()
  const traits = facts.map(matchTraitsOf)
  const reading = threadCpuMs() - started
  started = threadCpuMs()
  const nodes: MatchNode[] = traits.map((one) => ({ traits: one, propertyId: undefined }))
  const pairs = pairNeighbours(nodes, () => true)
  const comparing = threadCpuMs() - started
  started = threadCpuMs()
  const groups = assignMatches({ nodes, pairs })
  const assigning = threadCpuMs() - started
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  console.log(`one million vendor properties: ${groups.length} buildings, ${pairs.length} pairs weighed in the end`)
  console.log(`  reading names ${seconds(reading)}, comparing ${seconds(comparing)}, assigning ${seconds(assigning)}`)
  console.log(`  all ${seconds(reading + comparing + assigning)} on one core`)
  return (reading + comparing + assigning) / 1000
}

export async function benchMatching({ quick }: { quick: boolean }): Promise<Record<string, number>> {
  const known = worldFacts()
  const whole = quality('sandbox world', known, process.argv.includes('--errors'))
  const bare = known.map(({ facts, truth }) => ({
    truth,
    facts: { ...facts, phone: '', address: '', postal_code: '', chain: '' },
  }))
  const poor = quality('the same with names, coordinates and stars only', bare, false)
  return {
    matching_precision: round(whole.precision, 4),
    matching_recall: round(whole.recall, 4),
    matching_bare_precision: round(poor.precision, 4),
    matching_bare_recall: round(poor.recall, 4),
    ...(quick ? {} : { matching_million_seconds: round(million(known), 1) }),
  }
}

if (import.meta.main) await report(benchMatching)
