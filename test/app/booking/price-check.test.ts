import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { STAND_IN_IDS } from '../../../sandbox/stand-ins.ts'
import { PriceCheckResponse } from '../../../src/booking/schemas/price-check.ts'
import { RoomSchema } from '../../../src/search/schemas/property-detail.ts'
import { type LedgerApp, ledgerApp, type Room } from '../../support/app/ledger-app.ts'
import { expectToMatch } from '../../support/app/search-app-schema.ts'

let app: LedgerApp
beforeAll(async () => {
  app = await ledgerApp()
})
afterEach(() => app.noFaults())
afterAll(() => app.close())

const check = (url: string, headers = {}) => app.request({ url, headers })
async function findRoom(vendorId: string, isWanted: (room: Room & { board?: string }) => boolean): Promise<Room> {
  for (;;) {
    const room = await app.room(vendorId)
    if (isWanted(room)) return room
  }
}
const as = (value: string) => ({ 'x-simulate-return': value })

describe.each(STAND_IN_IDS)('price checks of a room at %s', (vendorId) => {
  test('a price check returns the room as shown and books nothing, however often it is repeated', async () => {
    const room = await app.room(vendorId)
    const before = (await app.ledger()).length
    const answers = [
      await check(room.booking_info.price_check_uri ?? ''),
      await check(room.booking_info.price_check_uri ?? ''),
    ]
    for (const answer of answers) {
      expect(answer.statusCode, answer.body).toBe(200)
      expectToMatch(PriceCheckResponse, answer.json())
      const { data } = answer.json()
      expect(data).toMatchObject({ status: 'matched', changes: [], room: { total_inclusive: room.total_inclusive } })
      expectToMatch(RoomSchema, data.room)
      // The check does not report `rooms_left`, and may add notices.
      const unlike = ['booking_info', 'expires_at', 'notices', 'rooms_left', 'meets_conditions']
      const shown = Object.fromEntries(Object.entries(room).filter(([name]) => !unlike.includes(name)))
      expect(data.room).toMatchObject(shown)
      expect(data.room.notices).toBeInstanceOf(Array)
      expect(data.room.booking_info.price_check_uri).not.toBe(room.booking_info.price_check_uri)
    }
    const [first, second] = answers.map((answer) => answer.json().data)
    expect(second.terms_digest).toBe(first.terms_digest)
    expect((await app.ledger()).length).toBe(before)
  })

  test('the checked booking_info can be booked with its digest, and its own price_check_uri can be followed', async () => {
    const room = await app.room(vendorId)
    const { data } = (await check(room.booking_info.price_check_uri ?? '')).json()
    expect((await check(data.room.booking_info.price_check_uri)).json().data.status).toBe('matched')
    const booked = await app.book({ ...data.room.booking_info, terms_digest: data.terms_digest })
    expect([booked.statusCode, booked.json().data?.discrepancies]).toEqual([201, []])
  })

  test('price_changed lists both totals, and booking returns the same changes', async () => {
    const room = await app.room(vendorId)
    await app.faults({ kind: 'price_change', operation: 'price_check' })
    const { data } = (await check(room.booking_info.price_check_uri ?? '')).json()
    expect(data.status).toBe('price_changed')
    expect(data.changes).toEqual([
      {
        what: 'total_price',
        shown: { amount: room.total_inclusive, currency: 'EUR' },
        now: { amount: data.room.total_inclusive, currency: 'EUR' },
      },
    ])
    const refused = (await app.book(room.booking_info)).json()
    expect([refused.code, refused.changes]).toEqual(['price_changed', data.changes])
    await app.noFaults()
    const booked = await app.book({ ...data.room.booking_info, terms_digest: data.terms_digest })
    expect(booked.statusCode, booked.body).toBe(201)
  })

  test.each([
    ['terms_change', 'cancellation_fee'],
    ['fees_move', 'due_at_property'],
    ['board_change', 'board'],
  ] as const)('terms_changed after %s books nothing, and the new room can be booked', async (kind, what) => {
    const room = await findRoom(
      vendorId,
      ({ cancel_policy, board }) => cancel_policy.cancelation === 'free' && board !== 'room_only',
    )
    await app.faults({ kind, operation: 'price_check' })
    const before = (await app.ledger()).length
    const { data } = (await check(room.booking_info.price_check_uri ?? '')).json()
    expect(data.status).toBe('terms_changed')
    // The vendor's lowest selling price is a share of what is paid now, so it falls when less is paid now.
    expect(data.room.total_inclusive).toBeLessThanOrEqual(room.total_inclusive)
    expect(data.changes.map((change: { what: string }) => change.what)).toContain(what)
    const refused = await app.book({ ...room.booking_info, accept_price_up_to: 1e6 })
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'terms_changed'])
    expect(refused.json().changes).toEqual(data.changes)
    expect((await app.ledger()).length).toBe(before)
    const booked = await app.book({ ...data.room.booking_info, terms_digest: data.terms_digest })
    expect(booked.statusCode, booked.body).toBe(201)
  })
})

