import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { buildHeaders } from '../../../../src/vendors/liteapi/authorize.ts'
import { decodeProperty } from '../../../../src/vendors/liteapi/content/decode.ts'
import { decodeAvailability, readHead, readProperties } from '../../../../src/vendors/liteapi/decode-availability.ts'
import {
  decodeCancelFee,
  decodeReceipt,
  extractBooking,
  readBookingEnvironment,
} from '../../../../src/vendors/liteapi/decode-booking.ts'
import { decodePriceCheck, decodeRooms } from '../../../../src/vendors/liteapi/decode-rooms.ts'
import {
  encodeAvailability,
  encodeBook,
  encodeCancel,
  encodeDetail,
  encodeFind,
  encodePriceCheck,
  encodeRooms,
} from '../../../../src/vendors/liteapi/encode.ts'
import { readFailure } from '../../../../src/vendors/liteapi/failure.ts'
import { decodeRef, type StayRef } from '../../../../src/vendors/liteapi/offer-ref.ts'
import { parseBody } from '../../../../src/vendors/transport/parse-body.ts'
import { asRecords, type Wire } from '../../../../src/vendors/wire/read.ts'
import { createOpenApiCheck } from '../../../support/http/openapi-request.ts'
import { describeRecorded, recordedBodies, recordedDocument } from '../../../support/vendors/recorded-bodies.ts'
import { config, exchangeRates, market, stay, timezone } from './scripted.ts'

const bodies = (like: RegExp) => recordedBodies('liteapi', like)
const NOW = Date.parse('2024-01-01T00:00:00Z')
const buildFrame = (rooms: number) => ({ rooms, now: NOW, exchange: exchangeRates })
const names = { facility: () => '', kind: () => '' }
const family = { ...stay, occupancies: [...stay.occupancies, { adults: 1, childrenAges: [9, 4] }] }
const order = {
  ref: {},
  reference: 'OURREFERENCE00000001',
  guests: [{ givenName: 'Ada', familyName: 'Guest' }],
  contact: { email: 'ada@example.com', phone: '+31201234567' },
  specialRequests: '',
  stay: family,
  price: { minor: 1, currency: 'USD' },
}
type Prebook = {
  data: {
    hotelId: string
    checkin: string
    checkout: string
    price: number
    addonsTotalAmount?: number
    roomTypes: { rates: object[] }[]
  }
}

