import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMerge } from '../../../src/search/merge-offers.ts'
import { rank } from '../../../src/search/rank.ts'
import { factsFor, RATES, type World, world } from './a-search.ts'

const merged = ({ candidates }: World, answers: World['answers']) => {
  const merge = createMerge(candidates, 'EUR', RATES)
  for (const { vendorId, offers } of answers) merge.add(vendorId, offers)
  return merge.all()
}
const byId = (properties: readonly { propertyId: string }[]) =>
  [...properties].sort((a, b) => (a.propertyId < b.propertyId ? -1 : 1))

describe('merging', () => {
  test('the order in which vendors answer does not matter', () => {
    const shuffled = world.chain((one) =>
      fc.record({
        one: fc.constant(one),
        order: fc.shuffledSubarray([...one.answers], { minLength: one.answers.length }),
      }),
    )
    fc.assert(
      fc.property(shuffled, ({ one, order }) => {
        expect(byId(merged(one, order))).toEqual(byId(merged(one, one.answers)))
      }),
    )
  })

  test('every offer of a known property is there once, cheapest first, in the asked currency', () => {
    fc.assert(
      fc.property(world, (one) => {
        const found = merged(one, one.answers)
        const offers = found.flatMap((property) => property.offers)
        expect(offers.map(({ vendorPropertyId }) => vendorPropertyId).sort()).toEqual(
          one.answers.flatMap((answer) => answer.offers.map(({ vendorPropertyId }) => vendorPropertyId)).sort(),
        )
        for (const property of found) {
          const totals = property.offers.map(({ total }) => total.minor)
          expect(totals).toEqual([...totals].sort((a, b) => a - b))
          for (const offer of property.offers) {
            expect([offer.total.currency, offer.publicTotal.currency]).toEqual(['EUR', 'EUR'])
            expect(offer.publicTotal.minor).toBeGreaterThanOrEqual(offer.total.minor)
          }
        }
      }),
    )
  })

  test('what changed is what is new or got cheaper, and nothing else', () => {
    fc.assert(
      fc.property(world, (one) => {
        const merge = createMerge(one.candidates, 'EUR', RATES)
        const best = new Map<string, number>()
        for (const { vendorId, offers } of one.answers) {
          for (const property of merge.add(vendorId, offers)) {
            const price = property.offers[0]?.total.minor ?? Number.NaN
            expect(price).toBeLessThanOrEqual(best.get(property.propertyId) ?? Number.POSITIVE_INFINITY)
            best.set(property.propertyId, price)
          }
        }
        const cheapest = merge.all().map(({ propertyId, offers }) => [propertyId, offers[0]?.total.minor])
        expect(Object.fromEntries(best)).toEqual(Object.fromEntries(cheapest))
      }),
    )
  })

  test('a property nobody asked for, a currency without a rate and a price of nothing are no offers', () => {
    const candidates = [
      {
        propertyId: 'p',
        point: { lat: 0, lon: 0 },
        distanceKm: 1,
        vendors: [{ vendorId: 'a', vendorPropertyId: '1' }],
      },
    ]
    const offer = (vendorPropertyId: string, minor: number, currency: string) => ({
      vendorPropertyId,
      total: { minor, currency },
      publicTotal: { minor, currency },
      board: 'room_only' as const,
      freeCancellation: false,
    })
    const merge = createMerge(candidates, 'EUR', RATES)
    merge.add('a', [offer('2', 100, 'EUR'), offer('1', 100, 'XAF'), offer('1', 0, 'EUR'), offer('1', 1, 'JPY')])
    merge.add('b', [offer('1', 100, 'EUR')])
    expect(merge.all()).toMatchObject([{ propertyId: 'p', offers: [{ total: { minor: 1, currency: 'EUR' } }] }])
  })

  test('a deadline comes with free cancellation alone', () => {
    fc.assert(
      fc.property(world, ({ candidates, answers }) => {
        const merge = createMerge(candidates, 'EUR', RATES)
        const given = new Map<string, string | undefined>()
        for (const { vendorId, offers } of answers) {
          merge.add(vendorId, offers)
          for (const one of offers)
            given.set(one.vendorPropertyId, one.freeCancellation ? one.freeCancellationUntil : undefined)
        }
        for (const { offers } of merge.all())
          for (const { vendorPropertyId, freeCancellationUntil } of offers)
            expect(freeCancellationUntil).toBe(given.get(vendorPropertyId))
      }),
    )
  })
})

