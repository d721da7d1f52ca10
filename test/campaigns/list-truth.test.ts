import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  findLocationId,
  type SearchAnswer,
  type SearchApp,
  type Summary,
  searchApp,
  searchUntilComplete,
} from '../support/app/search-app.ts'
import { withLargeCity } from '../support/sandbox/large-city.ts'

const PROPERTIES = 200
/** Bytes per property from each vendor if a list requests only the cheapest offer. */
const BYTES_FOR_CHEAPEST = { expedia_rapid: 248, hotelbeds: 504, liteapi: 498 } as const

let app: SearchApp
let made: SearchAnswer
let bytes = 0
beforeAll(async () => {
  app = await searchApp({}, { places: withLargeCity(5) })
  const place = { destination_id: findLocationId('Barcelona'), radius_km: 4 }
  await searchUntilComplete(app, place)
  const before = app.traffic.bytes()
  // A new stay, so that every answer comes from a vendor.
  made = await app.search({ ...place, check_in: app.day(60), check_out: app.day(63) })
  bytes = app.traffic.bytes() - before
}, 120_000)
afterAll(() => app.close())

type Room = { board: string; total_inclusive: number; cancel_policy: { cancelation: string; expires: string } }

/** Cheapest price with free cancellation, and cheapest price of each board. */
type Facts = { free: number | undefined; boards: [string, number][] | undefined }

async function readDetailFacts(property: Summary): Promise<Facts> {
  const answer = await app.detail(made.search_id, property.property_id)
  const rooms: Room[] = answer.json().accommodation.available_rooms
  const boards = new Map<string, number>()
  let free: number | undefined
  for (const { board, total_inclusive, cancel_policy } of rooms) {
    boards.set(board, Math.min(boards.get(board) ?? Number.POSITIVE_INFINITY, total_inclusive))
    if (cancel_policy.cancelation === 'free') free = Math.min(free ?? Number.POSITIVE_INFINITY, total_inclusive)
  }
  return { free, boards: [...boards].sort() }
}

const readListFacts = ({ free_cancellation, boards }: Summary): Facts => ({
  free: free_cancellation?.total_price,
  boards: boards?.map(({ board, total_price }): [string, number] => [board, total_price]).sort(),
})

/** The facts that filters use: free cancellation and boards, without prices. */
const formatKinds = ({ free, boards }: Facts) => JSON.stringify([free !== undefined, boards?.map(([board]) => board)])

test('free cancellation, boards and their prices in the list match the detail', async () => {
  const checked = made.availability.slice(0, PROPERTIES)
  expect(checked).toHaveLength(PROPERTIES)
  const facts: { list: Facts; detail: Facts }[] = []
  for (const property of checked) facts.push({ list: readListFacts(property), detail: await readDetailFacts(property) })
  const otherKinds = facts.filter(({ list, detail }) => formatKinds(list) !== formatKinds(detail))
  const otherPrices = facts.filter(({ list, detail }) => JSON.stringify(list) !== JSON.stringify(detail))
  expect(otherKinds.length / PROPERTIES, JSON.stringify(otherKinds.slice(0, 5))).toBeLessThanOrEqual(0.01)
  // A vendor's minimum selling price may make another vendor the cheapest, whose list is cut.
  expect(otherPrices.length / PROPERTIES, JSON.stringify(otherPrices.slice(0, 5))).toBeLessThanOrEqual(0.01)
  // Guards against trivial data: some have no free cancellation, and many have several boards.
  expect(checked.filter(({ free_cancellation }) => free_cancellation === null).length).toBeGreaterThan(0)
  expect(checked.filter(({ boards = [] }) => boards.length > 1).length).toBeGreaterThan(PROPERTIES / 3)
}, 120_000)

test('free cancellation and boards in the list cost at most 2.05 times the bytes from vendors', () => {
  const cheapest = Object.entries(BYTES_FOR_CHEAPEST).reduce((sum, [id, each]) => {
    const asked = made.vendors.find(({ vendor_id }) => vendor_id === id)?.properties ?? 0
    return sum + asked * each
  }, 0)
  expect(bytes).toBeGreaterThan(0)
  expect(bytes / cheapest).toBeLessThanOrEqual(2.05)
})
