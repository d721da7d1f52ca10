import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { parseBeds } from '../../src/domain/property/beds.ts'
import {
  DESKTOP,
  findAccessFaults,
  findAccessFaultsInBothThemes,
  PHONE,
  type Site,
} from '../support/servers/browser.ts'
import {
  example,
  manyProperties,
  openRecorded,
  problem,
  RESULTS_ADDRESS,
  type RecordedApi,
  type RecordedVisit,
  STAY_ADDRESS,
} from './recorded-api.ts'
import { sharedSite } from './sites.ts'
import { openFirstStay, waitForResults } from './steps.ts'

let site: Site
let visit: RecordedVisit | undefined
let page: Page
let api: RecordedApi

beforeAll(async () => {
  site = await sharedSite()
})
afterEach(() => expect(visit?.trouble()).toEqual([]))
afterAll(() => visit?.close())

/** Opens a page. Each test of a `describe` continues from the state of the previous one. */
async function begin(options: Parameters<typeof openRecorded>[1] = {}): Promise<void> {
  await visit?.close()
  visit = await openRecorded(site, options)
  page = visit.page
  api = visit.api
}

const focused = () =>
  page.evaluate<string>(`document.activeElement.tagName + ' ' + document.activeElement.textContent.slice(0, 60)`)

