import { expect, test } from 'vitest'
import { summarizeProperty } from '../../../src/domain/property/property-summary.ts'
import { rankProperties } from '../../../src/search/rank.ts'
import { sellAtNet } from '../../../src/search/sell-properties.ts'
import { aVendorProperty } from '../catalogue/a-vendor-property.ts'

test('the property that was searched for ranks first, even before a better one at the same point', () => {
  const offer = (minor: number) => ({
    vendorId: 'alpha',
    vendorPropertyId: '1',
    total: { minor, currency: 'EUR' },
    publicTotal: { minor, currency: 'EUR' },
    board: 'room_only' as const,
    converted: false,
    freeCancellation: false,
    freeCancellationUntil: undefined,
    roomsLeft: undefined,
  })
  const found = [
    { propertyId: 'better', distanceKm: 0, offers: [offer(5_000)] },
    { propertyId: 'searched', distanceKm: 0, offers: [offer(90_000)] },
  ]
  const facts = new Map(found.map(({ propertyId }) => [propertyId, summarizeProperty(propertyId, aVendorProperty({}))]))
  const order = (first?: string) =>
    rankProperties(found, facts, 5, () => 10_000, sellAtNet, first).map(({ propertyId }) => propertyId)
  expect(order('searched')).toEqual(['searched', 'better'])
  expect(order()).toEqual(['better', 'searched'])
})
