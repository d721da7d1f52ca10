import type { Page } from 'playwright-core'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { Site, Visit } from '../support/servers/browser.ts'
import { searchAddress, signedIn, warmUp } from './shortcuts.ts'
import { sharedSite } from './sites.ts'
import { openFirstStay, resultsAreIn } from './steps.ts'

let site: Site
let visit: Visit
let page: Page
let search: string
/** A property of the vendors' stand-ins, with its search. */
let property: string

beforeAll(async () => {
  site = await sharedSite()
  property = await warmUp(site)
})
afterEach(async () => {
  expect(visit.trouble()).toEqual([])
  await visit.close()
})

/** Most of these tests are about the page, so its searches go to the built-in vendor, which answers at once. */
async function begin(options: Parameters<Site['visit']>[0] = {}): Promise<void> {
  visit = await site.visit(options)
  page = visit.page
  search = await searchAddress(site, await signedIn(site, page))
  await simulate('success')
}

const simulate = (scenario: string) =>
  page.route('**/api/accommodation_searches/search', (route) =>
    route.continue({ headers: { ...route.request().headers(), 'x-simulate-return': scenario } }),
  )

const focused = () =>
  page.evaluate<string>(`document.activeElement.tagName + ' ' + document.activeElement.textContent.slice(0, 60)`)

test('a laptop screen shows three whole results', async () => {
  await begin({ viewport: { width: 1366, height: 768 } })
  await page.goto(search)
  await resultsAreIn(page)
  const bottoms = await page.evaluate<number[]>(
    `[...document.querySelectorAll('[data-property]')].slice(0, 3).map((card) => card.getBoundingClientRect().bottom)`,
  )
  expect(bottoms).toHaveLength(3)
  expect(Math.max(...bottoms)).toBeLessThanOrEqual(768)
})

test('at most twelve presses of Tab lead from the top of the list page to the first result', async () => {
  await begin({ viewport: { width: 1366, height: 768 } })
  await page.goto(search)
  await resultsAreIn(page)
  let presses = 0
  for (; presses < 20; presses += 1) {
    await page.keyboard.press('Tab')
    if (await page.evaluate(`document.activeElement.closest('[data-property]') !== null`)) break
  }
  expect(presses + 1).toBeLessThanOrEqual(12)
})

test('focus goes to the heading of each page, and after going back to the link that was followed', async () => {
  await begin()
  await page.goto(search)
  await resultsAreIn(page)
  await openFirstStay(page)
  const name = await page.getByRole('heading', { level: 1 }).textContent()
  await expect.poll(focused).toBe(`H1 ${name?.slice(0, 60)}`)
  await page.goBack()
  await page.locator('[data-property]').first().waitFor()
  await expect.poll(focused).toBe(`A ${name?.slice(0, 60)}`)
  await page.getByRole('link', { name: 'My bookings' }).click()
  await page.getByRole('heading', { level: 1, name: 'My bookings' }).waitFor()
  await expect.poll(focused).toBe('H1 My bookings')
})

test('the search stays in reach while scrolling, opens in place, and gives focus back', async () => {
  await begin()
  await page.goto(search)
  await resultsAreIn(page)
  await page.mouse.wheel(0, 2_000)
  const change = page.getByRole('button', { name: /Change search$/ })
  await expect.poll(() => page.evaluate('scrollY'), { timeout: 10_000 }).toBeGreaterThan(500)
  expect((await change.boundingBox())?.y).toBeLessThan(30)
  await change.click()
  await page.getByRole('combobox', { name: 'Where' }).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.getAttribute("role")')).toBe('combobox')
  await page.keyboard.press('Escape')
  await expect.poll(focused).toContain('BUTTON Funchal')
})

test('nothing is announced before something is known, and a failed search is never called complete', async () => {
  await begin()
  await page.addInitScript(`new MutationObserver(() => {
    window.said = [...(window.said ?? []), ...[...document.querySelectorAll('main [role=status]')].map((each) => each.textContent)]
  }).observe(document, { subtree: true, childList: true, characterData: true })`)
  await page.goto(search)
  await resultsAreIn(page)
  await page.getByText(/^Search complete, \d+ stays$/).waitFor({ state: 'attached' })
  expect(await page.evaluate<string[]>(`window.said.filter((text) => /^0 stays/.test(text))`)).toEqual([])

  await simulate('vendor_error')
  await page.goto(search)
  await page.getByText('No vendor is answering at the moment').waitFor()
  await page.waitForTimeout(2_500)
  expect(await page.getByText(/Search complete/).count()).toBe(0)
})

