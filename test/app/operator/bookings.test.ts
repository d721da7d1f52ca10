import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AttentionList } from '../../../src/operator/schemas/attention.ts'
import { BookingFileResponse, OperatorBookingList } from '../../../src/operator/schemas/bookings.ts'
import { OTHER_ACCOUNT } from '../../support/app/app.ts'
import { type SearchApp, searchApp, searchUntilComplete } from '../../support/app/search-app.ts'
import { expectToMatch } from '../../support/app/search-app-schema.ts'
import { ok, startReceiver } from '../../support/http/webhook-receiver.ts'

const URL = '/api/operator/bookings'
const ATTENTION = '/api/operator/attention'
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const OPERATOR = { email: 'op@example.com', password: 'a long enough password' }
const GUEST = { given_name: 'Ada', family_name: 'Lovelace', email: 'ada@guests.example' }

let app: SearchApp
let operator: string
let operatorId: string
beforeAll(async () => {
  app = await searchApp({
    readingsPerMinute: 6_000,
    allowPrivateWebhookTargets: true,
    booking: { patienceMs: 300 },
    tokenTtlMs: 365 * 24 * HOUR,
  })
  await searchUntilComplete(app)
  operatorId = (await app.manageAccounts.add(OPERATOR.email, 'Op', OPERATOR.password, 'operator'))?.id ?? ''
  operator = await app.signIn(OPERATOR)
})
afterAll(() => app.close())

const get = async (url: string) => (await app.as(operator, { url })).json()
const post = (url: string, payload?: object) =>
  app.as(operator, { method: 'POST', url, ...(payload === undefined ? {} : { payload }) })
const show = async (id: string) => (await get(`${URL}/${id}`)).data
const entries = async (id: string): Promise<{ id: string; kind: string; action: string; what_happened: string }[]> =>
  (await get(`${ATTENTION}?limit=1000`)).data.filter(
    (entry: { booking_id: string | null; webhook_id: string | null }) => id === (entry.booking_id ?? entry.webhook_id),
  )
const vendor = () => app.sandbox.control.expedia_rapid

let serial = 0
/** Makes a real booking of the client at the stand-in for Rapid. */
async function book(status = 201) {
  const { search_id, availability } = await app.search({ vendors: ['expedia_rapid'] })
  for (const { property_id } of availability.slice(0, 5)) {
    const { accommodation } = (await app.detail(search_id, property_id)).json()
    serial += 1
    const payload = {
      ...accommodation.available_rooms[0]?.booking_info,
      guests: [GUEST],
      contact: { email: GUEST.email },
      client_reference: `order-${serial}`,
    }
    const booked = await app.as(app.token, { method: 'POST', url: '/api/accommodation/book', payload })
    if (booked.statusCode === status) return booked.json().data
  }
  throw new Error('Nothing could be booked.')
}

describe('finding bookings of all accounts', () => {
  test('bookings are found by any reference, guest, property or date, and the response says how many were examined', async () => {
    const booking = await book()
    const { booking_id: id, reference, vendor_reference, client_reference, property, check_in } = booking
    const confirmed = (await show(id)).booking.confirmation
    const texts = [id, reference, vendor_reference, client_reference, property.name, check_in, 'lovelace ada']
    for (const q of [...texts, 'ADA@guests.example', `lovelace ${check_in}`, confirmed.property].filter(Boolean)) {
      const found = await get(`${URL}?${new URLSearchParams({ q, limit: '100' })}`)
      expectToMatch(OperatorBookingList, found)
      expect(
        found.data.map((booking: { booking_id: string }) => booking.booking_id),
        q,
      ).toContain(id)
    }
    const none = await get(`${URL}?q=nobody-of-this-name`)
    expect(none.data).toEqual([])
    expect(none.looked_at).toMatchObject({ all: true, bookings: expect.any(Number) })
    expect(none.looked_at.bookings).toBeGreaterThan(0)
  })

  test('the text is combined with the list’s filters and order', async () => {
    const { booking_id: id } = await book()
    const find = (filter: string) => get(`${URL}?q=lovelace&filters[]=${encodeURIComponent(filter)}&limit=100`)
    const ids = ({ data }: { data: { booking_id: string }[] }) => data.map((booking) => booking.booking_id)
    expect(ids(await find('status:==<confirmed'))).toContain(id)
    expect(ids(await find('status:==<rejected'))).not.toContain(id)
    const wrong = await app.as(operator, { url: `${URL}?q=${'x'.repeat(101)}&limit=0` })
    expect(wrong.statusCode).toBe(422)
    expect(wrong.json().meta.errors.map(({ field }: { field: string }) => field)).toEqual(['q', 'limit'])
  })
})

