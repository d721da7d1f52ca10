import type { Locator, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  findAccessFaults,
  findAccessFaultsInBothThemes,
  NEXT_FRAME,
  type Site,
  type Visit,
} from '../support/servers/browser.ts'
import { prepareFirstRoom, startAgent } from './agent.ts'
import {
  CARDS,
  cancelAndCompare,
  fillCard,
  moneyOf,
  openCardCheckout,
  openPartlyRefundable,
  payButton,
  signInPayer,
  waitForMoney,
  withoutExpected,
} from './card-steps.ts'
import { waitForFocus } from './keyboard.ts'
import { freshToken, warmUp } from './shortcuts.ts'
import { sharedSite } from './sites.ts'
import { chooseDestination, fillGuest, GUEST, waitForConfirmation, waitForResults } from './steps.ts'

/** Payments on a phone, and banks whose page takes the place of ours. The stand-in's ledger of money is the judge. */

const TOUCH_PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const

let site: Site
let visit: Visit
let page: Page
let before: number

beforeAll(async () => {
  site = await sharedSite()
  await warmUp(site)
})
beforeEach(async () => {
  before = (await moneyOf(site)).length
  await site.sandbox.payments.control.change({ bankRedirects: 1 })
  visit = await site.visit(TOUCH_PHONE)
  page = visit.page
})
afterEach(async () => {
  await site.sandbox.payments.control.change({ bankRedirects: 0 })
  await site.sandbox.payments.control.clearFaults()
  expect(withoutExpected(site, visit.trouble())).toEqual([])
  await visit.close()
})

const tap = (target: Locator): Promise<void> => target.first().tap()
const button = (name: string | RegExp) => page.getByRole('button', { name })
const message = (text: string | RegExp) => page.getByText(text).first()
const payButtons = () => button(/^(Pay|Book|Try again|Check again)/).count()
const overflow = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')

/** On the bank's own page; its address has the payment's secret. */
async function answerBank(outcome: 'Complete' | 'Fail'): Promise<void> {
  await page.getByRole('heading', { name: 'Your bank asks you to confirm' }).waitFor()
  expect(new URL(page.url()).origin).toBe(site.sandbox.payments.origin)
  await tap(button(outcome))
}

/** The provider's parameters contain the secret, so they may not stay in the address. */
async function expectCleanAddress(path: string): Promise<void> {
  await page.waitForURL((url) => url.origin === site.url && !url.search.includes('payment_intent'))
  expect(new URL(page.url()).pathname).toBe(path)
}

test('a visitor with a phone searches, pays through the bank’s page and books, by touch alone', async () => {
  await page.goto('/')
  await chooseDestination(page, 'Funchal', /^Funchal/)
  await tap(button('Search'))
  await waitForResults(page)
  await tap(page.locator('[data-property] a'))
  await page.locator('#rooms table').first().waitFor()
  const rows = page.locator('#rooms tbody tr')
  const free = rows.filter({ hasText: 'Free cancellation' })
  await tap(((await free.count()) > 0 ? free : rows).first().getByRole('button', { name: /^Choose / }))
  await page.getByLabel('First name').first().waitFor()
  await fillGuest(page)
  await fillCard(page, CARDS.authentication)
  expect(await overflow()).toBe(0)
  await tap(payButton(page))
  await answerBank('Complete')
  await waitForConfirmation(page)
  expect(page.url()).not.toContain('payment_intent')
  await waitForMoney(site, before, ['authorised', 'captured'])
  expect([await findAccessFaults(page), await overflow()]).toEqual([[], 0])
})

test('Back from the bank’s page, and then a refusal there, reserve nothing, and the checkout takes another card', async () => {
  await openCardCheckout(site, page)
  await fillCard(page, CARDS.authentication)
  await tap(payButton(page))
  await page.getByRole('heading', { name: 'Your bank asks you to confirm' }).waitFor()
  await page.goBack()
  await message('We are asking your bank').waitFor()
  expect(await payButtons()).toBe(0)
  await message('The payment was not completed. Try again or use another card.').waitFor()
  expect(await page.getByLabel('First name').inputValue()).toBe(GUEST.given)
  expect([await moneyOf(site, before), await findAccessFaults(page)]).toEqual([[], []])

  await fillCard(page, CARDS.authentication)
  await tap(payButton(page))
  await answerBank('Fail')
  await expectCleanAddress('/checkout')
  await message('Your bank could not confirm that it is you. Try again or use another card.').waitFor()
  await waitForFocus(page, /Nothing was charged and nothing was booked/)
  expect([await moneyOf(site, before), await findAccessFaults(page)]).toEqual([[], []])

  await fillCard(page)
  await tap(payButton(page))
  await waitForConfirmation(page)
  await waitForMoney(site, before, ['authorised', 'captured'])
})

test('cancelling a paid room for a fee shows the refund before and after, and refunds that amount to the card', async () => {
  const expectFitAndAccessible = async () => expect([await findAccessFaults(page), await overflow()]).toEqual([[], 0])
  await openPartlyRefundable(site, page, tap)
  await tap(payButton(page))
  await waitForConfirmation(page)
  await waitForMoney(site, before, ['authorised', 'captured'])
  await cancelAndCompare(site, page, { before, press: tap, inDialog: expectFitAndAccessible })
  await expectFitAndAccessible()
})

test('the bank’s page leads back to the pay link of an agent, where the payment is authorised', async () => {
  const user = await signInPayer(site, page)
  const agent = await startAgent(site, await freshToken(site, user))
  const { payment } = await prepareFirstRoom(agent)
  const path = new URL(payment.pay_link).pathname
  await page.goto(path)
  await fillCard(page, CARDS.authentication)
  await tap(button(/^Pay /))
  await answerBank('Fail')
  await expectCleanAddress(path)
  await message('You have not paid yet').waitFor()
  await fillCard(page, CARDS.authentication)
  await tap(button(/^Pay /))
  await answerBank('Complete')
  await page.getByRole('heading', { name: 'Authorised', exact: true }).waitFor()
  await expectCleanAddress(path)
  expect(await button(/^Pay /).count()).toBe(0)
  expect(await moneyOf(site, before)).toEqual(['authorised'])
})

test('the stand-in’s card form and bank page are accessible in both themes', async () => {
  const { origin } = site.sandbox.payments
  await page.setViewportSize({ width: 390, height: 844 })
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    await page.goto(`${origin}/form/new?theme=${theme}&parent_origin=${encodeURIComponent(site.url)}`)
    await page.getByLabel('Card number').fill('4242')
    await page.getByLabel('Security code').press('Enter')
    await page.evaluate(NEXT_FRAME)
    expect(await findAccessFaults(page), theme).toEqual([])
  }
  await page.goto('/')
  await openCardCheckout(site, page)
  await fillCard(page, CARDS.authentication)
  await tap(payButton(page))
  const heading = page.getByRole('heading', { name: 'Your bank asks you to confirm' })
  await heading.waitFor()
  expect(await findAccessFaultsInBothThemes(page, heading)).toEqual([])
})
