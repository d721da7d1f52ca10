import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeAt } from '../../src/accounts/totp.ts'
import type { Site, Visit } from '../support/servers/browser.ts'
import { confirmWithReason, waitForAction } from './console-steps.ts'
import { bookAt, freshToken, warmUp } from './shortcuts.ts'
import { sharedSite } from './sites.ts'

/** One visit of all sections on the real service. Other files test their states with recorded answers. */

const OPERATOR = { email: 'smoke@example.com', password: 'a long enough password' }
const VENDOR = 'expedia_rapid'
const LOST = 'lost-request-1'
const REASONS = [
  'rebooked next door',
  'the guest called',
  '120 % was a slip',
  'a new customer',
  'another building',
] as const

let site: Site
let visit: Visit
let page: Page
let signInCode: () => string
let cancelled: Awaited<ReturnType<typeof bookAt>>
let confirmed: typeof cancelled

beforeAll(async () => {
  site = await sharedSite()
  await warmUp(site)
  const token = await freshToken(site)
  cancelled = await bookAt(site, token, VENDOR)
  confirmed = await bookAt(site, token, VENDOR)
  await site.sandbox.control[VENDOR]?.changeBooking(cancelled.reference, 'cancel')
  await site.app.operator.bookings.promptReadings(VENDOR, [cancelled.reference], Date.now())
  await site.app.readBookings()
  // A rule for a country without properties, so that it does not change prices of other tests.
  await site.app.operator.rules.set([{ priority: 10, match: { country: ['AQ'] }, percent: 120 }], {
    ...{ kind: 'operator', id: 'acc_1' },
  })
  const headers = { authorization: `bearer: ${token}`, 'x-request-id': LOST }
  await fetch(`${site.url}/api/accommodation/bookings/bkg_0?secret=canary`, { headers })
  await site.app.writeFigures()
  signInCode = await addOperator()
  visit = await site.visit()
  page = visit.page
})
afterAll(async () => {
  await visit.close()
  await site.app.operator.rules.set([], { kind: 'operator', id: 'acc_1' })
})

async function addOperator(): Promise<() => string> {
  const { manageAccounts, oneTimeCodes } = site.app
  await manageAccounts.add(OPERATOR.email, 'Operator', OPERATOR.password, 'operator')
  await manageAccounts.setSeesNet(OPERATOR.email, true)
  const prepared = oneTimeCodes.prepare(OPERATOR.email)
  const codeOf = (time: number) => codeAt(fromBase32(prepared.secret), Math.floor(time / 30_000))
  // The previous code is still valid, and each code can be used once.
  await prepared.confirm(codeOf(Date.now() - 30_000))
  return () => codeOf(Date.now())
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
function fromBase32(text: string): Buffer {
  const bits = [...text.replace(/[^A-Z2-7]/g, '')]
    .map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

async function openSection(name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
}

test('an operator signs in to the console with a one-time code and settles a cancellation by the vendor', async () => {
  await page.goto('/console/attention')
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-mail').fill(OPERATOR.email)
  await dialog.getByLabel('Password').fill(OPERATOR.password)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByLabel(/authenticator app/).fill(signInCode())
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  const entry = page.locator(`[data-entry*="${cancelled.booking_id}"]`)
  await entry.waitFor()
  expect(await entry.textContent()).toContain('Cancelled by the vendor')
  await entry.getByRole('button', { name: 'Mark as settled' }).click()
  await confirmWithReason(page, 'Mark as settled', REASONS[0])
  await waitForAction(page, /^Marked as settled/)
})

test('an operator finds a booking by its guest, whose name is not in the vendor calls, and cancels it', async () => {
  await openSection('Bookings')
  await page.getByLabel(/^Reference, guest/).fill('lovelace ada')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByText(/^Searched/).waitFor()
  await page.getByRole('link', { name: `Booking ${confirmed.reference}` }).click()
  const calls = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Calls to the vendor' }) })
  await calls.locator('summary').filter({ hasText: 'book' }).first().click()
  expect(await calls.textContent()).toMatch(/POST \/v3\/itineraries/)
  expect(await calls.textContent()).not.toMatch(/Lovelace|guests\.example/)
  const voucherOpens = page.context().waitForEvent('page')
  await page.getByRole('link', { name: /^Voucher/ }).click()
  const voucher = await voucherOpens
  await voucher.getByText(confirmed.reference).first().waitFor()
  await voucher.close()
  await page.getByRole('button', { name: 'Cancel the booking' }).click()
  await page
    .getByRole('dialog')
    .getByText(/is refunded/)
    .waitFor()
  await confirmWithReason(page, 'Cancel it', REASONS[1])
  await waitForAction(page, /^Cancelled\. The fee is/)
})

test('the console counts the calls of vendors', async () => {
  await openSection('Vendors')
  const rows = page.getByRole('table').getByRole('row')
  await rows.nth(3).waitFor()
  expect(await rows.count()).toBe(4)
  expect(await rows.nth(1).getByRole('img').getAttribute('aria-label')).toMatch(
    /^Calls in the last hour: [1-9]\d* calls/,
  )
  expect(await rows.nth(1).textContent()).toContain('Answering')
  await page.getByRole('link', { name: 'Hotelbeds' }).click()
  await page.getByRole('region', { name: 'Calls by operation, last hour' }).waitFor()
})

test('the console finds a request by its id and does not show what was sent', async () => {
  await openSection('Requests')
  await page.getByRole('row').filter({ hasText: LOST }).getByText('booking_not_found').waitFor()
  await page.getByLabel('Request id', { exact: true }).fill(LOST)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'booking.show' }).waitFor()
  const shown = await page.locator('main').textContent()
  expect(shown).toContain('GET /api/accommodation/bookings/{booking_id}')
  expect(shown).not.toContain('canary')
})

