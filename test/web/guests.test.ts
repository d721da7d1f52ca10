import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { withGuests } from '../support/app/page-browser.ts'
import { accessFaults, type Site } from '../support/servers/browser.ts'
import { warmUp } from './shortcuts.ts'
import { openOwnSite, sharedSite } from './sites.ts'
import { bookButton, chooseRoom, confirmed, continueAsDemo, fillGuest, openFirstStay, searchFor } from './steps.ts'

let site: Site
beforeAll(async () => {
  site = await sharedSite()
  await warmUp(site)
})

test('a visitor searches, looks at a property and books without an account, and finds the booking again', async () => {
  const { page, trouble, close } = await site.visit()
  await page.goto('/')
  await searchFor(page)
  await openFirstStay(page)
  await chooseRoom(page)
  await fillGuest(page)
  expect(await page.getByRole('dialog').count()).toBe(0)
  await bookButton(page).click()
  await confirmed(page)
  await page.goto('/bookings')
  await page.getByRole('article').first().waitFor()
  expect(await page.getByRole('article').count()).toBe(1)
  expect(await page.getByRole('button', { name: 'Sign in' }).isVisible()).toBe(true)
  expect(trouble()).toEqual([])
  await close()
})

test('a new tab is signed in, also if the first answer is lost, and signing out ends all tabs', async () => {
  const { page, close } = await site.visit()
  await continueAsDemo(page)
  const tab = await page.context().newPage()
  await tab.route('**/page-config.json', (route) => route.abort(), { times: 1 })
  await tab.goto('/bookings')
  await tab.getByRole('button', { name: 'Sign out' }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await tab.getByRole('button', { name: 'Sign in' }).waitFor()
  expect(await accessFaults(tab)).toEqual([])
  await close()
})

test('after a refused sign-in the focus stays in the dialog, and Escape closes it', async () => {
  const { page, close } = await site.visit()
  await page.goto('/')
  await page.getByRole('button', { name: 'Sign in' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password').fill('another password')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByText('E-mail or password is wrong.').waitFor()
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Sign in')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await close()
})

test('where guests only look, booking asks for sign-in and goes on with the same offer', async () => {
  const own = await openOwnSite(withGuests('search'))
  onTestFinished(() => own.close())
  await warmUp(own)
  const { page, trouble, close } = await own.visit()
  await page.goto('/')
  await searchFor(page)
  await openFirstStay(page)
  await chooseRoom(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.waitFor({ state: 'detached' })
  await fillGuest(page)
  await bookButton(page).click()
  await confirmed(page)
  expect(trouble()).toEqual([])
  await close()
})
