import type { Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Fault } from '../../sandbox/server/faults.ts'
import { findAccessFaults, type Site, type Visit } from '../support/servers/browser.ts'
import { freshStay, newAccount, openFilledCheckout, signInBrowser, warmUp } from './shortcuts.ts'
import { sharedSite } from './sites.ts'
import { bookButton, waitForConfirmation } from './steps.ts'

/** Bookings whose outcome is unknown at first, counted at the vendors. */

let site: Site
let visit: Visit
let page: Page
/** Idempotency keys of the booking requests. */
let sent: string[]

beforeAll(async () => {
  site = await sharedSite()
  await warmUp(site)
})
beforeEach(async () => {
  visit = await site.visit()
  page = visit.page
  sent = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/accommodation/book')) sent.push(request.headers()['idempotency-key'] ?? '')
  })
  const user = await newAccount(site)
  await signInBrowser(site, page, user)
  await openFilledCheckout(page, await freshStay(site, user))
})
afterEach(async () => {
  for (const control of Object.values(site.sandbox.control)) await control.clearFaults()
  // The browser logs the aborted request.
  expect(visit.trouble().filter((line) => !line.includes('ERR_CONNECTION_RESET'))).toEqual([])
  await visit.close()
})

const addFaults = async (fault: Fault) => {
  for (const control of Object.values(site.sandbox.control)) await control.addFaults(fault)
}
const bookingsAtVendors = async () => {
  const books = await Promise.all(Object.values(site.sandbox.control).map((control) => control.ledger()))
  return books.flat().length
}

test('while the outcome of a booking is unknown the page waits, survives a reload, offers no second booking, and then shows the outcome', async () => {
  const before = await bookingsAtVendors()
  await addFaults({ kind: 'reset_after', operation: 'book', times: 1 })
  await addFaults({ kind: 'late_visibility', operation: '*', ms: 5_000 })
  await bookButton(page).click()
  await page.getByRole('heading', { name: 'We are confirming your booking' }).waitFor()
  expect(await findAccessFaults(page)).toEqual([])
  await page.reload()
  await page.getByRole('heading', { name: /^(We are confirming|Your room is booked)/ }).waitFor()
  expect(await page.getByRole('button', { name: /^(Book|Search|Choose)/ }).count()).toBe(0)
  await page.getByRole('heading', { name: 'Your room is booked' }).waitFor({ timeout: 90_000 })
  expect(await bookingsAtVendors()).toBe(before + 1)
})

test('after a lost answer and a reload the page sends the same idempotency key and makes one booking', async () => {
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
  await waitForConfirmation(page)
  expect(sent).toHaveLength(2)
  expect(new Set(sent).size).toBe(1)
  expect(await bookingsAtVendors()).toBe(before + 1)

  await page.goBack()
  await page.goForward()
  await waitForConfirmation(page)
  expect(sent).toHaveLength(2)
})
