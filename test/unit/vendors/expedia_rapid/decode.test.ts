import { describe, expect, test } from 'vitest'
import type { Stay } from '../../../../src/domain/stay.ts'
import {
  decodeAvailability,
  decodePriceCheck,
  decodeRooms,
  propertiesOf,
} from '../../../../src/vendors/expedia_rapid/decode.ts'
import { NOW, ORIGIN, sample } from './samples.ts'

const market = { currency: 'USD', language: 'en-US', countryCode: 'US' }
const stayOf = (...parties: [adults: number, ...ages: number[]][]): Stay => ({
  checkIn: '2018-03-01',
  checkOut: '2018-03-03',
  occupancies: parties.map(([adults, ...childrenAges]) => ({ adults, childrenAges })),
})
const usd = (minor: number) => ({ minor, currency: 'USD' })
const timezone = 'America/Los_Angeles'

type Json = Record<string, never>
/** The one rate of the availability sample, changed. */
function availability(change: (rate: Record<string, unknown>, pricing: Record<string, Record<string, never>>) => void) {
  const body = structuredClone(sample('getAvailability.200.availability')) as Json[]
  const rate = (body[0] as unknown as { rooms: { rates: Record<string, unknown>[] }[] }).rooms[0]?.rates[0]
  if (rate === undefined) throw new Error('the sample has a rate')
  change(rate, (rate.occupancy_pricing as Record<string, Record<string, Record<string, never>>>)['2'] ?? {})
  return body
}
const search = (body: unknown, stay = stayOf([2]), currency = 'USD') =>
  decodeAvailability(
    propertiesOf({ body }),
    { vendorPropertyIds: ['19248'], stay, market: { ...market, currency } },
    NOW,
  )
const rooms = (body: unknown, stay = stayOf([2]), now = NOW) =>
  decodeRooms(propertiesOf({ body }), { vendorPropertyId: '19248', stay, market, timezone }, ORIGIN, now)

