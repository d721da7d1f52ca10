import { createHash } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { createAllotment } from '../../../sandbox/server/allotment.ts'
import type { Fault } from '../../../sandbox/server/faults.ts'
import { createLedger } from '../../../sandbox/server/ledger.ts'
import { DEFAULT_SETTINGS } from '../../../sandbox/server/settings.ts'
import { answerAvailability } from '../../../sandbox/vendors/hotelbeds/answer-availability.ts'
import { answerBook, type BookingDeps } from '../../../sandbox/vendors/hotelbeds/answer-bookings.ts'
import { answerCheckRates } from '../../../sandbox/vendors/hotelbeds/answer-checkrates.ts'
import { createContentAnswers } from '../../../sandbox/vendors/hotelbeds/answer-content.ts'
import { answerCodeList } from '../../../sandbox/vendors/hotelbeds/answer-lists.ts'
import { answerCancel, answerFind, answerRead } from '../../../sandbox/vendors/hotelbeds/answer-manage.ts'
import { refuseCaller } from '../../../sandbox/vendors/hotelbeds/check-caller.ts'
import { createRateKeys } from '../../../sandbox/vendors/hotelbeds/rate-key.ts'
import { hotelbeds } from '../../../sandbox/vendors/hotelbeds/stand-in.ts'
import { createVendorWorld } from '../../../sandbox/world/vendor-view/vendor-view.ts'
import { createWorld } from '../../../sandbox/world/world.ts'
import { distanceKm } from '../../../src/lib/geo.ts'
import { aPlace, TEST_PLACES } from '../../support/sandbox/places.ts'

type Json = Record<string, unknown>
type Rate = Json & { rateKey: string; rateType: string; net: string; rateClass: string; rooms: number }
type Hotel = Json & { code: number; rooms: { code: string; rates: Rate[] }[] }

const NOW = Date.parse('2027-01-15T12:00:00Z')
const HALF_HOUR = 30 * 60_000
const world = createVendorWorld(hotelbeds, createWorld({ places: TEST_PLACES }))
const codes = world
  .near({ center: aPlace('Paris').point, radiusKm: 15 }, 120)
  .flatMap((property) => world.view(property)?.vendorPropertyId ?? [])

let deps: BookingDeps
beforeEach(() => {
  deps = {
    world,
    allotment: createAllotment(),
    ledger: createLedger(),
    keys: createRateKeys('secret'),
    currency: 'EUR',
    settings: DEFAULT_SETTINGS,
  }
})

const stay = { checkIn: '2027-03-01', checkOut: '2027-03-04' }
const couple = { rooms: 1, adults: 2, children: 0 }
const request = (more: Json = {}): Json => ({ stay, occupancies: [couple], hotels: { hotel: codes }, ...more })
const search = (more: Json = {}, now = NOW) => answerAvailability(deps, request(more), now, false)
const hotelsIn = (more: Json = {}) => (search(more).body.hotels as { hotels: Hotel[] }).hotels
const ratesIn = (more: Json = {}) => hotelsIn(more).flatMap((hotel) => hotel.rooms.flatMap((room) => room.rates))
const check = (keys: readonly string[], faults: Fault[] = [], now = NOW) =>
  answerCheckRates(deps, { rooms: keys.map((rateKey) => ({ rateKey })) }, faults, now)
const readError = ({ body, status }: { body: Json; status: number }) => {
  const error = body.error as { code: string; message: string } | undefined
  return error && `${status} ${error.code} ${error.message}`
}

const paxes = [
  { roomId: 1, type: 'AD', name: 'Ada', surname: 'Guest' },
  { roomId: 1, type: 'AD' },
]
const order = (rateKey: string, more: Json = {}): Json => ({
  holder: { name: 'Ada', surname: 'Guest' },
  rooms: [{ rateKey, paxes }],
  clientReference: 'OurOwnReference',
  tolerance: 0,
  ...more,
})
const book = (body: Json, faults: Fault[] = [], now = NOW) => answerBook(deps, body, faults, now)
const bookableKey = (matches: (rate: Rate) => boolean = () => true) => {
  const rate = ratesIn().find((candidate) => candidate.rateType === 'BOOKABLE' && matches(candidate))
  if (rate === undefined) throw new Error('no such rate')
  return rate.rateKey
}

