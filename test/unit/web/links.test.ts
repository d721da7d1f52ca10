import { expect, onTestFinished, test, vi } from 'vitest'
import { propertyLocationId } from '../../../src/domain/property/property-location.ts'
import { propertyLocationId as onThePage } from '../../../web/src/property/property-location.ts'
import { readLink, readStay, stayOf, writeStay } from '../../../web/src/search/stay-form.ts'

const PLACE = '6b7f1c52-3f0e-5c55-9a35-0c4b8a3f9d10'
const year = new Date().getUTCFullYear() + 1
const good = { to: PLACE, place: 'Lisbon', in: `${year}-03-15`, out: `${year}-03-18`, rooms: '2,1-7.4', cur: 'EUR' }
const faultsOf = (change: Record<string, string>) => readLink(new URLSearchParams({ ...good, ...change })).faults

test('a whole link is read back as it was written', () => {
  const stay = readStay(new URLSearchParams(good))
  expect(stay && Object.fromEntries(writeStay(stay))).toEqual(good)
})

test('a link that cannot be followed names each thing that is wrong with it', () => {
  expect(faultsOf({ to: 'nowhere' })).toEqual(['link_place'])
  expect(faultsOf({ in: `${year}-02-30` })).toEqual(['link_dates'])
  expect(faultsOf({ in: '' })).toEqual(['link_dates'])
  expect(faultsOf({ out: good.in })).toEqual(['dates_zero'])
  expect(faultsOf({ out: `${year}-05-18` })).toEqual(['dates_long'])
  expect(faultsOf({ in: '2020-03-15', out: '2020-03-18' })).toEqual(['dates_past'])
  expect(faultsOf({ in: `${year + 2}-03-15`, out: `${year + 2}-03-18` })).toEqual(['dates_far'])
  for (const rooms of ['0', '99', '2-18', '1,1,1,1,1,1,1,1,1', 'two'])
    expect(faultsOf({ rooms })).toEqual(['link_rooms'])
  expect(readLink(new URLSearchParams()).faults).toEqual(['link_place', 'link_dates'])
})

test('what can be read of a bad link is kept, and the rest is filled in', () => {
  const stay = stayOf(readLink(new URLSearchParams({ ...good, in: 'soon', cur: 'money' })))
  expect(stay).toMatchObject({ placeId: PLACE, rooms: [{ adults: 2 }, { adults: 1, children: [7, 4] }] })
  expect(stay.checkIn < stay.checkOut).toBe(true)
  expect(stay.currency).toMatch(/^[A-Z]{3}$/)
})

test('the page and the service agree on the id under which a property can be searched, also without TLS', () => {
  vi.stubGlobal('crypto', {})
  onTestFinished(() => void vi.unstubAllGlobals())
  // Of every length around the block of the hash, which the id and 16 bytes before it fill.
  const long = Array.from({ length: 130 }, (_, length) => 'prp_é'.repeat(30).slice(0, length))
  for (const id of ['prp_1', 'x', 'a-longer_id-with-Capitals', ...long])
    expect(onThePage(id), id).toBe(propertyLocationId(id))
})
