import { beforeAll, expect, test } from 'vitest'
import { accessFaults, PHONE, type Site } from '../support/servers/browser.ts'
import { searchAddress, signedIn, warmUp } from './shortcuts.ts'
import { sharedSite } from './sites.ts'
import { resultsAreIn } from './steps.ts'

let site: Site
beforeAll(async () => {
  site = await sharedSite()
  await warmUp(site)
})

async function openResults(options: Parameters<Site['visit']>[0] = {}, more = '') {
  const visit = await site.visit({ ...options, map: true })
  const token = await signedIn(site, visit.page)
  let tiles = 0
  visit.page.on('response', (response) => {
    if (response.url().startsWith(`${site.url}/map/`) && response.ok()) tiles += 1
  })
  await visit.page.goto(`${await searchAddress(site, token)}${more}`)
  await visit.page.locator('section[aria-busy="false"]').waitFor()
  const map = visit.page.getByRole('group', { name: 'Map of the stays' })
  return { ...visit, map, pins: map.locator('[data-pin]'), tiles: () => tiles }
}

test('pins are buttons with name and price, and the card opens on the map, by keyboard too', async () => {
  const { page, map, pins, trouble, close } = await openResults()
  await pins.first().waitFor()
  expect(await pins.count()).toBeLessThanOrEqual(50)
  for (const pin of await pins.all()) expect(await pin.getAttribute('aria-label')).toMatch(/€\s?\d/)

  const pin = pins.nth(2)
  await pin.focus()
  await page.keyboard.press('Enter')
  const card = map.getByRole('article')
  await card.waitFor()
  const [outer, inner] = [await map.boundingBox(), await card.boundingBox()]
  expect(inner?.y).toBeGreaterThanOrEqual(outer?.y ?? 0)
  expect((inner?.y ?? 0) + (inner?.height ?? 0)).toBeLessThanOrEqual((outer?.y ?? 0) + (outer?.height ?? 0))
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('A')
  expect(await accessFaults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await card.waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate('document.activeElement.hasAttribute("data-pin")')).toBe(true)
  expect(trouble()).toEqual([])
  await close()
})

test('after moving the map its area can be searched, and the address keeps it', async () => {
  const { page, map, pins, trouble, close } = await openResults()
  await pins.first().waitFor()
  const button = map.getByRole('button', { name: 'Search this area' })
  expect(await button.count()).toBe(0)
  await map.getByRole('button', { name: 'Zoom in' }).click()
  const asked = page.waitForRequest('**/api/accommodation_searches/search')
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

test('the map is drawn from our own service alone, in both themes and on a phone', async () => {
  for (const options of [{}, { colorScheme: 'dark' as const }, { viewport: PHONE }]) {
    const { pins, tiles, trouble, close } = await openResults(options, 'viewport' in options ? '&view=map' : '')
    await pins.first().waitFor()
    await expect.poll(tiles, { timeout: 20_000 }).toBeGreaterThan(0)
    // "external: …" would be among them.
    expect(trouble()).toEqual([])
    await close()
  }
})

test('the map and its button have names in the language of the page, also when it changes', async () => {
  const { page, pins, trouble, close } = await openResults()
  await pins.first().waitFor()
  await page.getByRole('region', { name: 'Map', exact: true }).waitFor()
  await page.getByRole('combobox', { name: 'Language' }).selectOption('de')
  await page.getByRole('region', { name: 'Karte', exact: true }).waitFor()
  expect(await page.getByLabel('Quellen der Karte').count()).toBe(1)
  await page.locator('[data-pin]').first().waitFor()
  expect(trouble()).toEqual([])
  await close()
})

test('without WebGL the list is complete, says that there is no map, and nothing is loaded for one', async () => {
  const { page, close } = await site.visit({ map: false })
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url()))
  const token = await signedIn(site, page)
  await page.goto(await searchAddress(site, token))
  await resultsAreIn(page)
  await page.getByText('The map could not be loaded').waitFor()
  expect(loaded.filter((address) => /(stay|use)-map/.test(address))).toEqual([])
  await close()
})
