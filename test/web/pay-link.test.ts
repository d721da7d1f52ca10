import type { Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { findAccessFaultsInBothThemes, type Site, type Visit } from '../support/servers/browser.ts'
import { type Agent, type Prepared, prepareFirstRoom, startAgent } from './agent.ts'
import { bankPage, CARDS, cardForm, fillCard, moneyOf, waitForMoney, withoutExpected } from './card-steps.ts'
import { tabTo, waitForFocus } from './keyboard.ts'
import { freshToken, newAccount, signInBrowser, warmUp } from './shortcuts.ts'
import { sharedSite } from './sites.ts'

/** A person pays by the link that an agent got from `prepare_booking`, judged by the stand-in's ledger of money. */

let site: Site
let user: Awaited<ReturnType<typeof newAccount>>
let agent: Agent
let prepared: Prepared
let visit: Visit
let page: Page
let before: number

beforeAll(async () => {
  site = await sharedSite()
  await warmUp(site)
})
beforeEach(async () => {
  visit = await site.visit()
  page = visit.page
  before = (await moneyOf(site)).length
  user = await newAccount(site)
  await site.app.manageAccounts.setPayment(user.email, 'card')
  agent = await startAgent(site, await signInBrowser(site, page, user))
  prepared = await prepareFirstRoom(agent)
})
afterEach(async () => {
  await site.sandbox.payments.control.clearFaults()
  expect(withoutExpected(site, visit.trouble())).toEqual([])
  await visit.close()
})

const payButton = () => page.getByRole('button', { name: /^Pay / })
const message = (text: string | RegExp) => page.getByText(text).first()
const heading = (name: string) => page.getByRole('heading', { name, exact: true })
const openLink = async () => {
  await page.goto(new URL(prepared.payment.pay_link).pathname)
  await payButton().waitFor()
}
const confirm = ({ prepared_id, terms_digest }: Prepared) => agent('confirm_booking', { prepared_id, terms_digest })
/** Gives the payment back, as the service does after its time. */
async function release(): Promise<void> {
  const url = `${site.url}/api/payments/${prepared.payment.payment_id}/release`
  const headers = { authorization: `bearer: ${await freshToken(site, user)}` }
  expect((await fetch(url, { method: 'POST', headers })).status).toBe(200)
}
async function signIn(there: Page, { email, password }: typeof user): Promise<void> {
  const dialog = there.getByRole('dialog')
  await dialog.getByLabel('E-Mail').fill(email)
  await dialog.getByLabel('Passwort').fill(password)
  await dialog.getByRole('button', { name: 'Anmelden' }).click()
}

test('the person pays by the link, the agent books, and the page then leads to the booking', async () => {
  expect(prepared.payment.pay_link).toBe(`${site.url}/pay/${prepared.payment.payment_id}`)
  await openLink()
  await fillCard(page)
  expect(await findAccessFaultsInBothThemes(page, payButton())).toEqual([])
  await payButton().click()
  await message('Go back to your assistant to finish the booking').waitFor()
  await message(/is reserved on Visa ending in 4242 until/).waitFor()
  await waitForFocus(page, 'Authorised')
  expect(await payButton().count()).toBe(0)
  expect(await findAccessFaultsInBothThemes(page, heading('Authorised'))).toEqual([])
  expect(await moneyOf(site, before)).toEqual(['authorised'])

  expect(await confirm(prepared)).toMatchObject({ status: 'confirmed' })
  await page.getByRole('link', { name: 'Show the booking' }).click()
  await heading('Your room is booked').waitFor()
  await waitForMoney(site, before, ['authorised', 'captured'])
  await page.goBack()
  await message(/was charged to Visa ending in 4242/).waitFor()
  expect(await payButton().count()).toBe(0)
})

test('with the keyboard alone the person answers the bank’s question and has paid', async () => {
  await openLink()
  await fillCard(page, CARDS.authentication)
  await cardForm(page).getByLabel('Security code').focus()
  await tabTo(page, /^Pay /)
  await page.keyboard.press('Enter')
  await bankPage(page).getByRole('button', { name: 'Complete' }).focus()
  await page.keyboard.press('Enter')
  await heading('Authorised').waitFor()
  expect(await moneyOf(site, before)).toEqual(['authorised'])
})

test('after a declined card another card pays the same payment', async () => {
  await openLink()
  await fillCard(page, CARDS.noFunds)
  await payButton().click()
  await message('The card does not have enough funds').waitFor()
  expect(await findAccessFaultsInBothThemes(page, message('You have not paid yet'))).toEqual([])
  expect(await moneyOf(site, before)).toEqual([])
  await fillCard(page)
  await payButton().click()
  await heading('Authorised').waitFor()
  expect(await confirm(prepared)).toMatchObject({ status: 'confirmed' })
  await waitForMoney(site, before, ['authorised', 'captured'])
})

test('if the bank’s answer is lost the page asks, and after a reload it offers no second button either', async () => {
  await openLink()
  await fillCard(page)
  let isLost = false
  await page.route('**/v1/payment_intents/*/confirm', async (route) => {
    await route.fetch()
    isLost = true
    await route.abort('connectionreset')
  })
  await page.route('**/api/payments/pay_*', (route) => (isLost ? route.abort('connectionreset') : route.continue()))
  await payButton().click()
  await message('We are asking your bank').waitFor()
  expect(await payButton().count()).toBe(0)
  expect(await findAccessFaultsInBothThemes(page, message('We are asking your bank'))).toEqual([])
  isLost = false
  await page.reload()
  await heading('Authorised').waitFor()
  expect(await payButton().count()).toBe(0)
  expect(await moneyOf(site, before)).toEqual(['authorised'])
})

test('a reload before the bank has answered asks first, and then takes a card again', async () => {
  await openLink()
  await fillCard(page, CARDS.authentication)
  await payButton().click()
  await bankPage(page).getByRole('button', { name: 'Complete' }).waitFor()
  await page.reload()
  await message('We are asking your bank').waitFor()
  expect(await payButton().count()).toBe(0)
  await message('The payment was not completed').waitFor()
  await fillCard(page)
  await payButton().click()
  await heading('Authorised').waitFor()
  expect(await moneyOf(site, before)).toEqual(['authorised'])
})

test('a blocked card form is said, and trying again shows it', async () => {
  const form = `${site.sandbox.payments.origin}/**`
  await page.route(form, (route) => (route.request().isNavigationRequest() ? route.abort() : route.continue()))
  await page.goto(`/pay/${prepared.payment.payment_id}`)
  await message('The card form could not be loaded').waitFor()
  await payButton().click()
  await message('Wait until the card form is loaded').waitFor()
  await page.unroute(form)
  await page.getByRole('button', { name: 'Try again' }).click()
  await cardForm(page).getByLabel('Card number').waitFor()
  expect(await moneyOf(site, before)).toEqual([])
})

test('a payment that another tab has authorised or that was released has no pay button', async () => {
  await openLink()
  const second = await page.context().newPage()
  await second.goto(page.url())
  await fillCard(second)
  await second.getByRole('button', { name: /^Pay / }).click()
  await second.getByRole('heading', { name: 'Authorised' }).waitFor()
  await fillCard(page)
  await payButton().click()
  await heading('Authorised').waitFor()
  await page.reload()
  await heading('Authorised').waitFor()
  expect(await payButton().count()).toBe(0)

  await release()
  await page.reload()
  await heading('This payment has ended').waitFor()
  await message(/The .+ reserved on Visa ending in 4242 was released/).waitFor()
  await message('ask your assistant to prepare the booking again').waitFor()
  expect(await payButton().count()).toBe(0)
  expect(await findAccessFaultsInBothThemes(page, heading('This payment has ended'))).toEqual([])
  await waitForMoney(site, before, ['authorised', 'released'])
})

test('a payment that ended while the page was open is not paid, and the page says so', async () => {
  await openLink()
  await fillCard(page)
  await release()
  await payButton().click()
  await heading('This payment has ended').waitFor()
  await message('No amount was reserved on a card').waitFor()
  expect(await moneyOf(site, before)).toEqual([])
})

test('another account finds no payment, and signing in with the right one shows it', async () => {
  const another = await site.visit({ locale: 'de-DE' })
  const { page: there } = another
  await there.goto(`/pay/${prepared.payment.payment_id}`)
  // A guest's session is not enough.
  await there.getByRole('dialog', { name: 'Anmelden' }).getByRole('button', { name: 'Schließen' }).click()
  await there.getByRole('main').getByRole('button', { name: 'Anmelden' }).click()
  await signIn(there, await newAccount(site))
  const unknown = there.getByRole('heading', { name: 'Zahlung nicht gefunden' })
  await unknown.waitFor()
  expect(await findAccessFaultsInBothThemes(there, unknown)).toEqual([])
  await there.getByRole('button', { name: 'Anderes Konto verwenden' }).click()
  await signIn(there, user)
  await there.getByRole('button', { name: /bezahlen$/ }).waitFor()
  expect(withoutExpected(site, another.trouble())).toEqual([])
  await another.close()
})
