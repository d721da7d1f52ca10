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

let app: SearchApp
let made: SearchAnswer
let place: Record<string, unknown> = {}
beforeAll(async () => {
  app = await searchApp({}, { places: withLargeCity(5) })
  place = { destination_id: findLocationId('Barcelona'), radius_km: 4 }
  await searchUntilComplete(app, place)
  // A new stay, so that every answer comes from a vendor.
  made = await app.search({ ...place, check_in: app.day(60), check_out: app.day(63) })
}, 120_000)
afterAll(() => app.close())

type Room = {
  total_inclusive: number
  meets_conditions: boolean
  board: string
  cancel_policy: { cancelation: string }
}

/** Share of the properties in a list for which the rooms in the detail confirm the list. */
async function confirmedShare(
  found: SearchAnswer,
  confirms: (listed: Summary, rooms: readonly Room[], overview: { total_price: number }) => boolean,
): Promise<number> {
  const checked = found.availability.slice(0, PROPERTIES)
  expect(checked.length).toBeGreaterThanOrEqual(PROPERTIES / 2)
  let confirmed = 0
  for (const property of checked) {
    const { available_rooms, overview } = (await app.detail(found.search_id, property.property_id)).json().accommodation
    if (confirms(property, available_rooms, overview)) confirmed += 1
  }
  return confirmed / checked.length
}

test('the price in the list is that of the cheapest room in the detail', async () => {
  const share = await confirmedShare(
    made,
    ({ total_price }, [cheapest], overview) =>
      cheapest?.total_inclusive === total_price && overview.total_price === total_price,
  )
  expect(share).toBeGreaterThanOrEqual(0.995)
}, 120_000)

const ANY_BOARD = ['breakfast', 'half_board']

test.each([{ free_cancellation: true }, { boards: ANY_BOARD }, { free_cancellation: true, boards: ANY_BOARD }])(
  'with the conditions %j, the detail has a room that meets them at the price in the list',
  async (conditions) => {
    const found = await app.search({ ...place, check_in: app.day(60), check_out: app.day(63), conditions })
    const share = await confirmedShare(found, ({ total_price }, rooms, overview) => {
      const meeting = rooms.filter(({ meets_conditions }) => meets_conditions)
      for (const { board, cancel_policy } of meeting) {
        if (conditions.boards !== undefined) expect(ANY_BOARD).toContain(board)
        if (conditions.free_cancellation === true) expect(cancel_policy.cancelation).toBe('free')
      }
      return meeting[0]?.total_inclusive === total_price && overview.total_price === total_price
    })
    expect(share).toBeGreaterThanOrEqual(0.995)
    const vendors = new Set(found.availability.flatMap(({ offers }) => offers.map(({ vendor_id }) => vendor_id)))
    expect(vendors.size).toBe(made.vendors.length)
  },
  120_000,
)