describe('one booking', () => {
  test('a booking is shown with its account, events, vendor calls and terms', async () => {
    const { booking_id: id, reference } = await book()
    const shown = await get(`${URL}/${id}`)
    expectToMatch(BookingFileResponse, shown)
    const { account, events, vendor_calls: calls } = shown.data
    expect(account).toMatchObject({ email: 'ana@example.com', role: 'client' })
    expect(events.at(-1)).toMatchObject({ to: 'confirmed', actor: { kind: 'account' } })
    const operations = calls.map((call: { operation: string }) => call.operation)
    expect(operations).toEqual(expect.arrayContaining(['price_check', 'book']))
    expect(operations.indexOf('price_check'), 'of the request that booked').toBeLessThan(operations.indexOf('book'))
    expect(
      calls.every((call: { request: unknown; response: unknown }) => call.request === null && call.response === null),
    ).toBe(true)
    expect(reference).not.toBe('')
  })

  test('bodies of vendor calls are visible only with access to net prices and contain no guest', async () => {
    const { booking_id: id, reference } = await book()
    await app.manageAccounts.setSeesNet(OPERATOR.email, true)
    app.clock.advance(2_000)
    const { vendor_calls: calls, booking } = await show(id)
    await app.manageAccounts.setSeesNet(OPERATOR.email, false)
    const sent = calls.find((call: { operation: string }) => call.operation === 'book')
    expect(sent.request).toContain(reference)
    expect(sent.response).not.toBeNull()
    expect(JSON.stringify(calls)).not.toMatch(/Ada|Lovelace|guests\.example/)
    expect(booking.net.total).toBeGreaterThan(0)
  })

  test('an unknown booking returns 404, and other roles are refused', async () => {
    expect((await app.as(operator, { url: `${URL}/bkg_0` })).json()).toMatchObject({ code: 'booking_not_found' })
    const client = await app.signIn(OTHER_ACCOUNT)
    expect((await app.as(client, { url: URL })).statusCode).toBe(403)
  })
})

