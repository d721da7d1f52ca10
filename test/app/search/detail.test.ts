import type { Static } from 'typebox'
import { Type } from 'typebox'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { STAND_IN_IDS } from '../../../sandbox/stand-ins.ts'
import { zonedIso } from '../../../src/lib/time/zoned-time.ts'
import { AccommodationDetail } from '../../../src/search/schemas/property-detail.ts'
import {
  type SearchAnswer,
  type SearchApp,
  type Summary,
  searchApp,
  searchUntilComplete,
} from '../../support/app/search-app.ts'
import { expectToMatch } from '../../support/app/search-app-schema.ts'

type Detail = Static<typeof AccommodationDetail>
type Room = Detail['available_rooms'][number]

let app: SearchApp
let firstSearch: SearchAnswer
beforeAll(async () => {
  app = await searchApp({ search: { reuseMs: 0, savedTtlMs: 3_600_000, detailTimeoutMs: 4_000, propertiesMax: 1_000 } })
  firstSearch = await searchUntilComplete(app, { occupancies: [{ adults: 2 }, { adults: 1, children_ages: [6] }] })
})
afterAll(async () => {
  await app.close()
  await (await reusingApp)?.quick.close()
})
afterEach(() => app.clearFaults())

let reusingApp: Promise<{ quick: SearchApp; search: SearchAnswer }> | undefined
/** An app that reuses recent responses, as it does by default. */
function openReusingApp() {
  reusingApp ??= searchApp().then(async (quick) => ({ quick, search: await searchUntilComplete(quick) }))
  return reusingApp
}

/** Searches and details shared by several tests; without faults they are deterministic. */
const searched = new Map<string, Promise<SearchAnswer>>()
const searchOnce = (fields: Record<string, unknown>): Promise<SearchAnswer> => {
  const key = JSON.stringify(fields)
  const search = searched.get(key) ?? app.search(fields)
  searched.set(key, search)
  return search
}
const opened = new Map<string, Promise<Detail>>()
const detailOnce = (property: Summary, search = firstSearch): Promise<Detail> => {
  const key = `${search.search_id} ${property.property_id}`
  const detail = opened.get(key) ?? fetchDetail(property, search)
  opened.set(key, detail)
  return detail
}

const fetchDetail = async (property: Summary, search = firstSearch): Promise<Detail> => {
  const answer = await app.detail(search.search_id, property.property_id)
  expect(answer.statusCode, answer.body.slice(0, 500)).toBe(200)
  return answer.json().accommodation
}
const soldBy = (...vendorIds: string[]) =>
  firstSearch.availability.filter(
    ({ offers }) =>
      offers
        .map(({ vendor_id }) => vendor_id)
        .sort()
        .join() === vendorIds.sort().join(),
  )
const soldByBoth = () => {
  const [first] = soldBy('expedia_rapid', 'hotelbeds')
  if (first === undefined) throw new Error('No property is sold by both vendors.')
  return first
}
const minor = (price: number) => Math.round(price * 100)
const url = (query: string) => `/api/accommodation_searches/accommodation?${query}`

