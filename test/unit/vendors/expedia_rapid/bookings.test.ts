import { describe, expect, test } from 'vitest'
import { createExpediaRapid } from '../../../../src/vendors/expedia_rapid/index.ts'
import { VendorError } from '../../../../src/vendors/vendor-error.ts'
import {
  created,
  createdChallenged,
  createdOnHold,
  degradedItinerary,
  error,
  heldItinerary,
  ITINERARY_ID,
  invalid,
  itinerary,
  notReady,
  REFERENCE,
} from '../../../support/vendors/expedia_rapid.ts'
import { clock, config, context, type Script, scripted } from './scripted.ts'

const stay = { checkIn: '2027-09-21', checkOut: '2027-09-23', occupancies: [{ adults: 2, childrenAges: [] }] }
const order = {
  ref: { book: '/v3/itineraries?token=abc' },
  reference: REFERENCE,
  guests: [{ givenName: 'A', familyName: 'B' }],
  contact: { email: 'ada.guest@example.com', phone: '+14875550077' },
  specialRequests: '',
  stay,
  price: { minor: 32500, currency: 'USD' },
}
const lookup = { reference: REFERENCE, email: 'ada.guest@example.com', createdOn: '2027-02-01' }
const usd = (minor: number) => ({ minor, currency: 'USD' })

function vendorWith(script: Script) {
  const { send, calls } = scripted(script)
  return { vendor: createExpediaRapid(config, { send, clock }), calls }
}
const AS_RETRIEVED = {
  rooms: 1,
  roomStates: ['confirmed'],
  guests: [{ givenName: 'Ada', familyName: 'Guest' }],
}
const TERMS = {
  refundable: true,
  penalties: [{ from: '2027-01-01T01:01:01-08:00', amount: usd(12050) }],
}
const NUMBERS = {
  vendor: ITINERARY_ID,
  property: 'INN-77',
  rooms: [{ vendor: '4400000001', property: 'INN-77' }],
}

describe('book', () => {
  const book = (script: Script) => vendorWith(script).vendor.book(order, context)
  const afterwards =
    (created: object, then: ReturnType<Script>): Script =>
    (call) =>
      call.method === 'POST' ? created : then

  test('a booking is confirmed with the details of the retrieve call', async () => {
    expect(await book(afterwards({ status: 201, body: created() }, { body: itinerary() }))).toEqual({
      state: 'confirmed',
      vendorReference: ITINERARY_ID,
      property: { vendorPropertyId: '70001' },
      dates: { checkIn: '2027-09-21', checkOut: '2027-09-23' },
      total: usd(32500),
      ...AS_RETRIEVED,
      cancel: TERMS,
      confirmation: NUMBERS,
    })
  })

  test.each<[string, ReturnType<Script>]>([
    ['fails', { status: 500 }],
    ['times out', new VendorError('expedia_rapid', 'timeout', 'none')],
    ['is not ready', { body: notReady() }],
    ['is invalid', { body: 'x' }],
    ['returns another booking', { body: { ...itinerary('canceled'), itinerary_id: '1' } }],
  ])('a 201 is a confirmation even if the retrieve call %s', async (_, then) => {
    expect(await book(afterwards({ status: 201, body: created() }, then))).toEqual({
      state: 'confirmed',
      vendorReference: ITINERARY_ID,
    })
  })

  test('an itinerary number in the body means that a booking exists, whatever the status', async () => {
    expect(await book(afterwards({ status: 503, body: { itinerary_id: '77' } }, { status: 500 }))).toEqual({
      state: 'pending',
      vendorReference: '77',
    })
    const challenged = createdChallenged()
    expect(await book(afterwards({ status: 201, body: challenged }, { status: 500 }))).toMatchObject({
      state: 'pending',
    })
    const held = createdOnHold()
    const answer = heldItinerary()
    expect(await book(afterwards({ status: 201, body: held }, { body: answer }))).toMatchObject({ state: 'confirmed' })
  })

  test.each([
    [200, undefined],
    [201, undefined],
    [201, {}],
    [201, []],
    [202, 'ok'],
    [500, '<html>'],
  ])('a booking response without a number has an unknown effect: %i %j', async (status, body) => {
    await expect(book(() => ({ status, body }))).rejects.toMatchObject({ effect: 'unknown' })
  })

  describe.each([
    ['409', { status: 409, body: error('price_mismatch') }, 'price_changed'],
    ['410', { status: 410, body: error('rooms_unavailable') }, 'sold_out'],
  ])('after a %s', (_, refusal, fault) => {
    const refused = (then: ReturnType<Script>) => vendorWith(afterwards(refusal, then))

    test('a refused booking is looked up, and confirmed if it exists', async () => {
      const { vendor, calls } = refused({ body: [itinerary()] })
      expect(await vendor.book(order, context)).toMatchObject({ state: 'confirmed', vendorReference: ITINERARY_ID })
      expect(calls.map(({ operation }) => operation)).toEqual(['book', 'find'])
    })

    test('a refused booking is final only if it does not exist', async () => {
      await expect(refused({ body: [] }).vendor.book(order, context)).rejects.toMatchObject({ fault, effect: 'none' })
    })

    test('a refused booking has an unknown effect if the look-up fails or is aborted', async () => {
      const down = refused({ status: 503 }).vendor
      await expect(down.book(order, context)).rejects.toMatchObject({ fault, effect: 'unknown' })
      const { send, calls } = scripted(() => refusal)
      const slow = createExpediaRapid({ ...config, lookAfterRefusalMs: 90_000 }, { send, clock })
      const gone = { ...context, signal: AbortSignal.timeout(20) }
      await expect(slow.book(order, gone)).rejects.toMatchObject({ fault, effect: 'unknown' })
      expect(calls).toHaveLength(1)
    })
  })

  test('an offer reference without a book link is not sent', async () => {
    const { vendor, calls } = vendorWith(() => ({ status: 500 }))
    for (const ref of [{}, { book: 'https://evil.example/v3/itineraries' }, { book: 7 }]) {
      await expect(vendor.book({ ...order, ref }, context)).rejects.toMatchObject({
        fault: 'malformed',
        effect: 'none',
      })
    }
    expect(calls).toEqual([])
  })
})

