import type { FrameLocator, Locator, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { DEFAULT_SETTINGS } from '../../sandbox/server/settings.ts'
import type { Site } from '../support/servers/browser.ts'
import { freshStay, newAccount, openFilledCheckout, signInBrowser, type User, warmUp } from './shortcuts.ts'
import { fillGuest } from './steps.ts'

/** The steps of a guest who pays with a card of the stand-in. */

export const CARDS = {
  good: '4242424242424242',
  authentication: '4000002760003184',
  noFunds: '4000000000009995',
} as const

export const cardForm = (page: Page): FrameLocator => page.frameLocator('iframe[title="Card"]')
export const bankPage = (page: Page): FrameLocator => cardForm(page).frameLocator('#bank')
export const payButton = (page: Page) => page.getByRole('button', { name: /^Pay .+ and book$/ })

export async function fillCard(page: Page, number: string = CARDS.good): Promise<void> {
  const form = cardForm(page)
  await form.getByLabel('Card number').fill(number)
  await form.getByLabel('Expiry date').fill('1234')
  await form.getByLabel('Security code').fill('123')
}

/** Signs the browser in to a new account that pays by card. */
export async function signInPayer(site: Site, page: Page): Promise<User> {
  const user = await newAccount(site)
  await site.app.manageAccounts.setPayment(user.email, 'card')
  await signInBrowser(site, page, user)
  return user
}

/** Opens the filled checkout of an account that pays by card. */
export async function openCardCheckout(site: Site, page: Page): Promise<void> {
  await warmUp(site)
  const user = await signInPayer(site, page)
  await openFilledCheckout(page, await freshStay(site, user))
  await fillCard(page)
}

/** A click or a tap. */
type Press = (target: Locator) => Promise<void>

/** Opens the filled checkout of a room whose cancellation costs three quarters of its price. */
export async function openPartlyRefundable(site: Site, page: Page, press: Press): Promise<void> {
  const { partialRefunds, nonRefundableNights } = DEFAULT_SETTINGS
  onTestFinished(() => site.sandbox.control.expedia_rapid.change({ partialRefunds, nonRefundableNights }))
  await choosePartlyRefundable(site, page, press)
}

/** Lets the vendor sell only such rooms. */
export async function choosePartlyRefundable(site: Site, page: Page, press: Press): Promise<void> {
  await warmUp(site)
  // The last of two nights is never refunded, and half of the other one.
  await site.sandbox.control.expedia_rapid.change({ partialRefunds: 1, nonRefundableNights: 1 })
  await page.goto(await freshStay(site, await signInPayer(site, page), ['expedia_rapid']))
  const row = page.locator('#rooms tbody tr').filter({ hasText: 'Partly refundable' })
  await press(row.getByRole('button', { name: /^Choose / }))
  await page.getByLabel('First name').first().waitFor()
  await fillGuest(page)
  await fillCard(page)
}

/** Cancels the paid booking on the page. The shown fee and refund must be those of the ledger. */
export async function cancelAndCompare(
  site: Site,
  page: Page,
  { before, press, inDialog }: { before: number; press: Press; inDialog(): Promise<void> },
): Promise<void> {
  const message = (text: string | RegExp) => page.getByText(text).first()
  await press(page.getByRole('button', { name: 'Cancel this booking' }))
  const dialog = page.getByRole('alertdialog')
  await dialog.getByText('The refund goes to Visa ending in 4242').waitFor()
  const [fee = '', refund = ''] = await dialog.locator('dd').allTextContents()
  await inDialog()
  await press(dialog.getByRole('button', { name: `Cancel and pay ${fee}` }))
  await message(`Cancellation fee ${fee}, refund ${refund}.`).waitFor()
  await waitForMoney(site, before, ['authorised', 'captured', 'refunded'])
  const [, captured, refunded] = await moneyEntries(site, before)
  const cents = (price: string) => Number(price.replace(/\D/g, ''))
  expect(refunded?.amount).toBe(cents(refund))
  expect(captured?.amount).toBe(cents(fee) + cents(refund))
  expect(cents(fee)).toBeGreaterThan(cents(refund))
  await message(new RegExp(`^${refund} of €[\\d,.]+ was refunded to Visa ending in 4242`)).waitFor()
}

/** Entries of the ledger of money since `before`, oldest first. */
export async function moneyOf(site: Site, before = 0): Promise<readonly string[]> {
  return (await moneyEntries(site, before)).map(({ kind }) => kind)
}

const moneyEntries = async (site: Site, before: number) => (await site.sandbox.payments.control.ledger()).slice(before)

export const waitForMoney = (site: Site, before: number, kinds: readonly string[]): Promise<void> =>
  expect.poll(() => moneyOf(site, before), { timeout: 20_000 }).toEqual(kinds)

/** The browser logs aborted requests and declined cards, and the card form is of another host. */
export const withoutExpected = (site: Site, trouble: readonly string[]): string[] =>
  trouble.filter(
    (line) =>
      !line.startsWith(`external: ${site.sandbox.payments.origin}/`) &&
      !/ERR_(CONNECTION|FAILED|INTERNET)|status of 402/.test(line),
  )