test('an operator splits a record off a property and joins it again', async () => {
  await openSection('Matches')
  await page
    .getByRole('table', { name: /^Matches/ })
    .getByRole('link')
    .first()
    .click()
  const takeOut = page.getByRole('button', { name: /^Split off / })
  await takeOut.last().waitFor()
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const countRecords = async () => (await site.app.operator.catalogue.property(id))?.vendors.length ?? 0
  const records = await countRecords()
  expect(records).toBeGreaterThan(1)
  const label = (await takeOut.last().textContent()) ?? ''
  await takeOut.last().click()
  await confirmWithReason(page, label, REASONS[4])
  await waitForAction(page, 'is now a separate property')
  await page.getByRole('heading', { name: 'Manual decisions' }).waitFor()
  expect(await countRecords()).toBe(records - 1)
  await page
    .getByRole('table', { name: /^Similar properties/ })
    .getByRole('link')
    .first()
    .click()
  await page.getByRole('button', { name: 'Join them' }).click()
  await confirmWithReason(page, 'Join them', 'the same building after all')
  await waitForAction(page, 'Joined as')
  expect(await countRecords()).toBe(records)
})

test('an operator corrects a selling rule, tries it, puts it into force, and downloads the statement', async () => {
  await openSection('Selling')
  await page.getByRole('button', { name: 'Change rule 10' }).click()
  await page.getByLabel('Percent of the net price').fill('12')
  await page.getByRole('button', { name: 'Apply to the draft' }).click()
  await page.getByLabel('Country').fill('AQ')
  await page.getByRole('button', { name: 'Try', exact: true }).click()
  const price = page.getByRole('table', { name: 'Price breakdown' }).getByRole('row', { name: /^Selling/ })
  await price.waitFor()
  expect(await price.getByRole('cell').allTextContents()).toEqual(['Selling price', '€220', '€112'])
  await page.getByRole('button', { name: 'Put the draft into force' }).click()
  await confirmWithReason(page, 'Put the draft into force', REASONS[2])
  await waitForAction(page, /Version \d+ is in force/)
  await page.getByRole('link', { name: 'Statements' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  expect((await download).suggestedFilename()).toMatch(/^statement-booking-.*\.csv$/)
})

test('an operator creates an account and a key with a budget', async () => {
  await openSection('Accounts')
  await page.getByRole('button', { name: 'New account' }).click()
  await page.getByRole('dialog').getByLabel('E-mail').fill('agency@example.com')
  await confirmWithReason(page, 'Create', REASONS[3])
  await page.getByRole('link', { name: 'Open the account' }).click()
  await page.getByRole('heading', { level: 1, name: 'agency@example.com' }).waitFor()
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('books')
  await page.getByRole('dialog').getByLabel('Amount').fill('100')
  await confirmWithReason(page, 'Create the key', 'for the bookkeeping')
  await page
    .getByText(/srk_live_/)
    .first()
    .waitFor()
  await page.getByText(/€100(\.00)? left/).waitFor()
  expect(await page.getByRole('table', { name: /^API keys/ }).textContent()).toContain('books')
})

test('the audit log lists each of these actions with its reason', async () => {
  await openSection('Audit log')
  for (const reason of REASONS) await page.getByRole('cell', { name: reason, exact: true }).waitFor()
  expect(visit.trouble()).toEqual([])
})