test('a deadline in UTC is put into the property’s time; one with an offset is the vendor’s word', () => {
  const candidates = ['1', '2'].map((vendorPropertyId) => ({
    propertyId: `p${vendorPropertyId}`,
    point: { lat: 0, lon: 0 },
    distanceKm: 1,
    vendors: [{ vendorId: 'a', vendorPropertyId }],
  }))
  const offer = (vendorPropertyId: string, freeCancellationUntil: string) => ({
    vendorPropertyId,
    total: { minor: 100, currency: 'EUR' },
    publicTotal: { minor: 100, currency: 'EUR' },
    board: 'room_only' as const,
    freeCancellation: true,
    freeCancellationUntil,
  })
  const merge = createMerge(candidates, 'EUR', RATES, () => 'Europe/Helsinki')
  merge.add('a', [offer('1', '2027-03-10T14:00:00Z'), offer('2', '2027-03-10T16:00:00+01:00')])
  expect(merge.all().map(({ offers }) => offers[0]?.freeCancellationUntil)).toEqual([
    '2027-03-10T16:00:00+02:00',
    '2027-03-10T16:00:00+01:00',
  ])
})

describe('ranking', () => {
  const ranked = world.chain((one) => fc.record({ one: fc.constant(one), facts: factsFor(one.candidates) }))

  test('the order of what was found does not matter, and nobody is lost', () => {
    fc.assert(
      fc.property(
        ranked.chain((given) =>
          fc.record({
            given: fc.constant(given),
            order: fc.shuffledSubarray([...given.one.answers], { minLength: given.one.answers.length }),
          }),
        ),
        ({ given: { one, facts }, order }) => {
          const first = rank(merged(one, one.answers), facts, 10)
          expect(rank(merged(one, order), facts, 10)).toEqual(first)
          expect(first).toHaveLength(merged(one, one.answers).length)
        },
      ),
    )
  })

  test('best score first, scores between 0 and 1, ranking again changes nothing', () => {
    fc.assert(
      fc.property(ranked, ({ one, facts }) => {
        const first = rank(merged(one, one.answers), facts, 10)
        const scores = first.map(({ score }) => score)
        expect(scores).toEqual([...scores].sort((a, b) => b - a))
        for (const score of scores) {
          expect(score).toBeGreaterThanOrEqual(0)
          expect(score).toBeLessThanOrEqual(1)
        }
        expect(rank(first, facts, 10)).toEqual(first)
      }),
    )
  })

  test('cheaper, nearer, better rated: each of them alone never costs a place', () => {
    const property = (id: string, minor: number, distanceKm: number) => ({
      propertyId: id,
      distanceKm,
      offers: [
        {
          vendorId: 'a',
          vendorPropertyId: id,
          total: { minor, currency: 'EUR' },
          publicTotal: { minor, currency: 'EUR' },
          converted: false,
          board: 'room_only' as const,
          freeCancellation: false,
          freeCancellationUntil: undefined,
          roomsLeft: undefined,
        },
      ],
    })
    const facts = (guestRating: number) => ({
      json: Buffer.alloc(0),
      nameFolded: '',
      starRating: 3,
      guestRating,
      amenitySlugs: [],
    })
    const first = (properties: ReturnType<typeof property>[], marks: Record<string, number>) =>
      rank(properties, new Map(Object.entries(marks).map(([id, mark]) => [id, facts(mark)])), 10)[0]?.propertyId
    expect(first([property('z', 100_00, 1), property('a', 200_00, 1)], { z: 4, a: 4 })).toBe('z')
    expect(first([property('z', 100_00, 1), property('a', 100_00, 2)], { z: 4, a: 4 })).toBe('z')
    expect(first([property('z', 100_00, 1), property('a', 100_00, 1)], { z: 4.5, a: 4 })).toBe('z')
    expect(first([property('z', 100_00, 1), property('a', 100_00, 1)], { z: 4, a: 4 })).toBe('a')
  })
})
