import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bookErrors } from '../../sandbox/vendors/expedia_rapid/book-order.ts'
import type { Board } from '../../src/domain/offer.ts'
import type { VendorProperty } from '../../src/domain/property/property.ts'
import { monotonicMs } from '../../src/lib/time/clock.ts'
import type { PriceCheck, Vendor } from '../../src/vendors/contract.ts'
import { createOpenApiCheck } from '../support/http/openapi-request.ts'
import { createCallContext, PARIS_PLACE, rapidSandbox } from '../support/sandbox/rapid-sandbox.ts'
import { vendorBench } from '../support/sandbox/vendor-bench.ts'
import { describeRecorded, recordedDocument } from '../support/vendors/recorded-bodies.ts'
import { conditionsContract } from './conditions-contract.ts'
import { createSteps } from './contract-steps.ts'
import { noticesContract } from './notices-contract.ts'
import { termsContract } from './terms-contract.ts'
import { vendorContract } from './vendor-contract.ts'

type Sandbox = Awaited<ReturnType<typeof rapidSandbox>>
let sandbox: Sandbox
let vendor: Vendor
let ids: string[] = []

const stay = {
  checkIn: '2027-03-01',
  checkOut: '2027-03-04',
  occupancies: [
    { adults: 2, childrenAges: [] },
    { adults: 2, childrenAges: [] },
  ],
}
const market = { currency: 'USD', language: 'en-US', countryCode: 'US' }
const context = () => createCallContext(20_000)
const contact = { email: 'guest@example.com', phone: '+31 20 123 4567' }
const guests = [
  { givenName: 'Ann', familyName: 'Guest' },
  { givenName: 'Ben', familyName: 'Guest' },
]
let counter = 0
const newReference = () => {
  counter += 1
  return `SERAI${String(counter).padStart(15, '0')}`
}
const createLookup = (reference: string) => ({ reference, email: contact.email, createdOn: '2027-01-15' })

beforeAll(async () => {
  sandbox = await rapidSandbox()
  vendor = sandbox.vendor
  for await (const page of vendor.content(
    { kind: 'area', circle: { center: PARIS_PLACE.point, radiusKm: 20 }, limit: 60 },
    context(),
  )) {
    ids = [...ids, ...page.properties.map((property) => property.vendorPropertyId)]
  }
})
afterAll(() => sandbox.close())
beforeEach(() => sandbox.faults.clear())

/** A checked price that can be booked now. */
async function checked(bookingVendor: Vendor, currency: string): Promise<Extract<PriceCheck, { status: 'available' }>> {
  const query = { stay, market: { ...market, currency } }
  const { offers } = await bookingVendor.availability({ vendorPropertyIds: ids, ...query }, context())
  for (const { vendorPropertyId } of offers) {
    const rooms = await bookingVendor.rooms({ vendorPropertyId, timezone: PARIS_PLACE.timezone, ...query }, context())
    const offer = rooms.find((room) => room.cancel?.refundable) ?? rooms[0]
    const check = offer && (await bookingVendor.priceCheck(offer.ref, context()))
    if (check?.status === 'available') return check
  }
  throw new Error('nothing to book')
}
async function order({ at = vendor, currency = 'USD' } = {}) {
  const { ref, price } = await checked(at, currency)
  return { ref, reference: newReference(), guests, contact, specialRequests: 'Quiet please', stay, price: price.total }
}
const booked = (reference: string) => sandbox.ledger.byReference(reference).length

vendorContract('expedia_rapid', () => vendorBench('expedia_rapid'), {
  can: ['languages', 'amend', 'change_bookings', 'cancel_rooms', 'book_once'],
  more(steps) {
    termsContract(steps)
    noticesContract(steps)
    conditionsContract(steps)
  },
})

