import type { Locator, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { findAccessFaults, findAccessFaultsInBothThemes, type Site, type Visit } from '../support/servers/browser.ts'
import {
  bankPage,
  CARDS,
  cancelAndCompare,
  cardForm,
  fillCard,
  moneyOf,
  openCardCheckout,
  openPartlyRefundable,
  payButton,
  waitForMoney,
  withoutExpected,
} from './card-steps.ts'
import { tabTo, waitForFocus } from './keyboard.ts'
import { sharedSite } from './sites.ts'
import { waitForConfirmation } from './steps.ts'

/** Card payments against the service and the stand-in of the provider, judged by the stand-in's ledger of money. */

let site: Site
let visit: Visit
let page: Page
/** Entries of the ledger before the test. */
let before: number

beforeAll(async () => {
  site = await sharedSite()
})
beforeEach(async () => {
  visit = await site.visit()
  page = visit.page
  before = (await moneyOf(site)).length
})
afterEach(async () => {
  await site.sandbox.payments.control.clearFaults()
  for (const control of Object.values(site.sandbox.control)) await control.clearFaults()
  expect(withoutExpected(site, visit.trouble())).toEqual([])
  await visit.close()
})

const press = (target: Locator): Promise<void> => target.first().click()
const message = (text: string) => page.getByText(text).first()

test('a card is reserved, then charged once the room is booked, and a cancellation for a fee refunds the rest', async () => {
  await openPartlyRefundable(site, page, press)
  await page.getByText('will be reserved on your card').waitFor()
  expect(await findAccessFaultsInBothThemes(page, payButton(page))).toEqual([])
  await payButton(page).click()
  await waitForConfirmation(page)
  await page.getByText(/was charged to Visa ending in 4242/).waitFor()
  expect(await moneyOf(site, before)).toEqual(['authorised', 'captured'])
  expect(await findAccessFaults(page)).toEqual([])
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Receipt (PDF)' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^receipt-.+\.pdf$/)

  const inDialog = async () => expect(await findAccessFaults(page)).toEqual([])
  await cancelAndCompare(site, page, { before, press, inDialog })
})

test('the bank’s question is answered in the form, and the booking goes on', async () => {
  await openCardCheckout(site, page)
  await fillCard(page, CARDS.authentication)
  await payButton(page).click()
  await bankPage(page).getByRole('button', { name: 'Complete' }).click()
  await waitForConfirmation(page)
  await waitForMoney(site, before, ['authorised', 'captured'])
})

test('if the bank does not confirm the guest nothing is reserved, and another card pays the same payment', async () => {
  await openCardCheckout(site, page)
  await fillCard(page, CARDS.authentication)
  await payButton(page).click()
  await bankPage(page).getByRole('button', { name: 'Fail' }).click()
  await message('You have not paid yet').waitFor()
  await waitForFocus(page, /Nothing was charged and nothing was booked/)
  expect(await findAccessFaultsInBothThemes(page, message('You have not paid yet'))).toEqual([])
  expect(await moneyOf(site, before)).toEqual([])
  await fillCard(page)
  await payButton(page).click()
  await waitForConfirmation(page)
  await waitForMoney(site, before, ['authorised', 'captured'])
})

test('leaving the bank’s page by a reload reserves nothing, and the guest can pay again', async () => {
  await openCardCheckout(site, page)
  await fillCard(page, CARDS.authentication)
  await payButton(page).click()
  await bankPage(page).getByRole('button', { name: 'Complete' }).waitFor()
  await page.reload()
  await message('We are asking your bank').waitFor()
  expect(await payButton(page).count()).toBe(0)
  await message('The payment was not completed').waitFor()
  expect(await moneyOf(site, before)).toEqual([])
  await fillCard(page)
  await payButton(page).click()
  await waitForConfirmation(page)
  await waitForMoney(site, before, ['authorised', 'captured'])
})

test('after a declined card the message says what to do, and another card books', async () => {
  await openCardCheckout(site, page)
  await fillCard(page, CARDS.noFunds)
  await payButton(page).click()
  await message('The card does not have enough funds').waitFor()
  expect(await findAccessFaults(page)).toEqual([])
  await fillCard(page)
  await payButton(page).click()
  await waitForConfirmation(page)
  await waitForMoney(site, before, ['authorised', 'captured'])
})

test('with the keyboard alone a guest types a card, pays and books', async () => {
  await openCardCheckout(site, page)
  const card = { number: CARDS.good, expiry: '1234', cvc: '123' }
  for (const field of Object.keys(card)) await cardForm(page).locator(`#${field}`).fill('')
  await page.getByLabel('Special requests (optional)').focus()
  for (const [field, text] of Object.entries(card)) {
    await page.keyboard.press('Tab')
    await cardForm(page).locator(`#${field}:focus`).waitFor()
    await page.keyboard.type(text)
  }
  await page.keyboard.press('Enter')
  await waitForConfirmation(page)
  await page.getByRole('button', { name: 'Receipt (PDF)' }).waitFor()
  await tabTo(page, /^Receipt \(PDF\)$/)
  await waitForMoney(site, before, ['authorised', 'captured'])
})
