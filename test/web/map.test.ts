import type { Locator } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findAccessFaults, NEXT_FRAME, PHONE, type Site, type Visit } from '../support/servers/browser.ts'
import { manyProperties, openRecorded, RESULTS_ADDRESS } from './recorded-api.ts'
import { searchAddress, signInBrowser, warmUp } from './shortcuts.ts'
import { sharedSite } from './sites.ts'
import { waitForResults } from './steps.ts'

/** Distance of two targets that a finger does not confuse. */
const SEPARATE_PX = 8

let site: Site
beforeAll(async () => {
  site = await sharedSite()
})

type Options = Parameters<Site['visit']>[0]

/** Opens the map of a real search. */
async function openResults() {
  await warmUp(site)
  const visit = await site.visit({ map: true })
  return openMap(visit, await searchAddress(site, await signInBrowser(site, visit.page)))
}

/** Opens recorded results on the real map. */
async function openRecordedResults(options: Options = {}, address = RESULTS_ADDRESS, properties = manyProperties(8)) {
  const visit = await openRecorded(site, { ...options, map: true })
  visit.api.find(properties)
  return { ...(await openMap(visit, address)), api: visit.api }
}

async function openMap(visit: Visit, address: string) {
  let tiles = 0
  visit.page.on('response', (response) => {
    if (response.url().startsWith(`${site.url}/map/`) && response.ok()) tiles += 1
  })
  await visit.page.goto(address)
  await visit.page.locator('section[aria-busy="false"]').waitFor()
  const map = visit.page.getByRole('group', { name: 'Map of stays' })
  const pins = map.locator('[data-pin]')
  await pins.first().waitFor()
  return { ...visit, map, pins, tiles: () => tiles }
}

/** Names of the map's buttons that a finger could hit instead of this one. */
async function listButtonsNear(map: Locator, button: Locator): Promise<(string | null)[]> {
  const box = await button.boundingBox()
  expect([box?.width, box?.height], 'large enough for a finger').toEqual([44, 44])
  const near: (string | null)[] = []
  for (const other of await map.getByRole('button', { name: /^(Zoom|Show all)/ }).all()) {
    const there = await other.boundingBox()
    if (box === null || there === null) continue
    const distance = Math.max(
      box.x - there.x - there.width,
      there.x - box.x - box.width,
      box.y - there.y - there.height,
      there.y - box.y - box.height,
    )
    if (distance < SEPARATE_PX) near.push(await other.getAttribute('aria-label'))
  }
  return near
}