/** Independent of the vendor; test/contract covers each adapter. */
describe('price checks', () => {
  const vendorId = 'expedia_rapid'

  test('a price check reports sold_out with 200 and an expired offer with 410', async () => {
    const room = await app.room(vendorId)
    await app.faults({ kind: 'sold_out', operation: 'price_check', times: 1 })
    const sold = await check(room.booking_info.price_check_uri ?? '')
    expect(sold.json()).toEqual({ data: { status: 'sold_out', changes: [], room: null, terms_digest: null } })
    await app.faults({ kind: 'expired', operation: 'price_check', times: 1 })
    const expired = await check(room.booking_info.price_check_uri ?? '')
    expect([expired.statusCode, expired.json().code]).toEqual([410, 'offer_expired'])
  })

  test('a price check returns 502 when the vendor fails', async () => {
    const room = await app.room(vendorId)
    await app.faults({ kind: 'error_before', operation: 'price_check', times: 2 })
    const answer = await check(room.booking_info.price_check_uri ?? '')
    expect([answer.statusCode, answer.json().code]).toEqual([502, 'vendors_failed'])
  })
})

test.each([
  ['sold out', { kind: 'sold_out', operation: 'price_check', times: 1 }, 409],
  ['dearer', { kind: 'price_change', operation: 'price_check', times: 1 }, 409],
  ['booked', undefined, 201],
] as const)(
  'a property with a room that is %s is requested from the vendor again when it is fetched next',
  async (_what, fault, status) => {
    await app.room()
    const [propertyId = ''] = app.propertyIds
    const query = new URLSearchParams({ search_id: app.searchId, property_id: propertyId })
    const look = () => app.request({ url: `/api/accommodation_searches/accommodation?${query}` })
    const [room] = (await look()).json().accommodation.available_rooms
    const before = await app.calls()
    await look()
    expect(await app.calls(), 'seen a moment ago').toBe(before)
    if (fault !== undefined) await app.faults(fault)
    expect((await app.book(room.booking_info)).statusCode).toBe(status)
    await app.noFaults()
    const after = await app.calls()
    await look()
    expect(await app.calls()).toBeGreaterThan(after)
  },
)

test('a bill that differs from the checked price is shown on the booking and sent to webhooks', async () => {
  const hook = await app.request({ method: 'POST', url: '/api/webhooks', payload: { url: 'http://127.0.0.1:9/hook' } })
  expect(hook.statusCode, hook.body).toBe(201)
  const room = await app.room('hotelbeds')
  await app.faults({ kind: 'bill_more', operation: 'book', times: 1 })
  const { data } = (await app.book(room.booking_info)).json()
  expect(data).toMatchObject({
    status: 'confirmed',
    total_price: room.total_inclusive,
    discrepancies: [{ code: 'price_differs', booked: { amount: room.total_inclusive, currency: 'EUR' } }],
  })
  expect(data.discrepancies[0].vendor_says.amount).toBeGreaterThan(room.total_inclusive)
  const shown = (await app.request({ url: `/api/accommodation/bookings/${data.booking_id}` })).json().data
  expect(shown.discrepancies).toEqual(data.discrepancies)
  expect(shown.events.at(-1)).toMatchObject({ type: 'booking.discrepancy', reason: 'price_differs' })
})

