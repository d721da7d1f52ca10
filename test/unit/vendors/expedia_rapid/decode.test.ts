import { describe, expect, test } from 'vitest'
import type { Stay } from '../../../../src/domain/stay.ts'
import { decodeAvailability, readProperties } from '../../../../src/vendors/expedia_rapid/decode-availability.ts'
import { decodePriceCheck, decodeRooms } from '../../../../src/vendors/expedia_rapid/decode-rooms.ts'
import {
  availability,
  oddPriceCheck,
  PROPERTY_ID,
  priceCheck,
  type Rate,
} from '../../../support/vendors/expedia_rapid.ts'
import { NOW, ORIGIN } from './scripted.ts'

const market = { currency: 'USD', language: 'en-US', countryCode: 'US' }
const createStay = (...parties: [adults: number, ...ages: number[]][]): Stay => ({
  checkIn: '2027-03-01',
  checkOut: '2027-03-03',
  occupancies: parties.map(([adults, ...childrenAges]) => ({ adults, childrenAges })),
})
const usd = (minor: number) => ({ minor, currency: 'USD' })
const timezone = 'America/Los_Angeles'

const search = (body: unknown, stay = createStay([2]), currency = 'USD') =>
  decodeAvailability(
    readProperties(body),
    { vendorPropertyIds: [PROPERTY_ID], stay, market: { ...market, currency } },
    NOW,
  )
const rooms = (body: unknown, stay = createStay([2]), now = NOW) =>
  decodeRooms(readProperties(body), {
    query: { vendorPropertyId: PROPERTY_ID, stay, market, timezone },
    origin: ORIGIN,
    termsUrl: 'https://vendor.example/terms',
    taxesText: '',
    now,
  })

