import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NO_RATINGS } from '../../../src/domain/property/property.ts'
import { summarizeProperty } from '../../../src/domain/property/property-summary.ts'
import { createMerge } from '../../../src/search/merge-offers.ts'
import { createUsualPrices, rankProperties } from '../../../src/search/rank.ts'
import { aVendorProperty } from '../catalogue/a-vendor-property.ts'
import { createFacts, RATES, type World, world } from './arbitrary-searches.ts'

const STAY = { checkIn: '2027-03-10', checkOut: '2027-03-12', occupancies: [{ adults: 2, childrenAges: [] }] }
const USUAL = createUsualPrices(STAY, 'EUR', RATES)

const startMerge = (candidates: World['candidates'], zone = 'UTC') => {
  const merge = createMerge('EUR', RATES, () => zone)
  merge.expect(candidates)
  return merge
}
const merged = ({ candidates }: World, answers: World['answers']) => {
  const merge = startMerge(candidates)
  for (const { vendorId, offers } of answers) merge.add(vendorId, offers)
  return merge.foundAmong(candidates)
}
const byId = (properties: readonly { propertyId: string }[]) =>
  [...properties].sort((a, b) => (a.propertyId < b.propertyId ? -1 : 1))

describe('merging offers', () => {
  test('the order in which vendors respond does not matter', () => {
    const shuffled = world.chain((sample) =>
      fc.record({
        sample: fc.constant(sample),
        order: fc.shuffledSubarray([...sample.answers], { minLength: sample.answers.length }),
      }),
    )
    fc.assert(
      fc.property(shuffled, ({ sample, order }) => {
        expect(byId(merged(sample, order))).toEqual(byId(merged(sample, sample.answers)))
      }),
    )
  })

  test('every offer of a known property is included once, cheapest first, in the requested currency', () => {
    fc.assert(
      fc.property(world, (sample) => {
        const found = merged(sample, sample.answers)
        const offers = found.flatMap((property) => property.offers)
        expect(offers.map(({ vendorPropertyId }) => vendorPropertyId).sort()).toEqual(
          sample.answers.flatMap((answer) => answer.offers.map(({ vendorPropertyId }) => vendorPropertyId)).sort(),
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

  test('add returns each property that got an offer, once and in its new state', () => {
    fc.assert(
      fc.property(world, (sample) => {
        const merge = startMerge(sample.candidates)
        const last = new Map<string, unknown>()
        for (const { vendorId, offers } of sample.answers) {
          const changed = merge.add(vendorId, offers)
          expect(new Set(changed.map(({ propertyId }) => propertyId)).size).toBe(changed.length)
          for (const property of changed) last.set(property.propertyId, property)
        }
        expect(last).toEqual(
          new Map(merge.foundAmong(sample.candidates).map((property) => [property.propertyId, property])),
        )
      }),
    )
  })

  test('candidates that arrive in several parts lose no offers', () => {
    fc.assert(
      fc.property(world, fc.nat({ max: 12 }), (sample, cut) => {
        const merge = startMerge(sample.candidates.slice(0, cut))
        merge.expect(sample.candidates)
        for (const { vendorId, offers } of sample.answers) merge.add(vendorId, offers)
        expect(merge.foundAmong(sample.candidates)).toEqual(merged(sample, sample.answers))
      }),
    )
  })

  test('properties not requested, currencies without a rate and prices of zero are dropped', () => {
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
    const merge = startMerge(candidates)
    merge.add('a', [offer('2', 100, 'EUR'), offer('1', 100, 'XAF'), offer('1', 0, 'EUR'), offer('1', 1, 'JPY')])
    merge.add('b', [offer('1', 100, 'EUR')])
    expect(merge.foundAmong(candidates)).toMatchObject([
      { propertyId: 'p', offers: [{ total: { minor: 1, currency: 'EUR' } }] },
    ])
  })

  test('only an offer with free cancellation has a deadline', () => {
    fc.assert(
      fc.property(world, ({ candidates, answers }) => {
        const merge = startMerge(candidates)
        const given = new Map<string, string | undefined>()
        for (const { vendorId, offers } of answers) {
          merge.add(vendorId, offers)
          for (const sample of offers)
            given.set(sample.vendorPropertyId, sample.freeCancellation ? sample.freeCancellationUntil : undefined)
        }
        for (const { offers } of merge.foundAmong(candidates))
          for (const { vendorPropertyId, freeCancellationUntil } of offers)
            expect(freeCancellationUntil).toBe(given.get(vendorPropertyId))
      }),
    )
  })
})

test('a deadline in UTC is converted to the property’s time zone, and one with an offset is kept', () => {
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
  const merge = startMerge(candidates, 'Europe/Helsinki')
  merge.add('a', [offer('1', '2027-03-10T14:00:00Z'), offer('2', '2027-03-10T16:00:00+01:00')])
  expect(merge.foundAmong(candidates).map(({ offers }) => offers[0]?.freeCancellationUntil)).toEqual([
    '2027-03-10T16:00:00+02:00',
    '2027-03-10T16:00:00+01:00',
  ])
})

describe('ranking', () => {
  const ranked = world.chain((sample) =>
    fc.record({ sample: fc.constant(sample), facts: createFacts(sample.candidates) }),
  )

  test('the ranking does not depend on the order of responses and loses no property', () => {
    fc.assert(
      fc.property(
        ranked.chain((given) =>
          fc.record({
            given: fc.constant(given),
            order: fc.shuffledSubarray([...given.sample.answers], { minLength: given.sample.answers.length }),
          }),
        ),
        ({ given: { sample, facts }, order }) => {
          const first = rankProperties(merged(sample, sample.answers), facts, 10, USUAL)
          expect(rankProperties(merged(sample, order), facts, 10, USUAL)).toEqual(first)
          expect(first).toHaveLength(merged(sample, sample.answers).length)
        },
      ),
    )
  })

  test('properties are sorted by score between 0 and 1, and ranking again changes nothing', () => {
    fc.assert(
      fc.property(ranked, ({ sample, facts }) => {
        const first = rankProperties(merged(sample, sample.answers), facts, 10, USUAL)
        const scores = first.map(({ score }) => score)
        expect(scores).toEqual([...scores].sort((a, b) => b - a))
        for (const score of scores) {
          expect(score).toBeGreaterThanOrEqual(0)
          expect(score).toBeLessThanOrEqual(1)
        }
        expect(rankProperties(first, facts, 10, USUAL)).toEqual(first)
      }),
    )
  })

  test('a lower price, a shorter distance or a better rating alone never lowers the rank', () => {
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
    const facts = (overall: number) =>
      summarizeProperty('prp_1', aVendorProperty({ guestRatings: { ...NO_RATINGS, overall } }))
    const first = (properties: ReturnType<typeof property>[], marks: Record<string, number>) =>
      rankProperties(properties, new Map(Object.entries(marks).map(([id, mark]) => [id, facts(mark)])), 10, USUAL)[0]
        ?.propertyId
    expect(first([property('z', 100_00, 1), property('a', 200_00, 1)], { z: 4, a: 4 })).toBe('z')
    expect(first([property('z', 100_00, 1), property('a', 100_00, 2)], { z: 4, a: 4 })).toBe('z')
    expect(first([property('z', 100_00, 1), property('a', 100_00, 1)], { z: 4.5, a: 4 })).toBe('z')
    expect(first([property('z', 100_00, 1), property('a', 100_00, 1)], { z: 4, a: 4 })).toBe('a')
  })
})
