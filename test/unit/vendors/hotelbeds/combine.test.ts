import fc from 'fast-check'
import { expect, test } from 'vitest'
import { groupParties, matchParty } from '../../../../src/vendors/hotelbeds/parties.ts'
import { context, scripted } from './scripted.ts'

const NOW = '2027-01-01T00:00:00Z'
const LATER = '2027-06-10T23:59:00+02:00'
const PAST = '2026-12-31T23:59:00+01:00'
const market = { currency: 'EUR', language: 'en', countryCode: 'ES' }
const stay = {
  checkIn: '2027-06-15',
  checkOut: '2027-06-16',
  occupancies: [
    { adults: 2, childrenAges: [] },
    { adults: 1, childrenAges: [3] },
  ],
}

type Sketch = {
  room: string
  party: 0 | 1
  net: string
  board?: string
  from?: string
  freeFrom?: string
  recheck?: boolean
}

function buildHotel(sketches: readonly Sketch[]) {
  const rates = sketches.map(({ room, party, net, board = 'BB', from = LATER, freeFrom, recheck = false }, index) => ({
    room,
    rateKey: `${room}|${board}|${party}|${index}`,
    rateClass: 'NOR',
    rateType: recheck ? 'RECHECK' : 'BOOKABLE',
    net,
    allotment: 3 + index,
    boardCode: board,
    cancellationPolicies: [
      { amount: net, from },
      ...(freeFrom === undefined ? [] : [{ amount: '0.00', from: freeFrom }]),
    ],
    rooms: 1,
    ...(party === 0 ? { adults: 2, children: 0 } : { adults: 1, children: 1, childrenAges: '3' }),
  }))
  const rooms = [...new Set(sketches.map(({ room }) => room))].map((code) => ({
    code,
    name: code,
    rates: rates.filter((rate) => rate.room === code),
  }))
  return { hotels: { total: 1, hotels: [{ code: 7, currency: 'EUR', rooms }] } }
}

async function requestOffers(sketches: readonly Sketch[]) {
  const body = buildHotel(sketches)
  const { vendor } = scripted([{ body }, { body }], NOW)
  const { offers } = await vendor.availability({ vendorPropertyIds: ['7'], stay, market }, context)
  const rooms = await vendor.rooms({ vendorPropertyId: '7', stay, market, timezone: 'Europe/Madrid' }, context)
  return { offer: offers[0], rooms }
}

test('a stay of two parties costs the sum of one rate for each in the same room type', async () => {
  const { offer, rooms } = await requestOffers([
    { room: 'DBL', party: 0, net: '100.00' },
    { room: 'DBL', party: 1, net: '80.00' },
    { room: 'SUI', party: 0, net: '200.00' },
    { room: 'SUI', party: 1, net: '150.00' },
  ])
  expect(offer).toMatchObject({ total: { minor: 18000 }, roomsLeft: 3 })
  expect(rooms.map((room) => [room.roomId, room.price.total.minor])).toEqual([
    ['DBL', 18000],
    ['SUI', 35000],
  ])
  expect(rooms[0]?.ref).toMatchObject({ parties: ['1x2-', '1x1-3'], rateKeys: ['DBL|BB|0|0', 'DBL|BB|1|1'] })
})

test('room types are mixed if no single type is as cheap', async () => {
  const { offer, rooms } = await requestOffers([
    { room: 'DBL', party: 0, net: '100.00' },
    { room: 'SGL', party: 1, net: '50.00' },
    { room: 'DBL', party: 1, net: '80.00' },
  ])
  expect(offer?.total.minor).toBe(15000)
  expect(rooms.map((room) => room.name)).toEqual(['Dbl + Sgl', 'Dbl'])
})

test('boards are never mixed', async () => {
  const { offer, rooms } = await requestOffers([
    { room: 'DBL', party: 0, net: '100.00', board: 'RO' },
    { room: 'DBL', party: 1, net: '80.00', board: 'BB' },
  ])
  expect(offer).toBeUndefined()
  expect(rooms).toEqual([])
})

