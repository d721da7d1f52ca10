import { expect, test } from 'vitest'
import { buildHeaders } from '../../../../src/vendors/expedia_rapid/authorize.ts'
import { ringsAround } from '../../../../src/vendors/expedia_rapid/circle-polygon.ts'
import { decodeContent, decodeGeography } from '../../../../src/vendors/expedia_rapid/content/decode.ts'
import { decodeAvailability } from '../../../../src/vendors/expedia_rapid/decode-availability.ts'
import { pickItinerary, readCreated, toReceipt } from '../../../../src/vendors/expedia_rapid/decode-booking.ts'
import { decodePriceCheck, decodeRooms } from '../../../../src/vendors/expedia_rapid/decode-rooms.ts'
import {
  encodeAvailability,
  encodeBook,
  encodeCancel,
  encodeContent,
  encodeFind,
  encodeGeography,
  encodePriceCheck,
  encodeRetrieve,
  encodeRooms,
} from '../../../../src/vendors/expedia_rapid/encode.ts'
import { readFailure } from '../../../../src/vendors/expedia_rapid/failure.ts'
import type { Call } from '../../../../src/vendors/transport/call.ts'
import { createOpenApiCheck } from '../../../support/http/openapi-request.ts'
import { describeRecorded, recordedBodies, recordedDocument } from '../../../support/vendors/recorded-bodies.ts'
import { clock, config, context, ORIGIN } from './scripted.ts'

const NOW = Date.parse('2018-02-01T00:00:00Z')
const market = { currency: 'USD', language: 'en-US', countryCode: 'US' }
const stay = { checkIn: '2018-03-01', checkOut: '2018-03-03', occupancies: [{ adults: 2, childrenAges: [] }] }
const bodies = (like: RegExp) => recordedBodies('rapid', like)

