import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  confirmWithReason,
  DESKTOP_LIGHT,
  expectAccessible,
  openConsole,
  openView,
  PHONE_DARK,
  recordedList,
  waitForAction,
} from './console-steps.ts'
import { type ApiRequest, example, problem, type RecordedApi } from './recorded-api.ts'

let page: Page
let api: RecordedApi
let trouble: () => string[]
beforeEach(async () => {
  ;({ page, api, trouble } = await openConsole())
})
afterEach(() => expect(trouble()).toEqual([]))

const FILE = example('operatorBookingsShow').data
const ID = FILE.booking.booking_id
const ADDRESS = `/console/bookings/${ID}`
const CALL = {
  ...{ id: 'vcl_1', at: FILE.booking.created_at, vendor_id: 'expedia_rapid', class: 'book', operation: 'book' },
  ...{ request_id: 'req_1', booking_id: ID, method: 'POST', path: '/v3/itineraries', status: 201, fault: null },
  ...{ took_ms: 412, request: '{"rooms":"…"}', response: null },
}

const lastRequest = (operationId: string): ApiRequest | undefined => api.requests(operationId).at(-1)

/** Answers the preview and the cancellation with this fee. */
function cancelFor(penalty: number) {
  return ({ query }: ApiRequest) => {
    const { data } = example('operatorBookingsCancel')
    const preview = query.get('preview') === 'true'
    return { status: 200, body: { data: { ...data, preview, penalty, status: preview ? 'confirmed' : 'cancelled' } } }
  }
}

async function openCancelDialog() {
  await openView(page, ADDRESS)
  await page.getByRole('button', { name: 'Cancel the booking' }).click()
  return page.getByRole('dialog', { name: 'Cancel the booking' })
}

test('a booking is found by its guest and shown with its timeline, calls, deliveries and mails', async () => {
  const found = { bookings: 1, all: true, back_to: null }
  api.answerWith('operatorBookings', { ...example('operatorBookings'), looked_at: found })
  const delivery = example('operatorWebhooksReplayDelivery').data
  const mail = { sequence: 3, kind: 'booking_confirmed', created_at: CALL.at, next_attempt_at: null, attempts: 5 }
  const mails = [{ ...mail, outcome: 'failed', error: 'refused' }]
  const file = { ...FILE, vendor_calls: [CALL], deliveries: [delivery], mails }
  api.answerWith('operatorBookingsShow', { data: file })
  await openView(page, '/console/bookings')
  await page.getByLabel(/^Reference, guest/).fill('lovelace ada')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByText('Searched the only booking.').waitFor()
  expect(lastRequest('operatorBookings')?.query.get('q')).toBe('lovelace ada')
  await expectAccessible(page, DESKTOP_LIGHT, PHONE_DARK)
  await page.getByRole('link', { name: `Booking ${FILE.booking.reference}` }).click()
  const calls = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Calls to the vendor' }) })
  await calls.locator('summary').filter({ hasText: 'book' }).click()
  await calls.getByText('POST /v3/itineraries').waitFor()
  await expectAccessible(page, PHONE_DARK, DESKTOP_LIGHT)
  const timeline = await page.getByRole('table', { name: /^Everything that has happened/ }).textContent()
  expect(timeline).not.toMatch(/confirmed \(confirmed\)/i)
  for (const kind of ['Event', 'Reading', 'Vendor call', 'Mail', 'Webhook']) expect(timeline).toContain(kind)
  expect(await page.getByRole('link', { name: /^Voucher/ }).getAttribute('href')).toBe(
    `/api/operator/bookings/${ID}/voucher`,
  )
  await page.getByRole('button', { name: 'Try again' }).click()
  await waitForAction(page, 'The mail is on its way again.')
  expect(lastRequest('operatorBookingsMail')?.body).toEqual({ sequence: 3 })
  await page
    .getByRole('button', { name: `Send again: ${example('operatorWebhooksReplayDelivery').data.body.type}` })
    .click()
  await waitForAction(page, `Event ${example('operatorWebhooksReplayDelivery').data.id} is on its way again.`)
})

test('references can be copied, and the price breakdown is offered only to those who may see net prices', async () => {
  await openView(page, ADDRESS)
  await page.evaluate('navigator.clipboard.writeText = async (text) => { window.copied = text }')
  await page.getByRole('button', { name: 'Copy our reference' }).click()
  await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor()
  expect(await page.evaluate('window.copied')).toBe(FILE.booking.reference)
  const breakdown = page.getByRole('link', { name: 'Price breakdown' })
  const { net: _, ...hidden } = FILE.booking
  const net = {
    ...{ total: 100, currency: 'EUR', in_sold_currency: 100, cancellation_fee: null },
    ...{ rules_version: 1, rule_priority: null },
  }
  for (const [booking, links] of [
    [{ ...hidden, net }, 1],
    [hidden, 0],
  ] as const) {
    api.answerWith('operatorBookingsShow', { data: { ...FILE, booking } })
    await openView(page, ADDRESS)
    await page.getByRole('heading', { name: 'References' }).waitFor()
    await expect.poll(() => breakdown.count()).toBe(links)
  }
})