describe('the attention list', () => {
  test('a booking in doubt for more than a minute is listed until the vendor is asked again', async () => {
    await vendor()?.addFaults({ operation: 'book', kind: 'error_after' }, { operation: 'find', kind: 'error_before' })
    const { booking_id: id } = await book(202)
    expect(await entries(id), 'most doubts end by themselves').toEqual([])
    app.clock.advance(2 * MINUTE)
    expect(await entries(id)).toMatchObject([{ kind: 'in_doubt', action: 'read' }])
    const hidden = await post(`${ATTENTION}/in_doubt.${id}/done`, { reason: 'not my problem' })
    expect(hidden.json(), 'a mark cannot hide it').toMatchObject({ code: 'not_possible' })
    await vendor()?.clearFaults()
    const asked = (await post(`${URL}/${id}/read`)).json().data
    expect(asked).toMatchObject({ asked: true, status_before: 'in_doubt', booking: { status: 'confirmed' } })
    expect(await entries(id)).toEqual([])
  })

  test('another hotel needs a review, and the resolution is recorded with operator and reason', async () => {
    const { booking_id: id, reference } = await book()
    await vendor()?.changeBooking(reference, 'other_hotel')
    app.clock.advance(13 * MINUTE)
    await app.readBookings()
    const [entry] = await entries(id)
    expect(entry).toMatchObject({ kind: 'needs_review', action: 'resolve' })
    expect(entry?.what_happened).toContain('another property')
    const wrong = await post(`${URL}/${id}/resolve`, { status: 'confirmed', reason: 'x', rooms: ['cancelled'] })
    expect([wrong.statusCode, wrong.json().errors?.[0].field]).toEqual([422, 'rooms'])
    const noReason = await post(`${URL}/${id}/resolve`, { status: 'confirmed' })
    expect([noReason.statusCode, noReason.json().errors?.[0].field]).toEqual([422, 'reason'])
    const done = await post(`${URL}/${id}/resolve`, { status: 'confirmed', reason: 'the guest agrees' })
    expect([done.statusCode, done.json().data?.status]).toEqual([200, 'confirmed'])
    expect((await show(id)).events.at(-1)).toMatchObject({
      to: 'confirmed',
      reason: 'operator: the guest agrees',
      actor: { kind: 'operator', id: operatorId },
    })
    expect(await entries(id)).toEqual([])
    const again = await post(`${URL}/${id}/resolve`, { status: 'confirmed', reason: 'again' })
    expect(again.json()).toMatchObject({ status: 409, code: 'not_possible' })
    const audit = (await get('/api/operator/audit?limit=50')).data
    expect(audit.find((entry: { reason: string }) => entry.reason === 'the guest agrees')).toMatchObject({
      action: 'operator.bookings.resolve',
      subject: id,
      outcome: 'done',
    })
  })

  test('a cancellation by the vendor stays listed until it is marked as done with a reason', async () => {
    const { booking_id: id, reference } = await book()
    await vendor()?.changeBooking(reference, 'cancel')
    app.clock.advance(13 * MINUTE)
    await app.readBookings()
    const [entry] = await entries(id)
    expect(entry).toMatchObject({ kind: 'discrepancy', action: 'mark_done' })
    const done = await post(`${ATTENTION}/${entry?.id}/done`, { reason: 'rebooked next door' })
    expect(done.statusCode, done.body).toBe(200)
    expect(await entries(id)).toEqual([])
    const again = await post(`${ATTENTION}/${entry?.id}/done`, { reason: 'again' })
    expect(again.json()).toMatchObject({ code: 'not_possible' })
  })

  test('a receiver that failed for a day is listed once and receives everything after a replay', async () => {
    let isDead = true
    const receiver = await startReceiver((response) => {
      if (!isDead) return ok(response)
      response.writeHead(503).end()
    })
    const hook = await app.as(app.token, { method: 'POST', url: '/api/webhooks', payload: { url: receiver.url } })
    const { id: webhookId } = hook.json().data
    const { booking_id: id } = await book()
    await app.deliverWebhooks()
    expect(await entries(webhookId), 'retries are nothing to worry about').toEqual([])
    app.clock.advance(25 * HOUR)
    await app.deliverWebhooks()
    expect(await entries(webhookId)).toMatchObject([{ kind: 'webhook_failing', action: 'replay' }])
    expect((await show(id)).deliveries[0]).toMatchObject({ status: 'failed', webhook_id: webhookId })
    isDead = false
    const replayed = await post(`/api/operator/webhooks/${webhookId}/replay`)
    expect([replayed.statusCode, replayed.json()]).toEqual([202, { data: { queued: 1 } }])
    await app.deliverWebhooks()
    expect((await show(id)).deliveries[0]).toMatchObject({ status: 'delivered' })
    expect(await entries(webhookId)).toEqual([])
    const [delivery] = (await show(id)).deliveries
    const resent = await post(`/api/operator/webhooks/${webhookId}/deliveries/${delivery.id}/replay`)
    expect([resent.statusCode, resent.json().data.status]).toEqual([202, 'pending'])
    expect((await post('/api/operator/webhooks/whk_0/replay')).json().code).toBe('webhook_not_found')
    await receiver.stop()
  })

  test('simulated bookings are not listed, and the attention list follows the list rules', async () => {
    const headers = { 'x-simulate-return': 'vendor_error' }
    const payload = { a: 'simulated doubt' }
    const booked = await app.as(app.token, { method: 'POST', url: '/api/accommodation/book', payload, headers })
    expect(booked.statusCode).toBe(202)
    app.clock.advance(2 * MINUTE)
    expect(await entries(booked.json().data.booking_id)).toEqual([])
    const list = await get(`${ATTENTION}?first=2`)
    expectToMatch(AttentionList, list)
    expect((await app.as(operator, { url: `${ATTENTION}?limit=0` })).statusCode).toBe(422)
  })
})

