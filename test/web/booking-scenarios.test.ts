import type { Page } from 'playwright-core'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { Fault } from '../../sandbox/server/faults.ts'
import { accessFaults, type Site, type Visit } from '../support/servers/browser.ts'
import { focusIsOn } from './keyboard.ts'
import { atCheckout, signedIn, warmUp } from './shortcuts.ts'
import { sharedSite } from './sites.ts'
import { amountIn, bookButton, chooseRoom, confirmed, fillGuest, GUEST } from './steps.ts'

let site: Site
let visit: Visit
let page: Page
/** Every booking call the page made, with its idempotency key. */
let sent: string[]
let address: string

beforeAll(async () => {
  site = await sharedSite()
  address = await warmUp(site)
})

async function begin(): Promise<void> {
  visit = await site.visit()
  page = visit.page
  sent = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/accommodation/book')) sent.push(request.headers()['idempotency-key'] ?? '')
  })
  await signedIn(site, page)
  await atCheckout(page, address)
}

afterEach(async () => {
  for (const control of Object.values(site.sandbox.control)) await control.clearFaults()
  // The browser reports the request that a test cut off.
  expect(visit.trouble().filter((line) => !line.includes('ERR_CONNECTION_RESET'))).toEqual([])
  await visit.close()
})

const both = async (fault: Fault) => {
  for (const control of Object.values(site.sandbox.control)) await control.addFaults(fault)
}
const bookingsAtVendors = async () => {
  const books = await Promise.all(Object.values(site.sandbox.control).map((control) => control.ledger()))
  return books.flat().length
}

test('a price that rose is shown with its difference, and nothing is booked before the guest agrees', async () => {
  await begin()
  const before = await bookingsAtVendors()
  const shown = amountIn(await page.getByTestId('total').textContent())
  await both({ kind: 'price_change', operation: 'price_check', times: 1 })
  await bookButton(page).click()
  const dialog = page.getByRole('alertdialog', { name: 'The price has changed' })
  await dialog.waitFor()
  expect(await dialog.getByText('Price before').locator('..').textContent()).toContain(shown)
  const asked = amountIn(await dialog.getByTestId('new-price').textContent())
  expect(asked).not.toBe(shown)
  expect(await accessFaults(page)).toEqual([])
  expect(await bookingsAtVendors()).toBe(before)
  expect(sent).toHaveLength(1)

  for (const control of Object.values(site.sandbox.control)) await control.clearFaults()
  await dialog.getByRole('button', { name: /^Book for / }).click()
  await confirmed(page)
  expect(new Set(sent).size).toBe(sent.length)
})

test('terms that changed are shown before and after when the checkout opens, and what was agreed to is booked', async () => {
  visit = await site.visit()
  page = visit.page
  const bodies: Record<string, unknown>[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/accommodation/book')) bodies.push(request.postDataJSON())
  })
  await page.route('**/api/accommodation/price_check*', (route) =>
    route.continue({ headers: { ...route.request().headers(), 'x-simulate-return': 'terms_changed' } }),
  )
  await signedIn(site, page)
  await page.goto(address)
  await page.locator('#rooms table').first().waitFor()
  await chooseRoom(page)
  const dialog = page.getByRole('alertdialog', { name: 'The terms have changed' })
  await dialog.waitFor()
  const due = dialog.locator('[data-change="due_at_property"]')
  expect(await due.getByText('Before').count()).toBe(1)
  expect(await due.getByText('Now').count()).toBe(1)
  expect(await accessFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: /^Continue with / }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(bodies).toEqual([])
  await fillGuest(page)
  await bookButton(page).click()
  await confirmed(page)
  expect(bodies).toMatchObject([{ terms_digest: expect.stringMatching(/^trm1_/) }])
})

