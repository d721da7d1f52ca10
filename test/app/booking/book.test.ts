import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { STAND_IN_IDS } from '../../../sandbox/stand-ins.ts'
import { ACCOUNT } from '../../support/app/app.ts'
import { type LedgerApp, ledgerApp, type Room } from '../../support/app/ledger-app.ts'
import { listVendorsWithoutFinalAbsence } from '../../support/sandbox/absence.ts'

const GUEST = { given_name: 'Mira', family_name: 'Solberg', email: 'mira@example.com', phone: '+4790000000' }

let app: LedgerApp
beforeAll(async () => {
  app = await ledgerApp({ booking: { patienceMs: 2_000 } })
})
afterEach(() => app.noFaults())
afterAll(() => app.close())

const show = async (bookingId: string) =>
  (await app.request({ url: `/api/accommodation/bookings/${bookingId}` })).json().data
const readLedger = async (reference: string) =>
  (await app.ledger()).filter(({ ourReference }) => ourReference === reference)
/** Runs the settle job repeatedly, with time passing in between. */
async function settle(rounds = 1, everyMs = 2_000): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    app.clock.advance(everyMs)
    await app.settleBookings()
  }
}

describe.each(STAND_IN_IDS)('booking at %s', (vendorId) => {
  test('a body with only booking_info books the room for the account holder (201)', async () => {
    const room = await app.room(vendorId)
    const answer = await app.book(room.booking_info)
    expect(answer.statusCode).toBe(201)
    const { data } = answer.json()
    expect(data).toMatchObject({
      status: 'confirmed',
      vendor_id: vendorId,
      guests: [{ given_name: 'Ana', family_name: 'Costa' }],
      contact: { email: ACCOUNT.email },
      client_reference: null,
      simulated: false,
      search_id: app.searchId,
      nights: 2,
    })
    expect(answer.headers.location).toBe(`/api/accommodation/bookings/${data.booking_id}`)
    expect(await readLedger(data.reference)).toMatchObject([
      { status: 'confirmed', vendorReference: data.vendor_reference },
    ])
    expect(await show(data.booking_id)).toMatchObject({
      status: 'confirmed',
      events: [{ to: 'pending' }, { to: 'submitting' }, { to: 'confirmed' }],
    })
  })

  test('guests, contact, requests and reference in the body reach the booking (201)', async () => {
    const room = await app.room(vendorId)
    const contact = { email: 'desk@example.com', phone: '+4791111111' }
    const answer = await app.book({
      ...room.booking_info,
      guests: [GUEST],
      contact,
      special_requests: 'a quiet room',
      client_reference: 'PO 77',
    })
    expect(answer.json().data).toMatchObject({
      guests: [GUEST],
      contact,
      special_requests: 'a quiet room',
      client_reference: 'PO 77',
    })
    const [line] = await readLedger(answer.json().data.reference)
    expect(line?.holder).toContain('Solberg')
  })

  test('null means the same as an omitted field, also in a guest and in the contact (201)', async () => {
    const room = await app.room(vendorId)
    const nothing = { bed_id: null, special_requests: null, accept_price_up_to: null, client_reference: null }
    const answer = await app.book({
      ...nothing,
      ...room.booking_info,
      guests: [{ given_name: 'Mira', family_name: 'Solberg', email: null, phone: null }],
      contact: { email: null, phone: null },
    })
    expect(answer.statusCode, answer.body).toBe(201)
    expect(answer.json().data).toMatchObject({
      guests: [{ given_name: 'Mira' }],
      contact: { email: ACCOUNT.email },
      special_requests: '',
      client_reference: null,
    })
    const bare = await app.book({ ...(await app.room(vendorId)).booking_info, guests: null, contact: null })
    expect(bare.statusCode, bare.body).toBe(201)
    expect(bare.json().data.guests).toMatchObject([{ given_name: 'Ana', family_name: 'Costa' }])
  })

  test('a booking whose response was lost is in doubt (202) and is confirmed by asking the vendor', async () => {
    await app.faults({ kind: 'reset_after', operation: 'book', times: 1 })
    const answer = await app.book((await app.room(vendorId)).booking_info)
    expect([answer.statusCode, answer.json().data.status]).toEqual([202, 'in_doubt'])
    expect(answer.headers.location).toContain(answer.json().data.booking_id)
    await settle()
    const after = await show(answer.json().data.booking_id)
    expect(after.status).toBe('confirmed')
    expect(await readLedger(after.reference)).toMatchObject([{ vendorReference: after.vendor_reference }])
  })

  test('a booking that becomes visible late is awaited and never sent again (202)', async () => {
    await app.faults(
      { kind: 'error_after', operation: 'book', times: 1 },
      { kind: 'late_visibility', operation: 'book', times: 1, ms: 60_000 },
    )
    const answer = await app.book((await app.room(vendorId)).booking_info)
    const { booking_id: id } = answer.json().data
    await settle(3)
    expect((await show(id)).status).toBe('in_doubt')
    await settle(4, 30_000)
    const after = await show(id)
    expect(after.status).toBe('confirmed')
    expect(await readLedger(after.reference)).toHaveLength(1)
  })

  test('a vendor that hangs is not awaited longer than clients wait (202)', async () => {
    await app.faults({ kind: 'hang_after', operation: 'book', times: 1 })
    const started = performance.now()
    const answer = await app.book((await app.room(vendorId)).booking_info)
    expect(performance.now() - started).toBeLessThan(5_000)
    expect([answer.statusCode, answer.json().data.status]).toEqual([202, 'submitting'])
  })

  test('a booking that never reached the vendor stays in doubt until the vendor’s horizon has passed, then is decided (202)', async () => {
    await app.faults({ kind: 'error_before', operation: 'book', times: 1 })
    const answer = await app.book((await app.room(vendorId)).booking_info)
    const { booking_id: id, reference } = answer.json().data
    expect(answer.statusCode).toBe(202)
    await settle(5, 60_000)
    expect((await show(id)).status).toBe('in_doubt')
    await settle(8, 5 * 60_000)
    const inDoubt = await listVendorsWithoutFinalAbsence(app.sandbox.environment)
    expect((await show(id)).status).toBe(inDoubt.includes(vendorId) ? 'needs_review' : 'rejected')
    expect(await readLedger(reference)).toEqual([])
  })

  test('409 price_changed books nothing, and the new room in the response can be booked', async () => {
    const room = await app.room(vendorId)
    await app.faults({ kind: 'price_change', operation: 'price_check' })
    const before = (await app.ledger()).length
    const answer = await app.book(room.booking_info)
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'price_changed'])
    const { room: fresh, old_total, new_total, currency } = answer.json()
    expect(new_total).toBeGreaterThan(old_total)
    expect([currency, fresh.total_inclusive]).toEqual(['EUR', new_total])
    expect(fresh.booking_info).not.toEqual(room.booking_info)
    expect((await app.ledger()).length).toBe(before)
    await app.noFaults()
    const again = await app.book(fresh.booking_info)
    expect(again.statusCode).toBe(201)
  })

  test('a higher price is accepted up to accept_price_up_to and not a cent beyond (201)', async () => {
    const room = await app.room(vendorId)
    await app.faults({ kind: 'price_change', operation: 'price_check' })
    const { new_total } = (await app.book(room.booking_info)).json()
    const tight = await app.book({ ...room.booking_info, accept_price_up_to: new_total - 0.01 })
    expect(tight.json().code).toBe('price_changed')
    const enough = await app.book({ ...room.booking_info, accept_price_up_to: new_total })
    expect([enough.statusCode, enough.json().data?.total_price]).toEqual([201, new_total])
  })

  test.each(['price_check', 'book'])(
    '409 sold_out at the %s lists other properties of the same search',
    async (operation) => {
      const room = await app.room(vendorId)
      await app.faults({ kind: 'sold_out', operation, times: 1 })
      const answer = await app.book(room.booking_info)
      expect([answer.statusCode, answer.json().code]).toEqual([409, 'sold_out'])
      const { alternatives } = answer.json()
      expect(alternatives.length).toBeGreaterThan(0)
      for (const other of alternatives) expect(app.propertyIds).toContain(other.property_id)
    },
  )

  test('an offer that the vendor reports as expired returns 410 offer_expired', async () => {
    const room = await app.room(vendorId)
    await app.faults({ kind: 'expired', operation: 'price_check', times: 1 })
    const answer = await app.book(room.booking_info)
    expect([answer.statusCode, answer.json().code]).toEqual([410, 'offer_expired'])
  })

  test('a failed price check returns 502 and books nothing', async () => {
    const room = await app.room(vendorId)
    await app.faults({ kind: 'error_before', operation: 'price_check', times: 2 })
    const before = (await app.ledger()).length
    const answer = await app.book(room.booking_info)
    expect([answer.statusCode, answer.json().code]).toEqual([502, 'vendors_failed'])
    expect((await app.ledger()).length).toBe(before)
    await app.noFaults()
    expect((await app.book(room.booking_info)).statusCode).toBe(201)
  })
})