describe('cancelling for an account', () => {
  test('a cancellation by an operator is previewed, needs a reason and is recorded as the operator’s', async () => {
    const { booking_id: id } = await book()
    const preview = await post(`${URL}/${id}/cancel?preview=true`, {})
    expect(preview.json().data).toMatchObject({ preview: true, status: 'confirmed' })
    const noReason = await post(`${URL}/${id}/cancel`, {})
    expect([noReason.statusCode, noReason.json().errors[0].field]).toEqual([422, 'reason'])
    const done = await post(`${URL}/${id}/cancel`, { reason: 'the guest called' })
    expect(done.json().data).toMatchObject({ status: 'cancelled', penalty: preview.json().data.penalty })
    const { events } = await show(id)
    expect(events.find((event: { to: string }) => event.to === 'cancelling')).toMatchObject({
      reason: 'operator: the guest called',
      actor: { kind: 'operator', id: operatorId },
    })
    expect((await post(`${URL}/${id}/read`)).json()).toMatchObject({ code: 'not_possible' })
  })

  test('the simulation header does not cancel a real booking', async () => {
    const { booking_id: id } = await book()
    const headers = { 'x-simulate-return': 'success' }
    const payload = { reason: 'a trial' }
    const tried = await app.as(operator, { method: 'POST', url: `${URL}/${id}/cancel`, headers, payload })
    expect([tried.statusCode, tried.json().code]).toEqual([409, 'not_cancellable'])
    expect((await show(id)).booking.status).toBe('confirmed')
  })

  test('a penalty above the accepted one returns 409 terms_changed and cancels nothing', async () => {
    const { booking_id: id, cancel_policy } = await book()
    const wrong = await post(`${URL}/${id}/cancel?accept_penalty_up_to=free`, { reason: 'the guest called' })
    expect([wrong.statusCode, wrong.json().errors[0].field]).toEqual([422, 'accept_penalty_up_to'])
    const untilFee = Date.parse(cancel_policy.penalties[0].from) - app.clock.now() + MINUTE
    app.clock.advance(Math.max(0, untilFee))
    const { penalty, currency } = (await post(`${URL}/${id}/cancel?preview=true`, {})).json().data
    expect(penalty).toBeGreaterThan(0)
    const risen = await post(`${URL}/${id}/cancel?accept_penalty_up_to=0`, { reason: 'the guest called' })
    expect([risen.statusCode, risen.json().code]).toEqual([409, 'terms_changed'])
    expect(risen.json().changes).toMatchObject([{ shown: { amount: 0, currency }, now: { amount: penalty, currency } }])
    expect((await show(id)).booking.status).toBe('confirmed')
    const agreed = await post(`${URL}/${id}/cancel?accept_penalty_up_to=${penalty}`, { reason: 'the guest called' })
    expect(agreed.json().data).toMatchObject({ status: 'cancelled', penalty })
  })
})

test('an operator can read the voucher of any account’s booking', async () => {
  const { booking_id: id, reference } = await book()
  const html = await app.as(operator, { url: `${URL}/${id}/voucher`, headers: { accept: 'text/html' } })
  expect([html.statusCode, html.body.includes(reference)]).toEqual([200, true])
})

test('without a mail server, sending a mail again is refused', async () => {
  const { booking_id: id } = await book()
  const answer = await post(`${URL}/${id}/mail`, {})
  expect([answer.statusCode, answer.json().code]).toEqual([409, 'not_possible'])
})

test('one search finds a booking by each reference and by its guest, and a request by its id', async () => {
  const booking = await book()
  const find = async (text: string) => (await get(`/api/operator/find?q=${encodeURIComponent(text)}`)).data
  const texts = [booking.booking_id, booking.reference, booking.vendor_reference, booking.client_reference]
  for (const text of [...texts, `lovelace ${booking.client_reference}`, `${GUEST.email} ${booking.reference}`]) {
    const { bookings } = await find(text)
    expect(bookings, text).toMatchObject([{ booking_id: booking.booking_id, lead_guest: 'Ada Lovelace' }])
  }
  const answer = await app.as(operator, { url: `${URL}/${booking.booking_id}` })
  const { requests } = await find(String(answer.headers['x-request-id']))
  expect(requests).toMatchObject([{ operation: 'operator.bookings.show', status: 200 }])
})
