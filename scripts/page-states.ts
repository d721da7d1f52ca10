import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Site } from '../test/support/servers/browser.ts'
import {
  bankPage,
  CARDS,
  choosePartlyRefundable,
  fillCard,
  openCardCheckout,
  payButton,
} from '../test/web/card-steps.ts'
import { freshToken, openFilledCheckout, searchAddress, warmUp } from '../test/web/shortcuts.ts'
import { bookButton, fillGuest, waitForConfirmation, waitForResults } from '../test/web/steps.ts'

export type State = {
  readonly name: string
  readonly widths?: readonly number[]
  open(page: Page, site: Site): Promise<unknown>
}

const openList = async (page: Page, site: Site) => {
  await page.goto(await searchAddress(site, await freshToken(site)))
  await waitForResults(page)
}

export const VENDOR = 'expedia_rapid'
/** Widths at which the filters and the map are not beside the list. */
const NARROW = [320, 390, 820]

/** Of an account. Some states continue where the one before ends. */
export const ACCOUNT: readonly State[] = [
  { name: 'start', open: (page) => page.goto('/') },
  { name: 'results', open: openList },
  { name: 'map', widths: NARROW, open: (page) => page.getByRole('button', { name: 'Map', exact: true }).click() },
  {
    name: 'filters',
    widths: NARROW,
    open: async (page, site) => {
      await openList(page, site)
      await page.getByRole('button', { name: /^Filters/ }).click()
    },
  },
  { name: 'no-match', open: (page) => page.goto(`${page.url()}&name=nothing-has-this-name`) },
  {
    name: 'missing-prices',
    open: async (page, site) => {
      await site.sandbox.control[VENDOR]?.addFaults({ kind: 'error_before', operation: '*' })
      await openList(page, site)
      await site.sandbox.control[VENDOR]?.clearFaults()
    },
  },
  {
    name: 'property',
    open: async (page, site) => {
      await page.goto(await warmUp(site))
      await page.locator('#rooms table').first().waitFor()
    },
  },
  { name: 'checkout', open: async (page, site) => openFilledCheckout(page, await warmUp(site)) },
  {
    name: 'checkout-errors',
    open: async (page) => {
      await page.getByLabel('E-mail').fill('nobody')
      await bookButton(page).click()
    },
  },
  {
    name: 'booking',
    open: async (page) => {
      await fillGuest(page)
      await bookButton(page).click()
      await waitForConfirmation(page)
    },
  },
  {
    name: 'cancel',
    open: (page) =>
      page
        .getByRole('button', { name: /^Cancel/ })
        .first()
        .click(),
  },
  { name: 'bookings', open: (page) => page.goto('/bookings') },
]

/** Requests about a payment. */
const PAYMENTS = '**/api/payments/**'
const pay = (page: Page) => payButton(page).click()
const payWith = async (page: Page, card: string) => {
  await fillCard(page, card)
  await pay(page)
}

/** Of a guest who pays by card. */
export const PAYER: readonly State[] = [
  { name: 'card', open: (page, site) => openCardCheckout(site, page) },
  {
    name: 'card-declined',
    open: async (page) => {
      await payWith(page, CARDS.noFunds)
      await page.getByText('The card does not have enough funds').waitFor()
    },
  },
  {
    name: 'card-bank',
    open: async (page) => {
      await payWith(page, CARDS.authentication)
      await bankPage(page).getByRole('button', { name: 'Complete' }).waitFor()
    },
  },
  {
    name: 'card-not-confirmed',
    open: async (page) => {
      await bankPage(page).getByRole('button', { name: 'Fail' }).click()
      await page.getByText('You have not paid yet').waitFor()
    },
  },
  {
    name: 'card-asking',
    open: async (page) => {
      await payWith(page, CARDS.authentication)
      await bankPage(page).getByRole('button', { name: 'Complete' }).waitFor()
      await page.route(PAYMENTS, (route) => route.abort())
      await page.reload()
      await page.getByText('We are asking your bank').waitFor()
    },
  },
  {
    name: 'card-reserved',
    open: async (page, site) => {
      await page.unroute(PAYMENTS)
      await openCardCheckout(site, page)
      for (const control of Object.values(site.sandbox.control)) {
        await control.addFaults({ kind: 'reset_after', operation: 'book', times: 1 })
        await control.addFaults({ kind: 'late_visibility', operation: '*', ms: 120_000 })
      }
      await pay(page)
      await page.getByText(/is reserved on Visa ending in 4242, not charged/).waitFor()
    },
  },
  {
    name: 'card-paid',
    open: async (page, site) => {
      for (const control of Object.values(site.sandbox.control)) await control.clearFaults()
      await choosePartlyRefundable(site, page, (target) => target.first().click())
      await pay(page)
      await waitForConfirmation(page)
      await page.getByText(/was charged to Visa ending in 4242/).waitFor()
    },
  },
  {
    name: 'card-refund-preview',
    open: async (page) => {
      await page.getByRole('button', { name: 'Cancel this booking' }).first().click()
      await page.getByText('The refund goes to Visa ending in 4242').waitFor()
    },
  },
  {
    name: 'card-refunded',
    open: async (page) => {
      await page.getByRole('button', { name: /^Cancel and pay/ }).click()
      await page.getByText(/was refunded to Visa ending in 4242/).waitFor()
    },
  },
]

export const VISITOR: readonly State[] = [
  { name: 'manage', open: (page) => page.goto('/bookings') },
  { name: 'sign-in', open: (page) => page.getByRole('button', { name: 'Sign in' }).first().click() },
  { name: 'unknown-booking', open: (page) => page.goto('/bookings/bkg_0') },
  { name: 'unknown-page', open: (page) => page.goto('/no-such-page') },
  { name: 'wrong-link', open: (page) => page.goto('/search?in=2020-01-01&out=2020-01-03') },
  { name: 'unknown-property', open: (page) => page.goto('/property/prp_0?in=2020-01-01') },
]

export const PLAIN: readonly State[] = [
  {
    name: 'no-script',
    open: async (page, site) => page.goto(await searchAddress(site, await freshToken(site))),
  },
  { name: 'plain-results', open: (page) => page.getByRole('button', { name: /without JavaScript/ }).click() },
]

const SECTIONS = readFileSync(join(import.meta.dirname, '../web/src/console/sections.ts'), 'utf8').matchAll(
  /path: '(\w+)'/g,
)

export const CONSOLE: readonly State[] = [...SECTIONS].map(([, path]) => ({
  name: `console-${path}`,
  open: (page: Page) => page.goto(`/console/${path}`),
}))
