import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Offer } from '../../../src/domain/offer.ts'
import { NO_RATINGS } from '../../../src/domain/property/property.ts'
import { summarizeProperty } from '../../../src/domain/property/property-summary.ts'
import { createUsualPrices, rankResults, scoreResult } from '../../../src/search/rank.ts'
import { aVendorProperty } from '../catalogue/a-vendor-property.ts'
import { createFacts, describeAll, mergeAll, RATES, startMerge, type World, world } from './arbitrary-searches.ts'

const STAY = { checkIn: '2027-03-10', checkOut: '2027-03-12', occupancies: [{ adults: 2, childrenAges: [] }] }
const USUAL = createUsualPrices(STAY, 'EUR', RATES)

const merged = (sample: World, answers: World['answers']) => mergeAll({ ...sample, answers }, { usual: USUAL })
const rank = (sample: World, answers: World['answers'], facts: ReturnType<typeof describeAll>) =>
  rankResults(mergeAll({ ...sample, answers }, { usual: USUAL, facts }))

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
        expect(merged(sample, order)).toEqual(merged(sample, sample.answers))
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

  test('add returns the id of each property that got an offer, once', () => {
    fc.assert(
      fc.property(world, (sample) => {
        const merge = startMerge(sample.candidates)
        const changed = new Set<string>()
        for (const { vendorId, offers } of sample.answers) {
          const ids = merge.add(vendorId, offers)
          expect(new Set(ids).size).toBe(ids.length)
          for (const id of ids) changed.add(id)
        }
        const found = merged(sample, sample.answers).map(({ propertyId }) => propertyId)
        expect([...changed].sort()).toEqual(found.sort())
      }),
    )
  })

  test('an unchanged property keeps the same list of offers, so that a stream detects changes by identity', () => {
    fc.assert(
      fc.property(world, (sample) => {
        const merge = startMerge(sample.candidates)
        for (const { vendorId, offers } of sample.answers) merge.add(vendorId, offers)
        const read = () =>
          merge.results(
            sample.candidates.map(({ propertyId }) => propertyId),
            describeAll(sample.candidates),
            5,
          )
        const again = read()
        for (const [index, { offers }] of read().entries()) expect(offers).toBe(again[index]?.offers)
      }),
    )
  })

  test('candidates that arrive in several parts lose no offers', () => {
    fc.assert(
      fc.property(world, fc.nat({ max: 12 }), (sample, cut) => {
        const merge = startMerge(sample.candidates.slice(0, cut), { usual: USUAL })
        merge.expect(sample.candidates)
        for (const { vendorId, offers } of sample.answers) merge.add(vendorId, offers)
        const ids = sample.candidates.map(({ propertyId }) => propertyId)
        expect(merge.results(ids, describeAll(sample.candidates), 10)).toEqual(merged(sample, sample.answers))
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
    const anOffer = (vendorId: string, vendorPropertyId: string, minor: number, currency: string): Offer => {
      const total = { minor, currency }
      return { vendorId, vendorPropertyId, total, publicTotal: total, board: 'room_only' }
    }
    const merge = startMerge(candidates)
    merge.add('a', [
      anOffer('a', '2', 100, 'EUR'),
      anOffer('a', '1', 100, 'XAF'),
      anOffer('a', '1', 0, 'EUR'),
      anOffer('a', '1', 1, 'JPY'),
    ])
    merge.add('b', [anOffer('b', '1', 100, 'EUR')])
    expect(merge.results(['p'], describeAll(candidates), 10)).toMatchObject([
      { propertyId: 'p', offers: [{ total: { minor: 1, currency: 'EUR' }, converted: true }] },
    ])
  })

  test('every member of an offer that is not an amount stays unchanged', () => {
    fc.assert(
      fc.property(world, (sample) => {
        const given = new Map(
          sample.answers.flatMap(({ offers }) => offers.map((each) => [each.vendorPropertyId, each])),
        )
        for (const { offers } of merged(sample, sample.answers))
          for (const { total: _t, publicTotal: _p, converted, ...offer } of offers) {
            const { total, publicTotal: _public, ...rest } = given.get(offer.vendorPropertyId) ?? expect.fail()
            expect(offer).toEqual(rest)
            expect(converted).toBe(total.currency === 'EUR' ? undefined : true)
          }
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
  const total = { minor: 100, currency: 'EUR' }
  const anOffer = (vendorPropertyId: string, until: string): Offer => {
    return {
      vendorId: 'a',
      vendorPropertyId,
      total,
      publicTotal: total,
      board: 'room_only',
      freeCancellation: { until },
    }
  }
  const merge = startMerge(candidates, { zone: 'Europe/Helsinki' })
  merge.add('a', [anOffer('1', '2027-03-10T14:00:00Z'), anOffer('2', '2027-03-10T16:00:00+01:00')])
  const results = merge.results(['p1', 'p2'], describeAll(candidates), 10)
  expect(results.map(({ offers }) => offers[0]?.freeCancellation?.until)).toEqual([
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
          const first = rank(sample, sample.answers, facts)
          expect(rank(sample, order, facts)).toEqual(first)
          expect(first).toHaveLength(merged(sample, sample.answers).length)
        },
      ),
    )
  })

  test('properties are sorted by score between 0 and 1, and ranking again changes nothing', () => {
    fc.assert(
      fc.property(ranked, ({ sample, facts }) => {
        const first = rank(sample, sample.answers, facts)
        const scores = first.map(({ score }) => score)
        expect(scores).toEqual([...scores].sort((a, b) => b - a))
        for (const score of scores) {
          expect(score).toBeGreaterThanOrEqual(0)
          expect(score).toBeLessThanOrEqual(1)
        }
        expect(rankResults(first)).toEqual(first)
      }),
    )
  })

  test('a lower price, a shorter distance or a better rating alone never lowers the rank', () => {
    const property = (propertyId: string, minor: number, distanceKm: number) => {
      const total = { minor, currency: 'EUR' }
      const offer: Offer = {
        vendorId: 'a',
        vendorPropertyId: propertyId,
        total,
        publicTotal: total,
        board: 'room_only',
      }
      return { propertyId, distanceKm, offers: [offer] }
    }
    const createSummary = (overall: number) =>
      summarizeProperty('prp_1', aVendorProperty({ guestRatings: { ...NO_RATINGS, overall } }))
    const first = (properties: ReturnType<typeof property>[], marks: Record<string, number>) => {
      const results = properties.map((each) => ({ ...each, facts: createSummary(marks[each.propertyId] ?? 0) }))
      return rankResults(results.map((each) => ({ ...each, score: scoreResult(each, 10, USUAL) })))[0]?.propertyId
    }
    expect(first([property('z', 100_00, 1), property('a', 200_00, 1)], { z: 4, a: 4 })).toBe('z')
    expect(first([property('z', 100_00, 1), property('a', 100_00, 2)], { z: 4, a: 4 })).toBe('z')
    expect(first([property('z', 100_00, 1), property('a', 100_00, 1)], { z: 4.5, a: 4 })).toBe('z')
    expect(first([property('z', 100_00, 1), property('a', 100_00, 1)], { z: 4, a: 4 })).toBe('a')
  })
})
