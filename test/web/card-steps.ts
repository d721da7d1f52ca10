import type { FrameLocator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Site } from '../support/servers/browser.ts'
import { freshStay, newAccount, openFilledCheckout, signInBrowser, type User, warmUp } from './shortcuts.ts'

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

/** Entries of the ledger of money since `before`, oldest first. */
export async function moneyOf(site: Site, before = 0): Promise<readonly string[]> {
  return (await moneyEntries(site, before)).map(({ kind }) => kind)
}

export const moneyEntries = async (site: Site, before: number) =>
  (await site.sandbox.payments.control.ledger()).slice(before)

export const waitForMoney = (site: Site, before: number, kinds: readonly string[]): Promise<void> =>
  expect.poll(() => moneyOf(site, before), { timeout: 20_000 }).toEqual(kinds)

/** The browser logs aborted requests and declined cards, and the card form is of another host. */
export const withoutExpected = (site: Site, trouble: readonly string[]): string[] =>
  trouble.filter(
    (line) =>
      !line.startsWith(`external: ${site.sandbox.payments.origin}/`) &&
      !/ERR_(CONNECTION|FAILED|INTERNET)|status of 402/.test(line),
  )