describe('property details', () => {
  test('a detail is wrapped by default and flat with raw=true, with the same content', async () => {
    const property = soldByBoth()
    const query = `search_id=${firstSearch.search_id}&property_id=${property.property_id}`
    const wrapped = (await app.get(url(query))).json()
    const flat = (await app.get(url(`${query}&raw=true`))).json()
    expectToMatch(Type.Object({ accommodation: AccommodationDetail }), wrapped)
    expectToMatch(AccommodationDetail, flat)
    expect(Object.keys(wrapped)).toEqual(['accommodation'])
    for (const field of ['search_id', 'property_id', 'available_rooms', 'vendor_id', 'vendors_property_id', 'overview'])
      expect(flat).toHaveProperty(field)
    expect(flat.overview).toEqual(wrapped.accommodation.overview)
    expect((await app.get(url(`${query}&raw=false`))).json()).toHaveProperty('accommodation')
  })

  test('every offer is in one room type, cheapest first, and room type ids are stable across searches', async () => {
    const other = await searchOnce({ currency: 'EUR' })
    const ids = new Map<string, string>()
    const seen = async (property: Summary, search: SearchAnswer) => {
      const { available_rooms: rooms, room_types: types } = await detailOnce(property, search)
      expect(types.flatMap((type) => type.rooms).sort((a, b) => a - b)).toEqual([...rooms.keys()])
      for (const type of types) {
        const offers = type.rooms.map((index) => rooms[index])
        expect(type.rooms).toEqual([...type.rooms].sort((a, b) => a - b))
        if (new Set(offers.map((room) => room?.vendor_id)).size > 1) expect(type.matched_by).not.toEqual([])
        for (const room of offers) {
          const key = `${property.property_id} ${room?.vendor_id} ${room?.room_id} ${room?.name}`
          expect(ids.get(key) ?? type.room_type_id, key).toBe(type.room_type_id)
          if (!room?.name.includes(' + ')) ids.set(key, type.room_type_id)
        }
      }
      return types
    }
    for (const property of firstSearch.availability.slice(0, 15)) await seen(property, firstSearch)
    for (const property of other.availability.slice(0, 15)) await seen(property, other)
    const types = await seen(soldByBoth(), firstSearch)
    expect(types.some(({ matched_by }) => matched_by.length > 0)).toBe(true)
  })

  test('every property of the search has a detail that matches the schema', async () => {
    for (const property of firstSearch.availability) {
      const detail = await detailOnce(property)
      expectToMatch(AccommodationDetail, detail)
      expect(detail.property_id).toBe(property.property_id)
      expect(detail.overview).toMatchObject({ name: property.name, search_id: firstSearch.search_id })
      expect(detail.available_rooms.length).toBeGreaterThan(0)
    }
  }, 60_000)

  test('local times are formatted to the second with the offset of the property’s time zone', async () => {
    const seen = new Set<string>()
    for (const property of firstSearch.availability.slice(0, 20)) {
      const { available_rooms } = await detailOnce(property)
      for (const { cancel_policy, vendor_id } of available_rooms) {
        const { expires, timezone, penalties } = cancel_policy
        const times = [expires, ...penalties.flatMap(({ from, until }) => [from, ...(until === null ? [] : [until])])]
        for (const time of times) expect(time).toBe(zonedIso(Date.parse(time), timezone))
        if (penalties.length > 0) seen.add(`${vendor_id} ${cancel_policy.cancelation}`)
      }
      const until = property.free_cancellation_until
      if (until !== null) expect(until).toBe(zonedIso(Date.parse(until), 'Europe/Zurich'))
    }
    expect([...seen]).toEqual(expect.arrayContaining(['hotelbeds none', 'expedia_rapid free']))
  })

  test('the location is a GeoJSON point with its reference system, longitude first', async () => {
    const property = soldByBoth()
    const { overview } = await detailOnce(property)
    const { lat, lon } = Reflect.get(property, 'location') as { lat: number; lon: number }
    expect(overview.location).toEqual({
      type: 'Point',
      coordinates: [lon, lat],
      crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:OGC:1.3:CRS84' } },
    })
  })

  test('descriptions contain only paragraphs and line breaks as markup', async () => {
    for (const property of firstSearch.availability.slice(0, 12)) {
      const { overview, available_rooms } = await detailOnce(property)
      for (const text of [overview.description, ...available_rooms.map(({ description }) => description)])
        expect(text.replace(/<\/?p>|<br>/g, '')).not.toMatch(/[<>]/)
    }
  })

  test('the property and each room have one default picture', async () => {
    const { overview, available_rooms } = await detailOnce(soldByBoth())
    for (const images of [overview.images, ...available_rooms.map((room) => room.images)])
      expect(images.filter((image) => image.default)).toHaveLength(images.length > 0 ? 1 : 0)
  })

  test('amenities have both forms of the specification, depending on the vendor', async () => {
    const rooms = (
      await Promise.all(
        soldBy('expedia_rapid', 'hotelbeds')
          .slice(0, 8)
          .map((property) => detailOnce(property)),
      )
    ).flatMap(({ available_rooms }) => available_rooms)
    const shapes = (vendorId: string) =>
      new Set(
        rooms
          .filter(({ vendor_id }) => vendor_id === vendorId)
          .flatMap(({ amenities }) => Object.values(amenities).map((value) => (Array.isArray(value) ? 'list' : 'one'))),
      )
    expect([shapes('expedia_rapid'), shapes('hotelbeds')]).toEqual([new Set(['one']), new Set(['list'])])
  })

  test('an offer of several rooms sleeps the sum of its rooms, and a single room fewer', async () => {
    const party = [{ adults: 2 }, { adults: 2, children_ages: [6, 9] }]
    const six = await app.search({ occupancies: party })
    let mixed = 0
    for (const property of six.availability.slice(0, 15)) {
      for (const room of (await fetchDetail(property, six)).available_rooms) {
        expect([room.name, room.sleeps >= 6]).toEqual([room.name, true])
        if (room.name.includes(' + ')) mixed += 1
      }
    }
    expect(mixed).toBeGreaterThan(0)
    const two = await searchOnce({ currency: 'EUR' })
    const { available_rooms } = await detailOnce(two.availability[0] as Summary, two)
    expect(Math.min(...available_rooms.map(({ sleeps }) => sleeps))).toBeLessThan(6)
  })

  test('every room whose vendor knows its beds lists them', async () => {
    const { available_rooms } = await detailOnce(soldByBoth())
    for (const room of available_rooms) expect([room.name, room.beds.length > 0]).toEqual([room.name, true])
  })
})

