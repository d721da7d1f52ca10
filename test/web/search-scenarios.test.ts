import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { accessFaults, type Site, type Visit } from '../support/servers/browser.ts'
import { searchAddress, signedIn, warmUp } from './shortcuts.ts'
import { sharedSite } from './sites.ts'
import { chooseDestination, resultsAreIn, searchFor } from './steps.ts'

let site: Site
let visit: Visit
let page: Page
let address: string

beforeAll(async () => {
  site = await sharedSite()
  await warmUp(site)
})
afterEach(async () => {
  for (const control of Object.values(site.sandbox.control)) await control.clearFaults()
  // A test that takes the map away sees the browser say so.
  expect(visit.trouble().filter((line) => !/ERR_FAILED|stay-map/.test(line))).toEqual([])
  await visit.close()
})

async function begin(options: Parameters<Site['visit']>[0] = {}): Promise<void> {
  visit = await site.visit(options)
  page = visit.page
  address = await searchAddress(site, await signedIn(site, page))
}

/** Makes every search of the page a simulated one. */
const simulate = (scenario: string) =>
  page.route('**/api/accommodation_searches/search', (route) =>
    route.continue({ headers: { ...route.request().headers(), 'x-simulate-return': scenario } }),
  )

describe('results', () => {
  test('one vendor down leaves the others’ results and a notice', async () => {
    await begin()
    await site.sandbox.control.hotelbeds.addFaults({ kind: 'error_before', operation: '*' })
    await page.goto(address)
    await resultsAreIn(page)
    await page.getByText(/Some prices are missing: Hotelbeds/).waitFor()
    expect(await page.locator('[data-property]').count()).toBeGreaterThan(5)
    expect(await accessFaults(page)).toEqual([])
  })

  test('nothing found is said, and never while the search still runs', async () => {
    await begin()
    await simulate('empty')
    await page.goto(address)
    await page.getByRole('heading', { name: 'No stays available for these dates' }).waitFor()
    expect(await page.locator('section[aria-busy="false"]').count()).toBe(1)
    expect(await accessFaults(page)).toEqual([])
  })

  test('all vendors failing is shown differently from no results, and trying again works', async () => {
    await begin()
    await simulate('vendor_error')
    await page.goto(address)
    const told = page.getByText('No vendor is answering at the moment')
    await told.waitFor()
    await page.unroute('**/api/accommodation_searches/search')
    await page.getByRole('button', { name: 'Try again' }).click()
    await resultsAreIn(page)
    expect(await told.count()).toBe(0)
  })

  test('a late vendor moves nothing that is being read, and its stays wait behind a button', async () => {
    await begin()
    await site.sandbox.control.hotelbeds.addFaults({ kind: 'latency', operation: 'availability', ms: 3_500 })
    await page.goto(address)
    await page.locator('[data-property]').first().waitFor()
    expect(await page.locator('section[aria-busy="true"]').count()).toBe(1)
    await page.mouse.move(600, 600)
    await page.mouse.wheel(0, 1_500)
    await atRest()
    const reading = await page.evaluate<string>(IN_VIEW)
    const more = page.getByRole('button', { name: /^(Show \d+ more stays?|Prices updated: show)$/ })
    await more.waitFor()
    expect(await page.evaluate<string>(IN_VIEW)).toBe(reading)
    const before = await page.getByText(/^\d+ stays$/).count()
    await more.click()
    await more.waitFor({ state: 'detached' })
    expect(before).toBe(1)
    expect(await page.evaluate('scrollY')).toBe(0)
  })

  test('filters count what they leave, add up, and suggest which one to remove when nothing is left', async () => {
    await begin()
    await page.goto(address)
    await resultsAreIn(page)
    const panel = page.getByRole('complementary', { name: 'Filters' })
    await panel.and(page.locator('[aria-busy="false"]')).waitFor()
    const free = panel.locator('label', { hasText: 'Free cancellation' })
    const promised = Number((await free.locator('.figures').textContent())?.replace(/\D/g, ''))
    await free.click()
    await page.getByText(new RegExp(`^${promised} of `)).waitFor()
    await panel.getByLabel('From (EUR)').fill('999999')
    await panel.getByLabel('From (EUR)').press('Enter')
    await page.getByRole('heading', { name: 'No stay matches all of these filters' }).waitFor()
    expect(new URL(page.url()).searchParams.get('min')).toBe('999999')
    expect(await accessFaults(page)).toEqual([])
    await page
      .getByRole('button', { name: /^Without “.*”: \d+ stays?$/ })
      .first()
      .click()
    await page.locator('[data-property]').first().waitFor()
    await page.getByRole('button', { name: 'Clear all' }).click()
  })

  test('the order by price is the order of the totals', async () => {
    await begin()
    await page.goto(`${address}&sort=price`)
    await resultsAreIn(page)
    await page.locator('[data-property]').nth(29).waitFor()
    // The first cards stay where they are while the rest arrives, until the user asks.
    const again = page.getByRole('button', { name: 'New results: sort again' })
    if (await again.isVisible()) await again.click()
    const totals = await page.getByTestId('stay-price').allTextContents()
    const amounts = totals.map((text) => Number(text.replace(/[^\d.]/g, '')))
    expect(amounts.length).toBe(30)
    expect(amounts).toEqual(amounts.toSorted((a, b) => a - b))
  })

  test('the list is complete without the map', async () => {
    await begin()
    await page.route('**/assets/stay-map*', (route) => route.abort())
    await page.goto(address)
    await resultsAreIn(page)
    await page.getByText('The map could not be loaded').waitFor()
    await page.locator('[data-property]').nth(29).waitFor()
    expect(await page.locator('[data-property]').count()).toBe(30)
  })
})