describe('requests refused before anything is sent', () => {
  let room: Room
  let calls: number
  beforeAll(async () => {
    room = await app.room()
  })
  afterEach(async () => {
    expect(await app.calls()).toBe(calls)
  })
  const refused = async (body: Record<string, unknown>, headers = {}) => {
    calls = await app.calls()
    const answer = await app.book(body, headers)
    return { status: answer.statusCode, code: answer.json().code, fields: listFields(answer.json().errors), answer }
  }
  const listFields = (errors: { field: string }[] = []) => errors.map(({ field }) => field)

  test.each([
    ['no booking_info', {}],
    ['an invented booking_info', { bed_id: '1', price_check_uri: '/api/accommodation/price_check?token=sof1.k1.AAAA' }],
    ['a URL of another host', { price_check_uri: 'https://evil.example/check' }],
  ])('the offer is invalid with %s (422)', async (_name, body) => {
    expect(await refused(body)).toMatchObject({ status: 422, code: 'offer_invalid' })
  })

  test('the offer is invalid with a field added to the sealed part (422)', async () => {
    expect(await refused({ ...room.booking_info, rate_id: '1' })).toMatchObject({ status: 422, code: 'offer_invalid' })
  })

  test.each([
    ['special_requests', 'my card is 4111 1111 1111 1111'],
    ['client_reference', '4111111111111111'],
    ['guests', [{ ...GUEST, given_name: '5500-0000-0000-0004' }]],
    ['contact', { email: 'a@example.com', phone: '340000000000009' }],
    ['payment', { number: 4111111111111111 }],
  ])('a card number in %s is refused (422) and not repeated in the response', async (field, value) => {
    const outcome = await refused({ ...room.booking_info, [field]: value })
    expect(outcome).toMatchObject({ status: 422, code: 'card_data_not_accepted' })
    expect(outcome.fields[0]).toContain(field)
    expect(outcome.answer.body.replace(/\D/g, '')).not.toMatch(/4111111111111111|5500000000000004|340000000000009/)
  })

  test('an error names every invalid field (422)', async () => {
    const outcome = await refused({
      ...room.booking_info,
      guests: [{ given_name: '', family_name: '<b>', email: 'nobody', phone: 'call me' }, 7],
      contact: 'desk',
      special_requests: 5,
      accept_price_up_to: -1,
      client_reference: 'x'.repeat(65),
    })
    expect(outcome).toMatchObject({ status: 422, code: 'invalid_request' })
    expect(outcome.fields.sort()).toEqual([
      'accept_price_up_to',
      'client_reference',
      'contact',
      'guests[0].email',
      'guests[0].family_name',
      'guests[0].given_name',
      'guests[0].phone',
      'guests[1]',
      'special_requests',
    ])
  })

  test.each(['\u200b', 'Ada\u202e', 'Ada\u2028Lovelace'])('the deceptive name %j is refused (422)', async (name) => {
    const guests = [{ ...GUEST, given_name: name }]
    expect(await refused({ ...room.booking_info, guests })).toMatchObject({ fields: ['guests[0].given_name'] })
  })

  test('more lead guests than rooms are refused (422)', async () => {
    expect(await refused({ ...room.booking_info, guests: [GUEST, GUEST] })).toMatchObject({
      status: 422,
      code: 'invalid_request',
      fields: ['guests'],
    })
  })

  test.each(['', ' ', 'k'.repeat(256)])('the idempotency key %j is refused (422)', async (key) => {
    expect(await refused(room.booking_info, { 'idempotency-key': key })).toMatchObject({
      status: 422,
      fields: ['idempotency-key'],
    })
  })

  test('an offer past its lifetime returns 410 offer_expired', async () => {
    app.clock.advance(2 * 3_600_000)
    expect(await refused(room.booking_info)).toMatchObject({ status: 410, code: 'offer_expired' })
  })
})