test('about a fifth of the rates must be rechecked, and some are not refundable', () => {
  const rates = ratesIn()
  const share = rates.filter((rate) => rate.rateType === 'RECHECK').length / rates.length
  expect(share).toBeGreaterThan(0.1)
  expect(share).toBeLessThan(0.32)
  expect(rates.some((rate) => rate.rateClass === 'NRF')).toBe(true)
  expect(rates.some((rate) => rate.rateClass === 'NOR')).toBe(true)
})

test('rooms and rates are sorted by price and limited as requested', () => {
  for (const hotel of hotelsIn({ filter: { maxRooms: 2, maxRatesPerRoom: 1 } })) {
    expect(hotel.rooms.length).toBeLessThanOrEqual(2)
    const nets = hotel.rooms.map((room) => Number(room.rates[0]?.net))
    expect(nets).toEqual([...nets].sort((a, b) => a - b))
    for (const room of hotel.rooms) expect(room.rates).toHaveLength(1)
  }
})

test('rates paid at the hotel are returned unless filtered out, which reveals the rates they hid', () => {
  const cheapest = { maxRooms: 1, maxRatesPerRoom: 2 }
  const readPayments = ({ rooms }: Hotel) => rooms.flatMap((room) => room.rates.map(({ paymentType }) => paymentType))
  const all = hotelsIn({ filter: cheapest })
  const hidden = all.filter((hotel) => readPayments(hotel).every((payment) => payment === 'AT_HOTEL'))
  expect(hidden.length).toBeGreaterThan(0)
  const ours = hotelsIn({ filter: { ...cheapest, paymentType: 'AT_WEB' } })
  expect(new Set(ours.flatMap(readPayments))).toEqual(new Set(['AT_WEB']))
  expect(ours.map(({ code }) => code)).toEqual(all.map(({ code }) => code))
  const theirs = hotelsIn({ filter: { paymentType: 'AT_HOTEL' } })
  expect(new Set(theirs.flatMap(readPayments))).toEqual(new Set(['AT_HOTEL']))
  expect(ratesIn({ filter: { paymentType: 'BOTH' } })).toHaveLength(ratesIn().length)
  expect(readError(search({ filter: { paymentType: 'LATER' } }))).toMatch(/^400 INVALID_REQUEST /)
})

test('a rate paid at the hotel can be checked, but not booked without a card', () => {
  const rate = ratesIn({ filter: { paymentType: 'AT_HOTEL' } }).find(({ rateType }) => rateType === 'BOOKABLE')
  const { rateKey = '', net } = rate ?? {}
  const checked = check([rateKey]).body.hotel as Hotel
  expect(checked.rooms[0]?.rates[0]).toMatchObject({ net, paymentType: 'AT_HOTEL' })
  expect(checked).toMatchObject({ paymentDataRequired: true })
  expect(readError(book(order(rateKey)))).toMatch(/^402 /)
})

test('a rate key for two rooms costs twice as much as one for a single room', () => {
  const single = hotelsIn({ occupancies: [couple] })
  const double = hotelsIn({ occupancies: [{ ...couple, rooms: 2 }] })
  const readNet = (hotels: Hotel[], key: string) =>
    hotels
      .flatMap((hotel) =>
        hotel.rooms.flatMap((room) =>
          room.rates.map((rate) => ({ ...rate, id: `${hotel.code} ${room.code} ${rate.boardCode} ${rate.rateClass}` })),
        ),
      )
      .find((rate) => rate.id === key)?.net
  const [hotel] = double
  const [room] = hotel?.rooms ?? []
  const [rate] = room?.rates ?? []
  const key = `${hotel?.code} ${room?.code} ${rate?.boardCode} ${rate?.rateClass}`
  expect(Number(rate?.net)).toBeCloseTo(2 * Number(readNet(single, key)), 2)
})