test('a sold-out room leads to alternatives for the same dates', async () => {
  await begin()
  await both({ kind: 'sold_out', operation: 'price_check' })
  await bookButton(page).click()
  await page.getByRole('heading', { name: 'This room just sold out' }).waitFor()
  await focusIsOn(page, /^This room just sold out$/)
  expect(await page.evaluate('scrollY')).toBe(0)
  expect(await page.locator('[data-property]').count()).toBeGreaterThan(0)
  expect(await accessFaults(page)).toEqual([])
  expect(sent).toHaveLength(1)

  // Also where the check that opens the checkout finds it out.
  await page.getByRole('link', { name: /^See the other rooms/ }).click()
  await page
    .getByRole('button', { name: /^Choose / })
    .first()
    .click()
  await page.getByRole('heading', { name: 'This room just sold out' }).waitFor()
  await page.locator('[data-property]').first().waitFor()
  for (const control of Object.values(site.sandbox.control)) await control.clearFaults()
  await page.locator('[data-property] a').first().click()
  await page.locator('#rooms table').first().waitFor()
})

/** Where the guest looks: in the window, and with focus. */
async function isNoticed(text: string): Promise<void> {
  const message = page.getByText(text).first()
  await message.waitFor()
  await focusIsOn(page, text)
  const box = await message.boundingBox()
  expect(box?.y).toBeGreaterThan(0)
  expect(box?.y).toBeLessThan(900)
}

test('too many requests, or no connection: the message comes into view with focus, and asking again books', async () => {
  await begin()
  let refusals = 0
  await page.route('**/api/accommodation/book', (route) => {
    refusals += 1
    if (refusals > 2) return route.continue()
    const body = { status: 429, code: 'rate_limited', title: 'Too many requests' }
    return refusals === 1 ? route.fulfill({ status: 429, json: body }) : route.abort('connectionreset')
  })
  await bookButton(page).click()
  await isNoticed('Too many requests')
  expect(await bookButton(page).isEnabled()).toBe(true)
  await page.getByRole('button', { name: 'Ask again' }).click()
  await isNoticed('The connection was lost')
  expect(await bookButton(page).count()).toBe(0)
  expect(await page.getByText('Booking …').count()).toBe(0)
  await page.getByRole('button', { name: 'Ask again' }).click()
  await confirmed(page)
})

test('an expired offer leads to current prices', async () => {
  await begin()
  await both({ kind: 'expired', operation: 'price_check' })
  await bookButton(page).click()
  await page.getByRole('heading', { name: /^(This price has expired|This room just sold out)$/ }).waitFor()
  for (const control of Object.values(site.sandbox.control)) await control.clearFaults()
  await page.getByRole('link', { name: /^(See current prices|See the other rooms)/ }).click()
  await page.locator('#rooms table').first().waitFor()

  // Each checkout keeps its own, also where one follows the other in the history.
  await chooseRoom(page)
  const name = page.getByLabel('First name').first()
  expect(await name.inputValue()).toBe('')
  await page.evaluate('history.go(-2)')
  await expect.poll(() => name.inputValue()).toBe(GUEST.given)
})

test('while the result is unknown the page waits, survives a reload, offers no second booking, and resolves itself', async () => {
  await begin()
  const before = await bookingsAtVendors()
  await both({ kind: 'reset_after', operation: 'book', times: 1 })
  await both({ kind: 'late_visibility', operation: '*', ms: 5_000 })
  await bookButton(page).click()
  await page.getByRole('heading', { name: 'We are confirming your booking' }).waitFor()
  expect(await accessFaults(page)).toEqual([])
  await page.reload()
  await page.getByRole('heading', { name: /^(We are confirming|Your room is booked)/ }).waitFor()
  expect(await page.getByRole('button', { name: /^(Book|Search|Choose)/ }).count()).toBe(0)
  await confirmedLater()
  expect(await bookingsAtVendors()).toBe(before + 1)
})

const confirmedLater = () => page.getByRole('heading', { name: 'Your room is booked' }).waitFor({ timeout: 90_000 })

test('after a lost answer and a reload the same key is sent again: one booking', async () => {
  await begin()
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
  await confirmed(page)
  expect(sent).toHaveLength(2)
  expect(new Set(sent).size).toBe(1)
  expect(await bookingsAtVendors()).toBe(before + 1)

  await page.goBack()
  await page.goForward()
  await confirmed(page)
  expect(sent).toHaveLength(2)
})

