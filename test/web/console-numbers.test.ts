import { expect, test } from 'vitest'
import { DESKTOP_LIGHT, expectAccessible, openConsole, openView, PHONE_DARK } from './console-steps.ts'
import { example } from './recorded-api.ts'

const NUMBERS = example('operatorNumbers').data
const [ROW] = NUMBERS.days
const day = (date: string, vendor_id: string, bookings: number) => ({ ...ROW, day: date, vendor_id, bookings })

test('the start page compares the last complete week with the one before and draws each vendor', async () => {
  const { page, api, trouble } = await openConsole()
  const days = [
    day('2027-01-02', 'expedia_rapid', 10),
    day('2027-01-09', 'expedia_rapid', 12),
    day('2027-01-09', 'hotelbeds', 3),
    day('2027-01-15', 'expedia_rapid', 99),
  ]
  api.answerWith('operatorNumbers', { data: { ...NUMBERS, days } })
  await openView(page, '/console')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  const block = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Bookings', exact: true }) })
  await block.getByText('+50 %, 10 the week before, today so far 99').waitFor()
  expect(await block.locator('strong').textContent()).toBe('15')
  expect(await block.locator('canvas').count()).toBe(1)
  expect(await block.getByRole('listitem').allTextContents()).toEqual(['Expedia Rapid', 'Hotelbeds'])
  const vendors = page.getByRole('table', { name: /^Figures of each vendor/ })
  expect(await vendors.getByRole('row').nth(2).textContent()).toMatch(/^Hotelbeds3/)
  await page.getByText('Figures of each day', { exact: true }).click()
  expect(
    await page
      .getByRole('table', { name: /^Figures of each day/ })
      .getByRole('row')
      .count(),
  ).toBe(5)
  await expectAccessible(page, PHONE_DARK, DESKTOP_LIGHT)
  expect(trouble()).toEqual([])
})

test('without net prices the start page has no margin, and without figures it says so', async () => {
  const { page, api, trouble } = await openConsole()
  api.answerWith('operatorNumbers', { data: { ...NUMBERS, days: [{ ...ROW, margin: null }] } })
  await openView(page, '/console/overview')
  await page.reload()
  await page.getByRole('heading', { name: 'Value' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Margin' }).count()).toBe(0)
  api.answerWith('operatorNumbers', { data: { ...NUMBERS, days: [] } })
  await page.reload()
  await page.getByText('No figures yet.').first().waitFor()
  await expectAccessible(page, DESKTOP_LIGHT)
  expect(trouble()).toEqual([])
})

test('the code of the charts is loaded only on the start page', async () => {
  const { page, trouble } = await openConsole()
  await openView(page, '/console/audit')
  const loaded = () => page.evaluate<string[]>(`performance.getEntriesByType('resource').map(({ name }) => name)`)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
  expect((await loaded()).filter((name) => /numbers|uplot/i.test(name))).toEqual([])
  await openView(page, '/console/overview')
  await page.locator('canvas').first().waitFor()
  expect((await loaded()).some((name) => /numbers/i.test(name))).toBe(true)
  expect(trouble()).toEqual([])
})