describe('content', () => {
  test('an area contains only properties in its circle, at least as many as requested', async () => {
    expect(ids.length).toBeGreaterThanOrEqual(60)
    const pages = vendor.content({ kind: 'ids', ids }, context())
    for await (const page of pages) {
      expect(page.properties.map(({ vendorPropertyId }) => vendorPropertyId).sort()).toEqual([...ids].sort())
      expect(page.dropped).toBe(0)
      expect(page.properties[0]).toMatchObject({
        name: expect.stringMatching(/\S/),
        rooms: expect.arrayContaining([expect.objectContaining({ beds: [expect.any(String)] })]),
      })
    }
  })

  test('an area without rooms is marked, with all other content unchanged', async () => {
    const circle = { center: PARIS_PLACE.point, radiusKm: 20 }
    for await (const { properties } of vendor.content(
      { kind: 'area', circle, limit: 60, withRooms: false },
      context(),
    )) {
      const known = vendor.content(
        { kind: 'ids', ids: properties.map((property) => property.vendorPropertyId) },
        context(),
      )
      const whole: VendorProperty[] = []
      for await (const page of known) whole.push(...page.properties)
      expect(properties).toEqual(whole.map((property) => ({ ...property, rooms: [], roomsUnread: true })))
      expect(whole.every(({ rooms, roomsUnread }) => rooms.length > 0 && roomsUnread === undefined)).toBe(true)
    }
  })

  test('the feed is read to its end and resumes at its cursor', async () => {
    const walk = async (cursor?: string) => {
      const found: string[] = []
      let first: string | undefined
      for await (const page of vendor.content(
        { kind: 'feed', ...(cursor === undefined ? {} : { cursor }) },
        context(),
      )) {
        first ??= page.cursor
        found.push(...page.properties.map(({ vendorPropertyId }) => vendorPropertyId))
      }
      return { found, first }
    }
    const whole = await walk()
    expect(new Set(whole.found).size).toBe(whole.found.length)
    expect(whole.found.length).toBeGreaterThan(250)
    const rest = await walk(whole.first)
    expect(rest.found).toEqual(whole.found.slice(250))
  })

  test('an expired page link restarts the feed', async () => {
    const seen: string[] = []
    let page = 0
    for await (const { properties } of vendor.content({ kind: 'feed' }, context())) {
      seen.push(...properties.map(({ vendorPropertyId }) => vendorPropertyId))
      page += 1
      if (page === 1) sandbox.faults.add({ kind: 'expired', operation: 'content', times: 1 })
    }
    expect(seen.slice(0, 250)).toEqual(seen.slice(250, 500))
  })
})

