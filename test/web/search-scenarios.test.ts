import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  DESKTOP,
  findAccessFaults,
  findAccessFaultsInBothThemes,
  PHONE,
  type Site,
} from '../support/servers/browser.ts'
import {
  type ApiRequest,
  example,
  manyProperties,
  openRecorded,
  problem,
  RESULTS_ADDRESS,
  type RecordedApi,
  type RecordedVisit,
} from './recorded-api.ts'
import { sharedSite } from './sites.ts'
import { chooseDestination, openFirstStay, openWithin, searchFor, waitForResults } from './steps.ts'

let site: Site
let visit: RecordedVisit | undefined
let page: Page
let api: RecordedApi

beforeAll(async () => {
  site = await sharedSite()
})
afterEach(() => {
  // The browser logs the blocked files.
  expect(visit?.trouble().filter((line) => !/ERR_FAILED|stay-map/.test(line))).toEqual([])
})
afterAll(() => visit?.close())

/** Opens a page. Each test of a `describe` continues from the state of the previous one. */
async function begin(options: Parameters<typeof openRecorded>[1] = {}): Promise<void> {
  await visit?.close()
  visit = await openRecorded(site, options)
  page = visit.page
  api = visit.api
}

describe('results', () => {
  beforeAll(() => begin())
  beforeEach(() => api.reset())

  /** Searches for new dates, because the page does not repeat a search. */
  const searchUntil = (checkOut: string) => openWithin(page, RESULTS_ADDRESS.replace('2027-03-14', checkOut))

  test('a failure of all vendors is not shown as an empty result, and the search can be repeated', async () => {
    api.find(manyProperties(9))
    api.answer('searchCreate', problem('vendors_failed'))
    await page.goto(RESULTS_ADDRESS)
    const message = page.getByText('No vendor is responding at the moment')
    await message.waitFor()
    api.answer('searchCreate', api.recorded)
    await page.getByRole('button', { name: 'Try again' }).click()
    await waitForResults(page)
    expect(await message.count()).toBe(0)
  })

  test('filters show their counts and combine, and an empty result suggests which filter to remove', async () => {
    const panel = page.getByRole('complementary', { name: 'Filters' })
    await panel.and(page.locator('[aria-busy="false"]')).waitFor()
    const stars = panel.locator('label', { hasText: '3 stars' })
    const promised = Number((await stars.locator('.figures').textContent())?.replace(/\D/g, ''))
    expect(promised).toBe(2)
    await stars.click()
    await page.getByText(new RegExp(`^${promised} of `)).waitFor()
    await panel.getByLabel('From (EUR)').fill('999999')
    await panel.getByLabel('From (EUR)').press('Enter')
    await page.getByRole('heading', { name: 'No stay matches all of these filters' }).waitFor()
    expect(new URL(page.url()).searchParams.get('min')).toBe('999999')
    expect(await findAccessFaults(page)).toEqual([])
    await page
      .getByRole('button', { name: /^Without “.*”: \d+ stays?$/ })
      .first()
      .click()
    await page.locator('[data-property]').first().waitFor()
    await page.getByRole('button', { name: 'Clear all' }).click()
    await page.getByText('9 stays', { exact: true }).waitFor()
  })

  test('if one vendor fails, the results of the others are shown with a notice', async () => {
    api.find(manyProperties(6))
    api.answer('searchCreate', (request) => {
      const answer = api.recorded(request)
      if (answer === 'lost') return answer
      const { data } = answer.body
      const vendors = [data.vendors[0], { vendor_id: 'hotelbeds', status: 'error', properties: 0, took_ms: 84 }]
      return { status: 200, body: { data: { ...data, vendors, partial: true } } }
    })
    await searchUntil('2027-03-15')
    await waitForResults(page)
    const notice = page.getByText(/Some prices are missing: Hotelbeds/)
    await notice.waitFor()
    expect(await page.locator('[data-property]').count()).toBe(6)
    expect(await findAccessFaults(page)).toEqual([])
    await page.setViewportSize(PHONE)
    const height = (await notice.boundingBox())?.height
    expect(height, 'the button does not push the two lines apart').toBeLessThan(60)
    await page.setViewportSize(DESKTOP)
  })

  test('the message for an empty result is shown only after the search has ended', async () => {
    api.find([])
    const isLate = Promise.withResolvers<void>()
    api.answer('searchCreate', async (request) => {
      await isLate.promise
      return api.recorded(request)
    })
    await searchUntil('2027-03-16')
    await page.locator('section[aria-busy="true"]').waitFor()
    const nothing = page.getByRole('heading', { name: 'No stays available for these dates' })
    expect(await nothing.count()).toBe(0)
    isLate.resolve()
    await nothing.waitFor()
    expect(await page.locator('section[aria-busy="false"]').count()).toBe(1)
    expect(await findAccessFaults(page)).toEqual([])
  })

  test('sorting by price orders by total, and 30 stays are shown at first', async () => {
    api.find(manyProperties(35))
    await page.goto(`${RESULTS_ADDRESS}&sort=price`)
    await waitForResults(page)
    await page.locator('[data-property]').nth(29).waitFor()
    // The first cards keep their position until the user sorts in the others.
    const again = page.getByRole('button', { name: 'Sort in new results' })
    if (await again.isVisible()) await again.click()
    const totals = await page.getByTestId('stay-price').allTextContents()
    const amounts = totals.map((text) => Number(text.replace(/[^\d.]/g, '')))
    expect(amounts.length).toBe(30)
    expect(amounts).toEqual(amounts.toSorted((a, b) => a - b))
  })

  test('the heading of a landmark opened by link does not change when its kind becomes known', async () => {
    api.find(manyProperties(3))
    const isLate = Promise.withResolvers<void>()
    const tower = { type: 'landmark', name: 'Eiffel Tower, Paris, France' }
    api.answer('searchCreate', async (request) => {
      await isLate.promise
      const answer = api.recorded(request)
      if (answer === 'lost') return answer
      const { data } = answer.body
      return { status: 200, body: { data: { ...data, location: { ...data.location, ...tower } } } }
    })
    const address = RESULTS_ADDRESS.replace(/place=[^&]+/, 'place=Eiffel+Tower').replace('2027-03-14', '2027-03-17')
    await page.goto(address)
    const heading = page.getByRole('heading', { level: 1 })
    const first = await heading.textContent()
    expect(first).toBe('Stays around Eiffel Tower')
    await page.evaluate(`window.headings = []
      new MutationObserver(() => headings.push(document.querySelector('h1')?.textContent)).observe(document.querySelector('main'), { subtree: true, childList: true, characterData: true })`)
    isLate.resolve()
    await waitForResults(page)
    await page
      .getByText(/km from Eiffel Tower/)
      .first()
      .waitFor()
    expect(await page.evaluate('[...new Set(headings)]')).toEqual([first])
  })

  test('a linked search that fails before its page is shown is not repeated by itself', async () => {
    api.answer('searchCreate', problem('vendors_failed'))
    const isLate = Promise.withResolvers<void>()
    await page.route('**/assets/results*.js', async (route) => {
      await isLate.promise
      await route.continue()
    })
    const failed = page.waitForResponse(/accommodation_searches\/search/)
    await page.goto(RESULTS_ADDRESS.replace('2027-03-14', '2027-03-18'))
    await (await failed).finished()
    isLate.resolve()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await page.waitForTimeout(300)
    expect(api.requests('searchCreate')).toHaveLength(1)
    await page.unroute('**/assets/results*.js')
  })

  test('the list is complete if the map cannot be loaded', async () => {
    await begin({ map: true })
    await page.route('**/assets/stay-map*', (route) => route.abort())
    api.find(manyProperties(4))
    await page.goto(RESULTS_ADDRESS)
    await waitForResults(page)
    await page.getByText('The map could not be loaded').waitFor()
    await page.locator('[data-property]').nth(3).waitFor()
    expect(await page.locator('[data-property]').count()).toBe(4)
  })
})