test('with the sandbox every booking is marked as simulated, in the list, in the search and on its page', async () => {
  const booking = { ...FILE.booking, simulated: false }
  const listed = { ...example('operatorBookings').data[0], simulated: false }
  const { booking_id, reference, vendor_reference, status, simulated, check_in, property } = listed
  const ids = { booking_id, reference, vendor_reference }
  const found = { ...ids, status, simulated, check_in, property_name: property.name, lead_guest: 'Ada Lovelace' }
  api.answerWith('operatorBookingsShow', { data: { ...FILE, booking } })
  api.answerWith('operatorBookings', recordedList('operatorBookings', [listed]))
  api.answerWith('operatorFind', { data: { bookings: [found], accounts: [], requests: [], looked_at: null } })
  for (const sandbox of [true, false]) {
    api.configure({ sandbox })
    for (const address of ['/console/bookings', '/console/find?q=ada', ADDRESS]) {
      await page.goto(address)
      await page.locator('main .tag').first().waitFor()
      const marks = page.locator('main').getByText('Simulated', { exact: true })
      await expect.poll(() => marks.count(), { message: `${address}, sandbox: ${sandbox}` }).toBe(sandbox ? 1 : 0)
    }
  }
})

test('a search for bookings without a result shows how far back it searched', async () => {
  const looked_at = { bookings: 5_000, all: false, back_to: FILE.booking.created_at }
  api.answerWith('operatorBookings', { ...recordedList('operatorBookings', []), looked_at })
  await openView(page, '/console/bookings?q=nobody')
  await page.getByText('No bookings found.').waitFor()
  expect(lastRequest('operatorBookings')?.query.get('q')).toBe('nobody')
  await page
    .getByText(/Searched the newest 5,000 bookings, back to .*Search by our reference to find older ones/)
    .waitFor()
  await expectAccessible(page, PHONE_DARK)
})

test('cancelling a booking in the console shows the fee first and needs a reason', async () => {
  api.answer('operatorBookingsCancel', cancelFor(86.44))
  const dialog = await openCancelDialog()
  await dialog.getByText('The account pays a fee of €86.44.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel it' }).click()
  await dialog.getByText('Enter a reason.').waitFor()
  api.answer('operatorBookingsCancel', { status: 202, body: example('operatorBookingsCancel', 202) })
  await confirmWithReason(page, 'Cancel it', 'the guest called')
  await waitForAction(page, 'the vendor has not confirmed it yet')
})

test('a cancellation fee that has risen is charged only after the operator agrees', async () => {
  const fee = (amount: number) => ({ amount, currency: 'EUR', from: '2027-01-15T13:00:00+01:00' })
  const changes = [{ what: 'cancellation_fee', shown: fee(0), now: fee(86.44) }]
  api.answer('operatorBookingsCancel', cancelFor(0), problem('terms_changed', { changes }), cancelFor(86.44))
  const dialog = await openCancelDialog()
  await dialog.getByText(/^Cancellation is free now/).waitFor()
  await confirmWithReason(page, 'Cancel it', 'the guest called')
  await dialog.getByText('The fee has risen from €0 to €86.44 since it was shown. Nothing was cancelled.').waitFor()
  await dialog.getByText('The account pays a fee of €86.44.').waitFor()
  await expectAccessible(page, PHONE_DARK)
  await dialog.getByRole('button', { name: 'Cancel it' }).click()
  await waitForAction(page, 'Cancelled. The fee is €86.44.')
  const sent = api.requests('operatorBookingsCancel').filter(({ query }) => query.get('preview') === null)
  expect(sent.map(({ query }) => query.get('accept_penalty_up_to'))).toEqual(['0', '86.44'])
  expect(sent.at(-1)?.body).toEqual({ reason: 'the guest called' })
})

test('a booking at another hotel is resolved with a reason, unless another operator was first', async () => {
  const differs = { code: 'property_differs', since: CALL.at, until: null, booked: 'Here', vendor_says: 'Elsewhere' }
  const booking = { ...FILE.booking, status: 'needs_review', discrepancies: [differs] }
  const resolved = { ...FILE.events[2], sequence: 4, reason: 'operator: the guest agrees to the other hotel' }
  api.answerWith('operatorBookingsShow', { data: { ...FILE, booking } })
  await openView(page, ADDRESS)
  await page
    .getByRole('table', { name: /^Differences/ })
    .getByText('property differs')
    .waitFor()
  await page.getByRole('button', { name: 'Resolve the review' }).click()
  const dialog = page.getByRole('dialog', { name: 'Resolve the review' })
  await dialog.getByRole('button', { name: 'Record the outcome' }).click()
  await dialog.getByText('Choose an outcome.').waitFor()
  await dialog.getByText('Enter a reason.').waitFor()
  await dialog.getByLabel(/^Confirmed/).check()
  await expectAccessible(page, PHONE_DARK)
  api.answer('operatorBookingsResolve', problem('not_possible'))
  await confirmWithReason(page, 'Record the outcome', 'the guest agrees to the other hotel')
  await dialog.getByRole('alert').filter({ hasText: 'Only a booking in needs_review can be resolved' }).waitFor()
  api.answer('operatorBookingsResolve')
  api.answerWith('operatorBookingsShow', { data: { ...FILE, events: [...FILE.events, resolved] } })
  await dialog.getByRole('button', { name: 'Record the outcome' }).click()
  await waitForAction(page, /^Resolved: the booking is confirmed/)
  await page
    .getByRole('table', { name: /^Everything/ })
    .filter({ hasText: resolved.reason })
    .waitFor()
  expect(lastRequest('operatorBookingsResolve')?.body).toEqual({
    ...{ status: 'confirmed', reason: 'the guest agrees to the other hotel', vendor_reference: null, rooms: null },
  })
})