describe('from search to cancellation', () => {
  test('a stay is booked, found, previewed, and cancelled room by room', async () => {
    const made = await order()
    const receipt = await vendor.book(made, context())
    expect(receipt).toMatchObject({ state: 'confirmed', vendorReference: expect.stringMatching(/^8\d{12}$/) })
    expect(sandbox.ledger.byReference(made.reference)).toMatchObject([
      { status: 'confirmed', count: 2, total: made.price },
    ])
    expect(await vendor.find(createLookup(made.reference), context())).toEqual(receipt)
    const preview = await vendor.previewCancel(createLookup(made.reference), context())
    expect(preview?.fee.minor).toBe(0)
    const cancelled = await vendor.cancel(createLookup(made.reference), context())
    expect(cancelled).toEqual({ state: 'cancelled', vendorReference: receipt.vendorReference, cancelFee: preview?.fee })
    expect(await vendor.find(createLookup(made.reference), context())).toMatchObject({ state: 'cancelled' })
    expect(await vendor.cancel(createLookup(made.reference), context())).toMatchObject({ state: 'cancelled' })
  })

  test('booking reduces the allotment, cancelling restores it', async () => {
    const made = await order()
    await vendor.book(made, context())
    const entry = sandbox.ledger.byReference(made.reference).at(-1)
    const property = sandbox.world.property(entry?.propertyKey ?? 0)
    const room = property?.rooms.find(({ number }) => number === entry?.roomNumber)
    if (entry === undefined || room === undefined) throw new Error('not in the ledger')
    const left = () => sandbox.allotment.left(entry.propertyKey, room, entry.nights)
    const before = left()
    await vendor.cancel(createLookup(made.reference), context())
    expect(left()).toBe(before + 2)
  })

  test('the last room is sold once', async () => {
    const made = await order()
    const refusals: { fault: string; effect: string }[] = []
    for (let guest = 0; guest < 60 && refusals.length === 0; guest++) {
      await vendor.book({ ...made, reference: newReference() }, context()).catch((error) => refusals.push(error))
    }
    expect(refusals).toMatchObject([{ fault: 'sold_out', effect: 'none' }])
    expect(await vendor.priceCheck(made.ref, context())).toEqual({ status: 'sold_out' })
  })

  test('a booking is found only with its own e-mail', async () => {
    const made = await order()
    await vendor.book(made, context())
    expect(
      await vendor.find({ ...createLookup(made.reference), email: 'other@example.com' }, context()),
    ).toBeUndefined()
    expect(await vendor.find(createLookup('NOSUCHREFERENCE'), context())).toBeUndefined()
  })

  test('a booking is found only with the profile of its rate', async () => {
    const own = await rapidSandbox({ billingTerms: 'EAC', partnerPointOfSale: 'B2C_EXAMPLE' })
    try {
      const made = await order({ at: own.vendor })
      const { vendorReference } = await own.vendor.book(made, context())
      expect(await own.vendor.find(createLookup(made.reference), context())).toMatchObject({ state: 'confirmed' })
      const byNumber = (profile: string) =>
        own.raw('GET', `/v3/itineraries/${vendorReference}?email=${contact.email}${profile}`)
      expect((await byNumber('&billing_terms=EAC&partner_point_of_sale=B2C_EXAMPLE')).status).toBe(200)
      expect((await byNumber('&billing_terms=EAC')).status).toBe(404)
    } finally {
      await own.close()
    }
  })

  test('a guest whose currency needs a tax number books in dollars without one', async () => {
    const made = await order({ currency: 'INR' })
    expect(made.price.currency).toBe('USD')
    expect(await vendor.book(made, context())).toMatchObject({ state: 'confirmed' })
  })

  test('a raised price is reported by the check and charged by the booking', async () => {
    const made = await order()
    sandbox.faults.add({ kind: 'price_change', operation: 'price_check', times: 1 })
    const dearer = await vendor.priceCheck(made.ref, context())
    if (dearer.status !== 'available') throw new Error('not for sale')
    expect(dearer.price.total.minor).toBeGreaterThan(made.price.minor)
    await vendor.book({ ...made, ref: dearer.ref }, context())
    expect(sandbox.ledger.byReference(made.reference).at(-1)?.total).toEqual(dearer.price.total)
  })
})