/** Answers with places by typed text. A place has the same id in all answers. */
const placesFor = (names: Record<string, readonly string[]>) => (request: ApiRequest) => {
  const { data, meta } = example('locationsSearch')
  const known = [...new Set(Object.values(names).flat())]
  const found = (names[request.query.get('starts_with') ?? ''] ?? []).map((name) => ({
    ...data[0],
    id: `00000000-0000-5000-8000-00000000000${known.indexOf(name)}`,
    name,
  }))
  return { status: 200, body: { data: found, meta } }
}

describe('the search form', () => {
  for (const timezoneId of ['Pacific/Honolulu', 'Asia/Tokyo']) {
    test(`dates typed in time zone ${timezoneId} are searched and shown unchanged`, async () => {
      await begin({ timezoneId })
      await page.goto('/')
      await chooseDestination(page, 'Par', /^Paris/)
      await page.getByRole('spinbutton', { name: /^day, Check-in/ }).focus()
      await page.keyboard.type('15032027')
      await page.getByRole('spinbutton', { name: /^day, Check-out/ }).focus()
      await page.keyboard.type('18032027')
      await page.getByText('3 nights').waitFor()
      await page.getByRole('button', { name: 'Search' }).click()
      await waitForResults(page)
      const [{ body } = { body: {} }] = api.requests('searchCreate')
      expect(body).toMatchObject({ check_in: '2027-03-15', check_out: '2027-03-18' })
      await openFirstStay(page)
      await page
        .getByRole('button', { name: /^Choose / })
        .first()
        .click()
      await page.getByText(/15 March 2027/).waitFor()
      expect(await page.getByText(/18 March 2027/).count()).toBe(1)
    })
  }

  describe('on one page', () => {
    beforeAll(async () => {
      await begin()
      await page.goto('/')
    })
    beforeEach(() => api.reset())

    test('a highlighted place stays highlighted when other places arrive late', async () => {
      const where = page.getByRole('combobox', { name: 'Where' })
      const places = page.getByRole('listbox', { name: 'Places' })
      const marked = places.getByRole('option', { selected: true })
      const names = ['Lisbon, Portugal', 'Lisburn, United Kingdom']
      const isLate = Promise.withResolvers<void>()
      const answer = placesFor({ lis: names, lisb: names.toReversed() })
      api.answer('locationsSearch', async (request) => {
        if (request.query.get('starts_with') === 'lisb') await isLate.promise
        return answer(request)
      })
      await where.fill('lis')
      const lisbon = page.getByRole('option', { name: /^Lisbon/ }).first()
      await lisbon.waitFor()
      expect(await findAccessFaultsInBothThemes(page, lisbon)).toEqual([])
      await where.press('b')
      await where.press('ArrowDown')
      const name = await marked.textContent()
      isLate.resolve()
      await expect.poll(() => places.getByRole('option').first().textContent()).not.toBe(name)
      expect(await marked.textContent()).toBe(name)
    })

    test('while places for a new name are loading, those for the previous name are not offered', async () => {
      const where = page.getByRole('combobox', { name: 'Where' })
      const options = page.getByRole('listbox', { name: 'Places' }).getByRole('option')
      const isLate = Promise.withResolvers<void>()
      const answer = placesFor({ lisbon: ['Lisbon, Portugal'], porto: ['Porto, Portugal'] })
      api.answer('locationsSearch', async (request) => {
        if (request.query.get('starts_with') === 'porto') await isLate.promise
        return answer(request)
      })
      await where.fill('lisbon')
      await options.filter({ hasText: 'Lisbon' }).first().waitFor()
      await where.fill('porto')
      await page.getByText('Loading …').last().waitFor()
      expect(await options.count()).toBe(0)
      isLate.resolve()
      await options.filter({ hasText: 'Porto' }).first().waitFor()
    })

    test('a child without an age and a stay of no nights are refused with a message', async () => {
      await page.getByRole('combobox', { name: 'Where' }).fill('')
      await page.getByRole('spinbutton', { name: /^day, Check-in/ }).focus()
      await page.keyboard.type('01022027')
      await page.getByRole('spinbutton', { name: /^day, Check-out/ }).focus()
      await page.keyboard.type('01022027')
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
      const done = page.getByRole('button', { name: 'Done' })
      expect(await findAccessFaultsInBothThemes(page, done)).toEqual([])
      await done.click()
      await page.getByRole('button', { name: 'Search' }).click()
      await page.getByRole('alert').getByText('3 fields need your attention').waitFor()
      await expect.poll(() => page.evaluate(`document.activeElement.getAttribute('role')`)).toBe('combobox')
      await page.getByText('Check-out must be at least one night after check-in.').waitFor()
      await page.getByText('Enter the age of each child').waitFor()
      expect(await findAccessFaults(page)).toEqual([])

      await chooseDestination(page, 'Par', /^Paris/)
      await page.getByRole('button', { name: 'Search' }).click()
      await expect.poll(focused).toMatch(/^day, Check-in/)
      await page.getByRole('spinbutton', { name: /^day, Check-out/ }).focus()
      await page.keyboard.type('03')
      await page.getByRole('button', { name: 'Search' }).click()
      // The age is in a closed dialog.
      await expect.poll(focused).toBe('Age of child 1')
      expect(await findAccessFaults(page)).toEqual([])
      await page.getByLabel('Age of child 1').selectOption('7')
      await done.click()
      await searchFor(page, 'Par', /^Paris/)
      expect(api.requests('searchCreate')).toMatchObject([
        { body: { occupancies: [{ adults: 2, children_ages: [7] }] } },
      ])
    })

    test('a click on the dates opens the calendar, in which a stay has at least one night', async () => {
      await page.goto('/')
      await page.getByRole('spinbutton', { name: /^month, Check-in/ }).click()
      const month = page.getByRole('grid').last()
      const pick = (day: number) =>
        month.getByRole('gridcell').getByText(String(day), { exact: true }).first().click({ force: true })
      await pick(10)
      await pick(10)
      expect(await month.isVisible(), 'no stay has been chosen yet').toBe(true)
      await pick(12)
      await month.waitFor({ state: 'detached' })
      await page.getByText('2 nights').waitFor()
    })

    test('a destination that is found after the visitor has left the page does not change the page', async () => {
      await page.getByRole('link', { name: 'Serai home page' }).click()
      const isLate = Promise.withResolvers<void>()
      api.answer('locationsSearch', async (request) => {
        await isLate.promise
        return placesFor({ Lisbon: ['Lisbon, Portugal'] })(request)
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
  })

  test('the German page has German texts, dates and money formats, and falls back to English if they cannot be loaded', async () => {
    await begin({ locale: 'de-DE' })
    await page.goto(RESULTS_ADDRESS)
    await waitForResults(page)
    await page.getByRole('heading', { name: 'Unterkünfte in und um Paris' }).waitFor()
    expect(await page.getByTestId('stay-price').first().textContent()).toMatch(/^(≈ )?[\d.]+(,\d\d)?\s€$/)
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    await page.route('**/assets/de-*.js', (route) => route.abort())
    await page.reload()
    await page.getByText('Deutsch could not be loaded. The page is in English for now.').waitFor()
    await waitForResults(page)
    await page.getByRole('heading', { name: 'Stays around Paris' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
  })
})