describe('availability', () => {
  test('an occupancy asked twice counts twice, though Rapid prices it once', () => {
    expect(search(sample('getAvailability.200.availability'), stayOf([2], [1, 7, 10], [2]))).toEqual({
      dropped: 0,
      offers: [
        {
          vendorPropertyId: '19248',
          total: usd(53900 + 53900 + 53900),
          publicTotal: usd(56500 + (49000 + 53900 - 47500) + 56500),
          board: 'room_only',
          freeCancellation: true,
          freeCancellationUntil: '2018-02-12T11:59:00-08:00',
          roomsLeft: 12,
        },
      ],
    })
  })

  test('the billable currency is read when it is the one asked for', () => {
    expect(search(sample('getAvailability.200.availability'), stayOf([2]), 'CAD').offers[0]?.total).toEqual({
      minor: 71700,
      currency: 'CAD',
    })
  })

  test('no availability is an empty answer', () => {
    expect(search(sample('getAvailability.200.no-availability'))).toEqual({ offers: [], dropped: 0 })
  })

  test('children in another order are the same party', () => {
    expect(search(sample('getAvailability.200.availability'), stayOf([1, 10, 7])).offers).toHaveLength(1)
  })

  test.each<[string, (rate: Record<string, unknown>, pricing: Record<string, unknown>) => void]>([
    ['without a price', (rate) => delete rate.occupancy_pricing],
    ['for another party', (rate) => Object.assign(rate, { occupancy_pricing: { '1': {} } })],
    ['at no price', (_, pricing) => Object.assign(pricing, { totals: totals('0.00') })],
    ['at a negative price', (_, pricing) => Object.assign(pricing, { totals: totals('-5.00') })],
    ['in a currency nobody asked for', (_, pricing) => Object.assign(pricing, { totals: totals('10', 'EUR') })],
    ['with a price that is no number', (_, pricing) => Object.assign(pricing, { totals: totals('ten') })],
    [
      'with a penalty on a day that does not exist',
      (rate) => Object.assign(rate, { cancel_penalties: [{ start: '2027-02-30T00:00:00Z', percent: '100%' }] }),
    ],
    ['with pricing of another type', (rate) => Object.assign(rate, { occupancy_pricing: [1, 2] })],
  ])('a rate %s is dropped and counted', (_, change) => {
    expect(search(availability(change as never))).toEqual({ offers: [], dropped: 1 })
  })

  test('one bad property leaves its neighbours alone', () => {
    const good = (sample('getAvailability.200.availability') as unknown[])[0]
    expect(search([null, 7, { property_id: '1' }, { property_id: '19248', rooms: 'none' }]).dropped).toBe(4)
    expect(search([null, { property_id: { deep: [] } }, good])).toMatchObject({ dropped: 2, offers: [{}] })
  })

  test('a property nobody asked for, or named twice, is not believed', () => {
    const [good] = sample('getAvailability.200.availability') as [{ property_id: string }]
    const answer = search([good, good, { ...good, property_id: '666' }])
    expect([answer.offers.length, answer.dropped]).toEqual([1, 2])
  })

  test('a property that is not available is passed over without a count', () => {
    expect(search([{ property_id: '19248', status: 'partially_unavailable', score: 1 }])).toEqual({
      offers: [],
      dropped: 0,
    })
  })

  test.each([undefined, null, {}, 'text', 3])('anything but a list is malformed: %j', (body) => {
    expect(() => search(body)).toThrow(expect.objectContaining({ fault: 'malformed', effect: 'none' }))
  })

  test('refundable is not free once a penalty runs, or a night is lost', () => {
    const free = (change: (rate: Record<string, unknown>) => void) =>
      search(availability(change)).offers[0]?.freeCancellation
    expect(free((rate) => Object.assign(rate, { refundable: false }))).toBe(false)
    expect(free((rate) => Object.assign(rate, { cancel_penalties: [{ start: '2018-01-01T00:00:00Z' }] }))).toBe(false)
    expect(
      free((rate) => Object.assign(rate, { nonrefundable_date_ranges: [{ start: '2018-03-02', end: '2018-03-09' }] })),
    ).toBe(false)
    expect(free(() => {})).toBe(true)
  })

  test('free cancellation ends where the first penalty begins, in the vendor’s own words', () => {
    const until = (starts: readonly string[], more: object = {}) => {
      const cancel_penalties = starts.map((start) => ({ start, percent: '100%' }))
      const change = (rate: Record<string, unknown>) => Object.assign(rate, { cancel_penalties, ...more })
      const found = search(availability(change)).offers[0]?.freeCancellationUntil
      const terms = rooms(availability(change))[0]?.cancel
      return { found, first: terms?.penalties[0]?.from }
    }
    const first = '2018-02-20T00:00:00-08:00'
    expect(until(['2018-02-20T09:00:00.000Z', '2018-02-20T00:00:00.000-08:00'])).toEqual({ found: first, first })
    expect(until([first], { refundable: false }).found).toBeUndefined()
    expect(until([first, '2018-01-01T00:00:00Z']).found).toBeUndefined()
    // Whose clock that is, the list does not know.
    expect(until(['2018-02-20T00:00:00']).found).toBeUndefined()
    expect(until([]).found).toBeUndefined()
  })

  test('500 properties are decoded in a fraction of the time it takes to parse them', () => {
    const [property] = sample('getAvailability.200.availability') as object[]
    const ids = Array.from({ length: 500 }, (_, i) => String(1000 + i))
    const text = JSON.stringify(ids.map((property_id) => ({ ...property, property_id })))
    const times = Array.from({ length: 30 }, () => {
      const start = performance.now()
      const body = JSON.parse(text)
      const parsed = performance.now()
      decodeAvailability(propertiesOf({ body }), { vendorPropertyIds: ids, stay: stayOf([2]), market }, NOW)
      return { parse: parsed - start, decode: performance.now() - parsed }
    })
    const best = (of: (time: { parse: number; decode: number }) => number) => Math.min(...times.map(of))
    expect(best((time) => time.decode)).toBeLessThan(Math.max(3, 0.3 * best((time) => time.parse)))
  })
})

const totals = (value: string, currency = 'USD') => ({
  inclusive: { billable_currency: { value, currency }, request_currency: { value, currency } },
})