test('map pins are buttons with name and price, their card opens by keyboard, and the map follows the language of the page', async () => {
  const { page, map, pins, tiles, trouble, close } = await openRecordedResults({ colorScheme: 'dark' })
  await expect.poll(tiles).toBeGreaterThan(0)
  expect(await pins.count()).toBeLessThanOrEqual(50)
  for (const pin of await pins.all()) expect(await pin.getAttribute('aria-label')).toMatch(/€\s?\d/)
  await page.getByRole('link', { name: 'Skip to the map' }).press('Enter')
  expect(await page.evaluate('document.activeElement.id')).toBe('map')

  const pin = pins.nth(2)
  await pin.focus()
  await page.keyboard.press('Enter')
  const card = map.getByRole('article')
  await card.waitFor()
  const [outer, inner] = [await map.boundingBox(), await card.boundingBox()]
  expect(inner?.y).toBeGreaterThanOrEqual(outer?.y ?? 0)
  expect((inner?.y ?? 0) + (inner?.height ?? 0)).toBeLessThanOrEqual((outer?.y ?? 0) + (outer?.height ?? 0))
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('A')
  expect(await findAccessFaults(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
  await page.evaluate(NEXT_FRAME)
  expect(await findAccessFaults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await card.waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate('document.activeElement.hasAttribute("data-pin")')).toBe(true)

  await page.getByRole('region', { name: 'Map', exact: true }).waitFor()
  await page.getByRole('combobox', { name: 'Language' }).selectOption('de')
  await page.getByRole('region', { name: 'Karte', exact: true }).waitFor()
  expect(await page.getByLabel('Kartenquellen').count()).toBe(1)
  await page.locator('[data-pin]').first().waitFor()
  // Includes requests to other hosts.
  expect(trouble()).toEqual([])
  await close()
})

test('a card and its pin mark each other, and the stay of every pin is in the list', async () => {
  const { page, pins, trouble, close } = await openRecordedResults()
  const pin = pins.first()
  const id = (await pin.getAttribute('data-pin')) ?? ''
  const card = page.locator(`[data-property="${id}"]`)
  const colour = (selector: string, property: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('[data-${selector}="${id}"]')).${property}`)
  const pinColour = () => colour('pin', 'backgroundColor')
  const cardColour = () => colour('property', 'borderColor')
  const [plainPin, plainCard] = [await pinColour(), await cardColour()]
  await card.hover()
  await expect.poll(pinColour).not.toBe(plainPin)
  await page.mouse.move(3, 3)
  await expect.poll(pinColour).toBe(plainPin)
  for (const mark of [() => pin.hover(), () => pin.focus()]) {
    await mark()
    await expect.poll(cardColour).not.toBe(plainCard)
    await card.locator('a').first().focus()
    await page.mouse.move(3, 3)
  }
  for (const each of await pins.all())
    expect(await page.locator(`[data-property="${await each.getAttribute('data-pin')}"]`).count()).toBe(1)
  expect(trouble()).toEqual([])
  await close()
})

test('the card of a pin of several stays lists the next ones, so that each is reached without zooming', async () => {
  const [first, ...others] = manyProperties(6)
  const atOneSpot = [first, ...others.map((each) => ({ ...each, location: first.location }))]
  const { page, map, pins, trouble, close } = await openRecordedResults({}, RESULTS_ADDRESS, atOneSpot)
  expect(await pins.count()).toBe(1)
  await pins.first().click()
  const card = map.getByRole('article')
  await card.getByText('Also here').waitFor()
  expect(await card.getByRole('link').count()).toBe(4)
  await card.getByRole('button', { name: '2 more here · Zoom in' }).waitFor()
  const [outer, inner] = [await map.boundingBox(), await card.boundingBox()]
  expect((inner?.y ?? 0) + (inner?.height ?? 0)).toBeLessThanOrEqual((outer?.y ?? 0) + (outer?.height ?? 0))
  expect(await findAccessFaults(page)).toEqual([])
  await card.getByRole('link').nth(2).click()
  await page.locator('#rooms table').first().waitFor()
  expect(trouble()).toEqual([])
  await close()
})

test.each([
  [320, 568],
  [360, 740],
])(
  'on a phone of %i × %i the card of a pin is closed without hitting the buttons of the map',
  async (width, height) => {
    const [first, ...others] = manyProperties(6)
    const atOneSpot = [first, ...others.map((each) => ({ ...each, location: first.location }))]
    const options = { viewport: { width, height }, hasTouch: true }
    const { map, pins, trouble, close } = await openRecordedResults(options, `${RESULTS_ADDRESS}&view=map`, atOneSpot)
    const zoom = map.getByRole('button', { name: 'Zoom in', exact: true })
    await zoom.waitFor()
    await pins.first().tap()
    const closeButton = map.getByRole('article').getByRole('button', { name: 'Close' })
    await closeButton.waitFor()
    expect(await listButtonsNear(map, closeButton)).toEqual([])
    await closeButton.tap()
    await map.getByRole('article').waitFor({ state: 'detached' })
    await zoom.waitFor()
    expect(trouble()).toEqual([])
    await close()
  },
)

test('the map stays where it is when the conditions of the search change', async () => {
  const { page, map, pins, api, trouble, close } = await openRecordedResults()
  // The stays with breakfast are elsewhere, so fitting them would move the map.
  const far = manyProperties(8).map((each, index) => {
    const { lat, lon } = each.location
    return index % 3 === 0 && index > 0 ? { ...each, location: { lat: lat + 2, lon: lon + 2 } } : each
  })
  api.find(far)
  const spot = () => pins.first().getAttribute('style')
  const before = await spot()
  const first = await pins.first().getAttribute('data-pin')
  await page.getByRole('checkbox', { name: 'Breakfast included' }).check()
  await page.getByText('3 stays', { exact: true }).waitFor()
  await page.locator('section[aria-busy="false"]').waitFor()
  await page.evaluate(NEXT_FRAME)
  expect([first, await pins.first().getAttribute('data-pin')]).toEqual(['prp_recorded0', 'prp_recorded0'])
  expect(await spot()).toBe(before)
  expect(await map.count()).toBe(1)
  expect(trouble()).toEqual([])
  await close()
})

test('after the map is moved its area can be searched, and the address keeps the area', async () => {
  const { page, map, pins, trouble, close } = await openResults()
  expect(await pins.count()).toBeLessThanOrEqual(50)
  const button = map.getByRole('button', { name: 'Search this area' })
  expect(await button.count()).toBe(0)
  const refusal = map.getByText('This part of the map is too large for one search. Zoom in.')
  await expect
    .poll(async () => {
      await map.getByRole('button', { name: 'Zoom out' }).click()
      return refusal.count()
    })
    .toBe(1)
  expect([await button.count(), await page.locator('[data-property]').count()]).toEqual([0, 30])
  await map.getByRole('button', { name: 'Show all' }).click()
  await map.getByRole('button', { name: 'Zoom in' }).click()
  const asked = page.waitForRequest('**/api/accommodation_searches/search?*')
  await button.click()
  const { area } = (await asked).postDataJSON()
  expect(Object.keys(area).sort()).toEqual(['east', 'north', 'south', 'west'])
  expect(area.north).toBeGreaterThan(area.south)
  expect(new URL(page.url()).searchParams.get('area')).toBe([area.south, area.west, area.north, area.east].join(','))
  await page.locator('section[aria-busy="false"]').waitFor({ timeout: 60_000 })
  expect(await page.locator('[data-property]').count()).toBeGreaterThan(0)
  expect(trouble()).toEqual([])
  await close()
})

test('on a phone the map replaces the list, is dark in the dark theme, and loads only from our own service', async () => {
  const options = { viewport: PHONE, colorScheme: 'dark', hasTouch: true } as const
  const { page, map, pins, tiles, trouble, close } = await openRecordedResults(options, `${RESULTS_ADDRESS}&view=map`)
  await expect.poll(tiles).toBeGreaterThan(0)
  expect(await findAccessFaults(page)).toEqual([])
  await pins.first().press('Enter')
  // A click fails if something covers the button.
  await map.getByRole('article').getByRole('button', { name: 'Close' }).click()
  await map.getByRole('article').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'List', exact: true }).click()
  await map.waitFor({ state: 'detached' })
  await page.setViewportSize({ width: 320, height: 568 })
  const first = await page.locator('[data-property]').first().boundingBox()
  expect(first?.y, 'half of a small screen shows results').toBeLessThan(285)
  await page.setViewportSize(PHONE)
  await page.getByRole('button', { name: 'Map' }).click()
  await pins.first().waitFor()
  // Includes requests to other hosts.
  expect(trouble()).toEqual([])
  await close()
})

test('without WebGL the list is complete, a message replaces the map, and no map code is loaded', async () => {
  const { page, api, close } = await openRecorded(site, { map: false })
  api.find(manyProperties(4))
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url()))
  await page.goto(RESULTS_ADDRESS)
  await waitForResults(page)
  await page.getByText('The map could not be loaded').waitFor()
  expect(await page.locator('[data-property]').count()).toBe(4)
  expect(await page.locator('#map').count(), 'the list gets the space of the map').toBe(0)
  expect(loaded.filter((address) => /(stay|use)-map/.test(address))).toEqual([])
  await close()
})
