import { beforeAll, expect, test } from 'vitest'
import { findAccessFaultsInBothThemes, type Site } from '../support/servers/browser.ts'
import { fillCard, payButton, withoutExpected } from './card-steps.ts'
import { example, openRecorded, problem, STAY_ADDRESS } from './recorded-api.ts'
import { warmUp } from './shortcuts.ts'
import { sharedSite } from './sites.ts'
import {
  bookButton,
  chooseCheapestRoom,
  fillGuest,
  openFirstStay,
  searchFor,
  waitForConfirmation,
  waitForResults,
} from './steps.ts'

let site: Site
beforeAll(async () => {
  site = await sharedSite()
})

test('a visitor can search, view a property and book without an account, and finds the booking again', async () => {
  await warmUp(site)
  const { page, trouble, close } = await site.visit()
  await page.goto('/')
  await searchFor(page)
  await openFirstStay(page)
  await chooseCheapestRoom(page)
  await fillGuest(page)
  expect(await page.getByRole('dialog').count()).toBe(0)
  await fillCard(page)
  await payButton(page).click()
  await waitForConfirmation(page)
  await page.goto('/bookings')
  await page.getByRole('article').first().waitFor()
  expect(await page.getByRole('article').count()).toBe(1)
  expect(await page.getByRole('button', { name: 'Sign in' }).isVisible()).toBe(true)
  expect(withoutExpected(site, trouble())).toEqual([])
  await close()
})

test('a visitor without bookings is asked to sign in for those of an account, and then sees them', async () => {
  const { page, api, trouble, close } = await openRecorded(site, { account: null })
  const { data, meta } = example('bookingList')
  const empty = { data: [], meta: { ...meta, total_count: 0, 'has_next_page?': false } }
  api.answer('bookingList', { status: 200, body: empty }, { status: 200, body: { data, meta } })
  await page.goto('/bookings')
  const title = page.getByRole('heading', { name: 'Sign in to see the bookings of your account' })
  await title.waitFor()
  expect(await findAccessFaultsInBothThemes(page, title)).toEqual([])
  await page.locator('main').getByRole('button', { name: 'Sign in' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('article').first().waitFor()
  expect(await title.count()).toBe(0)
  expect(trouble()).toEqual([])
  await close()
})

test('the sign-in says where accounts come from and that guests need none', async () => {
  const { page, trouble, close } = await openRecorded(site, { account: null })
  await page.goto('/')
  await page.getByRole('button', { name: 'Sign in' }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByText(/Accounts and new passwords come from the operator of this site\. You can search and book/)
    .waitFor()
  expect(await findAccessFaultsInBothThemes(page, dialog)).toEqual([])
  expect(trouble()).toEqual([])
  await close()
})

test('after a refused sign-in the focus stays in the dialog, and Escape closes it', async () => {
  const { page, api, trouble, close } = await openRecorded(site, { account: null })
  api.answer('sessionSignIn', problem('invalid_credentials'))
  await page.goto('/')
  await page.getByRole('button', { name: 'Sign in' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  expect(await findAccessFaultsInBothThemes(page, dialog)).toEqual([])
  await dialog.getByLabel('Password').fill('another password')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByText('The e-mail or password is wrong.').waitFor()
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Sign in')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(trouble()).toEqual([])
  await close()
})

test.each([
  { who: 'a guest without a card', account: null, says: /seller/, never: /charged when|were charged|your account/i },
  { who: 'an account', account: {}, says: /charged when you book|your account/i, never: /seller/ },
])('$who reads the same about the payment from the room to the cancellation', async ({ account, says, never }) => {
  const { page, api, trouble, close } = await openRecorded(site, { account })
  api.configure({ payments: null, guests: 'book' })
  const texts: string[] = []
  const read = async (place: string) => void texts.push((await page.locator(place).textContent()) ?? '')
  await page.goto(STAY_ADDRESS)
  await page.locator('#rooms table').first().waitFor()
  await read('#rooms')
  await chooseCheapestRoom(page)
  await fillGuest(page)
  await read('main')
  await bookButton(page).click()
  await waitForConfirmation(page)
  await read('main')
  await page.getByRole('button', { name: 'Cancel this booking' }).click()
  await page.getByText('Refund', { exact: true }).waitFor()
  await read('[role=alertdialog]')
  for (const text of texts) expect(text).toMatch(says)
  expect(texts.join('\n')).not.toMatch(never)
  expect(trouble()).toEqual([])
  await close()
})

test('if guests may only search, booking asks for sign-in and continues with the same offer', async () => {
  const { page, api, trouble, close } = await openRecorded(site, { account: null })
  api.configure({ guests: 'search' })
  api.answer('bookingCheckPrice', (request) =>
    api.requests('sessionSignIn').length === 0 ? problem('sign_in_needed') : api.recorded(request),
  )
  await page.goto('/')
  await page.getByRole('button', { name: 'Search' }).click()
  await waitForResults(page)
  await openFirstStay(page)
  await chooseCheapestRoom(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.waitFor({ state: 'detached' })
  await fillGuest(page)
  await bookButton(page).click()
  await waitForConfirmation(page)
  const tokens = api.requests('bookingCheckPrice').map(({ query }) => query.get('token'))
  expect(tokens.length).toBeGreaterThan(1)
  expect(new Set(tokens).size).toBe(1)
  expect(trouble()).toEqual([])
  await close()
})
