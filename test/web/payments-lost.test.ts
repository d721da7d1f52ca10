import type { Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Fault } from '../../sandbox/server/faults.ts'
import { findAccessFaults, findAccessFaultsInBothThemes, type Site, type Visit } from '../support/servers/browser.ts'
import {
  fillCard,
  moneyOf,
  openCardCheckout,
  payButton,
  signInPayer,
  waitForMoney,
  withoutExpected,
} from './card-steps.ts'
import { freshStay } from './shortcuts.ts'
import { sharedSite } from './sites.ts'
import { chooseCheapestRoom, waitForConfirmation } from './steps.ts'

/** Payments that meet a lost connection, another tab or a changed offer, judged by the stand-in's ledger of money. */

const FIELDS = { 'First name': 'Ada', 'Last name': 'Lovelace', 'E-mail': 'ada@guests.example', Phone: '+351210000000' }

let site: Site
let visit: Visit
let page: Page
let before: number

beforeAll(async () => {
  site = await sharedSite()
})
beforeEach(async () => {
  visit = await site.visit()
  page = visit.page
  before = (await moneyOf(site)).length
  await openCardCheckout(site, page)
})
afterEach(async () => {
  await site.sandbox.payments.control.clearFaults()
  for (const control of Object.values(site.sandbox.control)) await control.clearFaults()
  expect(withoutExpected(site, visit.trouble())).toEqual([])
  await visit.close()
})

const message = (text: string) => page.getByText(text).first()
const atVendors = async (fault: Fault) => {
  for (const control of Object.values(site.sandbox.control)) await control.addFaults(fault)
}
/** Loses the answers to these requests; the service still gets them if `isReceived`. */
async function lose(pattern: string, { times = 1, isReceived = true } = {}): Promise<void> {
  let lost = 0
  await page.route(pattern, async (route) => {
    if (lost >= times) return route.continue()
    lost += 1
    if (isReceived) await route.fetch()
    await route.abort('connectionreset')
  })
}

test.each([
  ['is lost', true],
  ['never arrives', false],
])('if creating the payment %s, nothing is charged and trying again pays once', async (_case, isReceived) => {
  await lose('**/api/payments', { isReceived })
  await payButton(page).click()
  await message('The payment could not be started').waitFor()
  expect(await findAccessFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Try again' }).click()
  await waitForConfirmation(page)
  await waitForMoney(site, before, ['authorised', 'captured'])
})

test('if the answer to the price check is lost, no payer is named, and the card form appears before anything is paid', async () => {
  await page.goto(await freshStay(site, await signInPayer(site, page)))
  const lost = page.waitForEvent('requestfailed', (request) => request.url().includes('/price_check'))
  await lose('**/api/accommodation/price_check*')
  await page.locator('#rooms table').first().waitFor()
  await chooseCheapestRoom(page)
  await lost
  for (const [label, value] of Object.entries(FIELDS)) await page.getByLabel(label).first().fill(value)
  expect(await page.getByText('charged to your account').count()).toBe(0)
  await page.getByRole('button', { name: /^Book for / }).click()
  // Some vendors have notes that come only with the price check.
  await payButton(page).waitFor()
  if ((await page.locator('iframe[title="Card"]').count()) === 0) await payButton(page).click()
  await fillCard(page)
  expect(await moneyOf(site, before)).toEqual([])
  await payButton(page).click()
  await waitForConfirmation(page)
  await waitForMoney(site, before, ['authorised', 'captured'])
})

test('if the bank’s answer is lost the page asks, offers no second button, and books once', async () => {
  await lose('**/v1/payment_intents/*/confirm')
  await lose('**/api/payments/pay_*', { times: 2 })
  await payButton(page).click()
  await message('We are asking your bank').waitFor()
  expect(await page.getByRole('button', { name: /^(Pay|Book|Try again|Check again)/ }).count()).toBe(0)
  expect(await findAccessFaultsInBothThemes(page, message('We are asking your bank'))).toEqual([])
  await waitForConfirmation(page)
  await waitForMoney(site, before, ['authorised', 'captured'])
})

test('a reload while the bank is asked goes on asking, and books once', async () => {
  await lose('**/v1/payment_intents/*/confirm')
  await lose('**/api/payments/pay_*', { times: 3 })
  await payButton(page).click()
  await message('We are asking your bank').waitFor()
  await page.reload()
  await waitForConfirmation(page)
  await waitForMoney(site, before, ['authorised', 'captured'])
})

test('if the answer to the booking is lost, checking again neither books nor charges twice', async () => {
  await lose('**/api/accommodation/book')
  await payButton(page).click()
  await message('You will not be charged twice either').waitFor()
  expect(await payButton(page).count()).toBe(0)
  await page.getByRole('button', { name: 'Check again' }).click()
  await waitForConfirmation(page)
  await page.goBack()
  await page.goForward()
  await waitForConfirmation(page)
  await waitForMoney(site, before, ['authorised', 'captured'])
})

test('while a booking is in doubt its amount is shown as reserved, not charged', async () => {
  await atVendors({ kind: 'reset_after', operation: 'book', times: 1 })
  await atVendors({ kind: 'late_visibility', operation: '*', ms: 5_000 })
  await payButton(page).click()
  await page.getByRole('heading', { name: 'We are confirming your booking' }).waitFor()
  await page.getByText(/is reserved on Visa ending in 4242, not charged/).waitFor()
  expect(await moneyOf(site, before)).toEqual(['authorised'])
  expect(await findAccessFaultsInBothThemes(page, page.getByTestId('payment'))).toEqual([])
  await page.getByRole('heading', { name: 'Your room is booked' }).waitFor({ timeout: 90_000 })
  await waitForMoney(site, before, ['authorised', 'captured'])
})

test('if the room sold out after paying, the amount is released and nothing is charged', async () => {
  await atVendors({ kind: 'sold_out', operation: 'book', times: 1 })
  await payButton(page).click()
  await page.getByRole('heading', { name: 'This room just sold out' }).waitFor()
  await message('is being released').waitFor()
  await waitForMoney(site, before, ['authorised', 'released'])
})

test('a higher price after paying is shown with the release of the old amount, and accepting it pays the new one', async () => {
  await page.route('**/api/accommodation/book', async (route) => {
    await atVendors({ kind: 'price_change', operation: 'price_check' })
    await route.continue()
  })
  await payButton(page).click()
  const dialog = page.getByRole('alertdialog', { name: 'The price has changed' })
  await dialog.getByText(/reserved on your card is being released/).waitFor()
  expect(await findAccessFaultsInBothThemes(page, dialog)).toEqual([])
  await waitForMoney(site, before, ['authorised', 'released'])
  await page.unroute('**/api/accommodation/book')
  await dialog.getByRole('button', { name: /^Pay .+ and book$/ }).click()
  await waitForConfirmation(page)
  await waitForMoney(site, before, ['authorised', 'released', 'authorised', 'captured'])
})

test('a second tab of the same checkout leads to the booking of the first one', async () => {
  const address = page.url()
  const stored = await page.evaluate<string>('JSON.stringify(Object.entries(sessionStorage))')
  const second = await page.context().newPage()
  await second.addInitScript(`for (const [key, value] of ${stored}) sessionStorage.setItem(key, value)`)
  await second.goto(address)
  await fillCard(second)
  await payButton(page).click()
  await waitForConfirmation(page)
  await waitForConfirmation(second)
  expect(new URL(second.url()).pathname).toBe(new URL(page.url()).pathname)
  await waitForMoney(site, before, ['authorised', 'captured'])
})
