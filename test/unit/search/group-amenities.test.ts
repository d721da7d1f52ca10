import { expect, test } from 'vitest'
import { groupAmenities } from '../../../src/search/present/group-amenities.ts'

test('amenities without a group of the vendor get one by their name, and the groups of a vendor stay', () => {
  expect(
    groupAmenities({ Other: ['Free WiFi', 'Outdoor pool', 'Secure parking', 'Bar', 'Flags'], Beds: ['King bed'] }),
  ).toEqual({
    Internet: ['Free WiFi'],
    'Pool and wellness': ['Outdoor pool'],
    'Parking and transport': ['Secure parking'],
    'Food and drink': ['Bar'],
    General: ['Flags'],
    Beds: ['King bed'],
  })
})
