import { expect, test } from 'vitest'
import { DESTINATION_ID } from '../../../src/domain/property/property-location.ts'
import { readLink, readStay, toStayForm, writeStay } from '../../../web/src/search/stay-form.ts'

const PLACE = '6b7f1c52-3f0e-5c55-9a35-0c4b8a3f9d10'
const year = new Date().getUTCFullYear() + 1
const good = { to: PLACE, place: 'Lisbon', in: `${year}-03-15`, out: `${year}-03-18`, rooms: '2,1-7.4', cur: 'EUR' }
const readFaults = (change: Record<string, string>) => readLink(new URLSearchParams({ ...good, ...change })).faults

test('a complete link survives reading and writing', () => {
  const stay = readStay(new URLSearchParams(good))
  expect(stay && Object.fromEntries(writeStay(stay))).toEqual(good)
})

test('an invalid link reports each fault', () => {
  expect(readFaults({ to: 'nowhere' })).toEqual(['link_place'])
  expect(readFaults({ in: `${year}-02-30` })).toEqual(['link_dates'])
  expect(readFaults({ in: '' })).toEqual(['link_dates'])
  expect(readFaults({ out: good.in })).toEqual(['dates_zero'])
  expect(readFaults({ out: `${year}-05-18` })).toEqual(['dates_long'])
  expect(readFaults({ in: '2020-03-15', out: '2020-03-18' })).toEqual(['dates_past'])
  expect(readFaults({ in: `${year + 2}-03-15`, out: `${year + 2}-03-18` })).toEqual(['dates_far'])
  for (const rooms of ['0', '99', '2-18', '1,1,1,1,1,1,1,1,1', 'two'])
    expect(readFaults({ rooms })).toEqual(['link_rooms'])
  expect(readLink(new URLSearchParams()).faults).toEqual(['link_place', 'link_dates'])
})

test('the valid parts of an invalid link are kept, and the rest gets defaults', () => {
  const stay = toStayForm(readLink(new URLSearchParams({ ...good, in: 'soon', cur: 'money' })))
  expect(stay).toMatchObject({ placeId: PLACE, rooms: [{ adults: 2 }, { adults: 1, children: [7, 4] }] })
  expect(stay.checkIn < stay.checkOut).toBe(true)
  expect(stay.currency).toMatch(/^[A-Z]{3}$/)
})

test('a link can name a place or a property', () => {
  const { faults, placeId } = readLink(new URLSearchParams({ ...good, to: 'prp_0123456789abcdef' }))
  expect([faults, placeId]).toEqual([[], 'prp_0123456789abcdef'])
  expect(DESTINATION_ID.test(placeId), 'the service accepts the same').toBe(true)
  expect(DESTINATION_ID.test(PLACE)).toBe(true)
  expect(readFaults({ to: 'prp_' })).toEqual(['link_place'])
})