test.each<[string, Json]>([
  ['2001 hotels', { hotels: { hotel: Array.from({ length: 2001 }, (_, index) => index) } }],
  ['hotels and a circle', { geolocation: { latitude: 1, longitude: 1, radius: 1, unit: 'km' } }],
  ['a circle of 201 km', { hotels: undefined, geolocation: { latitude: 1, longitude: 1, radius: 201, unit: 'km' } }],
  ['a destination', { hotels: undefined, destination: { code: 'PAR' } }],
  ['children without ages', { occupancies: [{ rooms: 1, adults: 1, children: 1 }] }],
  ['no adults', { occupancies: [{ rooms: 1, adults: 0, children: 0 }] }],
  ['half a room', { occupancies: [{ rooms: 0.5, adults: 1, children: 0 }] }],
  ['one and a half rooms', { occupancies: [{ rooms: 1.5, adults: 1, children: 0 }] }],
  ['no hotels', { hotels: { hotel: [] } }],
  ['ten rooms', { occupancies: [{ rooms: 10, adults: 1, children: 0 }] }],
  ['a day in the past', { stay: { checkIn: '2027-01-01', checkOut: '2027-01-02' } }],
  ['a day that does not exist', { stay: { checkIn: '2027-02-30', checkOut: '2027-03-02' } }],
  ['31 nights', { stay: { checkIn: '2027-03-01', checkOut: '2027-04-01' } }],
  ['a hotel code that is not a number', { hotels: { hotel: ['a'] } }],
  ['maxRooms 51', { filter: { maxRooms: 51 } }],
])('a search for %s is refused', (_, more) => {
  expect(readError(search(more))).toMatch(/^400 INVALID_(REQUEST|DATA) /)
})

test('the inner list is omitted if nothing is available', () => {
  expect(search({ hotels: { hotel: [1] } }).body).toEqual({ hotels: { total: 0 } })
})

test('a circle finds the hotels inside it', () => {
  const { lat, lon } = aPlace('Nice').point
  const hotels = hotelsIn({
    hotels: undefined,
    geolocation: { latitude: lat, longitude: lon, radius: 5, unit: 'km' },
    filter: { maxHotels: 7 },
  })
  expect(hotels).toHaveLength(7)
})

test('a limited circle does not return the nearest hotels, because the vendor guarantees no order', () => {
  const { lat, lon } = aPlace('Nice').point
  const around = (maxHotels: number) =>
    hotelsIn({
      hotels: undefined,
      geolocation: { latitude: lat, longitude: lon, radius: 5, unit: 'km' },
      filter: { maxHotels, maxRooms: 1, maxRatesPerRoom: 1 },
    }).map(({ latitude, longitude }) => distanceKm({ lat, lon }, { lat: Number(latitude), lon: Number(longitude) }))
  const all = around(2000).toSorted((a, b) => a - b)
  expect(all.length).toBeGreaterThan(14)
  expect(Math.max(...around(7))).toBeGreaterThan(all[6] ?? 0)
})

test('a rate key is valid for half an hour and cannot be altered', () => {
  const key = bookableKey()
  expect(readError(check([key], [], NOW + HALF_HOUR - 1))).toBeUndefined()
  expect(readError(check([key], [], NOW + HALF_HOUR))).toContain('rateKeys only last 30 minutes')
  expect(readError(check([key.replace('|W|', '|H|')]))).toContain('does not exist')
  expect(readError(check(['rubbish']))).toContain('does not exist')
})

test('a checked rate is always bookable', () => {
  const recheck = ratesIn().find((rate) => rate.rateType === 'RECHECK')?.rateKey ?? ''
  expect(readError(book(order(recheck)))).toContain('rechecked')
  const hotel = check([recheck]).body.hotel as Hotel
  const [rate] = hotel.rooms[0]?.rates ?? []
  expect(rate).toMatchObject({ rateType: 'BOOKABLE', cancellationPolicies: expect.any(Array) })
  expect(book(order(rate?.rateKey ?? ''))).toMatchObject({ status: 200, body: { booking: { status: 'CONFIRMED' } } })
})

test('a fee that becomes payable at the hotel does not change any total', () => {
  const cents = (amount: string) => Math.round(Number(amount) * 100)
  const wrong = ratesIn()
    .filter(({ hotelMandatory }) => hotelMandatory !== true)
    .slice(0, 200)
    .filter(({ rateKey, net }) => {
      const checked = check([rateKey], [{ kind: 'fees_move', operation: 'price_check' }]).body.hotel as Hotel
      const rate = checked.rooms[0]?.rates[0]
      const { taxes = [] } = (rate?.taxes ?? {}) as { taxes?: { subType?: string; amount: string }[] }
      const moved = taxes.find(({ subType }) => subType === 'Service Fee')
      return cents(rate?.net ?? '') + cents(moved?.amount ?? '') !== cents(net)
    })
  expect(wrong).toEqual([])
})

