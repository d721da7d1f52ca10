import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toMajor } from '../../../src/domain/money.ts'
import { createMerge } from '../../../src/search/merge-offers.ts'
import type { RankedProperty } from '../../../src/search/rank.ts'
import { summariesJson, summaryJson } from '../../../src/search/summary-json.ts'
import { RATES, type World, world } from './a-search.ts'

/** Texts of all kinds in the static part, which is written elsewhere and copied here as bytes. */
function ranked({ candidates, answers }: World, texts: readonly string[]): RankedProperty[] {
  const merge = createMerge(candidates, 'JPY', RATES)
  for (const { vendorId, offers } of answers) merge.add(vendorId, offers)
  return merge.all().map((property, at) => ({
    ...property,
    score: 0.5,
    facts: {
      json: Buffer.from(JSON.stringify({ name: texts[at] ?? '', amenities: ['wifi'] }).slice(1, -1)),
      nameFolded: '',
      starRating: 3,
      guestRating: 4,
      amenitySlugs: at % 2 === 0 ? [] : ['wifi', 'spa'],
    },
  }))
}

test('bytes copied together are the JSON of what was found, whatever is in the texts and ids', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('Hôtel « Été »', '東京', '🏨', '\u2028', '"},{'))
  fc.assert(
    fc.property(world, fc.array(text, { minLength: 12, maxLength: 12 }), fc.boolean(), (one, texts, simulated) => {
      const properties = ranked(one, texts)
      const list = JSON.parse(summariesJson(properties, simulated).toString('utf8'))
      expect(list).toHaveLength(properties.length)
      for (const [at, { facts, offers, distanceKm }] of properties.entries()) {
        const [best] = offers
        expect(list[at]).toMatchObject({
          ...JSON.parse(`{${facts.json.toString('utf8')}}`),
          total_price: toMajor(best?.total ?? { minor: 0, currency: 'JPY' }),
          vendor_id: best?.vendorId,
          vendors_property_id: best?.vendorPropertyId,
          free_cancellation: best?.freeCancellation,
          free_cancellation_until: best?.freeCancellationUntil ?? null,
          rooms_left: best?.roomsLeft ?? null,
          offers: offers.map(({ vendorId, vendorPropertyId, total }) => ({
            vendor_id: vendorId,
            vendors_property_id: vendorPropertyId,
            total_price: toMajor(total),
          })),
          simulated,
        })
        expect(list[at].distance_km).toBeCloseTo(distanceKm, 2)
      }
    }),
  )
})

test('nothing found is an empty list; one alone is the same as in a list', () => {
  expect(summariesJson([], false).toString()).toBe('[]')
  fc.assert(
    fc.property(world, (one) => {
      for (const property of ranked(one, []))
        expect(`[${summaryJson(property, true)}]`).toBe(summariesJson([property], true).toString('utf8'))
    }),
  )
})
