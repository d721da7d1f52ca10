import type { Page } from 'playwright-core'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { accessFaults, type Site, type Visit } from '../support/servers/browser.ts'
import { searchAddress, signedIn, warmUp } from './shortcuts.ts'
import { sharedSite } from './sites.ts'
import { amountIn, bookButton, chooseRoom, confirmed, fillGuest, resultsAreIn } from './steps.ts'

let site: Site
let visit: Visit
let page: Page
/** Of one property, with its dates and its search. */
let address: URL

beforeAll(async () => {
  site = await sharedSite()
  address = new URL(await warmUp(site), site.url)
})
afterEach(async () => {
  expect(visit.trouble()).toEqual([])
  await visit.close()
})

async function begin(options: Parameters<Site['visit']>[0] = {}): Promise<string> {
  visit = await site.visit(options)
  page = visit.page
  return searchAddress(site, await signedIn(site, page))
}

const roomsAreIn = () => page.locator('#rooms table').first().waitFor()
const linkWith = (change: (query: URLSearchParams) => void) => {
  const link = new URL(address)
  change(link.searchParams)
  return link.pathname + link.search
}
const nameOfPage = () => page.getByRole('heading', { level: 1 }).textContent()

test('the way back from a property leads to the list as it was, with its filters and order', async () => {
  const list = await begin()
  await page.goto(`${list}&sort=price`)
  await resultsAreIn(page)
  await page.locator('[data-property] a').first().click()
  await roomsAreIn()
  await page.getByRole('link', { name: 'Back to the results' }).click()
  await resultsAreIn(page)
  expect(new URL(page.url()).searchParams.get('sort')).toBe('price')
})

test('a link whose search was for other dates is answered with prices for the dates of the link', async () => {
  await begin()
  const [checkIn, checkOut] = ['in', 'out'].map((name) => {
    const day = new Date(`${address.searchParams.get(name)}T00:00:00Z`)
    return new Date(day.getTime() + 7 * 86_400_000).toISOString().slice(0, 10)
  })
  const searched = page.waitForRequest((request) => request.method() === 'POST' && /\/search$/.test(request.url()))
  await page.goto(
    linkWith((query) => {
      query.set('in', checkIn ?? '')
      query.set('out', checkOut ?? '')
    }),
  )
  expect((await searched).postDataJSON()).toMatchObject({ check_in: checkIn, check_out: checkOut })
  await page.locator('#rooms table').or(page.getByText('No rooms left for these dates')).first().waitFor()
})

test('the link of a property works without its search, with one that is gone or expired, and without dates', async () => {
  await begin()
  await page.goto(address.pathname + address.search)
  await roomsAreIn()
  const name = await nameOfPage()
  const links = [
    linkWith((query) => query.delete('search_id')),
    linkWith((query) => query.set('search_id', '00000000-0000-4000-8000-000000000000')),
    address.pathname,
  ]
  for (const link of links) {
    await page.goto(link)
    await roomsAreIn()
    expect(await nameOfPage()).toBe(name)
  }
  await page.getByText('This link has no valid check-in and check-out dates.').waitFor()

  const expired = { status: 410, code: 'search_expired', title: 'The search has expired' }
  const detail = '**/api/accommodation_searches/accommodation?*'
  await page.route(detail, (route) => route.fulfill({ status: 410, json: expired }), { times: 1 })
  await page.goto(address.pathname + address.search)
  await roomsAreIn()
  expect(await nameOfPage()).toBe(name)
  await expect.poll(() => new URL(page.url()).searchParams.get('search_id')).toBeNull()
})

