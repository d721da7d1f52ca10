import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessFaults, DESKTOP, PHONE, type Site } from '../support/servers/browser.ts'
import { focusIsOn, pressTo } from './keyboard.ts'
import { freshToken, warmUp } from './shortcuts.ts'
import { openOwnSite } from './sites.ts'

const OPERATOR = { email: 'operator@example.com', password: 'a long enough password' }
const LOST = 'lost-request-1'

let site: Site
beforeAll(async () => {
  site = await openOwnSite()
  await site.app.manageAccounts.add(OPERATOR.email, 'Operator', OPERATOR.password, 'operator')
  await warmUp(site)
  const headers = { authorization: `bearer: ${await freshToken(site)}`, 'x-request-id': LOST }
  await fetch(`${site.url}/api/accommodation/bookings/bkg_0?secret=canary`, { headers })
  await site.app.writeFigures()
})
afterAll(() => site.close())

async function asOperator(page: Page): Promise<void> {
  const headers = { 'sec-fetch-site': 'same-origin' }
  await page.request.post(`${site.url}/api/session`, { data: { user: OPERATOR }, headers })
}

/** What is wrong with the page now: rules of axe, and anything wider than the window. */
async function faultsOf(page: Page, state: string): Promise<string[]> {
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  const faults = [...(await accessFaults(page)), ...(overflow > 0 ? [`wider than the window by ${overflow}`] : [])]
  return faults.map((fault) => `${state}: ${fault}`)
}

test('an operator sees how vendors do and finds a lost request, with the keyboard alone', async () => {
  const { page, trouble, close } = await site.visit({ viewport: DESKTOP, colorScheme: 'light' })
  const faults: string[] = []
  await asOperator(page)
  await page.goto('/console/vendors')
  const rows = page.getByRole('table').getByRole('row')
  await rows.nth(3).waitFor()
  expect(await rows.count()).toBe(4)
  expect(await rows.nth(1).getByRole('img').getAttribute('aria-label')).toMatch(
    /^Calls in the last hour: [1-9]\d* calls/,
  )
  expect(await rows.nth(1).textContent()).toContain('Answering')
  faults.push(...(await faultsOf(page, 'vendors')))

  await pressTo(page, /^Hotelbeds$/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Hotelbeds' }).waitFor()
  await page.getByRole('heading', { name: 'Breakers and limits of each process' }).waitFor()
  await focusIsOn(page, /^Hotelbeds$/)
  await pressTo(page, /^Last week$/)
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Calls by operation, last week' }).waitFor()
  await focusIsOn(page, /^Last week$/)
  expect(new URL(page.url()).searchParams.get('window')).toBe('week')
  faults.push(...(await faultsOf(page, 'one vendor')))

  await pressTo(page, /^Requests$/, { backwards: true })
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor()
  const error = page.getByRole('row').filter({ hasText: LOST })
  await error.waitFor()
  expect(await error.textContent()).toContain('booking_not_found')
  faults.push(...(await faultsOf(page, 'requests')))
  await pressTo(page, /^Request id$/)
  await page.keyboard.press('Enter')
  await page.getByText('Write the id of a request.').waitFor()
  await page.keyboard.type(LOST)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'booking.show' }).waitFor()
  const shown = await page.locator('main').textContent()
  expect(shown).toContain('GET /api/accommodation/bookings/{booking_id}')
  expect(shown).not.toContain('canary')
  faults.push(...(await faultsOf(page, 'one request')))
  expect(faults).toEqual([])
  expect(trouble()).toEqual([])
  await close()
})

test('on a phone in the dark, and where there is nothing to show', async () => {
  const { page, trouble, close } = await site.visit({ viewport: PHONE, colorScheme: 'dark', hasTouch: true })
  const faults: string[] = []
  await asOperator(page)
  const states = {
    '/console/vendors': page.getByRole('table'),
    '/console/vendors/hotelbeds': page.getByRole('heading', { name: 'Breakers and limits of each process' }),
    '/console/requests?status=all': page.getByRole('row').nth(1),
    '/console/requests/nothing': page.getByText('No request with this id is kept.'),
  }
  for (const [address, sign] of Object.entries(states)) {
    await page.goto(address)
    await sign.first().waitFor()
    faults.push(...(await faultsOf(page, address)))
  }
  await page.goto('/console/requests?operation=no.such')
  await page.getByText('No such error is kept.').waitFor()
  expect(faults).toEqual([])
  expect(trouble()).toEqual([])
  await close()
})