describe('availability', () => {
  test('an occupancy requested twice is priced twice, though Rapid lists it once', () => {
    expect(search(availability(), createStay([2], [1, 7, 10], [2]))).toEqual({
      dropped: 0,
      offers: [
        {
          vendorId: 'expedia_rapid',
          vendorPropertyId: PROPERTY_ID,
          total: usd(45320 + 33990 + 45320),
          publicTotal: usd(49500 + (30800 + 33990 - 29700) + 49500),
          board: 'room_only',
          freeCancellation: { until: '2027-02-12T11:59:00-08:00' },
          roomsLeft: 7,
        },
      ],
    })
  })

  test('the billable currency is used if it is the requested one', () => {
    expect(search(availability(), createStay([2]), 'EUR').offers[0]?.total).toEqual({
      minor: 41200,
      currency: 'EUR',
    })
  })

  test('no availability is an empty answer', () => {
    expect(search([])).toEqual({ offers: [], dropped: 0 })
  })

  test('a party matches with children in another order', () => {
    expect(search(availability(), createStay([1, 10, 7])).offers).toHaveLength(1)
  })

  test.each<[string, (rate: Rate, pricing: Rate['occupancy_pricing'][2]) => void]>([
    ['without a price', (rate) => Object.assign(rate, { occupancy_pricing: undefined })],
    ['for another party', (rate) => Object.assign(rate, { occupancy_pricing: { '1': {} } })],
    ['at no price', (_, pricing) => Object.assign(pricing, { totals: totals('0.00') })],
    ['at a negative price', (_, pricing) => Object.assign(pricing, { totals: totals('-5.00') })],
    ['in a currency that was not requested', (_, pricing) => Object.assign(pricing, { totals: totals('10', 'GBP') })],
    ['with a price that is not a number', (_, pricing) => Object.assign(pricing, { totals: totals('ten') })],
    [
      'with a penalty on a day that does not exist',
      (rate) => Object.assign(rate, { cancel_penalties: [{ start: '2027-02-30T00:00:00Z', percent: '100%' }] }),
    ],
    ['with pricing of another type', (rate) => Object.assign(rate, { occupancy_pricing: [1, 2] })],
  ])('a rate %s is dropped and counted', (_, change) => {
    expect(search(availability((rate) => change(rate, rate.occupancy_pricing[2])))).toEqual({ offers: [], dropped: 1 })
  })

  test('an invalid property does not affect the others', () => {
    const [good] = availability()
    expect(search([null, 7, { property_id: '1' }, { property_id: PROPERTY_ID, rooms: 'none' }]).dropped).toBe(4)
    expect(search([null, { property_id: { deep: [] } }, good])).toMatchObject({ dropped: 2, offers: [{}] })
  })

  test('a property that was not requested or is repeated is dropped', () => {
    const [good] = availability()
    const answer = search([good, good, { ...good, property_id: '666' }])
    expect([answer.offers.length, answer.dropped]).toEqual([1, 2])
  })

  test('an unavailable property is skipped without a count', () => {
    expect(search([{ property_id: PROPERTY_ID, status: 'partially_unavailable', score: 1 }])).toEqual({
      offers: [],
      dropped: 0,
    })
  })

  test.each([undefined, null, {}, 'text', 3])('availability that is not a list is malformed: %j', (body) => {
    expect(() => search(body)).toThrow(expect.objectContaining({ fault: 'malformed', effect: 'none' }))
  })

  test('a refundable rate is not free after its first penalty or with a non-refundable night', () => {
    const free = (change: (rate: Rate) => void) =>
      search(availability(change)).offers[0]?.freeCancellation !== undefined
    expect(free((rate) => Object.assign(rate, { refundable: false }))).toBe(false)
    expect(free((rate) => Object.assign(rate, { cancel_penalties: [{ start: '2027-01-01T00:00:00Z' }] }))).toBe(false)
    expect(
      free((rate) => Object.assign(rate, { nonrefundable_date_ranges: [{ start: '2027-03-02', end: '2027-03-09' }] })),
    ).toBe(false)
    expect(free(() => {})).toBe(true)
  })

  test('free cancellation ends at the start of the first penalty, as written by the vendor', () => {
    const until = (starts: readonly string[], more: object = {}) => {
      const cancel_penalties = starts.map((start) => ({ start, percent: '100%' }))
      const change = (rate: Rate) => Object.assign(rate, { cancel_penalties, ...more })
      const found = search(availability(change)).offers[0]?.freeCancellation?.until
      const terms = rooms(availability(change))[0]?.cancel
      return { found, first: terms?.penalties[0]?.from }
    }
    const first = '2027-02-20T00:00:00-08:00'
    expect(until(['2027-02-20T09:00:00.000Z', '2027-02-20T00:00:00.000-08:00'])).toEqual({ found: first, first })
    expect(until([first], { refundable: false }).found).toBeUndefined()
    expect(until([first, '2027-01-01T00:00:00Z']).found).toBeUndefined()
    // The list does not contain the time zone.
    expect(until(['2027-02-20T00:00:00']).found).toBeUndefined()
    expect(until([]).found).toBeUndefined()
  })
})

const totals = (value: string, currency = 'USD') => ({
  inclusive: { billable_currency: { value, currency }, request_currency: { value, currency } },
})

