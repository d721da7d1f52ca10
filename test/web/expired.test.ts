import { beforeAll, expect, test } from 'vitest'
import { findAccessFaults, type Site } from '../support/servers/browser.ts'
import { advancePageClock, openRecorded, problem, RESULTS_ADDRESS } from './recorded-api.ts'
import { sharedSite } from './sites.ts'
import { waitForResults } from './steps.ts'

let site: Site
beforeAll(async () => {
  site = await sharedSite()
})

test('a link to expired prices shows a message and can be searched again with the same form and filters', async () => {
  const { page, api, trouble, close } = await openRecorded(site)
  await page.goto(`${RESULTS_ADDRESS}&sort=price`)
  await waitForResults(page)
  await page.waitForURL(/search_id=/)
  api.answer('searchAvailability', problem('search_expired'))
  await page.reload()
  await page.getByRole('heading', { name: 'These prices have expired' }).waitFor()
  expect(await findAccessFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Search again' }).click()
  await waitForResults(page)
  expect(new URL(page.url()).searchParams.get('sort')).toBe('price')
  const [first, second] = api.requests('searchCreate')
  expect(second?.body).toEqual(first?.body)
  expect(trouble()).toEqual([])
  await close()
})

test('going back to a list with expired prices searches again', async () => {
  const { page, api, trouble, close } = await openRecorded(site)
  const HOUR_MS = 3_600_000
  await page.goto(RESULTS_ADDRESS)
  await waitForResults(page)
  await page.waitForURL(/search_id=/)
  expect(api.requests('searchCreate')).toHaveLength(1)
  await page.getByRole('link', { name: 'Serai' }).first().click()
  await page.getByRole('combobox', { name: 'Where' }).waitFor()
  await advancePageClock(page, HOUR_MS + 1_000)
  await page.goBack()
  await expect.poll(() => api.requests('searchCreate').length).toBe(2)
  await waitForResults(page)
  expect(trouble()).toEqual([])
  await close()
})

test('outside development the sign-in form is empty and no demo is offered', async () => {
  const { page, api, trouble, close } = await openRecorded(site, { account: null })
  api.configure({ mode: 'production', demo: null, guests: 'off' })
  api.answer('sessionSignIn', problem('invalid_credentials'))
  await page.goto('/')
  await page.getByRole('button', { name: 'Sign in' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByLabel('E-mail').inputValue()).toBe('')
  expect(await dialog.getByLabel('Password').inputValue()).toBe('')
  expect(await page.getByText('development server').count()).toBe(0)
  await dialog.getByLabel('E-mail').fill('demo@example.com')
  await dialog.getByLabel('Password').fill('not the password')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByText('The e-mail or password is wrong.').waitFor()
  expect(trouble()).toEqual([])
  await close()
})
