import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toMajor } from '../../../src/domain/money/money.ts'
import type { Offer } from '../../../src/domain/offer.ts'
import type { VendorProperty } from '../../../src/domain/property/property.ts'
import { summarizeProperty } from '../../../src/domain/property/property-summary.ts'
import type { SearchResult } from '../../../src/domain/saved-search.ts'
import { changesJson, summariesJson } from '../../../src/search/present/summary.ts'
import { anImage, aVendorProperty } from '../catalogue/a-vendor-property.ts'
import { mergeAll, startMerge, type World, world } from './arbitrary-searches.ts'

/** Ranked properties with unusual texts in the static part, whose JSON is cached. */
const ranked = (sample: World, texts: readonly string[]): SearchResult[] =>
  mergeAll(sample, { currency: 'JPY' }).map((result, index) => ({
    ...result,
    facts: summarizeProperty(
      result.propertyId,
      aVendorProperty({ name: texts[index] ?? '', amenitySlugs: index % 2 === 0 ? [] : ['wifi', 'spa'] }),
    ),
  }))

test('the combined JSON parses to the properties, whatever their texts and ids contain', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('Hôtel « Été »', '東京', '🏨', '\u2028', '"},{'))
  fc.assert(
    fc.property(world, fc.array(text, { minLength: 12, maxLength: 12 }), fc.boolean(), (sample, texts, simulated) => {
      const properties = ranked(sample, texts)
      const list = JSON.parse(summariesJson(properties, simulated).toString())
      expect(list).toHaveLength(properties.length)
      for (const [index, { facts, offers, distanceKm }] of properties.entries()) {
        const [best] = offers
        expect(list[index]).toMatchObject({
          property_id: facts.propertyId,
          name: facts.name,
          amenities: facts.amenitySlugs,
          total_price: toMajor(best?.total ?? { minor: 0, currency: 'JPY' }),
          vendor_id: best?.vendorId,
          vendors_property_id: best?.vendorPropertyId,
          free_cancellation_until: best?.freeCancellation?.until ?? null,
          rooms_left: best?.roomsLeft ?? null,
          offers: offers.map(({ vendorId, vendorPropertyId, total }) => ({
            vendor_id: vendorId,
            vendors_property_id: vendorPropertyId,
            total_price: toMajor(total),
          })),
          simulated,
        })
        expect(list[index].distance_km).toBeCloseTo(distanceKm, 2)
      }
    }),
  )
})

test('the changes of a stream add up to the whole property, whatever the order of the answers', () => {
  fc.assert(
    fc.property(world, ({ candidates, answers }) => {
      const merge = startMerge(candidates)
      const facts = new Map(
        candidates.map(({ propertyId }) => [propertyId, summarizeProperty(propertyId, aVendorProperty())]),
      )
      const received = new Map<string, Record<string, unknown>>()
      const reported = new Map<string, SearchResult>()
      for (const { vendorId, offers } of answers) {
        const results = merge.results(merge.add(vendorId, offers), facts, 10)
        const changes = results.map((now) => ({ now, before: reported.get(now.propertyId) }))
        for (const sent of JSON.parse(changesJson(changes, false).toString()).availability) {
          const before = received.get(sent.property_id)
          expect('name' in sent).toBe(before === undefined)
          const { free_cancellation, ...merged } = { ...before, ...sent }
          received.set(sent.property_id, { ...merged, ...(free_cancellation && { free_cancellation }) })
        }
        for (const result of results) reported.set(result.propertyId, result)
      }
      const whole = JSON.parse(summariesJson([...reported.values()], false).toString())
      expect([...received.values()]).toEqual(whole)
    }),
  )
})

test('no properties give an empty list, with the text around it unchanged', () => {
  expect(summariesJson([], false).toString()).toBe('[]')
  expect(summariesJson([], false, '{"a":', ',"b":"é"}').toString()).toBe('{"a":[],"b":"é"}')
})

test('the static members are those of the contract, whatever the search found', () => {
  const images = Array.from({ length: 9 }, (_, n) => anImage(`i${n}`, n === 3))
  const content = aVendorProperty({ images, description: `<p>${'word '.repeat(400)}</p>` })
  const summary = presented(content)
  expect(Object.keys(summary)).toEqual(
    expect.arrayContaining(
      `amenities bye_line category chain description guest_ratings hero_images images location name popular_amenities
       property_id review_count star_rating total_price`.split(/\s+/),
    ),
  )
  expect(summary.images).toHaveLength(5)
  expect(summary.hero_images).toEqual({
    hi: 'https://img.example/i3-hi.jpg',
    lo: 'https://img.example/i3-lo.jpg',
    med: 'https://img.example/i3-med.jpg',
  })
  expect(summary.images[0].caption).toBe('i3')
  expect(summary.bye_line).toBe('Near the river')
})

test('image URLs are empty if a property has no image', () => {
  const summary = presented(aVendorProperty())
  expect(summary.hero_images).toEqual({ hi: '', lo: '', med: '' })
  expect(summary.images).toEqual([])
})

function presented(content: VendorProperty) {
  const total = { minor: 100, currency: 'EUR' }
  const offer: Offer = { vendorId: 'alpha', vendorPropertyId: '1', total, publicTotal: total, board: 'room_only' }
  const found = { propertyId: 'prp_1', distanceKm: 1, score: 1, offers: [offer] }
  return JSON.parse(summariesJson([{ ...found, facts: summarizeProperty('prp_1', content) }], false).toString())[0]
}
