import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findAccessFaults, type Site } from '../support/servers/browser.ts'
import { openFilledCheckout, signInBrowser, simulatedStay } from './shortcuts.ts'
import { sharedSite } from './sites.ts'
import { bookButton, continueAsDemo, GUEST, waitForConfirmation } from './steps.ts'

let site: Site
let address: string
beforeAll(async () => {
  site = await sharedSite()
  address = await simulatedStay(site)
})

async function openCheckout() {
  const visit = await site.visit()
  await signInBrowser(site, visit.page)
  await openFilledCheckout(visit.page, address)
  return visit
}

const KEPT_IN_TAB = `Object.keys(sessionStorage).filter((key) => key.startsWith('serai.'))`
const endSession = (page: Page) =>
  page.evaluate(`fetch('/api/accounts/revoke_token', { method: 'POST', headers: { 'x-serai-page': '1' } })`)

test('after the session has ended booking asks for sign-in and keeps all input', async () => {
  const { page, trouble, close } = await openCheckout()
  await page.getByLabel('Special requests').fill('A quiet room')
  await endSession(page)
  await bookButton(page).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Your session has expired').waitFor()
  expect(await findAccessFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await waitForConfirmation(page)
  expect(await page.getByText('A quiet room').count()).toBe(1)
  expect(await page.getByText(`${GUEST.given} ${GUEST.family}`).count()).toBe(1)
  expect(trouble()).toEqual([])
  await close()
})

test('signing out ends the session at the service, and scripts never have access to its token', async () => {
  const { page, trouble, close } = await openCheckout()
  const [session] = await page.context().cookies()
  expect(session).toMatchObject({ name: 'serai_session', httpOnly: true, sameSite: 'Strict' })
  const inReach = 'JSON.stringify([document.cookie, { ...sessionStorage }, { ...localStorage }])'
  expect(await page.evaluate<string>(inReach)).not.toMatch(/sr[pt]_/)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  const response = await fetch(`${site.url}/api/accommodation/bookings`, {
    headers: { cookie: `${session?.name}=${session?.value}` },
  })
  expect(response.status).toBe(401)
  expect(await page.evaluate<string[]>(KEPT_IN_TAB)).toEqual([])
  expect(trouble()).toEqual([])
  await close()
})

test('signing out of an ended session asks for no sign-in and deletes all input', async () => {
  const { page, trouble, close } = await openCheckout()
  expect(await page.evaluate<string[]>(KEPT_IN_TAB)).not.toEqual([])
  await endSession(page)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/')
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await page.evaluate<string[]>(KEPT_IN_TAB)).toEqual([])
  expect(trouble()).toEqual([])
  await close()
})

test('a new tab is signed in even if its first answer is lost, and signing out applies to all tabs', async () => {
  const { page, close } = await site.visit()
  await continueAsDemo(page)
  const tab = await page.context().newPage()
  await tab.route('**/page-config.json', (route) => route.abort(), { times: 1 })
  await tab.goto('/bookings')
  await tab.getByRole('button', { name: 'Sign out' }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await tab.getByRole('button', { name: 'Sign in' }).waitFor()
  expect(await findAccessFaults(tab)).toEqual([])
  await close()
})
