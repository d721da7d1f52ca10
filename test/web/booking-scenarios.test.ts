import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { findAccessFaults, findAccessFaultsInBothThemes } from '../support/servers/browser.ts'
import { waitForFocus } from './keyboard.ts'
import { example, openRecorded, problem, type RecordedApi, type RecordedVisit, STAY_ADDRESS } from './recorded-api.ts'
import { openFilledCheckout } from './shortcuts.ts'
import { sharedSite } from './sites.ts'
import { amountIn, bookButton, chooseCheapestRoom, fillGuest, GUEST, openWithin, waitForConfirmation } from './steps.ts'

let visit: RecordedVisit
let page: Page
let api: RecordedApi

beforeAll(async () => {
  visit = await openRecorded(await sharedSite())
  page = visit.page
  api = visit.api
})
beforeEach(() => api.reset())
afterEach(async () => {
  // The next checkout would fill in the guest's name.
  await page.evaluate('sessionStorage.clear()')
  // The browser logs the aborted request.
  expect(visit.trouble().filter((line) => !line.includes('ERR_CONNECTION_RESET'))).toEqual([])
})
afterAll(() => visit.close())

const begin = () => openFilledCheckout(page, STAY_ADDRESS)
/** Idempotency keys of the booking requests. */
const sentKeys = () => api.requests('bookingCreate').map(({ headers }) => headers['idempotency-key'])
/** Answer of the price check for a sold-out room. */
const soldOut = {
  status: 200,
  body: { data: { ...example('bookingCheckPrice').data, status: 'sold_out', room: null } },
}

test('a higher price is shown with the previous one, and nothing is booked before the guest agrees', async () => {
  await begin()
  const { total_inclusive: amount, currency } = example('bookingCheckPrice').data.room
  const { new_total } = problem('price_changed').body
  const changes = [{ what: 'total_price', shown: { amount, currency }, now: { amount: new_total, currency } }]
  api.answer('bookingCreate', problem('price_changed', { old_total: amount, changes }), api.recorded)
  const shown = amountIn(await page.getByTestId('total').textContent())
  await bookButton(page).click()
  const dialog = page.getByRole('alertdialog', { name: 'The price has changed' })
  await dialog.waitFor()
  expect(await dialog.getByText('Previous price').locator('..').textContent()).toContain(shown)
  const asked = amountIn(await dialog.getByTestId('new-price').textContent())
  expect(asked).not.toBe(shown)
  expect(await findAccessFaults(page)).toEqual([])
  expect(sentKeys()).toHaveLength(1)

  await dialog.getByRole('button', { name: /^Book for / }).click()
  await waitForConfirmation(page)
  expect(sentKeys()).toHaveLength(2)
  expect(new Set(sentKeys()).size).toBe(2)
})

test('changed terms are shown with the previous ones when the checkout opens, and the accepted terms are booked', async () => {
  const { room, changes } = problem('terms_changed').body
  const { data } = example('bookingCheckPrice')
  api.answerWith('bookingCheckPrice', { data: { ...data, status: 'terms_changed', room, changes } })
  await openWithin(page, STAY_ADDRESS)
  await page.locator('#rooms table').first().waitFor()
  await chooseCheapestRoom(page)
  const dialog = page.getByRole('alertdialog', { name: 'The terms have changed' })
  await dialog.waitFor()
  const due = dialog.locator('[data-change="due_at_property"]')
  expect(await due.getByText('Previously').count()).toBe(1)
  expect(await due.getByText('Now').count()).toBe(1)
  expect(await findAccessFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: /^Continue with / }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(api.requests('bookingCreate')).toEqual([])
  await fillGuest(page)
  await bookButton(page).click()
  await waitForConfirmation(page)
  expect(api.requests('bookingCreate')).toMatchObject([{ body: { terms_digest: data.terms_digest } }])
})

test('the page offers alternatives for the same dates if a room is sold out', async () => {
  await begin()
  api.answer('bookingCreate', problem('sold_out'))
  await bookButton(page).click()
  await page.getByRole('heading', { name: 'This room just sold out' }).waitFor()
  await waitForFocus(page, /^This room just sold out$/)
  expect(await page.evaluate('scrollY')).toBe(0)
  expect(await page.locator('[data-property]').count()).toBeGreaterThan(0)
  expect(await findAccessFaults(page)).toEqual([])
  expect(sentKeys()).toHaveLength(1)

  // The price check at the start of the checkout also finds it.
  api.answer('bookingCheckPrice', soldOut)
  await page.getByRole('link', { name: /^See other rooms at/ }).click()
  await page
    .getByRole('button', { name: /^Choose / })
    .first()
    .click()
  await page.getByRole('heading', { name: 'This room just sold out' }).waitFor()
  await page.locator('[data-property] a').first().click()
  await page.locator('#rooms table').first().waitFor()
  const { searchParams } = new URL(page.url())
  expect([searchParams.get('in'), searchParams.get('out')]).toEqual(['2027-03-12', '2027-03-14'])
})

/** Expects the message inside the window and with focus. */
async function isNoticed(text: string): Promise<void> {
  const message = page.getByText(text).first()
  await message.waitFor()
  await waitForFocus(page, text)
  const box = await message.boundingBox()
  expect(box?.y).toBeGreaterThan(0)
  expect(box?.y).toBeLessThan(900)
}