describe('prices', () => {
  let forTwo: SearchAnswer
  beforeAll(async () => {
    forTwo = await searchOnce({ currency: 'EUR' })
  })
  const rooms = async (search: SearchAnswer): Promise<{ property: Summary; detail: Detail }[]> => {
    const found = []
    expect(search.availability.length).toBeGreaterThan(15)
    for (const property of search.availability.slice(0, 8))
      found.push({ property, detail: await detailOnce(property, search) })
    return found
  }
  const nights = 3
  const currencies = ['EUR', 'USD', 'JPY', 'KWD']
  /**
   * Hotelbeds sells in euros here, and Rapid does not sell in Kuwaiti dinars. Neither does LiteAPI, but its lowest
   * selling price is stated in the requested currency.
   */
  const chargedIn = (vendorId: string, wanted: string) => {
    if (vendorId === 'hotelbeds') return 'EUR'
    return vendorId === 'expedia_rapid' && wanted === 'KWD' ? 'USD' : wanted
  }

  test.each(currencies)('in %s the parts add up to the total, within one unit per night', async (currency) => {
    const search = await app.search({ currency, occupancies: [{ adults: 2 }, { adults: 2 }] })
    const unit = { JPY: 1, KWD: 0.001 }[currency] ?? 0.01
    for (const { detail } of await rooms(search)) {
      for (const room of detail.available_rooms) {
        expect(room.currency).toBe(currency)
        const sum = room.daily_rate * nights + room.taxes_fees
        expect(Math.abs(sum - room.total_inclusive)).toBeLessThanOrEqual(unit * nights * 0.5 + 1e-9)
        const fees = room.fees.reduce((total, fee) => total + fee.amount, 0)
        expect(Math.abs(fees - room.taxes_fees)).toBeLessThan(unit / 2)
        const onSpot = room.fees.filter(({ paid_at }) => paid_at === 'property')
        const due = onSpot.reduce((total, fee) => total + fee.amount, 0)
        expect(Math.abs(due - room.due_at_property)).toBeLessThan(unit / 2)
        expect(room.public_price).toBeGreaterThanOrEqual(room.total_inclusive)
        const charged = chargedIn(room.vendor_id, currency)
        expect(room.converted_from?.currency, room.vendor_id).toBe(charged === currency ? undefined : charged)
        const charge = room.converted_from
        if (charge === null) continue
        // Exact amounts, from which the others were converted.
        const parts = charge.fees.reduce((all, { amount }) => all + amount, 0)
        expect(Math.abs(parts - charge.taxes_fees)).toBeLessThan(0.005)
        expect(charge.due_at_property).toBeLessThanOrEqual(charge.total)
        expect(charge.penalties.map(({ currency: own }) => own)).toEqual(
          room.cancel_policy.penalties.map(() => charged),
        )
      }
    }
  })

  test('rooms are sorted by price, and the summary has the price of the cheapest', async () => {
    for (const { property, detail } of await rooms(forTwo)) {
      const totals = detail.available_rooms.map(({ total_inclusive }) => total_inclusive)
      expect(totals).toEqual([...totals].sort((a, b) => a - b))
      expect([property.name, totals[0]]).toEqual([property.name, property.total_price])
      expect(detail.overview.total_price).toBe(property.total_price)
      expect(detail.overview.public_price).toBe(detail.available_rooms[0]?.public_price)
      expect([detail.vendor_id, detail.vendors_property_id]).toEqual([
        detail.available_rooms[0]?.vendor_id,
        detail.available_rooms[0]?.vendors_property_id,
      ])
    }
  })

  test('the cheapest room of each vendor has the price of the search', async () => {
    for (const { property, detail } of await rooms(forTwo)) {
      for (const offer of property.offers) {
        const cheapest = detail.available_rooms.find(({ vendor_id }) => vendor_id === offer.vendor_id)
        expect([offer.vendor_id, minor(cheapest?.total_inclusive ?? 0)]).toEqual([
          offer.vendor_id,
          minor(offer.total_price),
        ])
      }
    }
  })
})