describe('cancellation fees', () => {
  type WireRate = { cancel_penalties: object[]; nonrefundable_date_ranges?: object[]; refundable: boolean }

  /** Compares the adapter's previewed fee with the sandbox's actual fee. */
  async function quoted(settings: Partial<Sandbox['standIn']['settings']>, wanted: (rate: WireRate) => boolean) {
    const own = await rapidSandbox()
    Object.assign(own.standIn.settings, { contradictingRefunds: 0, ...settings })
    try {
      const query = { stay, market: { ...market, currency: 'EUR' }, timezone: PARIS_PLACE.timezone }
      for (const vendorPropertyId of ids) {
        const rooms = await own.vendor.rooms({ vendorPropertyId, ...query }, context())
        const answer = own.exchanged.at(-1)?.reply.body as { rooms: { rates: WireRate[] }[] }[]
        const rates = answer.flatMap((property) => property.rooms.flatMap((room) => room.rates))
        if (rooms.length === 0 || !rates.every(wanted)) continue
        const check = await own.vendor.priceCheck(rooms[0]?.ref ?? {}, context())
        if (check.status !== 'available') continue
        const made = {
          ref: check.ref,
          reference: newReference(),
          guests,
          contact,
          specialRequests: '',
          stay,
          price: check.price.total,
        }
        await own.vendor.book(made, context())
        const { cancel } = check
        const now = own.clock.now()
        const held = cancel?.penalties.filter(({ from }) => Date.parse(from) <= now).at(-1)?.amount.minor ?? 0
        const preview = await own.vendor.previewCancel(createLookup(made.reference), context())
        return { shown: held, quoted: preview?.fee.minor, refundable: cancel?.refundable }
      }
      throw new Error('no such rate')
    } finally {
      await own.close()
    }
  }

  test('non-refundable nights are in the terms before booking and in the preview after it', async () => {
    const lost = await quoted({ nonRefundableNights: 1 }, (rate) => rate.nonrefundable_date_ranges !== undefined)
    expect(lost.shown).toBeGreaterThan(0)
    expect(lost.quoted).toBe(lost.shown)
  })

  test('some non-refundable rates are partly refunded', async () => {
    const half = await quoted({ partialRefunds: 1, nonRefundableNights: 0 }, (rate) => !rate.refundable)
    expect(half).toMatchObject({ refundable: true, quoted: half.shown })
    expect(half.shown).toBeGreaterThan(0)
  })

  test('a refund that contradicts the penalties does not lower the previewed fee', async () => {
    const settings = { contradictingRefunds: 1, partialRefunds: 0, nonRefundableNights: 0 }
    const bound = await quoted(settings, (rate) => !rate.refundable)
    expect(bound.quoted).toBe(bound.shown)
    expect(bound.shown).toBeGreaterThan(0)
  })
})

describe('when the vendor fails', () => {
  test.each(['hang', 'expired'] as const)(
    '%s while booking has an unknown effect, though nothing was booked',
    async (kind) => {
      const made = await order()
      sandbox.faults.add({ kind, operation: 'book', times: 1 })
      await expect(vendor.book(made, createCallContext(1_500))).rejects.toMatchObject({
        name: 'VendorError',
        effect: 'unknown',
      })
      expect(booked(made.reference)).toBe(0)
      expect(await vendor.find(createLookup(made.reference), context())).toBeUndefined()
    },
  )

  test('a refused booking that was made is found and confirmed', async () => {
    const made = await order()
    sandbox.faults.add({ kind: 'refuse_after', operation: 'book', times: 1 })
    expect(await vendor.book(made, context())).toMatchObject({ state: 'confirmed' })
    expect(booked(made.reference)).toBe(1)
  })

  test('a cancellation that fails after the first of two rooms leaves the booking partly cancelled', async () => {
    const made = await order()
    const { vendorReference } = await vendor.book(made, context())
    sandbox.faults.add({ kind: 'error_before', operation: 'cancel', after: 1, times: 1 })
    const lookup = { ...createLookup(made.reference), vendorReference }
    await expect(vendor.cancel(lookup, context())).rejects.toMatchObject({ effect: 'unknown' })
    expect(await vendor.find(lookup, context())).toMatchObject({ state: 'partly_cancelled', rooms: 2 })
    expect(await vendor.cancel(lookup, context())).toMatchObject({ state: 'cancelled' })
  })

  test('a booking is confirmed even if its details cannot be read', async () => {
    const made = await order()
    sandbox.faults.add({ kind: 'error_before', operation: 'retrieve', times: 1 })
    expect(await vendor.book(made, context())).toMatchObject({ state: 'confirmed' })
  })

  test('the deadline ends a call with a slowly sent response', async () => {
    sandbox.faults.add({ kind: 'drip', operation: 'availability', times: 1, ms: 1_000 })
    const startedAt = performance.now()
    const asked = vendor.availability({ vendorPropertyIds: ids, stay, market }, createCallContext(300))
    await expect(asked).rejects.toMatchObject({ fault: 'timeout', effect: 'none' })
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })

  test('a price check with an old link is expired', async () => {
    const { ref } = await order()
    sandbox.faults.add({ kind: 'expired', operation: 'price_check', times: 1 })
    await expect(vendor.priceCheck(ref, context())).rejects.toMatchObject({ fault: 'expired', effect: 'none' })
    sandbox.clock.advance(31 * 60_000)
    await expect(vendor.priceCheck(ref, context())).rejects.toMatchObject({ fault: 'expired', effect: 'none' })
  })

  test('a throttled call waits if there is time; otherwise it and later calls fail without another request', async () => {
    const other = await rapidSandbox()
    other.faults.add({ kind: 'throttle', operation: 'availability', ms: 4_000 })
    const hurried = () => ({ ...context(), answerBy: monotonicMs() + 1_000 })
    const ask = () => other.vendor.availability({ vendorPropertyIds: ids, stay, market }, hurried())
    await expect(ask()).rejects.toMatchObject({ fault: 'throttled', effect: 'none', retryAfterMs: 4_000 })
    await expect(ask()).rejects.toMatchObject({ fault: 'throttled', effect: 'none' })
    expect(other.standIn.calls()).toEqual({ availability: 1 })
    await other.close()
  })

  test('a wrong key is reported by calls and by the probe', async () => {
    const other = await rapidSandbox({ sharedSecret: 'wrong' })
    const asked = other.vendor.availability({ vendorPropertyIds: ids, stay, market }, context())
    await expect(asked).rejects.toMatchObject({ fault: 'credentials', effect: 'none' })
    expect(await other.vendor.probe(context())).toContainEqual(
      expect.objectContaining({ name: 'credentials', ok: false }),
    )
    await other.close()
    expect(await other.vendor.probe(context())).toMatchObject([{ name: 'reach', ok: false }])
    expect((await vendor.probe(context())).find(({ name }) => name === 'credentials')).toMatchObject({ ok: true })
  })
})