test('after a rate limit or a lost connection the message is in view with focus, and checking again books', async () => {
  await begin()
  api.answer('bookingCreate', problem('rate_limited'), 'lost', api.recorded)
  await bookButton(page).click()
  await isNoticed('Too many requests')
  expect(await bookButton(page).isEnabled()).toBe(true)
  await page.getByRole('button', { name: 'Check again' }).click()
  await isNoticed('The connection was lost')
  expect(await bookButton(page).count()).toBe(0)
  expect(await page.getByText('Booking …').count()).toBe(0)
  await page.getByRole('button', { name: 'Check again' }).click()
  await waitForConfirmation(page)
})

test('a room that the vendor rejects leads to the other rooms, because booking it again cannot succeed', async () => {
  await begin()
  api.answer('bookingCreate', problem('booking_rejected'))
  await bookButton(page).click()
  await isNoticed('The vendor rejected this booking')
  expect(await page.getByRole('button', { name: 'Check again' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Choose another room' }).click()
  await page.locator('#rooms table').first().waitFor()
  expect(sentKeys()).toHaveLength(1)
})

test('the page offers current prices if an offer has expired', async () => {
  await begin()
  api.answer('bookingCreate', problem('offer_expired'))
  await bookButton(page).click()
  await page.getByRole('heading', { name: 'This price has expired' }).waitFor()
  const before = api.requests('searchDetail').length
  await page.getByRole('link', { name: 'See current prices' }).click()
  await page.locator('#rooms table').first().waitFor()
  expect(api.requests('searchDetail').length).toBe(before + 1)

  // Each checkout in the history keeps its own input.
  await chooseCheapestRoom(page)
  const name = page.getByLabel('First name').first()
  expect(await name.inputValue()).toBe('')
  await page.evaluate('history.go(-2)')
  await expect.poll(() => name.inputValue()).toBe(GUEST.given)
})

test('while the outcome of a booking is unknown, a rate limit keeps its idempotency key and no other room is offered', async () => {
  await begin()
  api.answer('bookingCreate', 'lost', problem('rate_limited'), api.recorded)
  const otherRoom = page.getByRole('link', { name: 'Choose another room' })
  expect(await otherRoom.count()).toBe(1)
  await bookButton(page).click()
  await page.getByText('The connection was lost').waitFor()
  expect(await otherRoom.count()).toBe(0)
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect.poll(() => sentKeys().length).toBe(2)
  await page.getByText('The connection was lost').waitFor()
  await page.getByRole('button', { name: 'Check again' }).click()
  await waitForConfirmation(page)
  expect(sentKeys()).toHaveLength(3)
  expect(new Set(sentKeys()).size).toBe(1)
  const [first, ...again] = api.requests('bookingCreate')
  for (const { body } of again) expect(body).toEqual(first?.body)
})

test('the checkout links to the terms of the vendor, and browsers can fill in every field of the guest', async () => {
  const { data } = example('bookingCheckPrice')
  const url = 'https://terms.example/supplier'
  const [notice] = data.room.notices
  const terms = { ...notice, kind: 'vendor_terms', title: 'Terms', title_code: null, text: 'Terms', url }
  api.answerWith('bookingCheckPrice', { data: { ...data, room: { ...data.room, notices: [terms] } } })
  await begin()
  const link = page.getByRole('link', { name: /^Supplier Terms & Conditions/ })
  expect(await link.getAttribute('href')).toBe(url)
  const tokens = await page
    .locator('main form input')
    .evaluateAll((fields: { autocomplete: string }[]) => fields.map(({ autocomplete }) => autocomplete))
  expect(tokens).toEqual(['given-name', 'family-name', 'email', 'tel'])
})

test('missing fields have a message next to them, and the first one gets focus', async () => {
  await begin()
  expect(await findAccessFaultsInBothThemes(page, bookButton(page))).toEqual([])
  await page.getByLabel('First name').fill('')
  await page.getByLabel('E-mail').fill('ana@')
  await bookButton(page).click()
  expect(await page.getByLabel('First name').getAttribute('aria-invalid')).toBe('true')
  expect(await page.evaluate('document.activeElement.id')).toBe('given-0')
  const message = page.getByText('Enter an e-mail address such as')
  expect(await message.isVisible()).toBe(true)
  expect(await page.getByLabel('First name').getAttribute('autocomplete')).toBe('given-name')
  expect(await findAccessFaultsInBothThemes(page, message)).toEqual([])
  expect(sentKeys()).toHaveLength(0)
})

test('booking with Enter keeps the focus and announces that the booking is in progress', async () => {
  await begin()
  const isLate = Promise.withResolvers<void>()
  api.answer('bookingCreate', async (request) => {
    await isLate.promise
    return api.recorded(request)
  })
  await page.getByLabel('Phone').press('Enter')
  await page.getByRole('status').filter({ hasText: 'Booking …' }).waitFor({ state: 'attached' })
  await waitForFocus(page, /^Booking …$/)
  isLate.resolve()
  await waitForConfirmation(page)
})

test('the confirmation offers the calendar file of the service', async () => {
  await begin()
  await bookButton(page).click()
  await waitForConfirmation(page)
  const calendar = page.getByRole('button', { name: 'Add to calendar (.ics)' })
  expect(await findAccessFaultsInBothThemes(page, calendar)).toEqual([])
  await calendar.click()
  await expect
    .poll(() => api.requests('bookingVoucher').map(({ headers }) => headers.accept))
    .toEqual(['text/calendar'])
})
