import { describe, expect, test } from 'vitest'
import { pickItinerary, receiptOf } from '../../../../src/vendors/expedia_rapid/decode-itinerary.ts'
import { createExpediaRapid } from '../../../../src/vendors/expedia_rapid/index.ts'
import { VendorError } from '../../../../src/vendors/vendor-error.ts'
import { clock, config, context, NOW, ORIGIN, type Script, sample, sampleNames, scripted } from './samples.ts'

const stay = { checkIn: '2018-09-21', checkOut: '2018-09-23', occupancies: [{ adults: 2, childrenAges: [] }] }
const order = {
  ref: { book: '/v3/itineraries?token=abc' },
  reference: '4480ABC',
  guests: [{ givenName: 'A', familyName: 'B' }],
  contact: { email: 'smith@example.com', phone: '+14875550077' },
  specialRequests: '',
  stay,
  price: { minor: 40510, currency: 'USD' },
}
const lookup = { reference: '4480ABC', email: 'smith@example.com', createdOn: '2018-02-01' }
const usd = (minor: number) => ({ minor, currency: 'USD' })

function vendorWith(script: Script) {
  const { send, calls } = scripted(script)
  return { vendor: createExpediaRapid(config, { send, clock }), calls }
}
const CREATED = 'postItinerary.201.create-without-hold-no-challenge-example'
const ITINERARY = 'getReservationByItineraryId.200.itinerary-no-history'

type Room = { status: string; links: { cancel?: unknown }; rate: object }
/** The itinerary sample with rooms of these states. */
function itinerary(...states: string[]) {
  const [whole] = structuredClone(sample('getReservation.200.itineraries')) as [{ rooms: Room[] }]
  const [room] = whole.rooms
  whole.rooms = states.map((status, i) => ({
    ...(room as Room),
    status,
    links: { cancel: { method: 'DELETE', href: `/v3/itineraries/1/rooms/r${i}?token=t${i}` } },
  }))
  return whole
}