describe('rooms', () => {
  test('each bed group is one offer with its own link and bed', () => {
    const body = availability((rate) => {
      const [group] = Object.values(rate.bed_groups)
      Object.assign(rate, {
        bed_groups: { '1': { ...group, id: '1' }, '2': { ...group, id: 2, description: '2 Twin Beds' }, bad: {} },
      })
    })
    expect(rooms(body).map(({ visible, beds }) => [visible.bed_id, beds])).toEqual([
      ['1', ['1 Large Double Bed']],
      ['2', ['2 Twin Beds']],
    ])
  })

  test('fees collected by the property are separate from the bill', () => {
    const [offer] = rooms(availability())
    expect(offer?.price).toEqual({
      total: usd(45320),
      base: usd(38500),
      taxesFees: usd(6820),
      fees: [
        { label: 'Taxes and fees', amount: usd(5500), paidAt: 'booking' },
        { label: 'Mandatory fee', amount: usd(550), paidAt: 'property' },
        { label: 'Resort fee', amount: usd(440), paidAt: 'property' },
        { label: 'Mandatory tax', amount: usd(330), paidAt: 'property' },
      ],
      dueAtProperty: usd(1320),
      publicTotal: usd(49500),
    })
    expect(offer).toMatchObject({ roomId: 'room-11', name: 'Garden Room', extras: ['Late check-out'] })
  })

  test('a rate collected by the property is not sold, because it needs a card', () => {
    expect(rooms(availability())).not.toEqual([])
    expect(rooms(availability((rate) => Object.assign(rate, { merchant_of_record: 'property' })))).toEqual([])
  })

  test('fees are added without an inclusive total, and a rate with an unreadable fee is dropped', () => {
    const strip = (fees: unknown) =>
      availability(({ occupancy_pricing: { 2: pricing } }) => {
        Object.assign(pricing, {
          totals: { ...pricing.totals, property_inclusive: undefined, property_fees: undefined },
          fees,
        })
      })
    const fee = (currency: string) => ({ resort_fee: { request_currency: { value: 12, currency } } })
    expect(rooms(strip(undefined))[0]?.price.total).toEqual(usd(44000))
    expect(rooms(strip(fee('USD')))[0]?.price.total).toEqual(usd(45200))
    expect(rooms(strip(fee('GBP')))).toEqual([])
  })

  test('a strikethrough price below the real one is ignored', () => {
    const body = availability(({ occupancy_pricing: { 2: pricing } }) => {
      Object.assign(pricing.totals, { property_inclusive_strikethrough: totals('12.00').inclusive })
    })
    expect(rooms(body)[0]?.price.publicTotal).toEqual(usd(45320))
  })

  test.each([2147483647, 4999, 101, 0, -1, 'three'])(
    '%j available rooms means that the number is unknown',
    (available_rooms) => {
      expect(rooms(availability((rate) => Object.assign(rate, { available_rooms })))[0]).not.toHaveProperty('roomsLeft')
    },
  )

  test('markup is removed from room names', () => {
    expect(rooms(availability(() => {}, 'Suite<script>alert(1)</script>'))[0]?.name).toBe('Suite')
  })

  test.each([
    'https://evil.example/v3/x',
    '//evil.example/v3/x',
    '/v3/../admin',
    '/v2/x',
    'javascript:alert(1)',
    7,
    undefined,
  ])('an offer with a price-check link to another host is dropped: %s', (href) => {
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
    ['all meals beside breakfast', { '1073742786': { name: '免费早餐' }, '2102': { name: '全餐' } }, 'full_board'],
    ['breakfast for one of two by id', { '1073742857': { id: '1073742857', name: '' } }, 'some_meals'],
    ['breakfast for one of two by name', { '2098': { id: '2098', name: '单早' } }, 'some_meals'],
    ['breakfast for two by id', { '2194': { id: '2194', name: 'Breakfast' } }, 'breakfast'],
    ['breakfast and a free dinner', { '2103': {}, '2107': {} }, 'half_board'],
    ['half board with a kind of dinner', { '1073744754': {} }, 'half_board'],
    ['all inclusive by id', { '2111': { name: 'x' } }, 'all_inclusive'],
    ['a category before the name', { a: { name: 'Brunch lunch', categories: ['free_breakfast'] } }, 'breakfast'],
    ['Vietnamese', { a: { name: 'Bữa sáng miễn phí' } }, 'breakfast'],
    ['Russian', { a: { name: 'Полный пансион' } }, 'full_board'],
    ['Japanese', { a: { name: '和朝食' } }, 'breakfast'],
    ['Thai', { a: { name: 'ฟรีอาหารเช้า' } }, 'breakfast'],
    ['dinner alone', { '2107': { name: 'Free dinner' } }, 'some_meals'],
    ['an unknown meal', { a: { name: 'Kaiseki', categories: ['meal_plan'] } }, 'some_meals'],
    ['credit for food', { '2108': { name: 'Food/beverage credit' } }, 'room_only'],
    ['breakfast against a surcharge', { a: { name: 'Breakfast available (surcharge)' } }, 'room_only'],
    ['nothing', { toString: { name: 'WiFi' } }, 'room_only'],
  ])('the board is read: %s', (_, amenities, board) => {
    expect(rooms(availability((rate) => Object.assign(rate, { amenities })))[0]?.board).toBe(board)
  })
})