describe('rooms', () => {
  test('each bed group is one offer, with its own link and its visible bed', () => {
    const body = availability((rate) => {
      const [group] = Object.values(rate.bed_groups as Record<string, object>)
      Object.assign(rate, {
        bed_groups: { '1': { ...group, id: '1' }, '2': { ...group, id: 2, description: '2 Twin Beds' }, bad: {} },
      })
    })
    expect(rooms(body).map(({ visible, beds }) => [visible.bed_id, beds])).toEqual([
      ['1', ['1 Queen Bed']],
      ['2', ['2 Twin Beds']],
    ])
  })

  test('what the property collects is told apart from what is billed', () => {
    const [offer] = rooms(sample('getAvailability.200.availability'))
    expect(offer?.price).toEqual({
      total: usd(53900),
      base: usd(47500),
      taxesFees: usd(6400),
      fees: [
        { label: 'Taxes and fees', amount: usd(5500), paidAt: 'booking' },
        { label: 'Mandatory fee', amount: usd(300), paidAt: 'property' },
        { label: 'Resort fee', amount: usd(300), paidAt: 'property' },
        { label: 'Mandatory tax', amount: usd(300), paidAt: 'property' },
      ],
      dueAtProperty: usd(900),
      publicTotal: usd(56500),
    })
    expect(offer).toMatchObject({ roomId: '123abc', name: 'Fancy Queen Room', extras: ['Free Wireless Internet'] })
  })

  test('where the property is the merchant, everything is due there', () => {
    const [offer] = rooms(availability((rate) => Object.assign(rate, { merchant_of_record: 'property' })))
    expect(offer?.price.dueAtProperty).toEqual(usd(53900))
  })

  test('without an all-in total, fees are added; an unreadable fee is never left out silently', () => {
    const strip = (fees: unknown) =>
      availability((_, pricing) => {
        const { inclusive, exclusive } = pricing.totals as unknown as Record<string, object>
        Object.assign(pricing, { totals: { inclusive, exclusive }, fees })
      })
    const fee = (currency: string) => ({ resort_fee: { request_currency: { value: 12, currency } } })
    expect(rooms(strip(undefined))[0]?.price.total).toEqual(usd(53000))
    expect(rooms(strip(fee('USD')))[0]?.price.total).toEqual(usd(54200))
    expect(rooms(strip(fee('EUR')))).toEqual([])
  })

  test('a struck-through price below the real one is not shown', () => {
    const body = availability((_, pricing) => {
      Object.assign(pricing.totals ?? {}, { property_inclusive_strikethrough: totals('12.00').inclusive })
    })
    expect(rooms(body)[0]?.price.publicTotal).toEqual(usd(53900))
  })

  test.each([2147483647, 0, -1, 'three'])('%j left means: nobody counted', (available_rooms) => {
    expect(rooms(availability((rate) => Object.assign(rate, { available_rooms })))[0]).not.toHaveProperty('roomsLeft')
  })

  test('names are text, whatever they carry', () => {
    const body = sample('getAvailability.200.availability') as [{ rooms: { room_name: string }[] }]
    Object.assign(body[0].rooms[0] ?? {}, { room_name: 'Suite<script>alert(1)</script>' })
    expect(rooms(body)[0]?.name).toBe('Suite')
  })

  test.each([
    'https://evil.example/v3/x',
    '//evil.example/v3/x',
    '/v3/../admin',
    '/v2/x',
    'javascript:alert(1)',
    7,
    undefined,
  ])('a price-check link that leads elsewhere is no offer: %s', (href) => {
    const body = availability((rate) =>
      Object.assign(rate, { bed_groups: { '1': { id: '1', links: { price_check: { href } } } } }),
    )
    expect(rooms(body)).toEqual([])
  })

  test.each<[string, object, string]>([
    ['breakfast by id', { '2104': { id: 2104, name: 'Petit-déj' } }, 'breakfast'],
    ['breakfast by name', { '1': { id: '1', name: 'Continental Breakfast' } }, 'breakfast'],
    ['the larger meal', { a: { name: 'Free breakfast' }, b: { name: 'Half board' } }, 'half_board'],
    ['all inclusive', { a: { name: 'All-Inclusive' } }, 'all_inclusive'],
    ['by category', { a: { name: 'x', categories: ['full_board'] } }, 'full_board'],
    ['nothing', { toString: { name: 'WiFi' } }, 'room_only'],
  ])('board: %s', (_, amenities, board) => {
    expect(rooms(availability((rate) => Object.assign(rate, { amenities })))[0]?.board).toBe(board)
  })
})