describe('cancellation', () => {
  const STAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}$/
  const check = (room: Room) => {
    const { cancelation, expires, penalties, timezone } = room.cancel_policy
    const now = app.clock.now()
    expect(expires).toMatch(STAMP)
    expect(timezone).toBe('Europe/Zurich')
    expect(Date.parse(expires)).toBeGreaterThan(now)
    const inForce = penalties.filter(({ from }) => Date.parse(from) <= now)
    const later = penalties.filter(({ from }) => Date.parse(from) > now)
    if (cancelation === 'free') {
      expect(inForce).toEqual([])
      expect(room.refundable).toBe(true)
      if (later[0] !== undefined) expect(Date.parse(expires)).toBe(Math.floor(Date.parse(later[0].from) / 1000) * 1000)
    } else if (cancelation === 'partial') {
      expect(room.refundable).toBe(true)
      expect(inForce.length).toBeGreaterThan(0)
    } else {
      expect(room.refundable).toBe(false)
    }
    for (const penalty of penalties) {
      expect(penalty.amount).toBeGreaterThan(0)
      expect(penalty.amount).toBeLessThanOrEqual(room.total_inclusive)
      expect(penalty.currency).toBe(room.currency)
    }
    return cancelation
  }

  test('the policy, its deadline and its penalties are consistent', async () => {
    const seen = new Set<string>()
    for (const currency of ['EUR', 'USD']) {
      const search = await searchOnce({ currency })
      for (const property of search.availability.slice(0, 12)) {
        const { available_rooms } = await detailOnce(property, search)
        for (const room of available_rooms) seen.add(`${room.vendor_id} ${check(room)}`)
      }
    }
    expect([...seen]).toEqual(expect.arrayContaining(['expedia_rapid free', 'hotelbeds free', 'hotelbeds none']))
  })
})

describe('offers', () => {
  test('each room has its own sealed booking_info, with a bed if the vendor offers a choice', async () => {
    const { available_rooms } = await detailOnce(soldByBoth())
    const seals = available_rooms.map(({ booking_info }) => booking_info.price_check_uri)
    expect(new Set(seals).size).toBe(seals.length)
    for (const { booking_info, vendor_id } of available_rooms) {
      expect(booking_info.price_check_uri).toMatch(/^\/api\/accommodation\/price_check\?token=[A-Za-z0-9._-]+$/)
      expect(typeof booking_info.bed_id).toBe(vendor_id === 'expedia_rapid' ? 'string' : 'undefined')
    }
  })

  test('a second request within the window returns the same bytes without asking a vendor', async () => {
    const { quick, search } = await openReusingApp()
    const [property] = search.availability
    const first = await quick.detail(search.search_id, property?.property_id ?? '')
    quick.traffic.reset()
    const second = await quick.detail(search.search_id, property?.property_id ?? '')
    expect(second.body).toBe(first.body)
    expect(STAND_IN_IDS.flatMap((id) => quick.traffic.calls(id))).toEqual([])
    quick.clock.advance(46_000)
    const third = await quick.detail(search.search_id, property?.property_id ?? '')
    expect(third.json().accommodation.available_rooms[0].booking_info).not.toEqual(
      first.json().accommodation.available_rooms[0].booking_info,
    )
    expect(quick.traffic.calls(property?.vendor_id ?? '')).toHaveLength(1)
  })
})