test('at 400 % zoom the calendar shows its days, and choosing them works', async () => {
  await begin({ viewport: { width: 320, height: 256 } })
  await page.goto('/')
  await page.getByRole('button', { name: 'Open the calendar' }).click()
  const day = page.getByRole('gridcell').filter({ hasText: /^15$/ }).first()
  await day.scrollIntoViewIfNeeded()
  const box = await day.boundingBox()
  expect(box?.y).toBeGreaterThanOrEqual(0)
  expect((box?.y ?? 999) + (box?.height ?? 0)).toBeLessThanOrEqual(256)
  expect(await page.getByRole('dialog').getByText('2 nights').count()).toBe(1)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
})

test('on a phone the sections of a property fold, and the page is not longer than eight screens', async () => {
  await begin({ viewport: { width: 360, height: 740 } })
  await page.goto(property)
  await page.locator('#rooms table').first().waitFor()
  const height = await page.evaluate<number>(`document.querySelector('main').scrollHeight`)
  expect(height).toBeLessThan(8 * 740)
  await page.getByRole('heading', { name: 'About the property' }).click()
  expect(await page.locator('details[open] .prose-stay').isVisible()).toBe(true)
})

test('German shows descriptions and rooms in German, marks what a vendor has in English only, and leaves no other English', async () => {
  await begin({ locale: 'de-DE' })
  await page.goto(property)
  await page.locator('#rooms table').first().waitFor()
  expect(await page.locator('#rooms h3[lang="de"]').count()).toBeGreaterThan(0)
  expect(await page.locator('.prose-stay[lang="de"]').textContent()).toMatch(/ (der|die|das|und|liegt|ist) /)
  const text = await page.evaluate<string>(
    `document.querySelectorAll('[lang="en"], #rooms caption').forEach((name) => name.remove()), document.querySelector('main').innerText`,
  )
  const english =
    /\b(Free parking|Front desk|Fitness centre|Air conditioning|Lift|Laundry|King Bed|Queen Bed|Twin Bed|Room only|Breakfast|Sleeps|Guest house|taxes)\b/
  expect(english.exec(text)?.[0]).toBeUndefined()
  await page.reload()
  await page.getByRole('combobox', { name: 'Sprache' }).selectOption('en')
  await page.getByRole('heading', { name: 'Choose a room' }).waitFor()
  // The language takes effect at once, also on what vendors tell.
  await page.locator('.prose-stay[lang="en"]').waitFor()
})

test('earlier searches are offered on the start page, and forgotten when signing out', async () => {
  await begin()
  await page.goto(search)
  await resultsAreIn(page)
  await page.getByRole('link', { name: 'Serai home page' }).click()
  await page.getByRole('heading', { name: 'Your recent searches' }).waitFor()
  await page.getByRole('link', { name: /^Funchal/ }).click()
  await resultsAreIn(page)
  await page.getByRole('link', { name: 'Serai home page' }).click()
  await page.getByRole('heading', { name: 'Your recent searches' }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Your recent searches' }).count()).toBe(0)
})

test('back from a stay that was opened while the search ran, the focus is on that stay', async () => {
  await begin()
  await page.goto(search)
  await resultsAreIn(page)
  await page.waitForURL(/search_id=/)
  const link = page.locator('[data-property] a').nth(2)
  // As it was before the search had its id.
  const third = `document.querySelectorAll('[data-property] a')[2]`
  await page.evaluate(`${third}.setAttribute('href', ${third}.getAttribute('href').replace(/&search_id=.*/, ''))`)
  const name = await link.textContent()
  await link.click()
  await page.waitForURL(/\/property\//)
  await page.locator('[data-property]').first().waitFor({ state: 'detached' })
  await page.goBack()
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe(name)
})

test('the appearance that was chosen holds against the system’s, also after a reload, and what is printed is light', async () => {
  await begin({ colorScheme: 'light' })
  const paper = () => page.evaluate<string>(`getComputedStyle(document.documentElement).backgroundColor`)
  await page.goto('/')
  const light = await paper()
  await page.getByLabel('Appearance').selectOption('Dark')
  await expect.poll(paper).not.toBe(light)
  const dark = await paper()
  await page.reload()
  await page.getByLabel('Appearance').waitFor()
  await expect.poll(paper).toBe(dark)
  await page.emulateMedia({ media: 'print' })
  await expect.poll(paper).toBe(light)
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
  await page.getByLabel('Appearance').selectOption('Light')
  await expect.poll(paper).toBe(light)
})

test('a filter at the end of the panel leaves the stays that it finds in view', async () => {
  await begin({ viewport: { width: 1366, height: 768 } })
  await page.goto(search)
  await resultsAreIn(page)
  const name = await page.locator('[data-property] h2').first().textContent()
  await page.getByRole('searchbox', { name: 'Property name' }).fill(name ?? '')
  await expect.poll(() => page.locator('[data-property]').count()).toBe(1)
  const box = await page.locator('[data-property]').boundingBox()
  expect(box?.y).toBeGreaterThan(0)
  expect(box?.y).toBeLessThan(768)
})
