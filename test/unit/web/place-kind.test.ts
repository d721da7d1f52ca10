import { expect, test } from 'vitest'
import { findPlaceKind, isNearPlace } from '../../../web/src/results/place-kind.ts'
import { readLink, writeStay } from '../../../web/src/search/stay-form.ts'

const LISBON = { placeId: '2267057e-0000-4000-8000-000000000000', area: undefined }
const AREA = { south: 38, west: -9.5, north: 38.9, east: -9 }

test('stays are in a city and near a landmark, which is known at the end of the search', () => {
  expect(findPlaceKind(LISBON, undefined)).toBeUndefined()
  expect(findPlaceKind(LISBON, { type: 'city' })).toBe('area')
  expect(findPlaceKind(LISBON, { type: 'landmark' })).toBe('point')
})

test('the heading says “near” only if the address does, so that it never changes', () => {
  expect([LISBON, { ...LISBON, isPoint: true }].map(isNearPlace)).toEqual([false, true])
  const stay = { ...LISBON, place: 'Lisbon', checkIn: '2027-03-01', checkOut: '2027-03-02', currency: 'EUR' }
  for (const isPoint of [false, true]) {
    const address = writeStay({ ...stay, rooms: [{ adults: 2, children: [] }], isPoint })
    expect(readLink(address).isPoint).toBe(isPoint)
  }
})

test('stays are near a property, and the stays of an area of the map are near its place', () => {
  expect(findPlaceKind({ ...LISBON, placeId: 'prp_0' }, undefined)).toBe('point')
  expect(findPlaceKind({ ...LISBON, area: AREA }, { type: 'city' })).toBe('point')
})