describe('failing vendors', () => {
  test('with one vendor down, the detail is partial, has the other’s rooms and names the failed vendor', async () => {
    await app.sandbox.control.hotelbeds.addFaults({ kind: 'error_before', operation: 'rooms' })
    const detail = await fetchDetail(soldByBoth())
    expectToMatch(AccommodationDetail, detail)
    expect(detail.partial).toBe(true)
    expect(detail.vendors.map(({ vendor_id, status }) => `${vendor_id} ${status}`).sort()).toEqual([
      'expedia_rapid ok',
      'hotelbeds error',
    ])
    expect(new Set(detail.available_rooms.map(({ vendor_id }) => vendor_id))).toEqual(new Set(['expedia_rapid']))
  })

  test('a vendor that hangs delays the detail to its deadline but does not affect the others’ rooms', async () => {
    await app.sandbox.control.expedia_rapid.addFaults({ kind: 'hang', operation: 'rooms' })
    const started = performance.now()
    const detail = await fetchDetail(soldByBoth())
    expect(performance.now() - started).toBeLessThan(5_500)
    expect(detail.vendors).toContainEqual(expect.objectContaining({ vendor_id: 'expedia_rapid', status: 'timeout' }))
    expect(new Set(detail.available_rooms.map(({ vendor_id }) => vendor_id))).toEqual(new Set(['hotelbeds']))
  })

  test('a detail returns 502 if every vendor failed and 504 if they all hung', async () => {
    const { property_id } = soldByBoth()
    for (const control of Object.values(app.sandbox.control))
      await control.addFaults({ kind: 'error_before', operation: 'rooms' })
    expect((await app.detail(firstSearch.search_id, property_id)).json()).toMatchObject({
      status: 502,
      code: 'vendors_failed',
      detail: expect.stringContaining('Fetch it again'),
    })
    await app.clearFaults()
    for (const control of Object.values(app.sandbox.control))
      await control.addFaults({ kind: 'hang', operation: 'rooms' })
    expect((await app.detail(firstSearch.search_id, property_id)).json()).toMatchObject({
      status: 504,
      code: 'vendor_timeout',
      detail: expect.stringContaining('Fetch it again'),
    })
  })

  test('a detail returns 502 if every vendor failed except one that does not sell so far ahead', async () => {
    const far = await app.search({ check_in: app.day(400), check_out: app.day(403) })
    const both = new Set(soldBy('expedia_rapid', 'hotelbeds').map(({ property_id }) => property_id))
    const property = far.availability.find(({ property_id }) => both.has(property_id))
    if (property === undefined) throw new Error('No property is sold by both vendors.')
    const { vendors } = await fetchDetail(property, far)
    expect(vendors.map(({ status }) => status).sort()).toEqual(['ok', 'skipped'])
    await app.sandbox.control.hotelbeds.addFaults({ kind: 'error_before', operation: 'rooms' })
    expect((await app.detail(far.search_id, property.property_id)).json()).toMatchObject({
      status: 502,
      code: 'vendors_failed',
    })
  })

  test('a partial detail is not cached, so the next request has all rooms again', async () => {
    const { quick, search } = await openReusingApp()
    const property = search.availability.findLast(({ offers }) => offers.length === 2)
    await quick.sandbox.control.hotelbeds.addFaults({ kind: 'error_before', operation: 'rooms', times: 1 })
    const first = await quick.detail(search.search_id, property?.property_id ?? '')
    const second = await quick.detail(search.search_id, property?.property_id ?? '')
    expect([first, second].map((answer) => answer.json().accommodation.partial)).toEqual([true, false])
  })

  test('a property that is sold out since has no rooms, the prices of the search and no error', async () => {
    const property = soldByBoth()
    for (const control of Object.values(app.sandbox.control))
      await control.addFaults({ kind: 'sold_out', operation: 'rooms' })
    const detail = await fetchDetail(property)
    expectToMatch(AccommodationDetail, detail)
    expect(detail.available_rooms).toEqual([])
    expect(detail.overview.total_price).toBe(property.total_price)
    expect(detail.vendor_id).toBe(property.vendor_id)
  })
})

describe('invalid requests', () => {
  test.each([
    ['', ['property_id required', 'search_id required']],
    ['search_id=', ['property_id required', 'search_id required']],
    ['property_id=x', ['search_id required']],
    ['search_id=x&property_id=y&raw=maybe', ['raw not_allowed']],
    ['search_id[]=x&property_id[a]=y', ['property_id required', 'search_id required']],
  ])('the query “%s” is refused with 422 and all its errors', async (query, expected) => {
    const answer = await app.get(url(query))
    expect(answer.statusCode).toBe(422)
    const { errors } = answer.json<{ errors: { field: string; code: string }[] }>()
    expect(errors.map(({ field, code }) => `${field} ${code}`).sort()).toEqual(expected)
  })

  test.each(['prp_nobody', 'expedia_rapid', 'x'.repeat(5_000), '%00', '["', '%F0%9F%8F%A8'])(
    'the property %s returns 404',
    async (id) => {
      const answer = await app.detail(firstSearch.search_id, id)
      expect(answer.json()).toMatchObject({ status: 404, code: 'property_not_found' })
    },
  )

  test('a query that is not UTF-8 returns 400, and a missing token 401', async () => {
    expect((await app.get(url('search_id=%FF&property_id=x'))).json()).toMatchObject({ status: 400 })
    expect((await app.call({ url: url('search_id=x&property_id=y') })).statusCode).toBe(401)
  })
})