test('a terms_digest of another room is refused with the room to book instead', async () => {
  const [room, other] = [await app.room('expedia_rapid'), await app.room('hotelbeds')]
  const { data } = (await check(other.booking_info.price_check_uri ?? '')).json()
  const answer = await app.book({ ...room.booking_info, terms_digest: data.terms_digest })
  expect([answer.statusCode, answer.json().code]).toEqual([409, 'terms_changed'])
  expectToMatch(RoomSchema, answer.json().room)
  const { changes, detail } = answer.json()
  expect([changes, detail]).toEqual([[], expect.stringContaining('terms_digest does not belong')])
})

test.each([
  ['changed', (uri: string) => `${uri.slice(0, -4)}AAAA`],
  ['invented', () => '/api/accommodation/price_check?token=sof1.k1.AAAA'],
])('a price_check_uri that was %s returns 422 offer_invalid', async (_name, change) => {
  const room = await app.room()
  const calls = await app.calls()
  const answer = await check(change(room.booking_info.price_check_uri ?? ''))
  expect([answer.statusCode, answer.json().code]).toEqual([422, 'offer_invalid'])
  expect(await app.calls()).toBe(calls)
})

test('a price check needs a token of the account that the offer was issued to', async () => {
  const url = (await app.room()).booking_info.price_check_uri ?? ''
  const calls = await app.calls()
  const others = await app.as(app.otherToken, { url })
  expect([others.statusCode, others.json().code]).toEqual([422, 'offer_invalid'])
  expect((await app.http.inject({ url })).statusCode).toBe(401)
  expect((await check('/api/accommodation/price_check')).json().errors).toMatchObject([{ field: 'token' }])
  expect(await app.calls()).toBe(calls)
})

test('an offer past its lifetime returns 410 offer_expired', async () => {
  const url = (await app.room()).booking_info.price_check_uri ?? ''
  app.clock.advance(61 * 60_000)
  expect((await check(url)).json().code).toBe('offer_expired')
})

describe('simulated price checks', () => {
  const neverIssued = (name: string) => `/api/accommodation/price_check?token=${name}`

  test.each([
    ['success', 'matched', 201],
    ['price_changed', 'price_changed', 409],
    ['terms_changed', 'terms_changed', 409],
    ['sold_out', 'sold_out', 409],
  ])('simulating %s, the check returns %s and booking agrees with it', async (value, status, booked) => {
    const calls = await app.calls()
    const uri = neverIssued(`same_${value}`)
    const checked = await check(uri, as(value))
    expectToMatch(PriceCheckResponse, checked.json())
    expect(checked.json().data.status).toBe(status)
    const answer = await app.book({ price_check_uri: uri }, as(value))
    expect(answer.statusCode, answer.body).toBe(booked)
    if (booked === 409)
      expect([answer.json().code, answer.json().changes ?? []]).toEqual([value, checked.json().data.changes])
    expect(await app.calls()).toBe(calls)
  })

  test('simulating offer_expired, both the check and the booking return 410', async () => {
    const uri = neverIssued('old')
    const checked = await check(uri, as('offer_expired'))
    expect([checked.statusCode, checked.json().code]).toEqual([410, 'offer_expired'])
    expect((await app.book({ price_check_uri: uri }, as('offer_expired'))).statusCode).toBe(410)
  })

  test('simulating terms_changed, the total is due at the property and non-refundable, and the new room can be booked', async () => {
    const { data } = (await check(neverIssued('worse'), as('terms_changed'))).json()
    expect(data.changes.map(({ what }: { what: string }) => what)).toContain('due_at_property')
    expect(data.room.refundable).toBe(false)
    const body = { ...data.room.booking_info, terms_digest: data.terms_digest }
    const booked = await app.book(body, as('terms_changed'))
    expect([booked.statusCode, booked.json().data?.simulated]).toEqual([201, true])
  })
})