test("an unknown meal keeps the vendor's name as an extra", () => {
  const amenities = { '2107': { id: '2107', name: 'Free dinner' } }
  const [room] = rooms(availability((rate) => Object.assign(rate, { amenities })))
  expect(room).toMatchObject({ board: 'some_meals', extras: ['Free dinner'] })
})

test('a package rate is not sold', () => {
  const body = availability((rate) => Object.assign(rate, { sale_scenario: { package: true } }))
  expect(rooms(body)).toEqual([])
  expect(search(body).offers).toEqual([])
})

describe('minimum selling price', () => {
  const sold = (value: string, stay = createStay([2])) => {
    const body = availability(({ occupancy_pricing: { 2: pricing } }) => {
      Object.assign(pricing.totals, { minimum_selling_price: totals(value).inclusive })
    })
    return { list: search(body, stay).offers[0], room: rooms(body, stay)[0] }
  }

  test('the minimum selling price includes property fees, in lists and rooms', () => {
    const bounds = { min: usd(50000 + 1320) }
    const { list, room } = sold('500.00')
    expect(room).toMatchObject({ price: { total: usd(45320) }, bounds })
    expect(list).toMatchObject({ bounds, freeCancellation: {} })
  })

  test('the minimum selling price is the sum of all rooms', () => {
    const bounds = { min: usd(2 * 51320 + 33990) }
    const { list, room } = sold('500.00', createStay([2], [1, 7, 10], [2]))
    expect([list?.bounds, room?.bounds]).toEqual([bounds, bounds])
  })

  test.each(['440.00', '12.00', 'much'])('a minimum selling price at or below the price is omitted: %s', (value) => {
    const { list, room } = sold(value)
    expect(room).not.toHaveProperty('bounds')
    expect(list).not.toHaveProperty('bounds')
  })

  test('the price check returns the minimum selling price', () => {
    const limited = structuredClone(priceCheck())
    Object.assign(limited.occupancy_pricing[2].totals, { minimum_selling_price: totals('230.00').inclusive })
    const ref = { ...rooms(availability())[0]?.ref }
    expect(decodePriceCheck(limited, ref, ORIGIN, NOW)).toMatchObject({ bounds: { min: usd(23440) } })
    expect(decodePriceCheck(priceCheck(), ref, ORIGIN, NOW)).not.toHaveProperty('bounds')
  })
})

