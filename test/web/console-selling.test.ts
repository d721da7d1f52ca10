import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO } from '../../src/cli/dev.ts'
import { accessFaults, PHONE, type Site } from '../support/servers/browser.ts'
import { focusIsOn } from './keyboard.ts'
import { freshToken, searchAddress, signedIn, warmUp } from './shortcuts.ts'
import { openOwnSite } from './sites.ts'

let site: Site
beforeAll(async () => {
  site = await openOwnSite()
  await site.app.manageAccounts.setRole(DEMO.email, 'operator')
  await site.app.manageAccounts.setSeesNet(DEMO.email, true)
  await warmUp(site)
})
afterAll(() => site.close())

const BOTH = ['light', 'dark'] as const

/** Rules of axe, and anything wider than the window. */
async function faultsOf(page: Page, themes: readonly (typeof BOTH)[number][] = ['light']): Promise<string[]> {
  const faults: string[] = []
  for (const colorScheme of themes) {
    // Without motion, so that no colour is measured on its way to another.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
    faults.push(...(await accessFaults(page)).map((fault) => `${colorScheme}: ${fault}`))
  }
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  return overflow > 0 ? [...faults, `wider than the window by ${overflow}`] : faults
}

/** Gives the reason that a question asks for, and says yes. */
async function sayYes(page: Page, button: string, reason: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill(reason)
  await dialog.getByRole('button', { name: button, exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** What an action says that it has done; it has the focus. */
async function doneWith(page: Page, words: string | RegExp): Promise<void> {
  await page.getByRole('status').filter({ hasText: words }).waitFor()
  await focusIsOn(page, words)
}

const isAmount = (text: string | null) => Number((text ?? '').replaceAll(/[^\d.]/g, ''))

/** A booking at the built-in vendor, by the API. */
async function aBooking(): Promise<string> {
  const token = await freshToken(site)
  const query = new URL(await searchAddress(site, token), site.url).searchParams
  const headers = {
    authorization: `bearer: ${token}`,
    'content-type': 'application/json',
    'x-simulate-return': 'success',
  }
  const call = async (path: string, body?: object) => {
    const send = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const response = await fetch(`${site.url}${path}`, { headers, ...send })
    expect(response.ok, path).toBe(true)
    return (await response.json()) as ReturnType<typeof JSON.parse>
  }
  const stay = { check_in: query.get('in'), check_out: query.get('out'), occupancies: [{ adults: 2 }], currency: 'EUR' }
  const { data } = await call('/api/accommodation_searches/search', { destination_id: query.get('to'), ...stay })
  const at = `search_id=${data.search_id}&property_id=${data.availability[0].property_id}`
  const { accommodation } = await call(`/api/accommodation_searches/accommodation?${at}`)
  const guests = [{ given_name: 'Ana', family_name: 'Costa', email: 'ana@example.com', phone: '+351910000000' }]
  const order = { ...accommodation.available_rooms[0].booking_info, guests }
  return (await call('/api/accommodation/book', order)).data.booking_id
}

test('incident: a rule of 120 % instead of 12 % is found from a booking, corrected and proved by the trial', async () => {
  const { rules } = site.app.operator
  const { version } = await rules.set([{ priority: 10, match: {}, percent: 120 }], { kind: 'operator', id: 'somebody' })
  const bookingId = await aBooking()
  const { page, trouble, close } = await site.visit()
  await signedIn(site, page)

  // Found: the booking says by which rule of which version it was sold.
  await page.goto(`/console/bookings/${bookingId}`)
  await page.getByRole('link', { name: 'How it came about' }).click()
  await page.getByRole('heading', { level: 1, name: 'Selling' }).waitFor()
  const sums = page.getByRole('table', { name: 'How the price comes about' })
  await sums.getByRole('columnheader', { name: `As booked, by version ${version}` }).waitFor()
  const cell = (row: string, column: number) =>
    sums
      .getByRole('row', { name: new RegExp(`^${row}`) })
      .getByRole('cell')
      .nth(column)
  expect(await cell('Rule', 1).textContent()).toContain('Priority 10: adds 120 %')
  const table = page.getByRole('table', { name: /^Selling rules/ })
  await table.getByText('at least doubles the price').waitFor()
  expect(await faultsOf(page, BOTH)).toEqual([])

  // What the service refuses is told beside the field.
  const change = async (percent: string) => {
    await page.getByRole('button', { name: 'Change rule 10' }).click()
    await page.getByLabel('Percent of the net price').fill(percent)
    await page.getByRole('button', { name: 'Apply to the draft' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await change('900')
  await page.getByRole('button', { name: 'Put the draft into force' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('a slip')
  await page.getByRole('dialog').getByRole('button', { name: 'Put the draft into force' }).click()
  await page.getByRole('dialog').getByRole('alert').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  await table.getByText(/may be at most 500/).waitFor()
  await page.getByRole('button', { name: 'Change rule 10' }).click()
  expect(await page.getByLabel('Percent of the net price').getAttribute('aria-invalid')).toBe('true')
  expect(await faultsOf(page, BOTH)).toEqual([])
  await page.keyboard.press('Escape')

  // Corrected: tried as a draft first, then put into force.
  await change('12')
  // A session that ends meanwhile takes nothing of the draft with it.
  await page.evaluate(`fetch('/api/accounts/revoke_token', { method: 'POST', headers: { 'x-serai-page': '1' } })`)
  await page.getByRole('button', { name: 'Try', exact: true }).click()
  await page.getByRole('dialog').getByText('Your session has ended').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click()
  await sums.getByRole('columnheader', { name: 'By the draft' }).waitFor()
  const net = isAmount(await cell('Net', 1).textContent())
  expect(isAmount(await cell('Selling price', 1).textContent())).toBeCloseTo(net * 2.2, 1)
  expect(isAmount(await cell('Selling price', 3).textContent())).toBeCloseTo(net * 1.12, 1)
  await page.getByRole('button', { name: 'Put the draft into force' }).click()
  await sayYes(page, 'Put the draft into force', '120 % was a slip')
  await doneWith(page, `Version ${version + 1} is in force`)

  // Proved: by the rules in force.
  await page.getByRole('button', { name: 'Try', exact: true }).click()
  await sums.getByRole('columnheader', { name: `In force, version ${version + 1}` }).waitFor()
  expect(isAmount(await cell('Selling price', 2).textContent())).toBeCloseTo(net * 1.12, 1)
  await page.getByRole('link', { name: 'Versions' }).click()
  await page.getByRole('button', { name: `Compare version ${version}` }).click()
  await page.getByText(/^Comes: Priority 10: .*120 %/).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('link', { name: 'Statements' }).click()
  await page.getByText(/No real booking falls into these months/).waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  expect((await download).suggestedFilename()).toMatch(/^statement-booking-.*\.csv$/)
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('link', { name: 'Audit log' }).click()
  await page.getByRole('cell', { name: '120 % was a slip' }).waitFor()
  expect(trouble()).toEqual([])
  await close()
})

test('of two operators who change the rules, the second is shown those of the first and can go on from them', async () => {
  const { rules } = site.app.operator
  const other = { kind: 'operator', id: 'somebody' } as const
  const { version } = await rules.set([{ priority: 10, match: {}, percent: 10 }], other)
  const { page, close } = await site.visit()
  await signedIn(site, page)
  await page.goto('/console/selling')
  const dialog = page.getByRole('dialog')
  const draft = async (percent: string) => {
    await page.getByRole('button', { name: 'Change rule 10' }).click()
    await dialog.getByLabel('Percent of the net price').fill(percent)
    await dialog.getByRole('button', { name: 'Apply to the draft' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Put the draft into force' }).click()
    await dialog.getByLabel('Reason').fill('two at once')
    await dialog.getByRole('button', { name: 'Put the draft into force' }).click()
  }
  await page.getByRole('heading', { name: `Rules in force, version ${version}` }).waitFor()
  await rules.set([{ priority: 10, match: {}, percent: 15 }], other)
  await draft('12')
  await dialog.getByRole('alert').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText(`Version ${version + 1} was stored while you were at it`).waitFor()
  await page.getByRole('button', { name: 'Discard the draft' }).click()
  await page.getByRole('heading', { name: `Rules in force, version ${version + 1}` }).waitFor()
  await page.getByRole('cell', { name: '15 %', exact: true }).waitFor()

  // Stored, but the answer is lost.
  await page.route('**/api/operator/selling/rules', async (route) => {
    if (route.request().method() !== 'PUT') return route.continue()
    await route.fetch()
    await route.abort()
  })
  await draft('12')
  await page.getByRole('heading', { name: `Rules in force, version ${version + 2}` }).waitFor()
  await page.getByRole('cell', { name: '12 %', exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Discard the draft' }).count()).toBe(0)
  await close()
})

test('an operator who may not see net prices is told so in place of a statement, and how that is permitted', async () => {
  await site.app.manageAccounts.setSeesNet(DEMO.email, false)
  const { page, close } = await site.visit()
  await signedIn(site, page)
  await page.goto('/console/selling/statements')
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      return page.getByRole('alert').filter({ hasText: 'serai selling see-net EMAIL on' }).count()
    })
    .toBe(1)
  await site.app.manageAccounts.setSeesNet(DEMO.email, true)
  await close()
})

test('accounts are created and changed, and get keys with a budget, on a phone', async () => {
  const { page, trouble, close } = await site.visit({ viewport: PHONE, hasTouch: true })
  await signedIn(site, page)
  await page.goto('/console/accounts')
  await page.getByRole('link', { name: DEMO.email }).waitFor()
  await page.getByRole('button', { name: 'New account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-mail').fill('agency')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog
    .getByText('The e-mail must look like name@example.com.')
    .or(dialog.getByText(/reason/))
    .first()
    .waitFor()
  await dialog.getByLabel('E-mail').fill('agency@example.com')
  await dialog.getByLabel('Reason').fill('a new customer')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText('Keep it now: it is not shown again.').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByRole('link', { name: 'Open the account' }).click()
  await page.getByRole('heading', { level: 1, name: 'agency@example.com' }).waitFor()

  await page.getByLabel('Role', { exact: true }).selectOption('viewer')
  await page.getByRole('button', { name: 'Change the role' }).click()
  await sayYes(page, 'Change the role', 'bookkeeping only')
  await doneWith(page, 'has the role viewer')
  await page.getByRole('button', { name: 'New key' }).click()
  await dialog.getByLabel('Name').fill('books')
  await dialog.getByLabel('search').uncheck()
  await dialog.getByLabel('Amount').fill('100')
  await dialog.getByLabel('Reason').fill('for the bookkeeping')
  expect(await faultsOf(page, ['dark'])).toEqual([])
  await dialog.getByRole('button', { name: 'Create the key' }).click()
  await page
    .getByText(/srk_live_/)
    .first()
    .waitFor()
  await page.getByText(/€100(\.00)? left/).waitFor()
  expect(await faultsOf(page, BOTH)).toEqual([])
  expect(trouble()).toEqual([])
  await close()
})

test('a record is taken out of a property and joined again, by hand and for good', async () => {
  const { page, trouble, close } = await site.visit()
  await signedIn(site, page)
  await page.goto('/console/matches')
  const list = page.getByRole('table', { name: /^Matches/ })
  await list.getByRole('link').first().waitFor()
  expect(await faultsOf(page)).toEqual([])
  await list.getByRole('link').first().click()
  const out = page.getByRole('button', { name: /^Take .* out$/ })
  await out.last().waitFor()
  expect(await faultsOf(page, BOTH)).toEqual([])
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const records = (await site.app.operator.catalogue.property(id))?.vendors.length ?? 0
  expect(records).toBeGreaterThan(1)
  const label = (await out.last().textContent()) ?? ''
  await out.last().click()
  await sayYes(page, label, 'the pictures show another building')
  await doneWith(page, 'is a property of its own now')
  await page.getByRole('heading', { name: 'Decided by hand' }).waitFor()
  expect((await site.app.operator.catalogue.property(id))?.vendors.length).toBe(records - 1)

  const similar = page.getByRole('table', { name: /^Similar properties/ })
  await similar.getByRole('link').first().click()
  await page.getByRole('button', { name: 'Join them' }).waitFor()
  expect(await faultsOf(page, ['dark'])).toEqual([])
  await page.getByRole('button', { name: 'Join them' }).click()
  await sayYes(page, 'Join them', 'it is the same building after all')
  await doneWith(page, 'They are one property now')
  expect((await site.app.operator.catalogue.property(id))?.vendors.length).toBe(records)
  await page.getByRole('link', { name: 'All matches' }).click()
  await page.getByRole('link', { name: 'Nearly matched' }).click()
  await page
    .getByRole('table')
    .or(page.getByText(/No properties nearly matched/))
    .first()
    .waitFor()
  expect(await faultsOf(page)).toEqual([])
  expect(trouble()).toEqual([])
  await close()
})