describe('find', () => {
  const find = (script: Script, more = {}) => vendorWith(script).vendor.find({ ...lookup, ...more }, context)

  test('a booking is found with its price and terms', async () => {
    for (const [body, terms] of [
      [[itinerary()], { cancel: TERMS }],
      [itinerary(), { cancel: TERMS }],
      // A degraded response omits the penalties: they are unknown, not free.
      [[degradedItinerary()], {}],
    ] as const) {
      expect(await find(() => ({ body }))).toEqual({
        state: 'confirmed',
        vendorReference: ITINERARY_ID,
        property: { vendorPropertyId: '70001' },
        dates: { checkIn: '2027-09-21', checkOut: '2027-09-23' },
        total: usd(32500),
        ...AS_RETRIEVED,
        ...terms,
        confirmation: NUMBERS,
      })
    }
  })

  test.each([
    ['a page without JSON', undefined],
    ["a gateway's message", { message: 'no Route matched with those values' }],
    ['a text', 'not found'],
  ])('a 404 with %s is not from Rapid and proves nothing', async (_, body) => {
    await expect(find(() => ({ status: 404, body }))).rejects.toMatchObject({ fault: 'unavailable', effect: 'none' })
    await expect(
      find((call) => (call.operation === 'find' ? { body: [] } : { status: 404, body }), { vendorReference: '77' }),
    ).rejects.toMatchObject({ fault: 'unavailable' })
  })

  test("an empty list and Rapid's own 404 mean that the booking does not exist", async () => {
    expect(await find(() => ({ body: [] }))).toBeUndefined()
    expect(await find(() => ({ status: 206, body: [] }))).toBeUndefined()
    expect(await find(() => ({ status: 404, body: error('resource_not_found') }))).toBeUndefined()
  })

  test('an itinerary that is not ready or on hold is pending', async () => {
    expect(await find(() => ({ body: [notReady()] }))).toEqual({
      state: 'pending',
      vendorReference: ITINERARY_ID,
      confirmation: { vendor: ITINERARY_ID, rooms: [] },
    })
    const held = [heldItinerary()]
    expect(await find(() => ({ body: held }))).toMatchObject({ state: 'pending' })
  })

  test('a booking with a known number is also looked up by that', async () => {
    const script: Script = (call) => (call.operation === 'find' ? { body: [] } : { body: itinerary() })
    expect(await find(script, { vendorReference: ITINERARY_ID })).toMatchObject({ state: 'confirmed' })
    expect(await find(script)).toBeUndefined()
  })

  test('a booking with another reference is neither ours nor proof of absence', async () => {
    const other = { ...itinerary(), affiliate_reference_id: 'SOMEBODYELSES' }
    await expect(find(() => ({ body: [other] }))).rejects.toMatchObject({ fault: 'malformed', effect: 'none' })
    expect(await find(() => ({ body: [other, itinerary()] }))).toMatchObject({ vendorReference: ITINERARY_ID })
  })

  test('an invalid response never means that the booking does not exist', async () => {
    for (const body of [undefined, {}, 'x', null, [{}], [null]]) {
      await expect(find(() => ({ body }))).rejects.toMatchObject({ fault: 'malformed' })
    }
    await expect(find(() => ({ status: 500 }))).rejects.toMatchObject({ fault: 'unavailable' })
  })

  test.each([
    [['booked', 'canceled'], 'partly_cancelled'],
    [['pending', 'canceled'], 'partly_cancelled'],
    [['booked', 'pending'], 'pending'],
    [['canceled', 'canceled'], 'cancelled'],
    [['teleported'], 'pending'],
  ])('rooms %j make a %s booking', async (states, state) => {
    expect(await find(() => ({ body: [itinerary(...states)] }))).toMatchObject({ state })
  })
})