describe('cancellation', () => {
  const terms = (change: object, stay = createStay([2]), now = NOW) =>
    rooms(
      availability((rate) => Object.assign(rate, { nonrefundable_date_ranges: [] }, change)),
      stay,
      now,
    )[0]?.cancel
  const from = '2027-02-20T00:00:00-08:00'
  const [start, end] = ['2027-02-20T00:00:00.000-08:00', '2027-03-01T15:00-08:00']
  const window = (size: object) => ({ cancel_penalties: [{ currency: 'USD', start, end, ...size }] })

  test.each<[string, object, number]>([
    ['an amount of one room', { amount: '10.00' }, 2000],
    ['an amount as a number', { amount: 10 }, 2000],
    ['an amount in the billable currency, at the rate of this very price', { amount: '40.00', currency: 'EUR' }, 8800],
    ['an amount in a third currency', { amount: '10', currency: 'GBP' }, 88000],
    ['a share', { percent: '30%' }, 26400],
    ['one night of two', { nights: 1 }, 44000],
    ['more nights than there are', { nights: '9' }, 88000],
    ['more than the price', { amount: '99999.00' }, 88000],
    ['an unreadable size', { percent: 'a lot' }, 88000],
  ])('%s', (_, size, minor) => {
    expect(terms(window(size), createStay([2], [2]))).toEqual({
      penalties: [{ from, amount: usd(minor) }],
      refundable: true,
    })
  })

  test('a refundable rate without penalties is free until check-in', () => {
    expect(terms({ cancel_penalties: [] })).toEqual({ penalties: [], refundable: true })
  })

  test('a non-refundable rate without penalties costs the whole bill from now on', () => {
    expect(terms({ cancel_penalties: [], refundable: false })).toEqual({
      penalties: [{ from: '2027-01-31T16:00:00-08:00', amount: usd(44000) }],
      refundable: false,
    })
  })

  test('missing terms and "refundable" without penalties are unknown, not free', () => {
    expect(terms({ cancel_penalties: undefined, refundable: undefined })).toBeUndefined()
    for (const cancel_penalties of [undefined, null, {}]) {
      expect(terms({ cancel_penalties })).toBeUndefined()
      const body = availability((rate) => Object.assign(rate, { nonrefundable_date_ranges: [], cancel_penalties }))
      expect(search(body).offers[0]).not.toHaveProperty('freeCancellation')
    }
  })

  test("non-refundable nights cost their price from the start, on top of a window's penalty", () => {
    expect(
      terms({ ...window({ amount: '1.00' }), nonrefundable_date_ranges: [{ start: '2027-03-02', end: '2027-03-05' }] }),
    ).toEqual({
      penalties: [
        { from: '2027-01-31T16:00:00-08:00', until: from, amount: usd(22000) },
        { from, amount: usd(22100) },
      ],
      refundable: true,
    })
    const ranges = [{ start: '2027-03-02', end: '2027-03-05' }]
    const whole = terms({ ...window({ percent: '80%' }), nonrefundable_date_ranges: ranges })
    expect(whole?.penalties.at(-1)?.amount).toEqual(usd(44000))
  })

  test('a non-refundable rate costs only its windows and non-refundable nights', () => {
    const past = { currency: 'USD', start: '2027-01-20T00:00:00-08:00', end: start, percent: '50%' }
    const last = { currency: 'USD', start, end, percent: '100%' }
    expect(terms({ refundable: false, cancel_penalties: [last, past] })).toEqual({
      penalties: [
        { from: '2027-01-20T00:00:00-08:00', until: from, amount: usd(22000) },
        { from, amount: usd(44000) },
      ],
      refundable: true,
    })
    const ranges = { nonrefundable_date_ranges: [{ start: '2027-03-02', end: '2027-03-02' }] }
    expect(terms({ refundable: false, cancel_penalties: [], ...ranges })).toMatchObject({
      penalties: [{ amount: usd(22000) }],
      refundable: true,
    })
  })

  test("a non-refundable rate costs its first window's fee before that window", () => {
    expect(terms({ ...window({ percent: '30%' }), refundable: false })).toEqual({
      penalties: [{ from: '2027-01-31T16:00:00-08:00', amount: usd(13200) }],
      refundable: true,
    })
  })

  test('a penalty never decreases', () => {
    const windows = [
      { currency: 'USD', start: '2027-01-01T00:00:00Z', end: '2027-02-10T00:00:00Z', percent: '60%' },
      { currency: 'USD', start: '2027-02-15T00:00:00Z', end: '2027-02-20T00:00:00Z', percent: '10%' },
      { currency: 'USD', start: '2027-02-20T00:00:00Z', end: '2027-03-01T00:00:00Z', percent: '100%' },
    ]
    expect(terms({ refundable: false, cancel_penalties: windows })?.penalties).toEqual([
      { from: '2027-01-01T00:00:00Z', until: '2027-02-20T00:00:00Z', amount: usd(26400) },
      { from: '2027-02-20T00:00:00Z', amount: usd(44000) },
    ])
  })

  test('the last penalty has no end', () => {
    const everything = { ...window({ percent: '100%' }), refundable: false }
    const evening = Date.parse(end) + 60_000
    expect(terms(everything, createStay([2]), evening)).toEqual({
      penalties: [{ from, amount: usd(44000) }],
      refundable: false,
    })
  })

  test('a window without a fee is free cancellation, in list and room', () => {
    const free = { currency: 'USD', start: '2027-01-01T00:00:00Z', end: start, nights: '0' }
    const change = { cancel_penalties: [free, { currency: 'USD', start, end, percent: '100%' }] }
    expect(terms(change)?.penalties).toEqual([{ from, amount: usd(44000) }])
    const body = availability((rate) => Object.assign(rate, { nonrefundable_date_ranges: [] }, change))
    expect(search(body).offers).toMatchObject([{ freeCancellation: { until: from } }])
  })

  test("a window without an offset is in the property's time zone", () => {
    expect(terms({ cancel_penalties: [{ start: '2027-02-20T00:00:00', percent: '100%' }] })?.penalties[0]?.from).toBe(
      '2027-02-20T00:00:00-08:00',
    )
  })
})

