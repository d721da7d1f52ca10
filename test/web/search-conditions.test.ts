import type { Page } from 'playwright-core'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { findAccessFaults, findAccessFaultsInBothThemes, PHONE, type Site } from '../support/servers/browser.ts'
import {
  type ApiRequest,
  manyProperties,
  openRecorded,
  problem,
  RESULTS_ADDRESS,
  type RecordedApi,
  type RecordedVisit,
} from './recorded-api.ts'
import { sharedSite } from './sites.ts'
import { openFirstStay, waitForResults } from './steps.ts'

let site: Site
let visit: RecordedVisit
let page: Page
let api: RecordedApi

beforeAll(async () => {
  site = await sharedSite()
})
afterEach(async () => {
  expect(visit.trouble()).toEqual([])
  await visit.close()
})

async function begin(address: string, options: Parameters<typeof openRecorded>[1] = {}): Promise<void> {
  visit = await openRecorded(site, options)
  page = visit.page
  api = visit.api
  api.find(manyProperties(40))
  await page.goto(address)
  await page.locator('section[aria-busy="false"]').waitFor()
}

const listConditions = () => api.requests('searchCreate').map(({ body }) => body.conditions)
const breakfast = () => page.getByRole('checkbox', { name: 'Breakfast included' })
const stays = (count: number) => page.getByText(`${count} stays`, { exact: true }).waitFor()
/** Ids and exact positions of the cards in the window. */
const IN_VIEW = `[...document.querySelectorAll('[data-property]')]
  .map((card) => [card.dataset.property, Math.round(card.getBoundingClientRect().top)])
  .filter(([, top]) => top > 0 && top < innerHeight)
  .map(([id, top]) => id + ' at ' + top)`
const readCards = () => page.locator('[data-property] h2').allTextContents()

