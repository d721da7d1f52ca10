import { expect, test } from 'vitest'
import type { Stay } from '../../../../src/domain/stay.ts'
import type { BookOrder } from '../../../../src/vendors/contract.ts'
import { decodeAvailability, readHotels } from '../../../../src/vendors/hotelbeds/decode-availability.ts'
import {
  decodeCancelFee,
  decodeConfirmation,
  decodeFound,
  decodeReceipt,
} from '../../../../src/vendors/hotelbeds/decode-booking.ts'
import { decodeRooms } from '../../../../src/vendors/hotelbeds/decode-rooms.ts'
import {
  encodeAvailability,
  encodeBook,
  encodeCancel,
  encodeCodeList,
  encodeCommentDetails,
  encodeDetail,
  encodeDiscover,
  encodeFeed,
  encodeFind,
  encodePreviewCancel,
  encodePriceCheck,
  encodeProperties,
  encodeReconfirmations,
  encodeRooms,
} from '../../../../src/vendors/hotelbeds/encode.ts'
import { readFailure } from '../../../../src/vendors/hotelbeds/failure.ts'
import { parsePartyKey } from '../../../../src/vendors/hotelbeds/parties.ts'
import type { Call } from '../../../../src/vendors/transport/call.ts'
import { createOpenApiCheck } from '../../../support/http/openapi-request.ts'
import type { Json } from '../../../support/vendors/hotelbeds.ts'
import { describeRecorded, recordedBodies, recordedDocument } from '../../../support/vendors/recorded-bodies.ts'
import { config, context, scripted } from './scripted.ts'

const NOW = '2018-11-16T08:00:00Z'
const bodies = (like: RegExp) => recordedBodies('hotelbeds', like)

type Rate = {
  rooms: number
  adults: number
  children?: number
  childrenAges?: string
  rateKey?: string
  boardCode?: string
}
type Hotel = { code: number; currency: string; rooms: { code: string; rates: Rate[] }[] }
const listRates = (hotel: Hotel) =>
  hotel.rooms.flatMap((room) => room.rates.map((rate) => ({ ...rate, room: room.code })))
const toPartyKey = ({ rooms, adults, childrenAges = '' }: Rate) =>
  `${rooms}x${adults}-${childrenAges.split(/[,;~]/).sort().join(',')}`

const family: Stay = {
  checkIn: '2027-06-15',
  checkOut: '2027-06-17',
  occupancies: [
    { adults: 2, childrenAges: [] },
    { adults: 1, childrenAges: [9, 4] },
  ],
}
const market = { currency: 'EUR', language: 'de-AT', countryCode: 'GB' }
const order: BookOrder = {
  ref: {},
  reference: 'ABCDEFGHJKMNPQRSTVWX',
  guests: ['One', 'Two'].map((givenName) => ({ givenName, familyName: 'Guest' })),
  contact: { email: 'one@example.com', phone: '+43123456' },
  specialRequests: 'A quiet room, please.',
  stay: family,
}
const availability = encodeAvailability(config, { vendorPropertyIds: ['77', '168'], stay: family, market })
const book = encodeBook(order, ['a|b', 'c|d'], 'agent-1')

