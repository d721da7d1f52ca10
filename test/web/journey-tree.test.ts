import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Site } from '../support/servers/browser.ts'
import { newAccount, searchAddress, signInBrowser } from './shortcuts.ts'
import { sharedSite } from './sites.ts'
import {
  bookButton,
  chooseCheapestRoom,
  fillGuest,
  openFirstStay,
  waitForConfirmation,
  waitForResults,
} from './steps.ts'

let site: Site
beforeAll(async () => {
  site = await sharedSite()
})

/** Removes amounts, dates, rooms left and the cheapest vendor, which change daily. */
const steady = (tree: string): string =>
  tree
    .replace(/^ *- paragraph: \d+ rooms? left on this site\n/gm, '')
    .replace(/ ?\d+ rooms? left on this site/g, '')
    .replace(/ ?€[\d.,]+ without the vendor’s discount/g, '')
    .replace(/Simulator [AB]/g, 'Simulator')
    // The page shows the year only if it is not the current one, and a time with a year has no weekday.
    .replace(/\b(\d+ [A-Z][a-z]+) \d{4}, (?=\d\d:)/g, 'Fri $1, ')
    .replace(/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (\d+ [A-Z][a-z]+) \d{4}\b/g, '$1 $2')
    .replace(/\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/g, 'DAY')
    .replace(
      /\b(January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b/g,
      'MONTH',
    )
    .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, 'ID')
    // A random reference may have only letters or only digits.
    .replace(/(?<=SIM-|- definition: )[A-Z0-9]{6,}\b/g, 'REFERENCE')
    .replace(/\b(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z0-9]{6,}\b/g, 'REFERENCE')
    .replace(/(?<!level=|\d)\d[\d.,:]*/g, 'N')
    .replace(/^.*\/url: .*\n/gm, '')

async function matches(page: Page, state: string): Promise<void> {
  const tree = steady(await page.locator('body').ariaSnapshot())
  await expect(`${tree}\n`).toMatchFileSnapshot(join(import.meta.dirname, 'trees', `${state}.txt`))
}

test('the accessibility tree of every page of a booking matches its snapshot', async () => {
  const { page, close } = await site.visit({ timezoneId: 'Europe/Paris' })
  const address = await searchAddress(site, await signInBrowser(site, page, await newAccount(site)), 'Lisbon')
  // The simulator has the same few properties every day.
  await page.route('**/api/accommodation_searches/search?*', (route) =>
    route.continue({ headers: { ...route.request().headers(), 'x-simulate-return': 'success' } }),
  )
  await page.route('**/assets/stay-map*', (route) => route.abort())
  await page.goto('/')
  await page.getByRole('combobox', { name: 'Where' }).waitFor()
  await matches(page, 'start')
  await page.goto(`${address}&name=Hotel+Aurora`)
  await waitForResults(page)
  await page.getByText(/^Search complete/).waitFor({ state: 'attached' })
  const mapIsMissing = () => page.getByText('The map could not be loaded').waitFor()
  await mapIsMissing()
  await matches(page, 'results')
  await openFirstStay(page)
  await mapIsMissing()
  await matches(page, 'property')
  await chooseCheapestRoom(page)
  await fillGuest(page)
  await matches(page, 'checkout')
  await bookButton(page).click()
  await waitForConfirmation(page)
  await mapIsMissing()
  await matches(page, 'booking')
  await page.getByRole('button', { name: 'Cancel this booking' }).click()
  await page.getByText('Refund', { exact: true }).waitFor()
  await matches(page, 'cancel')
  await page.locator('.btn-danger').click()
  await page.getByRole('heading', { name: 'Cancelled', exact: true }).waitFor()
  await page.getByRole('link', { name: 'My bookings' }).click()
  await page.getByRole('link', { name: 'Cancelled', exact: true }).click()
  await page.locator('article').first().waitFor()
  await matches(page, 'bookings')
  await close()
})