describe('the list on a laptop', () => {
  beforeAll(async () => {
    await begin({ viewport: { width: 1366, height: 768 } })
    api.find(manyProperties(12))
    await page.goto(RESULTS_ADDRESS)
    await waitForResults(page)
  })

  test('at most twelve presses of Tab lead from the top of the list page to the first result', async () => {
    let presses = 0
    for (; presses < 20; presses += 1) {
      await page.keyboard.press('Tab')
      if (await page.evaluate(`document.activeElement.closest('[data-property]') !== null`)) break
    }
    expect(presses + 1).toBeLessThanOrEqual(12)
  })

  test('a laptop screen shows three complete results', async () => {
    const bottoms = await page.evaluate<number[]>(
      `[...document.querySelectorAll('[data-property]')].slice(0, 3).map((card) => card.getBoundingClientRect().bottom)`,
    )
    expect(bottoms).toHaveLength(3)
    expect(Math.max(...bottoms)).toBeLessThanOrEqual(768)
    const card = page.locator('[data-property]').first()
    expect(await findAccessFaultsInBothThemes(page, card)).toEqual([])
    await page.getByRole('button', { name: 'How we sort' }).click()
    expect(await findAccessFaultsInBothThemes(page, page.getByRole('dialog', { name: 'How we sort' }))).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('the search bar stays visible while scrolling, opens in place, and returns the focus', async () => {
    await page.mouse.wheel(0, 2_000)
    const change = page.getByRole('button', { name: /Change search$/ })
    await expect.poll(() => page.evaluate('scrollY'), { timeout: 10_000 }).toBeGreaterThan(500)
    expect((await change.boundingBox())?.y).toBeLessThan(30)
    await change.click()
    await page.getByRole('combobox', { name: 'Where' }).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.getAttribute("role")')).toBe('combobox')
    await page.keyboard.press('Escape')
    await expect.poll(focused).toContain('BUTTON Paris')
  })

  test('the remaining stays are in view after a filter at the end of the panel is used', async () => {
    const name = await page.locator('[data-property] h2').last().textContent()
    await page.getByRole('searchbox', { name: 'Property name' }).fill(name ?? '')
    await expect.poll(() => page.locator('[data-property]').count()).toBe(1)
    const box = await page.locator('[data-property]').boundingBox()
    expect(box?.y).toBeGreaterThan(0)
    expect(box?.y).toBeLessThan(768)
  })
})

describe('from page to page', () => {
  beforeAll(async () => {
    await begin()
    await page.goto(RESULTS_ADDRESS)
    await waitForResults(page)
  })

  test('going back from a stay that was opened during the search focuses that stay', async () => {
    await page.waitForURL(/search_id=/)
    const link = page.locator('[data-property] a').nth(2)
    // Simulates a link from before the search had its id.
    const third = `document.querySelectorAll('[data-property] a')[2]`
    await page.evaluate(`${third}.setAttribute('href', ${third}.getAttribute('href').replace(/&search_id=.*/, ''))`)
    const name = await link.textContent()
    await link.click()
    await page.waitForURL(/\/property\//)
    await page.locator('[data-property]').first().waitFor({ state: 'detached' })
    await page.goBack()
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe(name)
  })

  test('the focus moves to the heading of each page, and after going back to the followed link', async () => {
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

  test('recent searches are offered on the start page and deleted on sign-out', async () => {
    await page.getByRole('link', { name: 'Serai home page' }).click()
    await page.getByRole('heading', { name: 'Your recent searches' }).waitFor()
    await page.getByRole('link', { name: /^Paris/ }).click()
    await waitForResults(page)
    await page.getByRole('link', { name: 'Serai home page' }).click()
    await page.getByRole('heading', { name: 'Your recent searches' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Your recent searches' }).count()).toBe(0)
  })
})

describe('the start page', () => {
  beforeAll(async () => {
    await begin({ account: null })
    await page.goto('/')
  })

  test('the start page and its calendar are accessible', async () => {
    const demo = page.getByRole('button', { name: 'Continue as the demo guest' })
    await demo.waitFor()
    expect(await findAccessFaultsInBothThemes(page, demo)).toEqual([])
    await page.getByRole('button', { name: 'Open the calendar' }).click()
    const calendar = page.getByRole('grid').first()
    await calendar.waitFor()
    expect(await findAccessFaultsInBothThemes(page, calendar)).toEqual([])
  })

  test('at 400 % zoom the days of the calendar are visible', async () => {
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 320, height: 256 })
    await page.getByRole('button', { name: 'Open the calendar' }).click()
    const day = page.getByRole('gridcell').filter({ hasText: /^15$/ }).first()
    await day.scrollIntoViewIfNeeded()
    const box = await day.boundingBox()
    expect(box?.y).toBeGreaterThanOrEqual(0)
    expect((box?.y ?? 999) + (box?.height ?? 0)).toBeLessThanOrEqual(256)
    expect(await page.getByRole('dialog').getByText('2 nights').count()).toBe(1)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
  })

  test('the chosen appearance overrides that of the system, even after a reload, and print is always light', async () => {
    await page.keyboard.press('Escape')
    const paper = () => page.evaluate<string>(`getComputedStyle(document.documentElement).backgroundColor`)
    await page.setViewportSize(DESKTOP)
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
})

describe('a property', () => {
  beforeAll(async () => {
    await begin({ viewport: { width: 360, height: 740 } })
    const { accommodation } = example('searchDetail')
    const [recorded] = accommodation.overview.images
    const image = { ...recorded, hires: `${recorded.hires}?large` }
    const images = [image, { ...image, caption: 'The lobby', default: false }]
    api.answerWith('searchDetail', {
      accommodation: { ...accommodation, overview: { ...accommodation.overview, images } },
    })
    await page.goto(STAY_ADDRESS)
    await page.locator('#rooms table').first().waitFor()
  })

  test('on a phone the sections of a property are collapsible, and the page is at most eight screens long', async () => {
    const height = await page.evaluate<number>(`document.querySelector('main').scrollHeight`)
    expect(height).toBeLessThan(8 * 740)
    await page.getByRole('heading', { name: 'About the property' }).click()
    expect(await page.locator('details[open] .prose-stay').isVisible()).toBe(true)
    expect(await findAccessFaultsInBothThemes(page, page.locator('#rooms table').first())).toEqual([])
  })

  test('the photos of a property can be viewed one after the other, chosen from small ones and zoomed', async () => {
    await page.setViewportSize(DESKTOP)
    const sources = page.locator('main picture source')
    expect(await sources.first().getAttribute('srcset'), 'a smaller file for phones').toMatch(/ 1x, .+ 2x$/)
    await page.getByRole('button', { name: /^All \d+ photos$/ }).click()
    await page.getByRole('button', { name: 'Next photo' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The lobby').waitFor()
    expect(await findAccessFaultsInBothThemes(page, dialog)).toEqual([])
    const photo = dialog.locator('figure > div img')
    const width = async () => (await photo.boundingBox())?.width ?? 0
    const fitted = await width()
    await dialog.getByRole('button', { name: 'Zoom in' }).click()
    expect(await width()).toBeCloseTo(2 * fitted, -1)
    expect(await findAccessFaultsInBothThemes(page, dialog)).toEqual([])
    await dialog.getByRole('button', { name: /^Photo 1 of / }).click()
    await dialog.getByText(/Photo 1 of /).waitFor()
    expect(await width(), 'the next photo is shown whole').toBeCloseTo(fitted, -1)
    await swipeLeft(page, photo)
    await dialog.getByText(/Photo 2 of /).waitFor()
    await page.keyboard.press('ArrowLeft')
    await dialog.getByText(/Photo 1 of /).waitFor()
    await page.keyboard.press('ArrowLeft')
    await dialog.getByText(/The lobby · Photo 2 of /).waitFor()
    expect(await photo.getAttribute('alt')).toBe('The lobby')
  })
})

test('the search announces no count before its first results, and a failed search is not announced as complete', async () => {
  await begin()
  await page.addInitScript(`new MutationObserver(() => {
    window.said = [...(window.said ?? []), ...[...document.querySelectorAll('main [role=status]')].map((each) => each.textContent)]
  }).observe(document, { subtree: true, childList: true, characterData: true })`)
  await page.goto(RESULTS_ADDRESS)
  await waitForResults(page)
  await page.getByText(/^Search complete, \d+ stays$/).waitFor({ state: 'attached' })
  expect(await page.evaluate<string[]>(`window.said.filter((text) => /^0 stays/.test(text))`)).toEqual([])

  api.answer('searchCreate', problem('vendors_failed'))
  await page.goto(RESULTS_ADDRESS)
  await page.getByText('No vendor is responding at the moment').waitFor()
  await page.waitForTimeout(2_500)
  expect(await page.getByText(/Search complete/).count()).toBe(0)
})

test('on a phone the filters open as a dialog', async () => {
  await begin({ viewport: PHONE, colorScheme: 'dark', hasTouch: true })
  await page.goto(RESULTS_ADDRESS)
  await waitForResults(page)
  await page.getByRole('button', { name: /^Filters/ }).click()
  await page.getByRole('dialog', { name: 'Filters' }).waitFor()
  expect(await findAccessFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Show 3 stays' }).click()
  await page.getByRole('dialog', { name: 'Filters' }).waitFor({ state: 'detached' })
})

/** Named by codes, which the page names in German. */
const AMENITIES = ['free_parking', 'front_desk_24h', 'fitness', 'air_conditioning', 'elevator', 'laundry']
const BEDS = ['1 King Bed', '1 Queen Bed', '2 Twin Beds and 1 Sofa Bed']
const BED_TYPES = BEDS.map(parseBeds)

/** A property whose vendor has some texts in German and the others in English. */
function germanDetail() {
  const { accommodation } = example('searchDetail')
  const [room] = accommodation.available_rooms
  const languages = { name: 'de', description: 'de', amenities: 'en' }
  const rooms = ['room_only', 'breakfast'].map((board, index) => ({
    ...room,
    ...{ name: 'Doppelzimmer', room_type_name: 'Doppelzimmer', beds: BEDS, bed_types: BED_TYPES, languages, board },
    booking_info: { ...room.booking_info, bed_id: `373210${index}` },
  }))
  const overview = {
    ...accommodation.overview,
    description: '<p>Das Haus liegt in der Altstadt und ist ruhig.</p>',
    category: 'Guest house',
    category_code: 'guest_house',
    amenities: AMENITIES,
    popular_amenities: { Services: ['Pillow menu'] },
    amenity_groups: { Services: 'services' },
    languages: { description: 'de', bye_line: 'de', popular_amenities: 'en' },
  }
  const [type] = accommodation.room_types
  const room_types = [
    { ...type, name: 'Doppelzimmer', language: 'de', beds: BEDS, bed_types: BED_TYPES, rooms: [0, 1] },
  ]
  return { accommodation: { ...accommodation, overview, available_rooms: rooms, room_types } }
}

test('the German page shows texts in German, marks texts that a vendor has only in English, and contains no other English', async () => {
  await begin({ locale: 'de-DE' })
  api.answer('searchDetail', (request) =>
    request.query.get('language')?.startsWith('de') ? { status: 200, body: germanDetail() } : api.recorded(request),
  )
  await page.goto(STAY_ADDRESS)
  await page.locator('#rooms table').first().waitFor()
  expect(await page.locator('#rooms h3[lang="de"]').count()).toBeGreaterThan(0)
  expect(await page.locator('.prose-stay[lang="de"]').textContent()).toMatch(/ (der|die|das|und|liegt|ist) /)
  expect(await page.locator('[lang="en"]', { hasText: 'Pillow menu' }).count()).toBeGreaterThan(0)
  const text = await page.evaluate<string>(
    `document.querySelectorAll('[lang="en"], #rooms caption').forEach((name) => name.remove()), document.querySelector('main').innerText`,
  )
  const english =
    /\b(Free parking|Front desk|Fitness centre|Air conditioning|Lift|Laundry|King Bed|Queen Bed|Twin Bed|Services|Room only|Breakfast|Sleeps|Guest house|taxes)\b/
  expect(english.exec(text)?.[0]).toBeUndefined()
  for (const word of ['Frühstück', 'Kostenlose Parkplätze', '1 Kingsize-Bett', '2 Einzelbetten und 1 Schlafsofa'])
    expect(text).toContain(word)
  expect(text, 'the name of a time zone is English').toMatch(/Kostenlos bis [^(]+ \(Ortszeit der Unterkunft\)/)
  await page.reload()
  await page.getByRole('combobox', { name: 'Sprache' }).selectOption('en')
  await page.getByRole('heading', { name: 'Choose a room' }).waitFor()
  // A change of language also applies to vendors' texts at once.
  await page.locator('.prose-stay[lang="en"]').waitFor()
})

/** With a finger, whose movement the browser may take for scrolling. */
async function swipeLeft(page: Page, element: Locator): Promise<void> {
  const { x, y, width, height } = (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove', share: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: [{ x: x + width * share, y: y + height / 2 }],
    })
  await touch('touchStart', 0.7)
  for (const share of [0.6, 0.5, 0.4, 0.3]) await touch('touchMove', share)
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await session.detach()
}
