import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { codeAt } from '../../src/accounts/totp.ts'
import { type Database, openDatabase } from '../../src/store/database.ts'
import { ok, startReceiver } from '../support/http/webhook-receiver.ts'
import { accessFaults, DESKTOP, PHONE, type Site, type Visit } from '../support/servers/browser.ts'
import { focusIsOn, pressTo } from './keyboard.ts'
import { bookAt, bookSimulated, callWith, freshToken, turnTestClock, warmUp } from './shortcuts.ts'
import { openOwnSite } from './sites.ts'

const OPERATOR = { email: 'operator@example.com', password: 'a long enough password' }
const VENDOR = 'expedia_rapid'
const MINUTE = 60_000
const HOUR = 60 * MINUTE

let database: Database
let site: Site
let visit: Visit
let page: Page
let token: string
let codeNow: () => string
let receiver: Awaited<ReturnType<typeof startReceiver>>
let isReceiverDead = true

beforeAll(async () => {
  database = openDatabase({ kind: 'sqlite', path: ':memory:' })
  site = await openOwnSite({ readingsPerMinute: 6_000, allowPrivateWebhookTargets: true }, { database })
  await warmUp(site)
  token = await freshToken(site)
  receiver = await startReceiver((response) => {
    if (isReceiverDead) response.writeHead(503).end()
    else ok(response)
  })
  const { manageAccounts, oneTimeCodes } = site.app
  await manageAccounts.add(OPERATOR.email, 'Operator', OPERATOR.password, 'operator')
  const prepared = oneTimeCodes.prepare(OPERATOR.email)
  const codeOf = (at: number) => codeAt(fromBase32(prepared.secret), Math.floor(at / 30_000))
  codeNow = () => codeOf(Date.now())
  // The one before is accepted too, and leaves the one of now for signing in.
  await prepared.confirm(codeOf(Date.now() - 30_000))
  visit = await site.visit()
  page = visit.page
})
afterAll(async () => {
  await visit.close()
  await site.close()
  await receiver.stop()
  await database.close()
})

