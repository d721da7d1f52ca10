import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findAccessFaults, findAccessFaultsInBothThemes, type Site, type Visit } from '../support/servers/browser.ts'
import {
  manyProperties,
  openRecorded,
  problem,
  RESULTS_ADDRESS,
  type RecordedApi,
  STAY_ADDRESS,
} from './recorded-api.ts'
import { freshToken, searchAddress, signInBrowser, warmUp } from './shortcuts.ts'
import { sharedSite } from './sites.ts'
import {
  amountIn,
  bookButton,
  chooseCheapestRoom,
  fillGuest,
  openFirstStay,
  waitForConfirmation,
  waitForResults,
} from './steps.ts'

let site: Site
let visit: Visit
let page: Page

beforeAll(async () => {
  site = await sharedSite()
})
afterEach(() => expect(visit.trouble()).toEqual([]))

const roomsAreIn = () => page.locator('#rooms table').first().waitFor()
const linkWith = (address: string, change: (query: URLSearchParams) => void) => {
  const link = new URL(address, site.url)
  change(link.searchParams)
  return link.pathname + link.search
}
const readName = () => page.getByRole('heading', { level: 1 }).textContent()

describe('with vendors', () => {
  /** Address of one property, with its dates and its search. */
  let address: string
  beforeAll(async () => {
    address = await warmUp(site)
    visit = await site.visit()
    page = visit.page
    await signInBrowser(site, page)
  })
  afterAll(() => visit.close())

  test('the link of a property works without its search, with an unknown search, and without dates', async () => {
    await page.goto(address)
    await roomsAreIn()
    const name = await readName()
    const links = [
      linkWith(address, (query) => query.delete('search_id')),
      linkWith(address, (query) => query.set('search_id', '00000000-0000-4000-8000-000000000000')),
      new URL(address, site.url).pathname,
    ]
    for (const link of links) {
      await page.goto(link)
      await roomsAreIn()
      expect(await readName()).toBe(name)
    }
    await page.getByText('This link has no valid check-in and check-out dates.').waitFor()
  })

  test('the amounts charged now and at the property are the same from the room to the booking, in any display currency', async () => {
    await page.goto(linkWith(address, (query) => query.set('cur', 'GBP')))
    await roomsAreIn()
    await chooseCheapestRoom(page)
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
    await waitForConfirmation(page)
    expect(amountIn(await page.getByTestId('due-now').textContent())).toBe(now)
    expect(amountIn(await page.getByTestId('total').textContent())).toBe(total)
    expect(await page.getByTestId('due-at-property').allTextContents()).toEqual(there)
  })
})