describe('the stand-in is as strict as the vendor', () => {
  const shop = (change: (query: URLSearchParams) => void) => {
    const query = new URLSearchParams(
      'checkin=2027-03-01&checkout=2027-03-04&currency=USD&country_code=US&language=en-US&rate_plan_count=1&sales_channel=website&sales_environment=hotel_only',
    )
    query.append('occupancy', '2')
    query.append('property_id', ids[0] ?? '')
    change(query)
    return `/v3/properties/availability?${query}`
  }
  const read = ({ body, headers }: { body: Buffer; headers: Record<string, unknown> }) => {
    const text = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
    return text.length === 0 ? undefined : JSON.parse(text.toString('utf8'))
  }
  const readErrors = async (path: string, headers = {}) => {
    const answer = await sandbox.raw('GET', path, headers)
    const body = read(answer)
    return [answer.status, ...(body.errors ?? [body]).map((error: { type: string }) => error.type)]
  }

  test.each<[string, (query: URLSearchParams) => void]>([
    ['checkin.invalid_date_format', (query) => query.set('checkin', '2027-3-1')],
    ['checkin.invalid_date_in_the_past', (query) => query.set('checkin', '2026-03-01')],
    ['checkout.invalid_checkout_before_checkin', (query) => query.set('checkout', '2027-03-01')],
    ['checkout.invalid_length_of_stay_too_long', (query) => query.set('checkout', '2027-04-01')],
    ['currency.not_supported', (query) => query.set('currency', 'XXX')],
    ['occupancy.invalid', (query) => query.set('occupancy', 'two')],
    ['number_of_adults.invalid_above_maximum', (query) => query.set('occupancy', '9')],
    ['child_age.invalid_outside_accepted_range', (query) => query.set('occupancy', '2-18')],
    [
      'number_of_occupancies.invalid_above_maximum',
      (query) => Array.from({ length: 8 }, () => query.append('occupancy', '2')),
    ],
    [
      'property_id.above_maximum',
      (query) => Array.from({ length: 250 }, (_, i) => query.append('property_id', String(i))),
    ],
    ['rate_plan_count.invalid', (query) => query.set('rate_plan_count', '251')],
    ['language.required', (query) => query.delete('language')],
  ])('%s', async (type, change) => {
    expect(await readErrors(shop(change))).toContain(type)
  })

  test('a signature is valid for five minutes, and mandatory headers are required', async () => {
    const path = shop(() => {})
    expect(await readErrors(path, { authorization: undefined })).toEqual([401, 'request_unauthenticated'])
    expect(await readErrors(path, { 'accept-encoding': undefined })).toEqual([400, 'accept_encoding.required'])
    expect(await readErrors('/v3/itineraries?x=1', { 'customer-ip': undefined })).toEqual([400, 'customer_ip.required'])
    const { authorization } = (await import('../../src/vendors/expedia_rapid/authorize.ts')).authorize(sandbox.config, {
      now: () => sandbox.clock.now() - 301_000,
    })
    expect(await readErrors(path, { authorization })).toEqual([401, 'request_unauthenticated'])
  })

  test('a link with a changed token is rejected', async () => {
    const { ref } = await order()
    const [path = '', token = ''] = String(ref.check).split('token=')
    const broken = `${path}token=${token.slice(0, 20)}${token[20] === 'A' ? 'B' : 'A'}${token.slice(21)}`
    expect(await readErrors(broken)).toEqual([400, 'link.invalid'])
    await expect(vendor.priceCheck({ ...ref, check: broken }, context())).rejects.toMatchObject({ fault: 'expired' })
  })

  test("an invalid order is refused with the vendor's error types", async () => {
    const { ref } = await order()
    const send = async (body: unknown) =>
      read(await sandbox.raw('POST', String(ref.book), {}, body))?.errors?.map((e: { type: string }) => e.type)
    expect(await send({})).toEqual(['email.required', 'phone.required', 'rooms.required', 'payments.required'])
    const good = {
      email: 'a@b.co',
      phone: { country_code: '1', number: '5550077' },
      rooms: [
        { given_name: 'A', family_name: 'B' },
        { given_name: 'A', family_name: 'B' },
      ],
    }
    expect(await send({ ...good, payments: [{ type: 'affiliate_collect' }] })).toEqual([
      'payments.billing_contact.required',
    ])
    expect(await send({ ...good, payments: [{ type: 'customer_card' }] })).toEqual(['payments.type.not_supported'])
  })

  test.each(['BRL', 'INR', 'USD'])('a booking charged in %s is checked for a tax number', (currency) => {
    const offer = { checkIn: stay.checkIn, checkOut: stay.checkOut, occupancies: ['2'], currency }
    const types = (body: object) => bookErrors(body, offer).map(({ type }) => type)
    expect(types({}).includes('tax_registration_number.required')).toBe(currency !== 'USD')
    expect(types({ tax_registration_number: '1' })).not.toContain('tax_registration_number.required')
  })

  test.each<[string, string, number, string]>([
    ['availability', 'service_unavailable', 503, 'service_unavailable'],
    ['availability', 'unknown_internal_error', 500, 'unknown_internal_error'],
    ['check', 'sold_out', 200, 'sold_out'],
    ['check', 'price_changed', 200, 'price_changed'],
    ['check', 'service_unavailable', 503, 'service_unavailable'],
    ['book', 'price_mismatch', 409, 'price_mismatch'],
    ['book', 'rooms_unavailable', 410, 'rooms_unavailable'],
    ['book', 'cc_declined', 400, 'invalid_input'],
    ['book', 'internal_server_error', 500, 'unknown_internal_error'],
  ])('the Test header of %s with %s returns the documented status', async (operation, value, status, word) => {
    const { ref } = await order()
    const path = operation === 'availability' ? shop(() => {}) : String(operation === 'check' ? ref.check : ref.book)
    const answer = await sandbox.raw(
      operation === 'book' ? 'POST' : 'GET',
      path,
      { test: value },
      operation === 'book' ? {} : undefined,
    )
    const body = read(answer)
    expect([answer.status, body.type ?? body.status]).toEqual([status, word])
  })

  test('with the Test header a search returns samples of another property, whose links fail', async () => {
    const path = shop((query) => {
      for (const id of ids.slice(1)) query.append('property_id', id)
    })
    const [sample] = read(await sandbox.raw('GET', path, { test: 'standard' }))
    expect(ids).not.toContain(sample.property_id)
    const [bed] = Object.values<{ links: { price_check: { href: string } } }>(sample.rooms[0].rates[0].bed_groups)
    const checked = await sandbox.raw('GET', bed?.links.price_check.href ?? '')
    expect([checked.status, read(checked).type]).toEqual([400, 'invalid_input'])
  })

  test('a test booking is visible only to calls with the Test header', async () => {
    const made = await order()
    const body = {
      affiliate_reference_id: made.reference,
      email: contact.email,
      phone: { country_code: '1', number: '5550077' },
      rooms: guests.map(({ givenName, familyName }) => ({ given_name: givenName, family_name: familyName })),
      payments: [
        {
          type: 'affiliate_collect',
          billing_contact: { given_name: 'A', family_name: 'B', address: { country_code: 'NL' } },
        },
      ],
    }
    expect((await sandbox.raw('POST', String(made.ref.book), { test: 'standard' }, body)).status).toBe(201)
    const path = `/v3/itineraries?affiliate_reference_id=${made.reference}&email=${contact.email}`
    expect(read(await sandbox.raw('GET', path))).toEqual([])
    expect(read(await sandbox.raw('GET', path, { test: 'standard' }))).toHaveLength(1)
    const degraded = await sandbox.raw('GET', path, { test: 'degraded_response' })
    expect([degraded.status, read(degraded)[0].impacted_fields.length]).toEqual([206, 2])
  })

  test('faults can be set and the ledger read over loopback', async () => {
    const response = await sandbox.raw(
      'POST',
      '/_sandbox/faults',
      {},
      { kind: 'latency', operation: 'book', ms: 1, times: 1 },
    )
    expect(read(response)).toEqual([{ kind: 'latency', operation: 'book', ms: 1, times: 1 }])
    expect((await sandbox.raw('POST', '/_sandbox/faults', {}, { kind: 'earthquake', operation: '*' })).status).toBe(400)
    expect((await sandbox.raw('DELETE', '/_sandbox/faults')).status).toBe(204)
    expect(read(await sandbox.raw('GET', '/_sandbox/ledger'))).toHaveLength(sandbox.ledger.current().length)
  })
})