describe('book', () => {
  const book = (script: Script) => vendorWith(script).vendor.book(order, context)
  const afterwards =
    (created: object, then: ReturnType<Script>): Script =>
    (call) =>
      call.method === 'POST' ? created : then

  test('a booking is confirmed with what the retrieve says it costs', async () => {
    expect(await book(afterwards({ status: 201, body: sample(CREATED) }, { body: sample(ITINERARY) }))).toEqual({
      state: 'confirmed',
      vendorReference: '8999989898988',
      total: usd(40510),
    })
  })

  test.each<[string, ReturnType<Script>]>([
    ['fails', { status: 500 }],
    ['is lost', new VendorError('expedia_rapid', 'timeout', 'none')],
    ['is not ready', { body: { itinerary_id: '8999989898988', creation_date_time: '2025-08-17T13:31:15.523Z' } }],
    ['is rubbish', { body: 'x' }],
    ['is about another booking', { body: { ...itinerary('canceled'), itinerary_id: '1' } }],
  ])('a 201 is a confirmation even when the retrieve %s', async (_, then) => {
    expect(await book(afterwards({ status: 201, body: sample(CREATED) }, then))).toEqual({
      state: 'confirmed',
      vendorReference: '8999989898988',
    })
  })

  test('a number in the body means that it is booked, whatever the status', async () => {
    expect(await book(afterwards({ status: 503, body: { itinerary_id: '77' } }, { status: 500 }))).toEqual({
      state: 'pending',
      vendorReference: '77',
    })
    const challenged = sample('postItinerary.201.create-payment-challenged-example')
    expect(await book(afterwards({ status: 201, body: challenged }, { status: 500 }))).toMatchObject({
      state: 'pending',
    })
    const held = sample('postItinerary.201.create-with-hold-no-challenge-example')
    const answer = sample('x.getReservationByItineraryId.200.held-booking')
    expect(await book(afterwards({ status: 201, body: held }, { body: answer }))).toMatchObject({ state: 'confirmed' })
  })

  test.each([
    [200, undefined],
    [201, undefined],
    [201, {}],
    [201, []],
    [202, 'ok'],
    [500, '<html>'],
  ])('an answer without a number leaves doubt: %i %j', async (status, body) => {
    await expect(book(() => ({ status, body }))).rejects.toMatchObject({ effect: 'unknown' })
  })

  test('a reference without a checked price never leaves the house', async () => {
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

  test.each(sampleNames(/^(x\.)?getReservation.*\.20[06]\.it/))('%s is a confirmed booking', (name) => {
    const found = pickItinerary(sample(name), '4480ABC', ORIGIN, NOW)
    expect(found && receiptOf(found)).toEqual({
      state: 'confirmed',
      vendorReference: '8999989898988',
      total: usd(40510),
    })
    expect(found?.rooms.map((room) => room.cancelPath)).toEqual([
      expect.stringMatching(/^\/v3\/itineraries\/8999989898988\/rooms\//),
    ])
  })

  test('an empty list, and a 404, mean that there is none', async () => {
    expect(await find(() => ({ body: sample('getReservation.200.no-itineraries') }))).toBeUndefined()
    expect(await find(() => ({ status: 206, body: sample('getReservation.206.no-itineraries') }))).toBeUndefined()
    expect(await find(() => ({ status: 404, body: sample('x.getReservation.404.not-found') }))).toBeUndefined()
  })

  test('two bare fields, or a hold, mean: ask again', async () => {
    expect(await find(() => ({ body: sample('x.getReservation.200.not-ready-two-fields') }))).toEqual({
      state: 'pending',
      vendorReference: '8999989898988',
    })
    const held = [sample('x.getReservationByItineraryId.200.held-booking')]
    expect(await find(() => ({ body: held }))).toMatchObject({ state: 'pending' })
  })

  test('once its number is known, it is looked for under that too', async () => {
    const script: Script = (call) => (call.operation === 'find' ? { body: [] } : { body: sample(ITINERARY) })
    expect(await find(script, { vendorReference: '8999989898988' })).toMatchObject({ state: 'confirmed' })
    expect(await find(script)).toBeUndefined()
  })

  test('rubbish is never taken for "there is none"', async () => {
    for (const body of [undefined, {}, 'x', null, [{}], [null]]) {
      await expect(find(() => ({ body }))).rejects.toMatchObject({ fault: 'malformed' })
    }
    await expect(find(() => ({ status: 500 }))).rejects.toMatchObject({ fault: 'unavailable' })
  })

  test.each([
    [['booked', 'canceled'], 'confirmed'],
    [['booked', 'pending'], 'pending'],
    [['canceled', 'canceled'], 'cancelled'],
    [['teleported'], 'pending'],
  ])('rooms %j make a %s booking', async (states, state) => {
    expect(await find(() => ({ body: [itinerary(...states)] }))).toMatchObject({ state })
  })
})

describe('cancel', () => {
  /** Answers of the DELETE calls in turn; the itinerary before and after. */
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

  test('every room is cancelled by its own link, and the fee is what is not given back', async () => {
    const { vendor, calls } = cancelling(itinerary('booked', 'canceled', 'booked'), [gone, gone])
    expect(await vendor.cancel(lookup, context)).toEqual({
      state: 'cancelled',
      vendorReference: '8999989898988',
      cancelFee: usd(2 * (36815 - 6598)),
    })
    expect(calls.slice(1).map(({ method, path, ifLost }) => [method, path, ifLost])).toEqual([
      ['DELETE', '/v3/itineraries/1/rooms/r0?token=t0', 'unknown'],
      ['DELETE', '/v3/itineraries/1/rooms/r2?token=t2', 'unknown'],
    ])
  })

  test('a room that is already cancelled counts as done', async () => {
    const already = { status: 400, body: sample('deleteHeldBooking.400.room-already-cancelled-example') }
    expect(await cancelling(itinerary('booked'), [already]).vendor.cancel(lookup, context)).toMatchObject({
      state: 'cancelled',
    })
  })

  test('a cancelled booking is cancelled without a call', async () => {
    const { vendor, calls } = cancelling(itinerary('canceled'), [])
    expect(await vendor.cancel(lookup, context)).toMatchObject({ state: 'cancelled' })
    expect(calls).toHaveLength(1)
  })

  test('a 202 is settled by asking again, or stays in doubt', async () => {
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

  test('half a cancellation is never reported as nothing done', async () => {
    const refused = { status: 400, body: sample('deleteRoom.400') }
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

  test('no such booking, and no way to cancel, do nothing', async () => {
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

  test('a booking on hold is cancelled whole', async () => {
    const held = sample('x.getReservationByItineraryId.200.held-booking') as object
    const { vendor, calls } = cancelling(held, [gone])
    expect(await vendor.cancel(lookup, context)).toMatchObject({ state: 'cancelled' })
    expect(calls[1]?.path).toMatch(/^\/v3\/itineraries\/8999989898988\?token=/)
  })
})

describe('what cancelling would cost', () => {
  const preview = (change: object) => {
    const booked = itinerary('booked')
    Object.assign(booked.rooms[0]?.rate ?? {}, change)
    return vendorWith(() => ({ body: [booked] })).vendor.previewCancel(lookup, context)
  }
  const window = (size: object) => ({
    cancel_refund: undefined,
    nonrefundable_date_ranges: [],
    cancel_penalties: [{ start: '2018-01-01T00:00:00Z', end: '2018-12-12T00:00:00Z', currency: 'USD', ...size }],
  })

  test('is what was billed less what comes back', async () => {
    expect(await preview({})).toEqual({ fee: usd(36815 - 6598) })
    expect(await preview({ cancel_refund: { amount: '-368.15', currency: 'USD' } })).toEqual({ fee: usd(0) })
    expect(await preview({ cancel_refund: { amount: 0, currency: 'USD' } })).toEqual({ fee: usd(36815) })
  })

  test('is the penalty in force where the vendor names no refund', async () => {
    expect(await preview(window({ amount: '250.75' }))).toEqual({ fee: usd(25075) })
    expect(await preview(window({ percent: '50%' }))).toEqual({ fee: usd(18408) })
    expect(await preview({ ...window({}), cancel_penalties: [] })).toEqual({ fee: usd(0) })
  })

  test('is unknown where a degraded answer leaves it out', async () => {
    const degraded = sample('getReservationByItineraryId.206.itinerary-no-history')
    const { vendor } = vendorWith(() => ({ status: 206, body: [degraded] }))
    expect(await vendor.previewCancel(lookup, context)).toBeUndefined()
  })
})
