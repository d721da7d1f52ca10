/**
 * Quality and speed of property matching.
 *   node bench/matching.ts            quality on the sandbox world, then time for a million
 *   node bench/matching.ts --errors   also prints every wrong and every missed pair
 */
import { readFileSync } from 'node:fs'
import type { LabelledSet } from '../scripts/score/labelled-set.ts'
import { type PairJudged, scoreProperties } from '../scripts/score/score-properties.ts'
import { assignMatches, type MatchNode } from '../src/catalogue/matching/assign-matches.ts'
import { getMatchTraits, type MatchFacts } from '../src/catalogue/matching/match-traits.ts'
import { pairNeighbours } from '../src/catalogue/matching/pair-neighbours.ts'
import { labelledWorld, readPlaces } from '../test/support/sandbox/labelled-world.ts'
import { round, threadCpuMs } from './support/figures.ts'
import { report } from './support/report.ts'

const MILLION = 1_000_000
const PLACES = new URL('../test/unit/catalogue/fixtures/places.tsv', import.meta.url)

function reportQuality(title: string, set: LabelledSet, showErrors: boolean): { precision: number; recall: number } {
  const { right, missed, twins, ...rest } = scoreProperties(set)
  // Everything in this world is known: a join that is not labelled as the same is wrong.
  const wrong = [...rest.wrong, ...rest.unlabelled]
  const print = (words: string, { a, b, odds, evidence }: PairJudged) => {
    console.log(`${words}: "${a.name}" | "${b.name}"  ${a.address} | ${b.address}  ${a.phone} | ${b.phone}`)
    console.log(`   ${odds?.toFixed(2)} ${JSON.stringify(evidence)}`)
  }
  if (showErrors) {
    for (const pair of wrong) print('WRONG ', pair)
    for (const pair of missed) print('MISSED', pair)
  }
  const all = right + missed.length
  console.log(`${title}: ${set.records.length} vendor properties, ${all} true pairs and ${twins} second entries`)
  console.log(`  precision ${(right / (right + wrong.length)).toFixed(4)}  (${wrong.length} wrong)`)
  console.log(`  recall    ${(right / all).toFixed(4)}  (${missed.length} missed)`)
  return { precision: right / (right + wrong.length), recall: right / all }
}

/**
 * The same towns repeatedly, each time moved elsewhere, so that density and names stay those of the world. Returns the
 * processor time in seconds.
 */
function measureMillion(records: readonly MatchFacts[]): number {
  const facts: MatchFacts[] = []
  for (let round = 0; facts.length < MILLION; round += 1) {
    for (const record of records) {
      if (facts.length === MILLION) break
      const lon = ((record.lon + 180 + round * 1.37) % 360) - 180
      facts.push({ ...record, lon, vendor_property_id: `${round}-${record.vendor_property_id}` })
    }
  }
  let started = threadCpuMs()
  const traits = facts.map(getMatchTraits)
  const reading = threadCpuMs() - started
  started = threadCpuMs()
  const nodes: MatchNode[] = traits.map((record) => ({ traits: record, propertyId: undefined }))
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
  const set = labelledWorld(readPlaces(readFileSync(PLACES, 'utf8')))
  const whole = reportQuality('sandbox world', set, process.argv.includes('--errors'))
  const bareRecords = set.records.map((facts) => ({ ...facts, phone: '', address: '', postal_code: '', chain: '' }))
  const bare = reportQuality('the same with names, coordinates and stars only', { ...set, records: bareRecords }, false)
  return {
    matching_precision: round(whole.precision, 4),
    matching_recall: round(whole.recall, 4),
    matching_bare_precision: round(bare.precision, 4),
    matching_bare_recall: round(bare.recall, 4),
    ...(quick ? {} : { matching_million_seconds: round(measureMillion(set.records), 1) }),
  }
}

if (import.meta.main) await report(benchMatching)