describe('categories of rate amenities', () => {
  test('the list of categories is read once a day, and a board without a category cannot be asked for', async () => {
    const bench = await vendorBench('expedia_rapid')
    const supports = (board: Board) => bench.vendor.supportsConditions?.({ boards: [board] }, context())
    expect([await supports('breakfast'), await supports('self_catering')]).toEqual([true, false])
    expect(bench.calls().rate_amenities).toBe(1)
    bench.settings.unlistedCategories = 1
    expect(await supports('breakfast')).toBe(true)
    bench.clock.advance(86_400_000)
    expect(await supports('breakfast')).toBe(false)
    expect(bench.calls().rate_amenities).toBe(2)
    expect(await bench.vendor.supportsConditions?.({ freeCancellation: true }, context())).toBe(true)
    await bench.close()
  })

  test('refundability is read from the terms if Rapid does not send it', async () => {
    const bench = await vendorBench('expedia_rapid')
    const query = { vendorPropertyIds: bench.propertyIds, stay: bench.stay, market }
    const { offers } = await bench.vendor.availability(query, context())
    expect(offers.some(({ freeCancellation }) => freeCancellation !== undefined)).toBe(true)
    bench.settings.silentRefundability = 1
    expect((await bench.vendor.availability(query, context())).offers).toEqual(offers)
    await bench.close()
  })
})