describe('cancel', () => {
  /** `deletes` are the responses to DELETE calls, in order. */
  function cancelling(before: object, deletes: object[], after: object = before) {
    let looked = 0
    const left = [...deletes]
    return vendorWith((call) => {
      if (call.method === 'DELETE') return left.shift() ?? { status: 500 }
      looked += 1
      return { body: [looked === 1 ? before : after] }
    })
  }
  const gone = { status: 204 }

  test('each room is cancelled by its own link, and the fee is the amount not refunded', async () => {
    const { vendor, calls } = cancelling(itinerary('booked', 'canceled', 'booked'), [gone, gone])
    expect(await vendor.cancel(lookup, context)).toEqual({
      state: 'cancelled',
      vendorReference: ITINERARY_ID,
      cancelFee: usd(2 * (30000 - 6050)),
    })
    expect(calls.slice(1).map(({ method, path, ifLost }) => [method, path, ifLost])).toEqual([
      ['DELETE', `/v3/itineraries/${ITINERARY_ID}/rooms/key-0?token=t0`, 'unknown'],
      ['DELETE', `/v3/itineraries/${ITINERARY_ID}/rooms/key-2?token=t2`, 'unknown'],
    ])
  })

  test('a room that is already cancelled is skipped', async () => {
    const already = { status: 400, body: error('room_already_cancelled') }
    expect(await cancelling(itinerary('booked'), [already]).vendor.cancel(lookup, context)).toMatchObject({
      state: 'cancelled',
    })
  })

  test('a cancelled booking is not cancelled again', async () => {
    const { vendor, calls } = cancelling(itinerary('canceled'), [])
    expect(await vendor.cancel(lookup, context)).toMatchObject({ state: 'cancelled' })
    expect(calls).toHaveLength(1)
  })

  test('after a 202 to a cancellation the booking is read to find the outcome', async () => {
    const accepted = { status: 202 }
    expect(
      await cancelling(itinerary('booked'), [accepted], itinerary('canceled')).vendor.cancel(lookup, context),
    ).toMatchObject({
      state: 'cancelled',
    })
    await expect(cancelling(itinerary('booked'), [accepted]).vendor.cancel(lookup, context)).rejects.toMatchObject({
      effect: 'unknown',
    })
  })

  test('a partial cancellation has an unknown effect', async () => {
    const refused = { status: 400, body: invalid('link.invalid') }
    await expect(
      cancelling(itinerary('booked', 'booked'), [gone, refused]).vendor.cancel(lookup, context),
    ).rejects.toMatchObject({
      effect: 'unknown',
      message: expect.stringContaining('1 of 2 rooms'),
    })
    await expect(
      cancelling(itinerary('booked', 'booked'), [refused]).vendor.cancel(lookup, context),
    ).rejects.toMatchObject({
      fault: 'expired',
      effect: 'none',
    })
  })

  test('a missing booking and one without a cancel link are not cancelled', async () => {
    await expect(vendorWith(() => ({ body: [] })).vendor.cancel(lookup, context)).rejects.toMatchObject({
      fault: 'not_found',
      effect: 'none',
    })
    const fixed = itinerary('booked')
    Object.assign(fixed.rooms[0] ?? {}, { links: {} })
    await expect(cancelling(fixed, []).vendor.cancel(lookup, context)).rejects.toMatchObject({
      fault: 'refused',
      effect: 'none',
    })
  })

  test('a booking on hold is cancelled as a whole', async () => {
    const held = heldItinerary()
    const { vendor, calls } = cancelling(held, [gone])
    expect(await vendor.cancel(lookup, context)).toMatchObject({ state: 'cancelled' })
    expect(calls[1]?.path).toBe(`/v3/itineraries/${ITINERARY_ID}?token=cancel`)
  })
})

