import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessFaults, type Site } from '../support/servers/browser.ts'
import { searchAddress, signedIn } from './shortcuts.ts'
import { openOwnSite } from './sites.ts'
import { resultsAreIn } from './steps.ts'

const LIFE_MS = 1_500

let site: Site
beforeAll(async () => {
  site = await openOwnSite({
    search: { reuseMs: 0, savedTtlMs: LIFE_MS, detailTimeoutMs: 8_000, propertiesMax: 1_000 },
  })
})
afterAll(() => site.close())

test('a link to prices that have expired says so and searches again with the same form and filters', async () => {
  const { page, trouble, close } = await site.visit()
  const token = await signedIn(site, page)
  await page.route('**/api/accommodation_searches/search', (route) =>
    route.continue({ headers: { ...route.request().headers(), 'x-simulate-return': 'success' } }),
  )
  await page.goto(`${await searchAddress(site, token)}&sort=price`)
  await resultsAreIn(page)
  await page.waitForTimeout(LIFE_MS + 500)
  await page.reload()
  await page.getByRole('heading', { name: 'These prices have expired' }).waitFor()
  expect(await accessFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Search again' }).click()
  await resultsAreIn(page)
  expect(new URL(page.url()).searchParams.get('sort')).toBe('price')
  expect(trouble()).toEqual([])
  await close()
})

test('whoever comes back to a list whose prices have expired gets current ones', async () => {
  const { page, trouble, close } = await site.visit()
  const token = await signedIn(site, page)
  let searches = 0
  await page.route('**/api/accommodation_searches/search', (route) => {
    searches += 1
    return route.continue({ headers: { ...route.request().headers(), 'x-simulate-return': 'success' } })
  })
  await page.goto(await searchAddress(site, token))
  await resultsAreIn(page)
  await page.waitForURL(/search_id=/)
  const first = new URL(page.url()).searchParams.get('search_id')
  expect(searches).toBe(1)
  await page.getByRole('link', { name: 'Serai' }).first().click()
  await page.getByRole('combobox', { name: 'Where' }).waitFor()
  await page.waitForTimeout(LIFE_MS + 500)
  await page.goBack()
  await expect.poll(() => new URL(page.url()).searchParams.get('search_id')).not.toBe(first)
  await resultsAreIn(page)
  expect(searches).toBe(2)
  expect(trouble()).toEqual([])
  await close()
})

test('outside development nothing is filled in and no demo is offered', async () => {
  const { page, trouble, close } = await site.visit()
  const production = { mode: 'production', demo: null, map_style_url: null, mail: false, guests: 'off', session: null }
  await page.route('**/page-config.json', (route) => route.fulfill({ json: production }))
  await page.goto('/')
  await page.getByRole('button', { name: 'Sign in' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByLabel('E-mail').inputValue()).toBe('')
  expect(await dialog.getByLabel('Password').inputValue()).toBe('')
  expect(await page.getByText('development server').count()).toBe(0)
  await dialog.getByLabel('E-mail').fill('demo@example.com')
  await dialog.getByLabel('Password').fill('not the password')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByText('E-mail or password is wrong.').waitFor()
  expect(trouble()).toEqual([])
  await close()
})