test('dates and guests of a property are changed in place, and the prices are for them', async () => {
  await begin()
  await page.goto(address.pathname + address.search)
  await roomsAreIn()
  await page.getByRole('button', { name: 'Change dates or guests' }).click()
  await page.getByRole('button', { name: /^Who/ }).click()
  await page.getByRole('button', { name: 'Add a room' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Show prices' }).click()
  await page.getByText('2 rooms, 4 adults').waitFor()
  await roomsAreIn()
  expect(new URL(page.url()).pathname).toBe(address.pathname)
  expect(await page.locator('#rooms tbody tr').first().textContent()).toContain('Total, 2 rooms, 2 nights, with taxes')
  expect(
    await page
      .locator('#rooms')
      .getByText(/^Sleeps \d+ per room$/)
      .count(),
  ).toBeGreaterThan(0)
  expect(await accessFaults(page)).toEqual([])
})

test('a link that cannot be followed says why and keeps what can be read', async () => {
  const search = await begin()
  await page.goto(search.replace(/in=[\d-]+/, 'in=2027-02-30'))
  await page.getByRole('heading', { name: 'This link is not complete' }).waitFor()
  await page.getByText('This link has no valid check-in and check-out dates.').waitFor()
  expect(await page.getByRole('combobox', { name: 'Where' }).inputValue()).toContain('Funchal')
  expect(await accessFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Search' }).click()
  await resultsAreIn(page)
})

test('a property nobody knows and an address without a page say so and lead on', async () => {
  await begin()
  await page.goto(`/property/no-such-property?${address.searchParams}`)
  await page.getByRole('heading', { level: 1, name: 'We do not know this property' }).waitFor()
  for (const lost of ['/no-such-page', '/bookings/a/b']) {
    await page.goto(lost)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    expect(await page.locator('main a[href="/"]').count()).toBe(1)
  }
})

test('another currency in the header takes effect at once, in the list and on the property page', async () => {
  const search = await begin()
  await page.goto(search)
  await resultsAreIn(page)
  const asked = page.waitForRequest('**/api/accommodation_searches/search')
  await page.getByRole('combobox', { name: 'Currency' }).selectOption('GBP')
  expect((await asked).postDataJSON()).toMatchObject({ currency: 'GBP' })
  const told = page.getByText('Prices were asked for again in GBP')
  await told.waitFor()
  await resultsAreIn(page)
  expect(await page.getByTestId('stay-price').first().textContent()).toContain('£')
  expect(await told.count()).toBe(1)
  await page.locator('[data-property] a').first().click()
  await roomsAreIn()
  expect(await told.count()).toBe(0)
  await page.goBack()
  await resultsAreIn(page)
  expect(await told.count()).toBe(0)
  await page.goForward()
  await roomsAreIn()
  await page.getByRole('combobox', { name: 'Currency' }).selectOption('EUR')
  await expect.poll(() => page.getByTestId('stay-price').first().textContent(), { timeout: 15_000 }).toContain('€')
})

test('charged now and paid at the property are the same figures from the room to the booking, whatever currency is shown', async () => {
  await begin()
  await page.goto(linkWith((query) => query.set('cur', 'GBP')))
  await roomsAreIn()
  await chooseRoom(page)
  await fillGuest(page)
  const now = amountIn(await page.getByTestId('due-now').textContent())
  const total = amountIn(await page.getByTestId('total').textContent())
  const there = await page.getByTestId('due-at-property').allTextContents()
  expect(amountIn(await bookButton(page).textContent())).toBe(total)
  await page.goBack()
  await roomsAreIn()
  expect(await page.locator('#rooms').getByText(`${now} charged when you book`).count()).toBeGreaterThan(0)
  await page.goForward()
  await fillGuest(page)
  await bookButton(page).click()
  await confirmed(page)
  expect(amountIn(await page.getByTestId('due-now').textContent())).toBe(now)
  expect(amountIn(await page.getByTestId('total').textContent())).toBe(total)
  expect(await page.getByTestId('due-at-property').allTextContents()).toEqual(there)
})

test('without JavaScript there is a sentence and a link to the API', async () => {
  await begin({ javaScriptEnabled: false })
  await page.goto('/')
  const sentence = page.locator('noscript p')
  await sentence.waitFor()
  expect(await sentence.textContent()).toContain('This page needs JavaScript')
  expect(await sentence.locator('a').first().getAttribute('href')).toBe('/docs')
})