test('unrequested rates that the property collects are not sold, and hide few properties', async () => {
  const bench = await vendorBench('expedia_rapid')
  const { vendor, stay, market, timezone, propertyIds: vendorPropertyIds } = bench
  const rooms = (vendorPropertyId: string) => vendor.rooms({ vendorPropertyId, stay, market, timezone }, context())
  const found = async () => {
    const { offers } = await vendor.availability({ vendorPropertyIds, stay, market }, context())
    return [...new Set(offers.map(({ vendorPropertyId }) => vendorPropertyId))]
  }
  const ids = await found()
  const [first = ''] = ids
  const all = await rooms(first)
  bench.settings.ignoredCollectFilter = 1
  const left = await rooms(first)
  expect(left.length).toBeGreaterThan(0)
  expect(left.length).toBeLessThan(all.length)
  // A list has two rates of each property, and both may be such rates.
  const stillFound = await found()
  expect(stillFound.filter((id) => !ids.includes(id))).toEqual([])
  expect(stillFound.length).toBeGreaterThanOrEqual(0.95 * ids.length)
  await bench.close()
})

test('with the Test header rooms are searched, checked, booked, found and cancelled', async () => {
  const bench = await vendorBench('expedia_rapid', { SERAI_EXPEDIA_RAPID_TEST_HEADER: 'standard' })
  const steps = createSteps(() => bench, true)
  const order = await steps.anOrder('RAPID0TESTHEADER0001')
  expect(await bench.vendor.book(order, steps.context())).toMatchObject({ state: 'confirmed' })
  expect(await steps.find(order.reference)).toMatchObject({ state: 'confirmed' })
  const lookup = steps.createLookup(order.reference)
  expect(await bench.vendor.cancel(lookup, steps.context())).toMatchObject({ state: 'cancelled' })
  await bench.close()
})