describe('with recorded answers', () => {
  let api: RecordedApi
  beforeAll(async () => {
    const opened = await openRecorded(site)
    visit = opened
    page = opened.page
    api = opened.api
  })
  beforeEach(() => api.reset())
  // Lists, searches and the display currency would be restored in the next test.
  afterEach(() => page.evaluate('sessionStorage.clear(), localStorage.clear()'))
  afterAll(() => visit.close())

  test('the link back from a property leads to the same list with its filters and order', async () => {
    await page.goto(`${RESULTS_ADDRESS}&sort=price`)
    await waitForResults(page)
    await openFirstStay(page)
    await page.getByRole('link', { name: 'Back to the results' }).click()
    await waitForResults(page)
    expect(new URL(page.url()).searchParams.get('sort')).toBe('price')
    expect(api.requests('searchCreate')).toHaveLength(1)
  })

  test('going back and deep links return to the same list with its filters', async () => {
    api.find(manyProperties(7))
    await page.goto('/')
    await page.getByRole('button', { name: 'Kyoto' }).click()
    await waitForResults(page)
    await page.getByRole('checkbox', { name: 'Free cancellation' }).check()
    await page.getByRole('button', { name: 'Remove filter: Free cancellation' }).waitFor()
    await page.getByText('4 stays', { exact: true }).waitFor()
    const first = await page.locator('[data-property] a').first().textContent()
    await openFirstStay(page)
    await page.goBack()
    await page.locator('[data-property]').first().waitFor()
    expect(await page.locator('[data-property] a').first().textContent()).toBe(first)
    expect(await page.getByRole('checkbox', { name: 'Free cancellation' }).isChecked()).toBe(true)

    await page.goto(page.url())
    await page.locator('[data-property]').first().waitFor()
    expect(await page.locator('[data-property] a').first().textContent()).toBe(first)
    await page.getByRole('button', { name: 'Clear all' }).click()
    await page.getByText('7 stays', { exact: true }).waitFor()
    expect(api.requests('searchCreate').map(({ body }) => body.conditions)).toEqual([
      undefined,
      { free_cancellation: true },
      undefined,
    ])
  })

  test('a link whose search has other dates shows prices for the dates of the link', async () => {
    const link = linkWith(STAY_ADDRESS, (query) => {
      query.set('in', '2027-03-19')
      query.set('out', '2027-03-21')
    })
    await page.goto(link)
    await roomsAreIn()
    expect(api.requests('searchCreate')).toMatchObject([{ body: { check_in: '2027-03-19', check_out: '2027-03-21' } }])
  })

  test('the link of a property whose search has expired shows the property with a new search', async () => {
    api.answer('searchDetail', problem('search_expired'), api.recorded)
    await page.goto(STAY_ADDRESS)
    await roomsAreIn()
    expect(await readName()).toBe(manyProperties(1)[0].name)
    expect(api.requests('searchCreate')).toHaveLength(1)
    await expect.poll(() => new URL(page.url()).searchParams.get('search_id')).toBeNull()
  })

  test('dates and guests can be changed on the page of a property, and the prices are updated', async () => {
    await page.goto(STAY_ADDRESS)
    await roomsAreIn()
    await page.getByRole('button', { name: 'Change dates or guests' }).click()
    const show = page.getByRole('button', { name: 'Show prices' })
    await show.waitFor()
    expect(await findAccessFaultsInBothThemes(page, show)).toEqual([])
    await page.getByRole('button', { name: /^Who/ }).click()
    await page.getByRole('button', { name: 'Add a room' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await show.click()
    await page.getByText('2 rooms, 4 adults').waitFor()
    await roomsAreIn()
    expect(new URL(page.url()).pathname).toBe('/property/prp_recorded0')
    const occupancies = [{ adults: 2 }, { adults: 2 }]
    expect(api.requests('searchCreate')).toMatchObject([{ body: { occupancies } }])
    const [row, sleeps] = [
      page.locator('#rooms tbody tr').first(),
      page.locator('#rooms').getByText(/^Sleeps \d+ per room$/),
    ]
    expect(await row.textContent()).toContain('Total, 2 rooms, 2 nights, with taxes')
    expect(await sleeps.count()).toBeGreaterThan(0)
  })

  test('an incomplete link shows the reason and fills in its valid parts', async () => {
    await page.goto(RESULTS_ADDRESS.replace(/in=[\d-]+/, 'in=2027-02-30'))
    const title = page.getByRole('heading', { name: 'This link is incomplete' })
    await title.waitFor()
    await page.getByText('This link has no valid check-in and check-out dates.').waitFor()
    expect(await page.getByRole('combobox', { name: 'Where' }).inputValue()).toContain('Paris')
    expect(await findAccessFaultsInBothThemes(page, title)).toEqual([])
    await page.getByRole('button', { name: 'Search' }).click()
    await waitForResults(page)
  })

  test('an unknown property and an unknown address show a message and a link to the start page', async () => {
    api.answer('searchCreate', problem('location_not_found'))
    await page.goto(linkWith(STAY_ADDRESS, (query) => query.delete('search_id')))
    await page.getByRole('heading', { level: 1, name: 'Property not found' }).waitFor()
    for (const lost of ['/no-such-page', '/bookings/a/b']) {
      const response = await page.goto(lost)
      await page.getByRole('heading', { name: 'Page not found' }).waitFor()
      expect(response?.status()).toBe(404)
      expect(await page.locator('main a[href="/"]').count()).toBe(1)
    }
    expect(await findAccessFaultsInBothThemes(page, page.getByRole('heading', { name: 'Page not found' }))).toEqual([])
  })

  test('a change of currency in the header converts the list without a search, and asks for the prices of a property again', async () => {
    api.answer('searchDetail', (request) => {
      const answer = api.recorded(request)
      const currency = api.requests('searchCreate').at(-1)?.body.currency
      if (answer === 'lost') return answer
      const { accommodation } = answer.body
      const available_rooms = accommodation.available_rooms.map((room: object) => ({ ...room, currency }))
      return { status: 200, body: { accommodation: { ...accommodation, available_rooms } } }
    })
    await page.goto(RESULTS_ADDRESS)
    await waitForResults(page)
    await page.getByRole('combobox', { name: 'Currency' }).selectOption('GBP')
    const told = page.getByText('Prices are converted to GBP')
    await told.waitFor()
    await expect.poll(() => page.getByTestId('stay-price').first().textContent()).toContain('≈ £')
    const searches = () => api.requests('searchCreate').map(({ body }) => body.currency)
    expect(searches()).toEqual(['EUR'])
    await page.getByRole('button', { name: 'Search again' }).click()
    await told.waitFor({ state: 'detached' })
    await waitForResults(page)
    expect(searches()).toEqual(['EUR', 'GBP'])
    await page.locator('[data-property] a').first().click()
    await roomsAreIn()
    await page.getByRole('combobox', { name: 'Currency' }).selectOption('EUR')
    await page.getByText('Prices were updated to EUR').waitFor()
    await expect.poll(() => page.getByTestId('stay-price').first().textContent()).toContain('€')
  })
})

test('without JavaScript every address says in both languages what does not work, and how to use a booking', async () => {
  visit = await site.visit({ javaScriptEnabled: false })
  page = visit.page
  for (const path of ['/', '/search?to=x', '/property/prp_1', '/bookings/bkg_1']) {
    await page.goto(path)
    await page.getByRole('heading', { name: 'This page needs JavaScript' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Diese Seite braucht JavaScript' }).isVisible()).toBe(true)
    const [english, german] = await page.locator('noscript strong').all()
    expect([await english?.isVisible(), await german?.isVisible()]).toEqual([true, true])
    expect(await page.locator('.skeleton:visible').count(), 'nothing seems to load').toBe(0)
    expect(await page.getByRole('link', { name: 'API' }).getAttribute('href')).toBe('/docs')
  }
  await visit.close()
})

test('without JavaScript a button on the link of a search shows its results as a plain list', async () => {
  visit = await site.visit({ javaScriptEnabled: false, viewport: { width: 320, height: 568 } })
  page = visit.page
  const address = await searchAddress(site, await freshToken(site))
  await page.goto(address)
  await page.getByRole('button', { name: 'Show the results without JavaScript' }).click()
  await page.getByRole('heading', { name: /^Stays around Funchal/ }).waitFor()
  expect(new URL(page.url()).search, 'the address can be shared').toBe(new URL(address, site.url).search)
  expect(await page.getByRole('listitem').count()).toBe(30)
  expect(await page.getByRole('listitem').first().textContent()).toMatch(/€\d.*cancellation/i)
  // The checks themselves need JavaScript.
  const copy = await site.visit()
  await copy.page.setContent(await page.content())
  expect(await findAccessFaults(copy.page)).toEqual([])
  await copy.close()
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  await page.goBack()
  expect(await page.getByRole('button', { name: 'Ergebnisse ohne JavaScript zeigen' }).isVisible()).toBe(true)
  expect(visit.trouble()).toEqual([])
  await visit.close()
})