test('while it is not known what came of a booking, being turned away keeps its key, and no other room is offered', async () => {
  await begin()
  const before = await bookingsAtVendors()
  let calls = 0
  await page.route('**/api/accommodation/book', async (route) => {
    calls += 1
    if (calls === 1) {
      await route.fetch()
      return route.abort('connectionreset')
    }
    return calls === 2 ? route.fulfill({ status: 429, json: { status: 429, code: 'rate_limited' } }) : route.continue()
  })
  const otherRoom = page.getByRole('link', { name: 'Choose another room' })
  expect(await otherRoom.count()).toBe(1)
  await bookButton(page).click()
  await page.getByText('The connection was lost').waitFor()
  expect(await otherRoom.count()).toBe(0)
  await page.getByRole('button', { name: 'Ask again' }).click()
  await expect.poll(() => calls).toBe(2)
  await page.getByText('The connection was lost').waitFor()
  await page.getByRole('button', { name: 'Ask again' }).click()
  await confirmed(page)
  expect(sent).toHaveLength(3)
  expect(new Set(sent).size).toBe(1)
  expect(await bookingsAtVendors()).toBe(before + 1)
})

test('a session that ended asks for sign-in and keeps everything that was typed', async () => {
  await begin()
  await page.getByLabel('Special requests').fill('A quiet room')
  await page.evaluate(`fetch('/api/accounts/revoke_token', { method: 'POST', headers: { 'x-serai-page': '1' } })`)
  await bookButton(page).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Your session has ended').waitFor()
  expect(await accessFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await confirmed(page)
  expect(await page.getByText('A quiet room').count()).toBe(1)
  expect(await page.getByText(`${GUEST.given} ${GUEST.family}`).count()).toBe(1)
})

test('signing out ends the session at the service, and nothing of it was ever in reach of scripts', async () => {
  await begin()
  const [session] = await page.context().cookies()
  expect(session).toMatchObject({ name: 'serai_session', httpOnly: true, sameSite: 'Strict' })
  const inReach = 'JSON.stringify([document.cookie, { ...sessionStorage }, { ...localStorage }])'
  expect(await page.evaluate<string>(inReach)).not.toMatch(/sr[pt]_/)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  const response = await fetch(`${site.url}/api/accommodation/bookings`, {
    headers: { cookie: `${session?.name}=${session?.value}` },
  })
  expect(response.status).toBe(401)
  expect(await page.evaluate<string[]>(KEPT_IN_TAB)).toEqual([])
})

const KEPT_IN_TAB = `Object.keys(sessionStorage).filter((key) => key.startsWith('serai.'))`

test('signing out of a session that has ended asks for nothing and forgets what was typed', async () => {
  await begin()
  expect(await page.evaluate<string[]>(KEPT_IN_TAB)).not.toEqual([])
  await page.evaluate(`fetch('/api/accounts/revoke_token', { method: 'POST', headers: { 'x-serai-page': '1' } })`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/')
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await page.evaluate<string[]>(KEPT_IN_TAB)).toEqual([])
})

test('missing fields have a message next to them, and the first one gets focus', async () => {
  await begin()
  await page.getByLabel('First name').fill('')
  await page.getByLabel('E-mail').fill('ana@')
  await bookButton(page).click()
  expect(await page.getByLabel('First name').getAttribute('aria-invalid')).toBe('true')
  expect(await page.evaluate('document.activeElement.id')).toBe('given-0')
  expect(await page.getByText('This does not look like an e-mail address').isVisible()).toBe(true)
  expect(await page.getByLabel('First name').getAttribute('autocomplete')).toBe('given-name')
  expect(await accessFaults(page)).toEqual([])
  expect(sent).toHaveLength(0)
})

test('who books with Enter keeps the focus and is told that it is being booked', async () => {
  await begin()
  const isLate = Promise.withResolvers<void>()
  await page.route('**/api/accommodation/book', async (route) => {
    await isLate.promise
    await route.continue()
  })
  await page.getByLabel('Phone').press('Enter')
  await page.getByRole('status').filter({ hasText: 'Booking …' }).waitFor({ state: 'attached' })
  await focusIsOn(page, /^Booking …$/)
  isLate.resolve()
  await confirmed(page)
})

test('the confirmation gives a calendar file with the plain dates of the stay', async () => {
  await begin()
  await bookButton(page).click()
  await confirmed(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Add to calendar (.ics)' }).click(),
  ])
  const stream = await download.createReadStream()
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  expect(text).toMatch(/DTSTART;VALUE=DATE:\d{8}\r\nDTEND;VALUE=DATE:\d{8}\r\n/)
  expect(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
})