describe('a cancellation that is answered with 202', () => {
  async function cancelled(acceptedCancels: number) {
    const made = await order()
    const { vendorReference } = await vendor.book(made, context())
    const lookup = { ...createLookup(made.reference), vendorReference }
    sandbox.standIn.settings.acceptedCancels = acceptedCancels
    const outcome = await vendor.cancel(lookup, context()).catch((error: unknown) => error)
    sandbox.standIn.settings.acceptedCancels = 0
    return [outcome, await vendor.find(lookup, context())]
  }

  test('a cancellation answered with 202 succeeds if the booking is then cancelled', async () => {
    expect(await cancelled(1)).toMatchObject([{ state: 'cancelled' }, { state: 'cancelled' }])
  })

  test('a cancellation answered with 202 has an unknown effect if the booking is not cancelled', async () => {
    expect(await cancelled(2)).toMatchObject([{ effect: 'unknown' }, { state: 'confirmed' }])
  })
})

describeRecorded("both sides keep to the vendor's document", () => {
  const check = createOpenApiCheck(recordedDocument('rapid', 'openapi.json'), '/v3')

  test("every request and response of this file matches the vendor's document", () => {
    const tried = new Set(sandbox.exchanged.map(({ call }) => call.operation))
    expect([...tried].sort()).toEqual([
      'availability',
      'book',
      'cancel',
      'content',
      'find',
      'geography',
      'price_check',
      'retrieve',
      'rooms',
    ])
    const faults = sandbox.exchanged.flatMap(({ call, reply }) => {
      // Page links are followed unchanged; their token is not a documented parameter of content.
      const request = call.path.startsWith('/v3/properties/content?token=') ? [] : check.request(call)
      const isPlanned = reply.status >= 500 || reply.body === undefined
      return [...request, ...(isPlanned ? [] : check.response(call, reply.status, reply.body))].map(
        (fault) => `${call.operation}: ${fault}`,
      )
    })
    expect([...new Set(faults)]).toEqual([])
  })
})