test('rates to recheck cannot be checked with bookable ones, and at most ten at once', () => {
  const hotel = hotelsIn().find((candidate) => {
    const types = new Set(candidate.rooms.flatMap((room) => room.rates.map((rate) => rate.rateType)))
    return types.size === 2
  })
  const rates = hotel?.rooms.flatMap((room) => room.rates) ?? []
  const pair = ['RECHECK', 'BOOKABLE'].map((type) => rates.find((rate) => rate.rateType === type)?.rateKey ?? '')
  expect(readError(check(pair))).toContain('cannot be checked together')
  expect(readError(check(Array.from({ length: 11 }, () => bookableKey())))).toContain('<= 10')
})

test.each<[string, Json]>([
  ['too few guests', { rooms: [{ paxes: paxes.slice(1) }] }],
  ['too many guests', { rooms: [{ paxes: [...paxes, { roomId: 2, type: 'AD' }] }] }],
  [
    'no names',
    {
      rooms: [
        {
          paxes: [
            { roomId: 1, type: 'AD' },
            { roomId: 1, type: 'AD' },
          ],
        },
      ],
    },
  ],
  ['no holder', { holder: {} }],
  ['a reference that is too long', { clientReference: 'X'.repeat(21) }],
  ['no rooms', { rooms: [] }],
])('a booking with %s is refused and takes no room', (_, more) => {
  const rateKey = bookableKey()
  const rooms = (more.rooms as Json[] | undefined)?.map((room) => ({ rateKey, ...room }))
  expect(readError(book(order(rateKey, { ...more, ...(rooms && { rooms }) })))).toMatch(/^400 INVALID/)
  expect(deps.ledger.all()).toEqual([])
})

test('a price that has risen is booked only within the tolerance', () => {
  const raise: Fault = { kind: 'price_change', operation: 'book' }
  expect(readError(book(order(bookableKey()), [raise]))).toContain(
    'exceeds the allowed tolerance - Current tolerance: 0%',
  )
  expect(readError(book(order(bookableKey(), { tolerance: 20 }), [raise]))).toBeUndefined()
})

test('a booking takes rooms from the allotment, and cancelling returns them', () => {
  const scarce = ratesIn().find((rate) => rate.rateType === 'BOOKABLE' && rate.allotment === 1)?.rateKey ?? ''
  const booked = book(order(scarce))
  expect(booked.status).toBe(200)
  expect(readError(book(order(scarce)))).toContain('Insufficient allotment')
  const { reference } = booked.body.booking as { reference: string }
  answerCancel(deps, reference, 'CANCELLATION', NOW)
  expect(readError(book(order(scarce)))).toBeUndefined()
})

test('two requests with the same reference make two bookings', () => {
  const key = bookableKey((rate) => Number(rate.allotment) >= 2)
  const references = [book(order(key)), book(order(key))].map(({ body }) => (body.booking as Json).reference)
  expect(new Set(references).size).toBe(2)
})

test('the cancellation fee follows the policy at that time, and a simulation changes nothing', () => {
  const key = bookableKey((rate) => rate.rateClass === 'NOR')
  const { reference, totalNet } = book(order(key)).body.booking as { reference: string; totalNet: number }
  const cancel = (now: number, flag: string) =>
    ((answerCancel(deps, reference, flag, now).body.booking as Json).hotel as Json).cancellationAmount
  expect(cancel(NOW, 'SIMULATION')).toBe(0)
  expect(cancel(Date.parse('2027-03-01T08:00:00Z'), 'SIMULATION')).toBe(totalNet)
  expect(answerRead(deps, reference, [], NOW).body).toMatchObject({ booking: { status: 'CONFIRMED' } })
  expect(cancel(NOW, 'CANCELLATION')).toBe(0)
  expect(answerRead(deps, reference, [], NOW).body).toMatchObject({ booking: { status: 'CANCELLED' } })
  expect(readError(answerCancel(deps, reference, 'CANCELLATION', NOW))).toMatch(/^409 /)
})

test('a stay that has begun cannot be cancelled', () => {
  const { reference } = book(order(bookableKey())).body.booking as { reference: string }
  expect(readError(answerCancel(deps, reference, 'CANCELLATION', Date.parse('2027-03-02T12:00:00Z')))).toContain(
    'after the check-in',
  )
})