describeRecorded('recorded bodies of Hotelbeds', () => {
  test.each(bodies(/^availability\.response/))(
    '%s: every hotel becomes an offer or is counted as dropped',
    (name, body) => {
      const list = readHotels(body) as Hotel[]
      const party = toPartyKey(listRates(list[0] ?? { code: 0, currency: '', rooms: [] })[0] ?? { rooms: 1, adults: 2 })
      const frame = { parties: [parsePartyKey(party)], pricing: 'net' as const, now: Date.parse(NOW) }
      const { offers, dropped } = decodeAvailability(list, frame)
      const cheapest = new Map(offers.toReversed().map((offer) => [offer.vendorPropertyId, offer.total]))
      expect(cheapest.size + dropped).toBe(list.length)
      // The entries of this sample are for other dates.
      expect(dropped).toBe(name.includes('shift-days') ? list.length : 0)
      for (const [vendorPropertyId, total] of cheapest) {
        const [room] = decodeRooms(list, vendorPropertyId, { ...frame, zone: 'UTC' })
        expect(room?.price.total).toEqual(total)
      }
    },
  )

  test.each(bodies(/^checkrates\.response/))('%s: every checked rate has a price', async (_, body) => {
    const { hotel } = body as { hotel: Hotel }
    for (const rate of listRates(hotel)) {
      const { vendor } = scripted([{ body }], '2016-04-11T18:30:00Z')
      const ref = {
        hotel: String(hotel.code),
        currency: hotel.currency,
        expiresAt: 1,
        parties: [toPartyKey(rate)],
        rateKeys: [String(rate.rateKey)],
        rateTypes: ['BOOKABLE'],
        roomCodes: [rate.room],
        boardCodes: [String(rate.boardCode)],
      }
      expect(await vendor.priceCheck(ref, context)).toMatchObject({ status: 'available' })
    }
  })

  test.each(bodies(/^booking(-detail)?\.response/))('%s is decoded as a confirmed booking with a price', (_, body) => {
    const { total, charged = total, ...receipt } = decodeReceipt(body, 'net', Date.parse(NOW)) ?? {}
    expect(receipt).toMatchObject({ state: 'confirmed', vendorReference: expect.stringMatching(/^\d+-\d+$/) })
    expect(charged).toMatchObject({ currency: 'EUR' })
  })

  test.each(bodies(/^booking-detail\.response/))(
    "%s: the supplier's reference is not used as the hotel's number",
    (_, body) => {
      expect(JSON.stringify(body)).toContain('supplierReference')
      expect(decodeReceipt(body, 'net', Date.parse(NOW))?.confirmation).not.toHaveProperty('property')
    },
  )

  test.each(bodies(/^reconfirmations\.response/))("%s: every booking has the hotel's number", (_, body) => {
    const { bookings } = body as { bookings: { reference: string }[] }
    for (const { reference } of bookings) {
      const { property } = decodeConfirmation({ reference, hotel: { rooms: [{ id: 10 }] } }, body)
      expect(property).toBe('HIL_Conf_444322')
    }
  })

  test.each(bodies(/^booking-cancel.*response/))('%s is decoded as a cancelled booking with a fee', (_, body) => {
    expect(decodeReceipt(body, 'net', Date.parse(NOW))).toMatchObject({ state: 'cancelled' })
    expect(decodeCancelFee(body)).toMatchObject({ currency: 'EUR' })
  })

  test.each(bodies(/^booking-list\.response/))('%s: every booking is found by its reference', (_, body) => {
    const { bookings } = body as { bookings: { bookings: { clientReference: string; reference: string }[] } }
    for (const { clientReference } of bookings.bookings) expect(decodeFound(body, clientReference)).toMatch(/^\d+-\d+$/)
    expect(decodeFound(body, 'NOSUCHREFERENCE')).toBeUndefined()
  })

  test.each(bodies(/^content\.hotel/))('%s: every property is decoded', async (_, body) => {
    const { hotels, hotel } = body as { hotels?: unknown[]; hotel?: unknown }
    const { vendor } = scripted(
      Array.from({ length: 40 }, () => (call: Call) => (call.path.includes('/hotels?') ? { body } : { status: 500 })),
      NOW,
    )
    for await (const page of vendor.content({ kind: 'ids', ids: ['1'] }, context)) {
      expect([page.properties.length, page.dropped]).toEqual([(hotels ?? [hotel]).length, 0])
      for (const property of page.properties) expect(property.rooms.length).toBeGreaterThan(0)
    }
  })

  test.each(bodies(/^error\.\d/))('%s proves that nothing was done, except a 500', (name, body) => {
    const status = Number(name.split('.')[1])
    const failure = readFailure(book, { status, headers: {}, body }, [])
    expect(failure?.effect).toBe(status === 500 ? 'unknown' : 'none')
  })

  const check = documents()
  const headers = { accept: 'application/json', 'accept-encoding': 'gzip', 'content-type': 'application/json' }
  const problems = (call: Call) =>
    check[call.origin === 'content' ? 'content' : 'booking'].request({ ...call, headers })

  test.each([
    ['availability', availability],
    ['rooms', encodeRooms({ vendorPropertyId: '77', stay: family, market, timezone: 'Europe/Madrid' })],
    ['discover', encodeDiscover({ center: { lat: 39.57, lon: 2.65 }, radiusKm: 12.3 }, '2027-05-01')],
    ['price check', encodePriceCheck(['a|b', 'c|d'])],
    ['book', book],
    ['find', encodeFind({ reference: order.reference, email: '', createdOn: '2027-01-01' })],
    ['detail', encodeDetail('1-700001')],
    ['reconfirmations', encodeReconfirmations('1-700001')],
    ['preview of a cancellation', encodePreviewCancel('1-700001')],
    ['cancellation', encodeCancel('1-700001')],
    ['feed', encodeFeed(101, 100, '2027-01-01')],
    ['properties', encodeProperties(['77', '168'])],
    ...['types/facilities', 'types/categories', 'types/accommodations', 'types/boards', 'locations/countries'].map(
      (list): [string, Call] => [list, encodeCodeList(list, 1, 1000)],
    ),
    ['types/chains', encodeCodeList('types/chains', 1, 1000, ['ACCOR'])],
    ['types/rooms', encodeCodeList('types/rooms', 1, 1000, ['DBL.ST'], 'de')],
    ['types/ratecomments', encodeCodeList('types/ratecomments', 1, 1000)],
    ['types/ratecommentdetails', encodeCommentDetails('256|24524|3', '2027-01-01')],
  ] satisfies [string, Call][])("the request for %s matches the vendor's OpenAPI document", (_, call) => {
    expect(problems(call)).toEqual([])
  })

  test('the OpenAPI check rejects an invalid request', () => {
    const { stay: _, ...body } = availability.body as Json
    expect(problems({ ...availability, body })).not.toEqual([])
    expect(problems({ ...availability, path: '/hotel-api/1.0/hotel' })).not.toEqual([])
  })

  test.each(bodies(/^availability\.request\.(hotel-codes|children|geo-circle)/))(
    "the vendor's own %s passes the OpenAPI check",
    (_, body) => {
      expect(problems({ ...availability, body })).toEqual([])
    },
  )

  test.each(bodies(/^(checkrates|booking)\.request\.(?!credit-card)/))(
    "the vendor's own %s passes the OpenAPI check and has all fields of ours",
    (name, body) => {
      const call = name.startsWith('checkrates') ? encodePriceCheck(['a']) : encodeBook(order, ['a'], undefined)
      expect(problems({ ...call, body })).toEqual([])
      const known = [...Object.keys(body as object), 'upselling', 'tolerance', 'language']
      for (const field of Object.keys(call.body as object)) expect(known).toContain(field)
    },
  )
})

/**
 * Hotelbeds' own documents, corrected where they contradict every request Hotelbeds itself shows: `rooms` is what
 * `required` calls `room`, and coordinates, radius and tolerance are numbers.
 */
function documents() {
  const booking = recordedDocument('hotelbeds', 'openapi-booking.yaml')
  const { schemas } = booking.components as { schemas: Record<string, { required?: string[]; properties: Json }> }
  for (const name of ['checkRateRQ', 'bookingRQ']) {
    const schema = schemas[name]
    if (schema?.required) schema.required = schema.required.map((field) => (field === 'room' ? 'rooms' : field))
  }
  const numbers: [string, string[]][] = [
    ['ApiGeoLocation', ['latitude', 'longitude', 'radius']],
    ['bookingRQ', ['tolerance']],
  ]
  for (const [name, fields] of numbers) {
    for (const field of fields) Object.assign(schemas[name]?.properties[field] ?? {}, { type: 'number' })
  }
  return {
    booking: createOpenApiCheck(booking, '/hotel-api/1.0'),
    content: createOpenApiCheck(recordedDocument('hotelbeds', 'openapi-content.yaml'), '/hotel-content-api/1.0'),
  }
}
