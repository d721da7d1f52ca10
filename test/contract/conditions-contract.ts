import { expect, test } from 'vitest'
import { type Conditions, meetsConditions, type Offer, type RoomOffer } from '../../src/domain/offer.ts'
import type { Steps } from './contract-steps.ts'

const CONDITIONS: readonly Conditions[] = [
  { freeCancellation: true },
  { boards: ['breakfast'] },
  { boards: ['breakfast', 'half_board', 'all_inclusive'] },
  { freeCancellation: true, boards: ['breakfast'] },
]
/** A vendor may change a rate between two calls. */
const RIGHT_MIN = 0.995

/** Searches with conditions, for vendors that are asked with their own filters. */
export function conditionsContract(steps: Steps): void {
  const search = async (conditions: Conditions, vendorPropertyIds = steps.bench.propertyIds) => {
    const { vendor, stay, market, timezone } = steps.bench
    const query = { vendorPropertyIds, stay, market, timezone, conditions }
    return (await vendor.availability(query, steps.context())).offers
  }

  async function shareOfRight(
    offers: readonly Offer[],
    isRight: (cheapest: Offer, rooms: readonly RoomOffer[]) => boolean,
  ): Promise<number> {
    const properties = [...Map.groupBy(offers, ({ vendorPropertyId }) => vendorPropertyId)]
    let right = 0
    for (const [id, [first, ...others]] of properties) {
      if (first === undefined) continue
      const cheapest = others.reduce((best, offer) => (offer.total.minor < best.total.minor ? offer : best), first)
      if (isRight(cheapest, await steps.listRooms(id))) right += 1
    }
    return right / properties.length
  }

  test.each(CONDITIONS)(
    'with %j, one call finds properties with a room that meets them at the listed price',
    async (conditions) => {
      const { vendor } = steps.bench
      expect((await vendor.supportsConditions?.(conditions, steps.context())) ?? true).toBe(true)
      const offers = await search(conditions)
      expect(steps.bench.calls().availability).toBe(1)
      expect(offers.length).toBeGreaterThan(5)
      expect(offers.every((offer) => meetsConditions(offer, conditions))).toBe(true)
      const now = steps.bench.clock.now()
      const share = await shareOfRight(offers, ({ total }, rooms) =>
        rooms.some((room) => room.price.total.minor === total.minor && meetsConditions(asOffer(room, now), conditions)),
      )
      expect(share).toBeGreaterThanOrEqual(RIGHT_MIN)
    },
  )

  test.each(CONDITIONS)(
    'with %j, rates that do not meet them are dropped if the vendor ignores its filters',
    async (conditions) => {
      steps.bench.settings.ignoredConditions = 1
      const offers = await search(conditions)
      expect(offers.length).toBeGreaterThan(0)
      expect(offers.every((offer) => meetsConditions(offer, conditions))).toBe(true)
    },
  )

  test('a refused condition is reported, and searches without conditions are answered', async () => {
    steps.bench.settings.refusedBoards = 1
    steps.bench.settings.refusedCategories = 1
    const refused = await steps.catchFailure(search({ boards: ['breakfast'] }))
    expect(refused).toMatchObject({ fault: 'condition_refused', effect: 'none' })
    expect((await search({})).length).toBeGreaterThan(5)
  })

  test('without conditions, the list price is that of the cheapest room, with the share of package rates as recorded', async () => {
    const offers = await search({})
    const share = await shareOfRight(
      offers,
      ({ total }, rooms) => Math.min(...rooms.map(({ price }) => price.total.minor)) === total.minor,
    )
    expect(share).toBeGreaterThanOrEqual(RIGHT_MIN)
  })
}

/** A room is free to cancel if no penalty is active. */
function asOffer({ board, cancel }: RoomOffer, now: number): Pick<Offer, 'board' | 'freeCancellation'> {
  const isFree = cancel?.penalties.every(({ from, amount }) => Date.parse(from) > now || amount.minor === 0) ?? false
  return { board, ...(isFree && { freeCancellation: {} }) }
}
