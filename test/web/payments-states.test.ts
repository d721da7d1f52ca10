import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAccessFaults, findAccessFaultsInBothThemes, type Site } from '../support/servers/browser.ts'
import { payButton } from './card-steps.ts'
import { waitForFocus } from './keyboard.ts'
import type { Json } from './recorded-answers.ts'
import { example, openRecorded, type RecordedApi, type RecordedVisit, STAY_ADDRESS } from './recorded-api.ts'
import { openFilledCheckout } from './shortcuts.ts'
import { openOwnSite } from './sites.ts'
import { waitForConfirmation } from './steps.ts'

/** States of a payment with recorded answers, on a service that uses Stripe itself. */

const stripe = { secretKey: 'sk_test_page', publishableKey: 'pk_test_page', webhookSecrets: ['whsec_page'] }
let site: Site
let visit: RecordedVisit
let page: Page
let api: RecordedApi

beforeAll(async () => {
  site = await openOwnSite({ payments: { provider: 'stripe', stripe } })
  visit = await openRecorded(site)
  page = visit.page
  api = visit.api
})
afterAll(async () => {
  await visit.close()
  await site.close()
})

const CARD = { brand: 'visa', last4: '4242' }
const PAYMENT = {
  ...{ payment_id: 'pay_0h3m6q8r1t5vz', provider: 'stripe', amount: 229.9, currency: 'EUR', authorised: 0 },
  ...{ captured: 0, refunded: 0, refund_pending: 0, booking_id: null, card: null, failure: null, capture_before: null },
  ...{ expires_at: '2027-01-15T12:20:00.000Z', created_at: '2027-01-15T12:00:00.000Z', simulated: false },
  ...{ updated_at: '2027-01-15T12:00:00.000Z', status: 'requires_payment' },
}
const NEXT = { kind: 'confirm_in_browser', publishable_key: stripe.publishableKey, client_secret: 'pi_1_secret_2' }

const withPayment = (booking: Json, payment: object) => ({
  data: { ...booking, payment: { payment_id: 'pay_1', amount: 229.9, currency: 'EUR', card: CARD, ...payment } },
})

test.each([
  ['held', {}, 'in_doubt', '€229.90 is reserved on Visa ending in 4242, not charged.'],
  ['captured', { captured: 229.9 }, 'confirmed', '€229.90 was charged to Visa ending in 4242.'],
  ['refunding', { captured: 229.9, refund_pending: 179.9 }, 'cancelled', '€179.90 is on its way back to Visa'],
  ['partly_refunded', { captured: 229.9, refunded: 179.9 }, 'cancelled', '€179.90 of €229.90 was refunded to Visa'],
  ['voided', {}, 'rejected', 'Nothing was charged. The €229.90 reserved on Visa ending in 4242 was released.'],
  ['needs_review', { captured: 229.9 }, 'cancelled', 'Our staff are checking the payment of €229.90'],
])('a booking whose payment is %s says so', async (status, amounts, bookingStatus, text) => {
  api.reset()
  const booking = { ...example('bookingShow').data, status: bookingStatus }
  api.answerWith(
    'bookingShow',
    withPayment(booking, { status, captured: 0, refunded: 0, refund_pending: 0, ...amounts }),
  )
  await page.goto(`/bookings/${booking.booking_id}`)
  await page.getByText(text).waitFor()
  expect(await findAccessFaults(page)).toEqual([])
})