afterEach(() => site.sandbox.control[VENDOR]?.clearFaults())

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
function fromBase32(text: string): Buffer {
  const bits = [...text.replace(/[^A-Z2-7]/g, '')]
    .map((one) => BASE32.indexOf(one).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** A booking of the demo account at the stand-in that is answered with this status. */
const book = (wanted: number) => bookAt(site, token, VENDOR, wanted)

const entry = (about: string) => page.locator(`[data-entry*="${about}"]`)
/** The list is there, and this is not on it. Other entries may be, such as a vendor that is left alone after the faults of a test. */
async function needsNobody(about: string): Promise<void> {
  await page.getByRole('heading', { name: 'Nothing needs you' }).or(page.locator('[data-entry]')).first().waitFor()
  await expect.poll(() => entry(about).count()).toBe(0)
}
const status = (text: RegExp) => page.getByRole('status').filter({ hasText: text })

const LOOKS = [
  ['light', DESKTOP],
  ['dark', PHONE],
] as const

/** What axe finds, on a desktop and on a telephone, and whether anything is wider than the window. */
async function expectAccessible(state: string, looks: readonly (typeof LOOKS)[number][] = LOOKS): Promise<void> {
  const faults: string[] = []
  for (const [colorScheme, viewport] of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(viewport)
    faults.push(...(await accessFaults(page)))
    // After axe, so that the page has followed the size of the window.
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    if (overflow > 0) faults.push(`wider than the window by ${overflow}`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(DESKTOP)
  expect(faults, state).toEqual([])
}

test('the console opens to an operator with password and one-time code, and to nobody else', async () => {
  await page.goto('/console')
  await page.getByRole('heading', { name: 'Sign in to go on' }).waitFor()
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
  const dialog = page.getByRole('dialog')
  const signIn = dialog.getByRole('button', { name: 'Sign in' })
  await signIn.click()
  await page.getByRole('heading', { name: 'This account is not an operator' }).waitFor()
  expect(await page.getByRole('link', { name: 'Console' }).count(), 'a client sees no link to it').toBe(0)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.goto('/console')
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByLabel('E-mail').fill(OPERATOR.email)
  await dialog.getByLabel('Password').fill(OPERATOR.password)
  await signIn.click()
  const code = dialog.getByLabel(/authenticator app/)
  await code.fill('no code')
  await signIn.click()
  await dialog.getByText(/^E-mail, password or code is wrong\./).waitFor()
  await code.fill(codeNow())
  await signIn.click()
  await page.getByRole('heading', { name: 'Attention' }).waitFor()
  await page.getByRole('heading', { name: 'Nothing needs you' }).waitFor()
  await page.getByRole('banner').getByRole('link', { name: 'Console' }).waitFor()
})

test('incident: a booking in doubt is found and settled with the keyboard alone', async () => {
  const control = site.sandbox.control[VENDOR]
  await control?.addFaults({ operation: 'book', kind: 'error_after' }, { operation: 'find', kind: 'error_before' })
  const { booking_id: id } = await book(202)
  // As if it had been so for a while; the service itself asks again later.
  const past = { updated_at: Date.now() - 2 * MINUTE, due_at: Date.now() + HOUR }
  await database.write((tx) => tx.updateTable('bookings').set(past).where('booking_id', '=', id).execute())
  await page.goto('/console')
  await entry(id).waitFor()
  expect(await entry(id).textContent()).toContain('Outcome unknown')
  await expectAccessible('attention')
  await control?.clearFaults()
  await pressTo(page, /^Ask the vendor now$/)
  await page.keyboard.press('Enter')
  await status(/was in doubt and is confirmed now/).waitFor()
  await focusIsOn(page, /is confirmed now/)
  await pressTo(page, /^Open the booking$/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  expect(await page.getByRole('table', { name: /^Everything that has happened/ }).textContent()).toContain('in doubt')
})

test('a booking is found by its guest, with its timeline, and its calls to the vendor name nobody', async () => {
  const { booking_id: id, reference } = await book(201)
  await page.goto('/console/bookings')
  await page.getByLabel(/^Reference, guest/).fill('lovelace ada')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByText(/^Looked at/).waitFor()
  await page.getByRole('link', { name: id }).waitFor()
  await expectAccessible('bookings')
  await page.getByRole('link', { name: id }).click()
  const calls = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Calls to the vendor' }) })
  await calls.locator('summary').filter({ hasText: 'book' }).first().click()
  expect(await calls.textContent()).toMatch(/POST \/v3\/itineraries/)
  expect(await calls.textContent()).not.toMatch(/Lovelace|guests\.example/)
  await expectAccessible('one booking')
  const [voucher] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: /^Voucher/ }).click(),
  ])
  await voucher.getByText(reference).first().waitFor()
  await voucher.close()
  await page.getByRole('button', { name: 'Cancel the booking' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel the booking' })
  await dialog.getByText(/is refunded/).waitFor()
  await dialog.getByLabel('Reason').fill('the guest called')
  await dialog.getByRole('button', { name: 'Cancel it' }).click()
  await status(/^Cancelled\. The fee is/).waitFor()
})

test('a fee that has risen since the operator saw it is told before and after, and charged only once it is agreed to', async () => {
  const id = await bookSimulated(site, token)
  await page.goto(`/console/bookings/${id}`)
  await page.getByRole('button', { name: 'Cancel the booking' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel the booking' })
  await dialog.getByText(/^It costs nothing now/).waitFor()
  await turnTestClock(site, token)
  await dialog.getByLabel('Reason').fill('the guest called')
  await dialog.getByRole('button', { name: 'Cancel it' }).click()
  const risen = dialog.getByText(/^The fee has risen from \S0 to \S+ since it was shown\. Nothing was cancelled\.$/)
  await risen.waitFor()
  const [, fee = ''] = /to (\S+) since/.exec((await risen.textContent()) ?? '') ?? []
  await dialog.getByText(`The account pays a fee of ${fee}.`).waitFor()
  await expectAccessible('a fee that has risen', [LOOKS[1]])
  await dialog.getByRole('button', { name: 'Cancel it' }).click()
  await page
    .getByRole('status')
    .filter({ hasText: `Cancelled. The fee is ${fee}.` })
    .waitFor()
})

test('incident: what the vendor cancelled is found, looked at and marked as settled with a reason', async () => {
  const { booking_id: id, reference } = await book(201)
  await site.sandbox.control[VENDOR]?.changeBooking(reference, 'cancel')
  await site.app.operator.bookings.promptReadings(VENDOR, [reference], Date.now())
  await site.app.readBookings()
  await page.goto('/console')
  await entry(id).waitFor()
  expect(await entry(id).textContent()).toContain('Cancelled by the vendor')
  await entry(id).getByRole('button', { name: 'Mark as settled' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mark as settled' })
  await dialog.getByRole('button', { name: 'Mark as settled' }).click()
  await dialog.getByText('Say why.').waitFor()
  await expectAccessible('a question with an error', [LOOKS[1]])
  await dialog.getByLabel('Reason').fill('rebooked next door, the vendor pays')
  await dialog.getByRole('button', { name: 'Mark as settled' }).click()
  await status(/^Marked as settled/).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Attention' }).waitFor()
  await needsNobody(id)
  await page.getByRole('link', { name: 'Audit log' }).click()
  await page.getByRole('cell', { name: 'rebooked next door, the vendor pays' }).waitFor()
  await expectAccessible('audit log', [LOOKS[0]])
})

test('incident: another hotel is found and resolved with a reason', async () => {
  const { booking_id: id, reference } = await book(201)
  await site.sandbox.control[VENDOR]?.changeBooking(reference, 'other_hotel')
  await site.app.operator.bookings.promptReadings(VENDOR, [reference], Date.now())
  await site.app.readBookings()
  await page.goto('/console')
  await entry(id).getByText('another property').waitFor()
  await entry(id).getByRole('link', { name: 'Open the booking' }).click()
  await page
    .getByRole('table', { name: /^Differences/ })
    .getByText('property differs')
    .waitFor()
  await page.getByRole('button', { name: 'Resolve the review' }).click()
  const dialog = page.getByRole('dialog', { name: 'Resolve the review' })
  await dialog.getByLabel(/^Confirmed/).check()
  await dialog.getByLabel('Reason').fill('the guest agrees to the other hotel')
  await expectAccessible('resolving', [LOOKS[1]])
  await dialog.getByRole('button', { name: 'Record this' }).click()
  await status(/^Resolved: the booking is confirmed/).waitFor()
  const resolved = 'operator: the guest agrees to the other hotel'
  await page
    .getByRole('table', { name: /^Everything/ })
    .filter({ hasText: resolved })
    .waitFor()
  await page.getByRole('link', { name: 'Attention' }).click()
  await needsNobody(id)
})

test('incident: a webhook that was dead for a day is found, and gets its events once it is back', async () => {
  isReceiverDead = true
  const { body: hook } = await callWith(site, token, '/api/webhooks', { url: receiver.url })
  await book(201)
  await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBeGreaterThan(0)
  const past = { created_at: Date.now() - 25 * HOUR, due_at: Date.now() }
  await database.write((tx) => tx.updateTable('webhook_deliveries').set(past).execute())
  const outcome = async () => (await database.read.selectFrom('webhook_deliveries').selectAll().execute())[0]?.outcome
  await expect.poll(outcome, { timeout: 10_000 }).toBe('failed')
  await page.goto('/console')
  await entry(hook.data.id).waitFor()
  expect(await entry(hook.data.id).textContent()).toContain('one event was given up')
  isReceiverDead = false
  await entry(hook.data.id).getByRole('button', { name: 'Send all events again' }).click()
  await status(/1 event is on the way/).waitFor()
  await expect.poll(outcome, { timeout: 10_000 }).toBe('delivered')
  await page.reload()
  await needsNobody(hook.data.id)
  expect(visit.trouble()).toEqual([])
})