describe('amend', () => {
  const guests = Array.from({ length: 2 }, () => ({ givenName: 'Eve', familyName: 'Other' }))
  /** `puts` are the responses to PUT calls, in order; the names are those booked afterwards. */
  function amending(puts: object[], given = 'Ada', family = 'Guest') {
    const left = [...puts]
    const { vendor } = vendorWith((call) => {
      if (call.method === 'PUT') return left.shift() ?? { status: 500 }
      const booked = itinerary('booked', 'booked')
      for (const [place, room] of booked.rooms.entries()) {
        Object.assign(room, { links: { change: { method: 'PUT', href: `/v3/itineraries/1/rooms/${place}?token=t` } } })
        if (left.length === 0) Object.assign(room, { given_name: given, family_name: family })
      }
      return { body: [booked] }
    })
    return vendor.amend?.(lookup, { guests, specialRequests: '', stay, acceptsPrice: () => false }, context)
  }
  const done = { status: 204 }
  const accepted = { status: 202 }

  test('after a 202 to a change the booking is read to find the outcome', async () => {
    await expect(amending([done, accepted], 'EVE', 'Other')).resolves.toBeUndefined()
    await expect(amending([accepted, done])).rejects.toMatchObject({ fault: 'unavailable', effect: 'unknown' })
    await expect(amending([done, done])).resolves.toBeUndefined()
  })

  test('a partial change has an unknown effect', async () => {
    const refused = { status: 400, body: invalid('family_name.invalid') }
    await expect(amending([refused, refused])).rejects.toMatchObject({ fault: 'refused', effect: 'none' })
    await expect(amending([done, refused])).rejects.toMatchObject({
      effect: 'unknown',
      message: expect.stringContaining('1 of 2 rooms'),
    })
  })
})

describe('cancellation preview', () => {
  const preview = (change: object) => {
    const booked = itinerary('booked')
    Object.assign(booked.rooms[0]?.rate ?? {}, change)
    return vendorWith(() => ({ body: [booked] })).vendor.previewCancel(lookup, context)
  }
  const window = (size: object) => ({
    cancel_refund: undefined,
    nonrefundable_date_ranges: [],
    cancel_penalties: [{ start: '2027-01-01T00:00:00Z', end: '2027-12-12T00:00:00Z', currency: 'USD', ...size }],
  })

  test('the previewed fee is the bill less the refund', async () => {
    expect(await preview({})).toEqual({ fee: usd(30000 - 6050) })
    const free = { cancel_penalties: [], cancel_refund: { amount: '-300.00', currency: 'USD' } }
    expect(await preview(free)).toEqual({ fee: usd(0) })
    expect(await preview({ cancel_refund: { amount: 0, currency: 'USD' } })).toEqual({ fee: usd(30000) })
  })

  test('the previewed fee is the higher one if refund and penalty contradict each other', async () => {
    const everything = { ...window({ percent: '100%' }), cancel_refund: { amount: '-300.00', currency: 'USD' } }
    expect(await preview(everything)).toEqual({ fee: usd(30000) })
    const half = { ...window({ percent: '50%' }), cancel_refund: { amount: '-60.50', currency: 'USD' } }
    expect(await preview(half)).toEqual({ fee: usd(30000 - 6050) })
  })

  test('the previewed fee is the current penalty without a refund', async () => {
    expect(await preview(window({ amount: '120.50' }))).toEqual({ fee: usd(12050) })
    expect(await preview(window({ percent: '50%' }))).toEqual({ fee: usd(15000) })
    expect(await preview({ ...window({}), cancel_penalties: [] })).toEqual({ fee: usd(0) })
  })

  test('the previewed fee does not decrease after the last window', async () => {
    const past = { ...window({ percent: '100%' }), refundable: false }
    Object.assign(past.cancel_penalties[0] ?? {}, { end: '2027-01-31T15:00:00Z' })
    expect(await preview(past)).toEqual({ fee: usd(30000) })
  })

  test('the previewed fee is unknown in a degraded response', async () => {
    const { vendor } = vendorWith(() => ({ status: 206, body: [degradedItinerary()] }))
    expect(await vendor.previewCancel(lookup, context)).toBeUndefined()
  })
})