describeRecorded('recorded bodies of LiteAPI', () => {
  test.each(bodies(/^rates\.response\.(one|two)/))('%s: every offer is decoded in list and detail', (_, body) => {
    const properties = readProperties(body)
    for (const property of properties) {
      const offers = property.roomTypes as Wire[]
      const rooms = asRecords(offers[0]?.rates).length
      expect(decodeAvailability([property], buildFrame(rooms))).toMatchObject({
        offers: [{ vendorPropertyId: property.hotelId }],
        dropped: 0,
      })
      const asked = rooms === 1 ? stay : family
      const query = { vendorPropertyId: String(property.hotelId), stay: asked, market, timezone }
      const read = decodeRooms([property], query, buildFrame(rooms))
      expect(read).toHaveLength(offers.length)
      for (const room of read) {
        expect(decodeRef(room.ref)?.offerId.length).toBeGreaterThan(5)
        expect(room.price.dueAtProperty.minor).toBe(43_61 * rooms)
        expect(room.bounds?.min?.minor).toBeGreaterThan(room.price.total.minor)
      }
    }
  })

  test('in the recorded stream sellable offers are decoded and the stub is counted', () => {
    const file = join(process.env.SERAI_RECORDED_BODIES ?? '', 'liteapi', 'samples', 'rates.stream.response.sse.txt')
    const [property, ...others] = readProperties(parseBody(readFileSync(file)).body)
    expect(others).toEqual([])
    const heads = asRecords(property?.roomTypes).map((offer) => readHead(offer, buildFrame(1)))
    expect(heads.map((head) => typeof head)).toEqual(['object', 'object', 'object', 'undefined'])
    expect(decodeAvailability([property ?? {}], buildFrame(1))).toMatchObject({
      offers: [{ total: { minor: 429_01 - 24_27, currency: 'USD' } }],
      dropped: 1,
    })
  })

  test.each(bodies(/^prebook\.response\.(?!4)/))('%s is decoded as a checked price', (name, body) => {
    const { data } = body as Prebook
    const parties = (data.roomTypes[0]?.rates ?? []).map(() => '2')
    const { hotelId, checkin: checkIn, checkout: checkOut } = data
    const ref: StayRef = {
      hotel: hotelId,
      offerId: 'O',
      currency: 'USD',
      zone: 'UTC',
      checkIn,
      checkOut,
      parties,
      roomIds: [],
      fees: [],
      prebookId: '',
      dueMinor: 0,
    }
    const check = () => decodePriceCheck(body, ref, buildFrame(parties.length), config.payment)
    // Extras and vouchers, which we never order, are not part of the rates.
    if (name.includes('addons')) expect(check).toThrow('do not add up to its price')
    else expect(check()).toMatchObject({ status: 'available', price: { total: { currency: 'USD' } } })
  })

  test.each(bodies(/^(book|booking\.get|rebook)\.response\.confirmed/))(
    '%s is decoded as a confirmed booking with a charge',
    (_, body) => {
      const booking = extractBooking(body) ?? {}
      expect(decodeReceipt(booking)).toMatchObject({ state: 'confirmed', charged: { currency: 'USD' } })
      if (booking.sandbox !== undefined)
        expect(readBookingEnvironment(booking, body)).toBe(booking.sandbox === 1 ? 'sandbox' : 'live')
    },
  )

  test.each(bodies(/^bookings\.list\.by-client-reference/))(
    '%s: every booking of the list is decoded',
    (name, body) => {
      const { data } = body as { data: Wire[] }
      expect(data.length > 0).toBe(!name.includes('empty'))
      for (const booking of data) {
        expect(decodeReceipt(booking)).toMatchObject({ vendorReference: booking.bookingId })
        if (booking.price !== undefined)
          expect(decodeReceipt({ ...booking, status: 'CONFIRMED' })?.charged?.minor).toBe(356_31)
      }
    },
  )

  test.each(bodies(/^booking\.cancel\.response\.refundable/))(
    '%s is decoded as a cancellation with a fee',
    (_, body) => {
      expect(decodeReceipt(extractBooking(body) ?? {})).toMatchObject({ state: 'cancelled' })
      expect(decodeCancelFee(extractBooking(body) ?? {}, { minor: 150_00, currency: 'USD' })).toEqual({
        minor: 25_00,
        currency: 'USD',
      })
    },
  )

  test.each(bodies(/\.(?:204|[345]\d\d)\b|^error\./))('%s is decoded as a failure or an empty answer', (name, body) => {
    const status = Number(/\.(\d{3})\b/.exec(name)?.[1])
    const call = name.startsWith('book.')
      ? encodeBook(config, order, 'P')
      : name.startsWith('prebook')
        ? encodePriceCheck({ offerId: 'O' })
        : encodeRooms(config, { vendorPropertyId: 'lp1', stay, market, timezone })
    const failure = readFailure(call, { status, headers: {}, body }, config.apiKey)
    if (/no-availability|ids-not-found/.test(name) && name.startsWith('rates'))
      return expect(readProperties(body)).toEqual([])
    if (name.startsWith('book.response.400')) {
      const final = /\.(4000|4002|4003)\./.test(name)
      return expect(failure?.effect, name).toBe(final ? 'none' : 'unknown')
    }
    expect(failure).toBeDefined()
  })

  test.each(bodies(/^content\.hotels?\.response$/))('%s: every property is decoded', (_, body) => {
    const { data } = body as { data: Wire | Wire[] }
    for (const item of [data].flat() as Wire[]) {
      const property = decodeProperty(item, names)
      expect(property).toMatchObject({
        vendorPropertyId: item.id,
        name: item.name,
        address: { countryCode: expect.stringMatching(/^[A-Z]{2}$/) },
      })
      const rooms = (item.rooms ?? []) as unknown[]
      expect(property?.rooms).toHaveLength(rooms.length)
      if (item.hotelImportantInformation !== undefined) {
        const texts = property?.notices?.map(({ text }) => text).join('\n')
        expect(texts).toContain('A damage deposit of USD 50 is required on arrival.')
        expect(texts).toContain('Pets: Pets are allowed.')
      }
      if (rooms.length > 0) expect(property?.images.length).toBe((item.hotelImages as unknown[]).length)
    }
  })

  describe("requests match the vendor's OpenAPI document", () => {
    test.each([
      [
        'availability',
        'openapi-search.json',
        encodeAvailability(config, { vendorPropertyIds: ['lp1', 'lp2'], stay: family, market }),
      ],
      ['rooms', 'openapi-search.json', encodeRooms(config, { vendorPropertyId: 'lp1', stay, market, timezone })],
      ['prebook', 'openapi-booking.json', encodePriceCheck({ offerId: 'O' })],
      ['book', 'openapi-booking.json', encodeBook(config, order, 'P')],
      ['find', 'openapi-booking.json', encodeFind('OURREFERENCE00000001')],
      ['detail', 'openapi-booking.json', encodeDetail('bK3_x-9Qz')],
      ['cancel', 'openapi-booking.json', encodeCancel('bK3_x-9Qz')],
    ])('%s', (_, file, call) => {
      const check = createOpenApiCheck(recordedDocument('liteapi', file))
      const headers = { ...buildHeaders(config), 'content-type': 'application/json' }
      expect(check.request({ ...call, headers, path: call.path.replace(/^\/v3\.0/, '') })).toEqual([])
    })
  })
})