describe('cancellation', () => {
  const terms = (change: object, stay = stayOf([2]), now = NOW) =>
    rooms(
      availability((rate) => Object.assign(rate, { nonrefundable_date_ranges: [] }, change)),
      stay,
      now,
    )[0]?.cancel
  const from = '2018-02-20T00:00:00-08:00'
  const until = '2018-03-01T15:00:00-08:00'
  const [start, end] = ['2018-02-20T00:00:00.000-08:00', '2018-03-01T15:00-08:00']
  const window = (size: object) => ({ cancel_penalties: [{ currency: 'USD', start, end, ...size }] })

  test.each<[string, object, number]>([
    ['an amount of one room', { amount: '10.00' }, 2000],
    ['an amount as a number', { amount: 10 }, 2000],
    ['an amount in the billable currency, at the rate of this very price', { amount: '70.20', currency: 'CAD' }, 10600],
    ['an amount in a third currency costs everything', { amount: '10', currency: 'EUR' }, 106000],
    ['a share', { percent: '30%' }, 31800],
    ['one night of two', { nights: 1 }, 53000],
    ['more nights than there are', { nights: '9' }, 106000],
    ['more than everything is everything', { amount: '99999.00' }, 106000],
    ['nothing readable is everything', { percent: 'a lot' }, 106000],
  ])('%s', (_, size, minor) => {
    expect(terms(window(size), stayOf([2], [2]))).toEqual({
      penalties: [{ from, until, amount: usd(minor) }],
      refundable: true,
    })
  })

  test('refundable without penalties is free until check-in', () => {
    expect(terms({ cancel_penalties: [] })).toEqual({ penalties: [], refundable: true })
  })

  test('not refundable without penalties loses what is billed, from now', () => {
    expect(terms({ cancel_penalties: [], refundable: false })).toEqual({
      penalties: [{ from: '2018-01-31T16:00:00-08:00', amount: usd(53000) }],
      refundable: false,
    })
  })

  test('silence is not "free"', () => {
    expect(terms({ cancel_penalties: undefined, refundable: undefined })).toBeUndefined()
  })

  test('nights that are never refunded cost their price from the first minute', () => {
    expect(
      terms({ ...window({ amount: '1.00' }), nonrefundable_date_ranges: [{ start: '2018-03-02', end: '2018-03-05' }] }),
    ).toEqual({
      penalties: [
        { from: '2018-01-31T16:00:00-08:00', until: from, amount: usd(26500) },
        { from, until, amount: usd(26500) },
      ],
      refundable: true,
    })
  })

  test('a window without an offset is in the time of the property', () => {
    expect(terms({ cancel_penalties: [{ start: '2018-02-20T00:00:00', percent: '100%' }] })?.penalties[0]?.from).toBe(
      '2018-02-20T00:00:00-08:00',
    )
  })
})

describe('price check', () => {
  const ref = { ...rooms(sample('getAvailability.200.availability'))[0]?.ref }
  const check = (body: unknown) => decodePriceCheck(body, ref, ORIGIN, NOW)

  test.each([
    ['priceCheck.200.available-example', 26400],
    ['priceCheck.200.available-example-with-trader-information', 26400],
    ['priceCheck.200.price-changed-example', 22500],
    ['x.priceCheck.200.price-changed-corrected', 28060],
  ])('%s', (name, minor) => {
    expect(check(sample(name))).toMatchObject({
      status: 'available',
      price: { total: usd(minor) },
      ref: { book: expect.stringMatching(/^\/v3\/itineraries\?token=/) },
    })
  })

  test('the terms of the shop answer are applied to the new price', () => {
    expect(check(sample('priceCheck.200.available-example'))).toMatchObject({
      cancel: { penalties: [{ amount: usd(1000) }], refundable: true },
    })
  })

  test('sold out is an answer', () => {
    expect(check({ status: 'sold_out', links: { shop: {} } })).toEqual({ status: 'sold_out' })
  })

  test('a rate that wants a card session is refused', () => {
    const body = { status: 'available', links: { payment_session: { href: '/v3/payment-sessions?token=x' } } }
    expect(() => check(body)).toThrow(expect.objectContaining({ fault: 'refused', effect: 'none' }))
  })

  test.each([
    undefined,
    [],
    { status: 'maybe' },
    { status: 'available' },
    sample('priceCheck.200.room-change-example'),
  ])('no documented answer is malformed: %j', (body) => {
    expect(() => check(body)).toThrow(expect.objectContaining({ fault: 'malformed', effect: 'none' }))
  })
})