test('free cancellation of a whole stay ends with the first penalty of any of its rooms', async () => {
  const sooner = '2027-06-09T23:59:00+02:00'
  const { offer, rooms } = await requestOffers([
    { room: 'DBL', party: 0, net: '100.00' },
    { room: 'DBL', party: 1, net: '80.00', from: sooner },
  ])
  expect(offer).toMatchObject({ freeCancellation: { until: sooner } })
  expect(rooms[0]?.cancel?.penalties[0]?.from).toBe(sooner)
  const bound = await requestOffers([
    { room: 'DBL', party: 0, net: '100.00' },
    { room: 'DBL', party: 1, net: '80.00', from: PAST },
  ])
  expect(bound.offer).not.toHaveProperty('freeCancellation')
})

test('a step that costs nothing does not end free cancellation', async () => {
  const { offer } = await requestOffers([
    { room: 'DBL', party: 0, net: '100.00', freeFrom: '2027-05-01T00:00:00+02:00' },
    { room: 'DBL', party: 1, net: '80.00' },
  ])
  expect(offer?.freeCancellation?.until).toBe(LATER)
})

test('free and non-refundable rates are combined only if neither alone is complete', async () => {
  const separate = await requestOffers([
    { room: 'DBL', party: 0, net: '100.00' },
    { room: 'DBL', party: 0, net: '90.00', from: PAST },
    { room: 'DBL', party: 1, net: '80.00' },
    { room: 'DBL', party: 1, net: '70.00', from: PAST },
  ])
  expect(separate.rooms.map((room) => [room.price.total.minor, room.cancel?.refundable])).toEqual([
    [16000, false],
    [18000, true],
  ])
  const together = await requestOffers([
    { room: 'DBL', party: 0, net: '100.00' },
    { room: 'DBL', party: 1, net: '70.00', from: PAST },
  ])
  expect(together.rooms).toHaveLength(1)
  expect(together.offer).not.toHaveProperty('freeCancellation')
  expect(together.rooms[0]?.cancel).toEqual({
    refundable: true,
    penalties: [
      { from: PAST, until: LATER, amount: { minor: 7000, currency: 'EUR' } },
      { from: LATER, amount: { minor: 17000, currency: 'EUR' } },
    ],
  })
})

test('a stay has no offer if a party has no rate', async () => {
  const { offer, rooms } = await requestOffers([{ room: 'DBL', party: 0, net: '100.00' }])
  expect([offer, rooms]).toEqual([undefined, []])
})

test('the list price is always that of the cheapest room', async () => {
  const sketch = fc.record({
    room: fc.constantFrom('DBL', 'SGL', 'SUI'),
    party: fc.constantFrom<0 | 1>(0, 1),
    net: fc.integer({ min: 1, max: 9999 }).map((minor) => (minor / 100).toFixed(2)),
    board: fc.constantFrom('RO', 'BB'),
    from: fc.constantFrom(LATER, PAST),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(sketch, { maxLength: 12 }), async (sketches) => {
      const { offer, rooms } = await requestOffers(sketches)
      expect(offer?.total).toEqual(rooms[0]?.price.total)
      for (const { price } of rooms) expect(price.base.minor + price.taxesFees.minor).toBe(price.total.minor)
    }),
    { numRuns: 200 },
  )
})

test('a rate without ages is matched only if one party is possible', () => {
  const parties = groupParties({
    occupancies: [
      { adults: 2, childrenAges: [3] },
      { adults: 2, childrenAges: [9] },
    ],
  })
  expect(matchParty(parties, 1, 2, 1, '9')).toBe(1)
  expect(matchParty(parties, 1, 2, 1, undefined)).toBe(-1)
  expect(matchParty(parties.slice(0, 1), 1, 2, 1, undefined)).toBe(0)
})