test('bookings are found by date and case-insensitive reference, and only once visible', () => {
  book(order(bookableKey()), [{ kind: 'late_visibility', operation: 'book', ms: 5000 }])
  const list = (query: Record<string, string>, now = NOW + 5000) =>
    answerFind(
      deps,
      new URLSearchParams({
        start: '2027-01-14',
        end: '2027-01-16',
        from: '1',
        to: '25',
        filterType: 'CREATION',
        ...query,
      }),
      [],
      now,
    )
  const total = ({ body }: ReturnType<typeof list>) => (body.bookings as { total: number }).total
  expect(total(list({ clientReference: 'ourownreference' }))).toBe(1)
  expect(total(list({ clientReference: 'ourownreference' }, NOW))).toBe(0)
  expect(total(list({ clientReference: 'other' }))).toBe(0)
  expect(total(list({ start: '2027-01-16' }))).toBe(0)
  expect(total(list({ status: 'CANCELLED' }))).toBe(0)
  expect(readError(list({ from: '' }))).toContain('mandatory')
  expect(readError(list({ to: '26' }))).toContain('must be <= 25')
})

const sign = (second: number) => createHash('sha256').update(`keysecret${second}`).digest('hex')
const headers = (more: Record<string, string> = {}) => ({
  'api-key': 'key',
  'x-signature': sign(NOW / 1000),
  accept: 'application/json',
  'accept-encoding': 'gzip',
  'content-type': 'application/json',
  ...more,
})
test.each<[string, Record<string, string>, number | undefined]>([
  ['everything is valid', {}, undefined],
  ['the clock is two minutes off', { 'x-signature': sign(NOW / 1000 - 120) }, undefined],
  ['the clock is ten minutes off', { 'x-signature': sign(NOW / 1000 - 600) }, 401],
  ['the signature is wrong', { 'x-signature': 'f'.repeat(64) }, 401],
  ['the key is unknown', { 'api-key': 'other' }, 403],
  ['XML is requested', { accept: 'application/xml' }, 406],
  ['gzip is not accepted', { 'accept-encoding': 'identity' }, 406],
  ['the body is not JSON', { 'content-type': 'text/plain' }, 415],
])('the gateway returns the documented status if %s', (_, more, status) => {
  expect(refuseCaller(headers(more), 'POST', { apiKey: 'key', secret: 'secret' }, NOW)?.status).toBe(status)
})

test('a content feed is complete and ends when read page by page', () => {
  const small = createVendorWorld(hotelbeds, createWorld({ places: [aPlace('Hallstatt')] }))
  const content = createContentAnswers(small)
  const read = (from: number, to: number) =>
    content.hotels(new URLSearchParams({ from: String(from), to: String(to) })).body as {
      total: number
      hotels: { code: number }[]
    }
  const all: number[] = []
  for (let from = 1; ; from += 2) {
    const page = read(from, from + 1)
    all.push(...page.hotels.map((hotel) => hotel.code))
    if (from + 2 > page.total) break
  }
  const { properties } = small.walk(0, 10_000)
  expect(all).toEqual(properties.map((property) => small.view(property)?.vendorPropertyId))
  expect(new Set(all).size).toBe(all.length)
  const jump = createContentAnswers(small).hotels(new URLSearchParams({ from: '3', to: '4' })).body as {
    hotels: { code: number }[]
  }
  expect(jump.hotels.map((hotel) => hotel.code)).toEqual(all.slice(2, 4))
})

test('content pages are limited to a thousand records', () => {
  const page = createContentAnswers(world).hotels(new URLSearchParams({ from: '1', to: '1001' }))
  expect(readError(page)).toContain('limited to 1000')
  expect(answerCodeList('types/boards', new URLSearchParams({ from: '1', to: '1001' }))?.status).toBe(400)
  expect(answerCodeList('types/nothing', new URLSearchParams())).toBeUndefined()
})

test('untranslated names are omitted unless English is requested as a fallback', () => {
  const roomIn = (query: Record<string, string>) =>
    answerCodeList('types/rooms', new URLSearchParams({ codes: 'DBL.ST-1', ...query }))?.body.rooms
  const named = [expect.objectContaining({ description: expect.stringMatching(/./) })]
  expect(roomIn({})).toEqual(named)
  expect(roomIn({ language: 'FRA' })).not.toEqual(named)
  expect(roomIn({ language: 'FRA', useSecondaryLanguage: 'true' })).toEqual(named)
})

test('the details of one code are an object, those of several a list', () => {
  const content = createContentAnswers(world)
  expect(content.details(String(codes[0])).body).toMatchObject({ hotel: { code: codes[0] } })
  expect((content.details(`${codes[0]},${codes[1]}`).body as { hotels: unknown[] }).hotels).toHaveLength(2)
  expect(content.details('1').status).toBe(404)
})
