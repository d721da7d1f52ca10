import { afterAll, beforeAll, expect, test } from 'vitest'
import { example, openRecorded, type RecordedVisit } from './recorded-api.ts'
import { sharedSite } from './sites.ts'

let visit: RecordedVisit
beforeAll(async () => {
  visit = await openRecorded(await sharedSite())
})
afterAll(async () => {
  expect(visit.trouble()).toEqual([])
  await visit.close()
})

test('the destination field has the keys of a combobox, names the kind of each place and announces their number', async () => {
  const { page, api } = visit
  const { data, meta } = example('locationsSearch')
  const places = [
    { type: 'city', name: 'Lisbon, Portugal' },
    { type: 'airport', name: 'Lisbon Airport (LIS), Lisbon, Portugal' },
    { type: 'landmark', name: 'Lisbon Cathedral, Lisbon, Portugal' },
  ].map((place, index) => ({ ...data[0], ...place, id: `00000000-0000-5000-8000-00000000000${index}` }))
  api.answer('locationsSearch', { status: 200, body: { data: places, meta } })
  await page.goto('/')
  const where = page.getByRole('combobox', { name: 'Where' })
  const options = page.getByRole('listbox', { name: 'Places' }).getByRole('option')
  await where.fill('lisb')
  await page.getByRole('status').filter({ hasText: '3 suggestions' }).waitFor({ state: 'attached' })
  expect(await options.allTextContents()).toEqual([
    'LisbonCity · Portugal',
    'Lisbon Airport (LIS)Airport · Lisbon · Portugal',
    'Lisbon CathedralLandmark · Lisbon · Portugal',
  ])
  expect(await options.locator('svg').count()).toBe(3)
  const marked = async () => {
    const id = await where.getAttribute('aria-activedescendant')
    return id === null ? null : page.locator(`[id="${id}"][aria-selected=true]`).getAttribute('id')
  }
  const ids = await Promise.all([0, 1, 2].map((place) => options.nth(place).getAttribute('id')))
  expect(await marked()).toBeNull()
  for (const [key, place] of [
    ['ArrowDown', 0],
    ['End', 2],
    ['ArrowDown', 0],
    ['ArrowUp', 2],
    ['Home', 0],
  ] as const) {
    await where.press(key)
    expect(await marked(), key).toBe(ids[place])
  }
  await where.press('Escape')
  expect([await marked(), await where.getAttribute('aria-expanded'), await where.inputValue()]).toEqual([
    null,
    'false',
    'lisb',
  ])
  await where.press('ArrowUp')
  await where.press('Enter')
  expect(await where.inputValue()).toBe('Lisbon Cathedral, Lisbon, Portugal')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByRole('heading', { name: /^Stays near / }).waitFor()
})

test('a wide calendar has two months, the full date of each day, and the reason why past days cannot be chosen', async () => {
  const { page } = visit
  await page.goto('/')
  await page.getByRole('button', { name: 'Open the calendar' }).click()
  const calendar = page.getByRole('dialog', { name: 'When' })
  await calendar.waitFor()
  expect(await calendar.getByRole('grid').count()).toBe(2)
  const names = await calendar
    .getByRole('grid')
    .getByRole('button')
    .evaluateAll((days: { ariaLabel: string }[]) => days.map(({ ariaLabel }) => ariaLabel))
  expect(names.length).toBeGreaterThan(55)
  for (const name of names) expect(name).toMatch(/(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? \d{1,2} \w+ 20\d\d/)
  await calendar.getByText('Past dates cannot be chosen. A stay can be 1 to').waitFor()
  await calendar.getByText('2 nights').waitFor()
  expect(await calendar.getByRole('button', { name: 'Previous month' }).isDisabled()).toBe(true)
})