describeRecorded('recorded bodies of Rapid', () => {
  test.each(bodies(/^getAvailability\.200/))(
    '%s: every property becomes an offer or is counted as dropped',
    (_, body) => {
      const properties = body as { property_id: string }[]
      const ids = properties.map(({ property_id }) => property_id)
      const answer = decodeAvailability(properties, { vendorPropertyIds: ids, stay, market }, NOW)
      expect(answer.offers.length + answer.dropped).toBe(properties.length)
      expect(answer.offers.length).toBe(properties.length)
      for (const id of ids) {
        const query = { vendorPropertyId: id, stay, market, timezone: 'UTC' }
        expect(
          decodeRooms(properties, { query, origin: ORIGIN, termsUrl: '', taxesText: '', now: NOW }).length,
        ).toBeGreaterThan(0)
      }
    },
  )

  test.each(bodies(/^getPropertyContent\.200/))('%s: every property is decoded or counted as dropped', (name, body) => {
    const { properties, dropped } = decodeContent(body)
    expect(properties.length + dropped).toBe(Object.keys(body as object).length)
    // Without `location`, which our own calls always request, a property is dropped.
    expect(dropped).toBe(name.includes('include-name') ? Object.keys(body as object).length : 0)
  })

  test.each(bodies(/^postGeography\.200/))('%s: every property is decoded', (_, body) => {
    expect(decodeGeography(body)).toEqual(Object.keys(body as object))
  })

  test.each(bodies(/^(x\.)?priceCheck\.200/))('%s is decoded as a price, or has no booking link', (name, body) => {
    const ref = { currency: 'USD', occupancies: ['2'], checkIn: stay.checkIn, checkOut: stay.checkOut }
    const check = () => decodePriceCheck(body, ref, ORIGIN, NOW)
    if (name.includes('room-change')) expect(check).toThrow('price check without a booking link')
    else expect(check()).toMatchObject({ status: 'available', ref: { book: expect.stringContaining('token=') } })
  })

  test.each(bodies(/^getReservation.*\.20[06]\.it/))('%s is decoded as a confirmed booking with a price', (_, body) => {
    const found = pickItinerary(body, '', ORIGIN, NOW)
    expect(found && toReceipt(found)).toMatchObject({ state: 'confirmed', total: { currency: 'USD' } })
    for (const room of found?.rooms ?? []) expect(room.cancelPath).toMatch(/^\/v3\/itineraries\/\d+\/rooms\//)
  })

  test.each(bodies(/^getReservation\.20[06]\.no/))('%s means that the booking does not exist', (_, body) => {
    expect(pickItinerary(body, '', ORIGIN, NOW)).toBeUndefined()
  })

  test.each(bodies(/(not-ready|held-booking)/))('%s is decoded as a pending booking', (_, body) => {
    const found = pickItinerary(body, '', ORIGIN, NOW)
    expect(found && toReceipt(found).state).toBe('pending')
  })

  test.each(bodies(/^postItinerary\.201/))('%s contains the itinerary number', (_, body) => {
    expect(readCreated(body, ORIGIN).id).toMatch(/^\d+$/)
  })

  test.each(bodies(/\.[45]\d\d(\.|$)/))('%s is decoded as a failure with a reason', (name, body) => {
    const status = Number(/\.([45]\d\d)(\.|$)/.exec(name)?.[1])
    const read = encodePriceCheck('/v3/x?token=y')
    const failure = readFailure(read, { status, headers: {}, body }, NOW)
    expect(failure).toMatchObject({ effect: name.includes('duplicate') ? 'unknown' : 'none' })
    expect(failure?.message).not.toMatch(/: status \d+$/)
  })

  const check = createOpenApiCheck(recordedDocument('rapid', 'openapi.json'), '/v3')
  const headers = buildHeaders(config, clock, context, '')
  const profile = { ...config, billingTerms: 'EAC', partnerPointOfSale: 'B2C', paymentTerms: '1', platformName: 'web' }
  const order = {
    ref: {},
    reference: 'ABCDEFGHJKMNPQRSTVWX',
    guests: [{ givenName: 'Ada', familyName: 'Guest' }],
    contact: { email: 'guest@example.com', phone: '+1 (487) 555-0077' },
    specialRequests: 'High floor',
    stay,
    price: { minor: 100, currency: 'EUR' },
  }
  const shop = encodeAvailability(profile, { vendorPropertyIds: ['1', '2'], stay, market })
  const book = encodeBook(config, order, '/v3/itineraries?token=abc')

  test.each([
    ['availability', shop],
    ['rooms', encodeRooms(profile, { vendorPropertyId: '1', stay, market, timezone: 'UTC' })],
    ['content by id', encodeContent(profile, { ids: ['1', '2'] })],
    ['content since', encodeContent(profile, { since: '2027-01-01' })],
    ...ringsAround({ center: { lat: 48.85, lon: 2.35 }, radiusKm: 4.2 }).map((ring): [string, Call] => [
      'geography',
      encodeGeography(profile, ring),
    ]),
    ['price check', encodePriceCheck('/v3/properties/1/rooms/2/rates/3?token=abc')],
    ['book', book],
    ['find', encodeFind(config, { reference: 'ABC', email: 'a+b@example.com', createdOn: '2027-01-01' })],
    ['retrieve', encodeRetrieve(config, '8999', 'a@b.co')],
    ['cancel', encodeCancel('/v3/itineraries/1/rooms/2?token=abc')],
  ])("the request for %s matches the vendor's OpenAPI document", (_, call) => {
    expect(check.request({ ...call, headers: { ...headers, ...call.headers } })).toEqual([])
    for (const testHeader of ['standard', 'sold_out', 'rooms_unavailable', 'post_stay_cancel', 'service_unavailable']) {
      const tested = buildHeaders({ ...config, testHeader }, clock, context, call.operation)
      expect(check.request({ ...call, headers: { ...tested, ...call.headers } })).toEqual([])
    }
  })

  test.each(bodies(/postItinerary\.request/))("the vendor's own %s passes the OpenAPI check", (_, body) => {
    expect(check.request({ ...book, headers: { ...headers, ...book.headers }, body })).toEqual([])
  })

  test('the OpenAPI check rejects an invalid request', () => {
    const broken = (path: string) => check.request({ method: 'GET', path, headers })
    expect(broken(shop.path.replace('checkin=', 'chekin='))).toEqual([
      'query chekin is not in the document',
      'query checkin is missing',
    ])
    expect(broken(shop.path.replace('expedia_collect', 'free'))).toHaveLength(1)
    expect(check.request({ method: 'GET', path: shop.path, headers: {} })).toContain(
      'header Accept-Encoding is missing',
    )
    expect(check.request({ ...book, headers: { ...headers, ...book.headers }, body: { email: 1 } })).not.toEqual([])
    expect(broken('/v3/nothing')).toEqual(['GET /v3/nothing is not in the document'])
  })
})