test('a condition searches again while the old list stays in place, and removing it returns at once', async () => {
  await begin(RESULTS_ADDRESS)
  await page.locator('[data-property]').nth(29).waitFor()
  const before = await readCards()
  await page.evaluate('scrollTo(0, 700)')
  const read = await page.evaluate<readonly string[]>(IN_VIEW)
  const isLate = Promise.withResolvers<void>()
  api.answer('searchCreate', async (request) => {
    await isLate.promise
    return api.recorded(request)
  })
  await breakfast().check()
  await page.locator('section[aria-busy="true"] ul[inert]').waitFor()
  expect(await readCards()).toEqual(before)
  expect(await page.evaluate(IN_VIEW)).toEqual(read)
  await page.getByRole('status').filter({ hasText: 'Searching …' }).waitFor({ state: 'attached' })
  expect(await findAccessFaults(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await findAccessFaults(page)).toEqual([])

  isLate.resolve()
  await stays(14)
  const kept = await page.evaluate<readonly string[]>(IN_VIEW)
  expect(kept.filter((place) => read.includes(place))).not.toEqual([])
  expect(await page.evaluate('scrollY')).toBeGreaterThan(0)
  expect(await page.locator('ul[inert]').count()).toBe(0)
  await page.getByRole('status').filter({ hasText: 'Search complete, 14 stays' }).waitFor({ state: 'attached' })
  expect(await page.evaluate(`document.activeElement.type`)).toBe('checkbox')
  expect(new URL(page.url()).searchParams.get('board')).toBe('breakfast')

  await breakfast().uncheck()
  await stays(40)
  await expect.poll(readCards).toEqual(before)
  await page.goBack()
  await stays(14)
  expect(await breakfast().isChecked()).toBe(true)
  await page.goBack()
  await stays(40)
  await page.goForward()
  await stays(14)
  expect(listConditions()).toEqual([undefined, { boards: ['breakfast'] }])
})

test('a shared link and a reload keep the conditions, and so does a search for other dates', async () => {
  await begin(`${RESULTS_ADDRESS}&free=1&board=breakfast`)
  await stays(7)
  const both = { free_cancellation: true, boards: ['breakfast'] }
  expect(listConditions()).toEqual([both])
  await page.reload()
  await stays(7)
  expect(listConditions()).toEqual([both])
  expect(api.requests('searchAvailability').length).toBeGreaterThan(0)
  await page
    .getByRole('button', { name: /Change search|Change/ })
    .first()
    .click()
  await page.getByRole('spinbutton', { name: /day.*Check-out/i }).focus()
  await page.keyboard.type('15')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await waitForResults(page)
  await stays(7)
  expect(listConditions()).toEqual([both, both])
  expect(await breakfast().isChecked()).toBe(true)
})

test('a vendor that cannot be asked for a condition is named, and an empty result offers to remove each condition', async () => {
  await begin(`${RESULTS_ADDRESS}&board=full_board,breakfast`)
  const skipped = { vendor_id: 'hotelbeds', status: 'skipped', properties: 0, took_ms: 0 }
  api.answer('searchCreate', (request) => {
    const answer = api.recorded(request)
    if (answer === 'lost' || request.body.conditions === undefined) return answer
    const { data } = answer.body
    const vendors = [data.vendors[0], { ...skipped, reason: 'condition_not_supported' }]
    return { status: 200, body: { data: { ...data, vendors } } }
  })
  await page.getByRole('button', { name: 'Remove filter: Breakfast included' }).click()
  await page.getByRole('heading', { name: 'No stay with “Full board”' }).waitFor()
  await page.getByText('Hotelbeds cannot be asked for these conditions and was not searched.').waitFor()
  expect(await page.getByText('Some prices are missing').count()).toBe(0)
  expect(await findAccessFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Remove “Full board”' }).click()
  await stays(40)
  expect(await page.getByText('cannot be asked').count()).toBe(0)
})

test('conditions can be chosen on a phone and in German', async () => {
  await begin(RESULTS_ADDRESS, { viewport: PHONE, locale: 'de-DE' })
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Vollpension' }).check()
  await page.getByRole('button', { name: '0 Unterkünfte anzeigen' }).click()
  await page.getByRole('heading', { name: 'Keine Unterkunft mit „Vollpension“' }).waitFor()
  expect(await findAccessFaults(page)).toEqual([])
  await page.getByRole('button', { name: '„Vollpension“ entfernen' }).click()
  await page.getByText('40 Unterkünfte', { exact: true }).waitFor()
})

/** The recorded room as three offers of one type: the cheapest does not meet the conditions. */
function detailWithConditions(request: ApiRequest, meeting: readonly boolean[] = [false, true, false]) {
  const answer = api.recorded(request)
  if (answer === 'lost') return answer
  const { accommodation } = answer.body
  const [room] = accommodation.available_rooms
  const [type] = accommodation.room_types
  const rooms = [90, 120.5, 160].map((total_inclusive, index) => ({
    ...room,
    ...{ total: total_inclusive, total_inclusive, public_price: total_inclusive, meets_conditions: meeting[index] },
    board: index === 1 ? 'breakfast' : 'room_only',
  }))
  const types = [{ ...type, rooms: rooms.map((_, index) => index) }]
  return { status: 200, body: { accommodation: { ...accommodation, available_rooms: rooms, room_types: types } } }
}

test('the property page shows the rooms that meet the conditions first, at the price of its button, and the others on request', async () => {
  await begin(`${RESULTS_ADDRESS}&board=breakfast`)
  api.answer('searchDetail', (request) => detailWithConditions(request))
  await openFirstStay(page)
  const rooms = page.locator('#rooms')
  await rooms.getByText('Rooms with “Breakfast included”').waitFor()
  const prices = () => rooms.getByTestId('stay-price').allTextContents()
  expect((await prices()).map((text) => text.replace('≈ ', ''))).toEqual(['€120.50'])
  expect(await page.getByRole('link', { name: /^Choose a room · .*€120\.50/ }).count()).toBe(1)
  expect(await findAccessFaultsInBothThemes(page, rooms)).toEqual([])
  const all = page.getByRole('button', { name: 'Show all rooms' })
  await all.click()
  await rooms.getByRole('heading', { name: 'Other rooms and rates' }).waitFor()
  expect((await prices())[0]).toContain('€120.50')
  expect((await prices())[1]).toContain('€90')
  expect(await findAccessFaults(page)).toEqual([])
  await page.getByRole('link', { name: 'Back to the results' }).click()
  await stays(14)
  expect(listConditions()).toHaveLength(1)
})

test('a property none of whose rooms meets the conditions any more says so and shows all its rooms', async () => {
  await begin(`${RESULTS_ADDRESS}&board=breakfast`)
  const gone = problem('property_not_found')
  // The linked search, then a search around the property with the conditions, then one without them.
  api.answer('searchDetail', gone, gone, (request) => detailWithConditions(request, []))
  await page.locator('[data-property] a').first().click()
  await page.getByText('No room is available with “Breakfast included” any more.').waitFor()
  expect(await page.locator('#rooms').getByTestId('stay-price').first().textContent()).toContain('€90')
  expect(listConditions().slice(1)).toEqual([{ boards: ['breakfast'] }, undefined])
})
