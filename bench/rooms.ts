/**
 * Quality and speed of room matching.
 *   node bench/rooms.ts            quality on the sandbox world and on the pairs of this project, then time for 200 offers
 *   node bench/rooms.ts --errors   also prints every wrong and every missed pair
 */
import { readFileSync } from 'node:fs'
import type { WorldProperty } from '../sandbox/world/contract.ts'
import { readRoomPairs, scoreRoomPairs } from '../scripts/score/score-rooms.ts'
import { unstoredRoomTypes } from '../src/catalogue/rooms/room-types.ts'
import type { VendorProperty } from '../src/domain/property/property.ts'
import { propertiesIn, roomsAtVendors, scoreRoomMatching } from '../test/support/sandbox/labelled-rooms.ts'
import { readPlaces } from '../test/support/sandbox/labelled-world.ts'
import { aVendorProperty } from '../test/unit/catalogue/a-vendor-property.ts'
import { round, threadCpuMs } from './support/figures.ts'
import { report } from './support/report.ts'

const FIXTURES = new URL('../test/unit/catalogue/fixtures/', import.meta.url)
const OFFERS = 200

function reportQuality(title: string, right: number, wrong: readonly string[], missed: readonly string[]) {
  if (process.argv.includes('--errors')) {
    for (const pair of wrong) console.log(`WRONG  ${pair}`)
    for (const pair of missed) console.log(`MISSED ${pair}`)
  }
  const precision = right / (right + wrong.length)
  const recall = right / (right + missed.length)
  console.log(
    `${title}: precision ${precision.toFixed(4)} (${wrong.length} wrong), recall ${recall.toFixed(4)} (${missed.length} missed)`,
  )
  return { precision, recall }
}

/** Two hundred offers of four vendors: every room at five rates. */
function createOffers(property: WorldProperty) {
  const rooms = roomsAtVendors(property)
  const contents: VendorProperty[] = [...Map.groupBy(rooms, ({ vendorId }) => vendorId)].map(([vendorId, own]) =>
    aVendorProperty({
      vendorId,
      rooms: own.map(({ key, name }) => ({
        id: key,
        name,
        description: '',
        squareMeters: 0,
        squareFeet: 0,
        sleeps: 2,
        beds: [],
        images: [],
        amenities: {},
      })),
    }),
  )
  const offers = Array.from({ length: OFFERS }, (_, index) => {
    const { vendorId = '', key = '', name = '' } = rooms[index % rooms.length] ?? {}
    return { vendorId, roomId: key, name, beds: [] }
  })
  return { contents, offers }
}

/** Average time per property in milliseconds, because the processor clock is too coarse for one. */
function measureOffers(inputs: readonly ReturnType<typeof createOffers>[]): number {
  const started = threadCpuMs()
  inputs.forEach(({ contents, offers }, index) => {
    unstoredRoomTypes(`property ${index}`, contents, offers)
  })
  return (threadCpuMs() - started) / inputs.length
}

export async function benchRooms({ quick }: { quick: boolean }): Promise<Record<string, number>> {
  const properties = propertiesIn(
    readPlaces(readFileSync(new URL('places.tsv', FIXTURES), 'utf8')),
    quick ? 600 : 3_000,
  )
  const world = scoreRoomMatching(properties)
  const sandbox = reportQuality('sandbox world', world.right, world.wrong, world.missed)
  const pairs = scoreRoomPairs(readRoomPairs(readFileSync(new URL('rooms.json', FIXTURES), 'utf8')))
  const named = (list: typeof pairs.wrong) => list.map(({ a, b }) => `${a.name} / ${b.name}`)
  const written = reportQuality('pairs of this project', pairs.right, named(pairs.wrong), named(pairs.missed))
  const inputs = properties.filter(({ rooms }) => rooms.length >= 8).map(createOffers)
  const mean = measureOffers(inputs)
  console.log(`${OFFERS} offers of four vendors, ${inputs.length} properties: ${mean.toFixed(2)} ms`)
  return {
    room_matching_precision: round(sandbox.precision, 4),
    room_matching_recall: round(sandbox.recall, 4),
    room_matching_pairs_precision: round(written.precision, 4),
    room_matching_pairs_recall: round(written.recall, 4),
    room_matching_offers_ms: round(mean),
  }
}

if (import.meta.main) await report(benchRooms)
