import { expect, test } from 'vitest'
import type { Offer } from '../../../src/domain/offer.ts'
import { summarizeProperty } from '../../../src/domain/property/property-summary.ts'
import { rankResults, scoreResult } from '../../../src/search/rank.ts'
import { aVendorProperty } from '../catalogue/a-vendor-property.ts'

test('the property that was searched for ranks first, even before a better one at the same point', () => {
  const anOffer = (minor: number): Offer => {
    const total = { minor, currency: 'EUR' }
    return { vendorId: 'alpha', vendorPropertyId: '1', total, publicTotal: total, board: 'room_only' }
  }
  const results = [
    { propertyId: 'better', distanceKm: 0, offers: [anOffer(5_000)] },
    { propertyId: 'searched', distanceKm: 0, offers: [anOffer(90_000)] },
  ].map((each) => {
    const result = { ...each, facts: summarizeProperty(each.propertyId, aVendorProperty({})) }
    return { ...result, score: scoreResult(result, 5, () => 10_000) }
  })
  const order = (first?: string) => rankResults(results, first).map(({ propertyId }) => propertyId)
  expect(order('searched')).toEqual(['searched', 'better'])
  expect(order()).toEqual(['better', 'searched'])
})