describe('price check', () => {
  const ref = { ...rooms(availability())[0]?.ref }
  const check = (body: unknown) => decodePriceCheck(body, ref, ORIGIN, NOW)

  test.each<[string, object, number]>([
    ['the price as shown', priceCheck(), 22440],
    ['a new price', priceCheck({ status: 'price_changed' }), 22440],
    ['the status of version 2', priceCheck({ status: 'matched' }), 22440],
    ['unused fields', priceCheck({ trader_information: { traders: [{ name: 'Harbour Ltd' }] } }), 22440],
    ['an unrequested occupancy key and invalid nights', oddPriceCheck(), 19900],
  ])('%s', (_, body, minor) => {
    expect(check(body)).toMatchObject({
      status: 'available',
      price: { total: usd(minor) },
      ref: { book: expect.stringMatching(/^\/v3\/itineraries\?token=/) },
    })
  })

  test('the price has the total that Rapid bills in another currency', () => {
    expect(check(priceCheck())).toMatchObject({ billable: { minor: 20400, currency: 'EUR' } })
  })

  test('the terms of the offer are applied to the checked price', () => {
    const known = { cancel: { penalties: [{ amount: usd(1200) }], refundable: true } }
    expect(check(priceCheck())).toMatchObject(known)
    // Earlier versions kept the end of a window as well.
    const penalties = ['["2027-02-12T11:59:00-08:00","2027-03-01T15:00:00-08:00","amount","12.00","USD"]']
    expect(decodePriceCheck(priceCheck(), { ...ref, penalties }, ORIGIN, NOW)).toMatchObject(known)
  })

  test('terms and board of the check replace those of the offer', () => {
    const worse = check(priceCheck({ refundable: false, cancel_penalties: [], amenities: {} }))
    if (worse.status !== 'available') throw new Error('not for sale')
    expect(worse).toMatchObject({ board: 'room_only', cancel: { refundable: false } })
    expect(decodePriceCheck(priceCheck(), worse.ref, ORIGIN, NOW)).toMatchObject({ cancel: { refundable: false } })
    expect(check(priceCheck())).not.toHaveProperty('board')
    expect(check(priceCheck({ refundable: true }))).toEqual(check(priceCheck()))
  })

  test('a sold-out price check is not a failure', () => {
    expect(check({ status: 'sold_out', links: { shop: {} } })).toEqual({ status: 'sold_out' })
  })

  test('a rate that needs a card session is refused', () => {
    const body = { status: 'available', links: { payment_session: { href: '/v3/payment-sessions?token=x' } } }
    expect(() => check(body)).toThrow(expect.objectContaining({ fault: 'refused', effect: 'none' }))
  })

  test.each([
    undefined,
    [],
    { status: 'maybe' },
    { status: 'available' },
    // The response for a change of a booked room has a commit link, but no booking link.
    priceCheck({ links: { commit: { method: 'PUT', href: '/v3/itineraries/1/rooms/2/pricing?token=x' } } }),
  ])('an undocumented price check is malformed: %j', (body) => {
    expect(() => check(body)).toThrow(expect.objectContaining({ fault: 'malformed', effect: 'none' }))
  })
})