test('a cancellation with a fee shows the refund to the card before and after it', async () => {
  api.reset()
  const booking = { ...example('bookingShow').data, status: 'confirmed' }
  const paid = withPayment(booking, { status: 'captured', captured: 229.9, refunded: 0, refund_pending: 0 })
  const fee = { penalty: 50, refund: 179.9, currency: 'EUR' }
  const over = withPayment(
    { ...booking, status: 'cancelled', cancellation: { ...fee, vendor_reference: null } },
    { status: 'refunding', captured: 229.9, refunded: 0, refund_pending: 179.9 },
  )
  const isOver = () => api.requests('bookingCancel').some(({ query }) => query.get('preview') !== 'true')
  api.answer('bookingShow', () => ({ status: 200, body: isOver() ? over : paid }))
  const outcome = { ...example('bookingCancel').data, ...fee }
  const payment = {
    payment_id: 'pay_1',
    status: 'captured',
    captured: 229.9,
    refund: 179.9,
    currency: 'EUR',
    to: CARD,
    note: '',
  }
  const preview = { data: { ...outcome, preview: true, status: 'confirmed', payment } }
  const done = {
    data: { ...outcome, preview: false, status: 'cancelled', payment: { ...payment, status: 'refunding' } },
  }
  api.answer('bookingCancel', ({ query }) => ({ status: 200, body: query.get('preview') === 'true' ? preview : done }))
  await page.goto(`/bookings/${booking.booking_id}`)
  await page.getByRole('button', { name: 'Cancel this booking' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByText('The refund goes to Visa ending in 4242').waitFor()
  expect(await dialog.textContent()).toContain('€179.90')
  expect(await findAccessFaultsInBothThemes(page, dialog)).toEqual([])
  await dialog.getByRole('button', { name: /^Cancel and pay/ }).click()
  await page.getByText('€179.90 is on its way back to Visa ending in 4242').waitFor()
})

/** In place of Stripe's script, which may only come from Stripe. It records what the page asks for. */
const SCRIPT = `window.asked = []
window.Stripe = (key) => ({
  elements(options) {
    asked.push({ key, ...options, appearance: undefined })
    let node
    return {
      create: () => ({
        on: (name, listener) => name === 'ready' && setTimeout(listener),
        mount(into) { node = document.createElement('p'); node.textContent = 'Fields of Stripe'; into.append(node) },
        destroy() { node?.remove() },
      }),
      getElement: () => null,
      submit: async () => ({}),
      update: () => undefined,
    }
  },
  async confirmPayment({ elements, ...args }) {
    asked.push(args)
    if (sessionStorage.getItem('bank') !== null) return new Promise(() => undefined)
    return { paymentIntent: { status: 'requires_capture' } }
  },
})`

function payByCard(): void {
  api.reset()
  const { data } = example('bookingCheckPrice')
  const quote = {
    required: true,
    provider: 'stripe',
    amount: 229.9,
    currency: 'EUR',
    charged: '',
    create: '/api/payments',
  }
  api.answerWith('bookingCheckPrice', { data: { ...data, payment: quote } })
  const created = { ...PAYMENT, next: NEXT, terms_digest: data.terms_digest }
  api.answer('paymentsCreate', { status: 201, body: { data: created } })
}

test('without Stripe’s script the page explains why, and neither pays nor books', async () => {
  payByCard()
  await page.route('https://js.stripe.com/**', (route) => route.abort())
  await openFilledCheckout(page, STAY_ADDRESS)
  const notice = page.getByText('The card form could not be loaded')
  await notice.waitFor()
  expect(await findAccessFaultsInBothThemes(page, notice)).toEqual([])
  await payButton(page).click()
  await waitForFocus(page, /Wait until the card form is loaded/)
  expect(api.requests('paymentsCreate')).toEqual([])
  expect(api.requests('bookingCreate')).toEqual([])

  await page.unroute('https://js.stripe.com/**')
  await page.route('https://js.stripe.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: SCRIPT }),
  )
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Fields of Stripe').waitFor()
  await payButton(page).click()
  await waitForConfirmation(page)
  expect(api.requests('bookingCreate')).toMatchObject([{ body: { payment_id: PAYMENT.payment_id } }])
  expect(await page.evaluate('asked')).toMatchObject([
    { key: 'pk_test_page', mode: 'payment', amount: 22_990, currency: 'eur', captureMethod: 'manual' },
    { clientSecret: NEXT.client_secret, redirect: 'if_required' },
  ])
})

test('a checkout that the Back button restores from memory, without an answer of Stripe’s script, asks the service', async () => {
  payByCard()
  const failure = { code: 'payment_intent_authentication_failure', message: '' }
  api.answerWith('paymentsShow', { data: { ...PAYMENT, failure, next: NEXT, terms_digest: null } })
  await page.route('https://js.stripe.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: SCRIPT }),
  )
  await page.evaluate(`sessionStorage.setItem('bank', 'asks')`)
  await openFilledCheckout(page, STAY_ADDRESS)
  await page.getByText('Fields of Stripe').waitFor()
  await payButton(page).click()
  await page.getByText('Paying …').first().waitFor()
  expect(api.requests('paymentsShow')).toEqual([])
  await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`)
  await page.getByText('Your bank could not confirm that it is you').waitFor()
  await payButton(page).waitFor()
  expect(api.requests('bookingCreate')).toEqual([])
})
