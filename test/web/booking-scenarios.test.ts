import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Fault } from '../../src/sandbox/faults.ts'
import { accessFaults, openSite, type Site, type Visit } from '../support/browser.ts'
import { atCheckout, signedIn, warmUp } from './shortcuts.ts'
import { amountIn, bookButton, confirmed, GUEST } from './steps.ts'

let site: Site
let visit: Visit
let page: Page
/** Every booking call the page made, with its idempotency key. */
let sent: string[]
let address: string

beforeAll(async () => {
  site = await openSite()
  address = await warmUp(site)
})
afterAll(() => site.close())

async function begin(): Promise<void> {
  visit = await site.visit()
  page = visit.page
  sent = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/accommodation/book')) sent.push(request.headers()['idempotency-key'] ?? '')
  })
  await signedIn(site, page)
  await atCheckout(page, address)
}

afterEach(async () => {
  for (const control of Object.values(site.sandbox.control)) await control.clearFaults()
  // The browser reports the request that a test cut off.
  expect(visit.trouble().filter((line) => !line.includes('ERR_CONNECTION_RESET'))).toEqual([])
  await visit.close()
})

const both = async (fault: Fault) => {
  for (const control of Object.values(site.sandbox.control)) await control.addFaults(fault)
}
const bookingsAtVendors = async () => {
  const books = await Promise.all(Object.values(site.sandbox.control).map((control) => control.ledger()))
  return books.flat().length
}

test('a price that rose is shown with its difference, and nothing is booked before she agrees', async () => {
  await begin()
  const before = await bookingsAtVendors()
  const shown = amountIn(await page.getByTestId('total').textContent())
  await both({ kind: 'price_change', operation: 'price_check', times: 1 })
  await bookButton(page).click()
  const dialog = page.getByRole('alertdialog', { name: 'The price has changed' })
  await dialog.waitFor()
  expect(await dialog.getByText('Shown before').locator('..').textContent()).toContain(shown)
  const asked = amountIn(await dialog.getByTestId('new-price').textContent())
  expect(asked).not.toBe(shown)
  expect(await accessFaults(page)).toEqual([])
  expect(await bookingsAtVendors()).toBe(before)
  expect(sent).toHaveLength(1)

  for (const control of Object.values(site.sandbox.control)) await control.clearFaults()
  await dialog.getByRole('button', { name: /^Book for / }).click()
  await confirmed(page)
  expect(new Set(sent).size).toBe(sent.length)
})

test('a room that has gone leads to alternatives for the same dates', async () => {
  await begin()
  await both({ kind: 'sold_out', operation: 'price_check' })
  await bookButton(page).click()
  await page.getByRole('heading', { name: 'This room has just gone' }).waitFor()
  expect(await page.locator('[data-property]').count()).toBeGreaterThan(0)
  expect(await accessFaults(page)).toEqual([])
  expect(sent).toHaveLength(1)
  for (const control of Object.values(site.sandbox.control)) await control.clearFaults()
  await page.locator('[data-property] a').first().click()
  await page.locator('#rooms table').first().waitFor()
})

test('an offer that ran out leads to fresh prices', async () => {
  await begin()
  await both({ kind: 'expired', operation: 'price_check' })
  await bookButton(page).click()
  await page.getByRole('heading', { name: /^(This offer has run out|This room has just gone)$/ }).waitFor()
  for (const control of Object.values(site.sandbox.control)) await control.clearFaults()
  await page.getByRole('link', { name: /^(See fresh prices|See the other rooms)/ }).click()
  await page.locator('#rooms table').first().waitFor()
})

test('while the outcome is unknown the page waits, survives a reload, offers no second booking, and resolves itself', async () => {
  await begin()
  const before = await bookingsAtVendors()
  await both({ kind: 'reset_after', operation: 'book', times: 1 })
  await both({ kind: 'late_visibility', operation: '*', ms: 5_000 })
  await bookButton(page).click()
  await page.getByRole('heading', { name: 'We are confirming with the hotel' }).waitFor()
  expect(await accessFaults(page)).toEqual([])
  await page.reload()
  await page.getByRole('heading', { name: /^(We are confirming|Your room is booked)/ }).waitFor()
  expect(await page.getByRole('button', { name: /^(Book|Search|Choose)/ }).count()).toBe(0)
  await confirmedLater()
  expect(await bookingsAtVendors()).toBe(before + 1)
})

const confirmedLater = () => page.getByRole('heading', { name: 'Your room is booked' }).waitFor({ timeout: 90_000 })

test('an answer lost on the way is asked for again under the same key after a reload: one booking', async () => {
  await begin()
  const before = await bookingsAtVendors()
  let lost = 0
  await page.route('**/api/accommodation/book', async (route) => {
    if (lost > 0) return route.continue()
    lost += 1
    await route.fetch()
    await route.abort('connectionreset')
  })
  await bookButton(page).click()
  await page.getByText('The connection was lost').waitFor()
  expect(await page.getByLabel('First name').isDisabled()).toBe(true)
  await page.reload()
  await confirmed(page)
  expect(sent).toHaveLength(2)
  expect(new Set(sent).size).toBe(1)
  expect(await bookingsAtVendors()).toBe(before + 1)

  await page.goBack()
  await page.goForward()
  await confirmed(page)
  expect(sent).toHaveLength(2)
})

test('a session that ended asks for sign-in and keeps everything that was typed', async () => {
  await begin()
  await page.getByLabel('Wishes to the house').fill('A quiet room')
  await page.evaluate(`fetch('/api/accounts/revoke_token', { method: 'POST', headers: {
    authorization: 'bearer: ' + JSON.parse(sessionStorage.getItem('serai.session')).token } })`)
  await bookButton(page).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Your session has ended').waitFor()
  expect(await accessFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await confirmed(page)
  expect(await page.getByText('A quiet room').count()).toBe(1)
  expect(await page.getByText(`${GUEST.given} ${GUEST.family}`).count()).toBe(1)
})

test('signing out revokes the token at the service', async () => {
  await begin()
  const token = await page.evaluate<string>(`JSON.parse(sessionStorage.getItem('serai.session')).token`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  const response = await page.request.get('/api/accommodation/bookings', {
    headers: { authorization: `bearer: ${token}` },
  })
  expect(response.status()).toBe(401)
})

test('what is missing in the form is said beside the field, and focus goes to the first of it', async () => {
  await begin()
  await page.getByLabel('First name').fill('')
  await page.getByLabel('E-mail').fill('ana@')
  await bookButton(page).click()
  expect(await page.getByLabel('First name').getAttribute('aria-invalid')).toBe('true')
  expect(await page.evaluate('document.activeElement.id')).toBe('given-0')
  expect(await page.getByText('This does not look like an e-mail address').isVisible()).toBe(true)
  expect(await page.getByLabel('First name').getAttribute('autocomplete')).toBe('given-name')
  expect(await accessFaults(page)).toEqual([])
  expect(sent).toHaveLength(0)
})

test('the confirmation gives a calendar file with the plain dates of the stay', async () => {
  await begin()
  await bookButton(page).click()
  await confirmed(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Add to calendar (.ics)' }).click(),
  ])
  const stream = await download.createReadStream()
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  expect(text).toMatch(/DTSTART;VALUE=DATE:\d{8}\r\nDTEND;VALUE=DATE:\d{8}\r\n/)
  expect(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
})