/** Until scrolling has come to its end. */
async function atRest(): Promise<void> {
  for (let last = -1; ; ) {
    const now = await page.evaluate<number>('scrollY')
    if (now === last && now > 500) return
    last = now
    await page.waitForTimeout(200)
  }
}

/** The card at the middle of the window, and where exactly it stands. */
const IN_VIEW = `(() => {
  const card = document.elementsFromPoint(600, 450).find((each) => each.closest('[data-property]'))?.closest('[data-property]')
  return card === undefined ? 'none' : card.dataset.property + ' at ' + Math.round(card.getBoundingClientRect().top)
})()`

describe('the search form', () => {
  for (const timezoneId of ['Pacific/Honolulu', 'Asia/Tokyo']) {
    test(`dates typed in ${timezoneId} are the dates that are asked for and shown`, async () => {
      await begin({ timezoneId })
      await page.goto('/')
      await chooseDestination(page, 'Funchal', /^Funchal/)
      const year = new Date().getUTCFullYear() + 1
      await page.getByRole('spinbutton', { name: /day.*Start Date/i }).click()
      await page.keyboard.type(`15 03 ${year}`.replaceAll(' ', ''))
      await page.getByRole('spinbutton', { name: /day.*End Date/i }).click()
      await page.keyboard.type(`18 03 ${year}`.replaceAll(' ', ''))
      await page.getByText('3 nights').waitFor()
      const asked = page.waitForRequest('**/api/accommodation_searches/search')
      await page.getByRole('button', { name: 'Search' }).click()
      const body = (await asked).postDataJSON() as Record<string, string>
      expect(body).toMatchObject({ check_in: `${year}-03-15`, check_out: `${year}-03-18` })
      await resultsAreIn(page)
      await page.locator('[data-property] a').first().click()
      await page.locator('#rooms table').first().waitFor()
      await page
        .getByRole('button', { name: /^Choose / })
        .first()
        .click()
      await page.getByText(new RegExp(`15 March ${year}`)).waitFor()
      expect(await page.getByText(new RegExp(`18 March ${year}`)).count()).toBe(1)
    })
  }

  test('a place that was marked stays marked when other places arrive late', async () => {
    await begin()
    await page.goto('/')
    const where = page.getByRole('combobox', { name: 'Where' })
    const places = page.getByRole('listbox', { name: 'Places' })
    const marked = places.getByRole('option', { selected: true })
    await where.fill('lis')
    await page
      .getByRole('option', { name: /^Lisbon/ })
      .first()
      .waitFor()
    const isLate = Promise.withResolvers<void>()
    await page.route(/starts_with=lisb/, async (route) => {
      const response = await route.fetch()
      const answer = (await response.json()) as { data: object[] }
      await isLate.promise
      await route.fulfill({ response, json: { ...answer, data: answer.data.toReversed() } })
    })
    await where.press('b')
    await where.press('ArrowDown')
    const name = await marked.textContent()
    isLate.resolve()
    await expect.poll(() => places.getByRole('option').first().textContent()).not.toBe(name)
    expect(await marked.textContent()).toBe(name)
  })

  test('while the places for another name are on their way, those of the last name are not offered', async () => {
    await begin()
    await page.goto('/')
    const where = page.getByRole('combobox', { name: 'Where' })
    const options = page.getByRole('listbox', { name: 'Places' }).getByRole('option')
    await where.fill('lisbon')
    await options.filter({ hasText: 'Lisbon' }).first().waitFor()
    const isLate = Promise.withResolvers<void>()
    await page.route(/starts_with=porto/, async (route) => {
      await isLate.promise
      await route.continue()
    })
    await where.fill('porto')
    await page.getByText('Loading …').last().waitFor()
    expect(await options.count()).toBe(0)
    isLate.resolve()
    await options.filter({ hasText: 'Porto' }).first().waitFor()
  })

  test('a destination that is found after the visitor has gone elsewhere leads nowhere', async () => {
    await begin()
    await page.goto('/')
    const isLate = Promise.withResolvers<void>()
    await page.route(/starts_with=Lisbon/, async (route) => {
      await isLate.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Lisbon' }).click()
    await page.getByRole('link', { name: 'My bookings' }).click()
    await page.getByRole('heading', { name: 'My bookings' }).waitFor()
    const found = page.waitForResponse(/starts_with=Lisbon/)
    isLate.resolve()
    await (await found).finished()
    await page.waitForTimeout(100)
    expect(new URL(page.url()).pathname).toBe('/bookings')
  })

  test('a child without an age and a stay of no nights are refused with a message', async () => {
    await begin()
    await page.goto('/')
    await page.getByRole('spinbutton', { name: /day.*Start Date/i }).click()
    await page.keyboard.type(`0102${new Date().getUTCFullYear() + 1}`)
    await page.getByRole('spinbutton', { name: /day.*End Date/i }).click()
    await page.keyboard.type(`0102${new Date().getUTCFullYear() + 1}`)
    await page.getByRole('button', { name: /^Who/ }).click()
    const focused = () =>
      page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.textContent')
    await page.getByRole('button', { name: 'One more: Children' }).click()
    await page.getByRole('button', { name: 'One fewer: Children' }).click()
    await page.keyboard.press('Enter')
    expect(await focused(), 'also at the last step').toBe('One fewer: Children')
    await page.getByRole('button', { name: 'Add a room' }).click()
    await page.getByRole('button', { name: 'Remove room 2' }).click()
    await expect.poll(focused).toBe('Add a room')
    await page.getByRole('button', { name: 'One more: Children' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Search' }).click()
    const told = page.getByRole('alert')
    await told.filter({ hasText: 'Check-out must be at least one night after check-in.' }).waitFor()
    await told.filter({ hasText: 'Enter the age of every child' }).waitFor()
    expect(await accessFaults(page)).toEqual([])

    await page.getByRole('button', { name: /^Who/ }).click()
    await page.getByLabel('Age of child 1').selectOption('7')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('spinbutton', { name: /day.*End Date/i }).click()
    await page.keyboard.type('03')
    const asked = page.waitForRequest('**/api/accommodation_searches/search')
    await searchFor(page)
    expect((await asked).postDataJSON()).toMatchObject({ occupancies: [{ adults: 2, children_ages: [7] }] })
  })

  test('German has its own texts, dates and money formats, and English stands in where they cannot be loaded', async () => {
    await begin({ locale: 'de-DE' })
    await page.goto(address)
    await resultsAreIn(page)
    await page.getByRole('heading', { name: 'Unterkünfte in Funchal' }).waitFor()
    expect(await page.getByTestId('stay-price').first().textContent()).toMatch(/^(≈ )?[\d.]+(,\d\d)?\s€$/)
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    await page.route('**/assets/de-*.js', (route) => route.abort())
    await page.reload()
    await page.getByText('Deutsch could not be loaded. The page is in English for now.').waitFor()
    await resultsAreIn(page)
    await page.getByRole('heading', { name: 'Stays in Funchal' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
  })
})
