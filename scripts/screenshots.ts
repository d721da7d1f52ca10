/**
 * Writes the screenshots in docs/images: each main page on a desktop and a phone, light and dark, from a real server
 * with stand-in vendors. Run it with `node scripts/run.mjs scripts/screenshots.ts`.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { DESKTOP, openSite, PHONE, type Site } from '../test/support/servers/browser.ts'
import { warmUp } from '../test/web/shortcuts.ts'
import {
  bookButton,
  chooseDestination,
  chooseRoom,
  confirmed,
  continueAsDemo,
  fillGuest,
  openFirstStay,
  resultsAreIn,
} from '../test/web/steps.ts'
import { takeConsole } from './console-screenshots.ts'
import { readArguments } from './read-arguments.ts'

const FOLDER = join(import.meta.dirname, '../docs/images')
/** No test: a slow machine may take its time. */
const PATIENCE_MS = 90_000
const VARIANTS = [
  { name: 'desktop', viewport: DESKTOP, colorScheme: 'light' },
  { name: 'desktop-dark', viewport: DESKTOP, colorScheme: 'dark' },
  { name: 'phone', viewport: PHONE, colorScheme: 'light' },
  { name: 'phone-dark', viewport: PHONE, colorScheme: 'dark' },
] as const

readArguments('Usage: node scripts/run.mjs scripts/screenshots.ts\n\nWrites the screenshots in docs/images.', {})
mkdirSync(FOLDER, { recursive: true })
const site = await openSite()
await warmUp(site, 'Lisbon')
for (const { name, ...options } of VARIANTS) await takeAll(site, name, options)
await takeConsole(site, take)
await site.close()

async function takeAll(from: Site, variant: string, options: Parameters<Site['visit']>[0]): Promise<void> {
  const { page, close } = await from.visit({ ...options, map: true, timezoneId: 'Europe/Paris' })
  page.setDefaultTimeout(PATIENCE_MS)
  const shoot = (state: string) => take(page, `${state}-${variant}`)
  await page.goto('/')
  await page.getByRole('button', { name: 'Continue as the demo guest' }).waitFor()
  await page.getByRole('combobox', { name: 'Where' }).waitFor()
  await shoot('start')
  await continueAsDemo(page)
  await chooseDestination(page, 'Lisbon', /^Lisbon/)
  await page.getByRole('button', { name: 'Search' }).click()
  await allVendorsAnswered(page)
  await shoot('results')
  await openFirstStay(page)
  await shoot('property')
  await page.locator('#rooms').scrollIntoViewIfNeeded()
  await page.evaluate(`document.querySelector('#rooms').scrollIntoView()`)
  await shoot('rooms')
  await page.getByRole('combobox', { name: 'Language' }).selectOption('de')
  await page.locator('#rooms h3[lang="de"]').first().waitFor()
  await page.evaluate(`document.querySelector('#rooms').scrollIntoView()`)
  await shoot('rooms-german')
  await page.getByRole('combobox', { name: 'Sprache' }).selectOption('en')
  await page.locator('#rooms h3[lang="en"]').first().waitFor()
  await chooseRoom(page)
  await fillGuest(page)
  await page.evaluate('scrollTo(0, 0)')
  await shoot('checkout')
  await bookButton(page).click()
  await confirmed(page)
  await shoot('confirmation')
  await page.getByRole('button', { name: 'Cancel this booking' }).click()
  await page.getByText('Refund', { exact: true }).waitFor()
  await shoot('cancel')
  await page.getByRole('button', { name: 'Keep the booking' }).click()
  await page.getByRole('link', { name: 'My bookings' }).click()
  await page.locator('article').first().waitFor()
  await shoot('bookings')
  await close()
}

/** A slow machine may not get all prices in time at first. */
async function allVendorsAnswered(page: Page): Promise<void> {
  const again = page.getByRole('button', { name: 'Try again' })
  for (let tries = 1; tries <= 5; tries += 1) {
    await resultsAreIn(page)
    if ((await again.count()) === 0) return sortAgain(page)
    await again.click()
    await page.locator('section[aria-busy="true"]').waitFor()
  }
  throw new Error('the vendors do not answer in time: try again when the machine is less busy')
}

/** Where later results came in below the first cards. */
async function sortAgain(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: /^New results have arrived/ })
  if ((await button.count()) > 0) await button.click()
}

/** Pictures and the map load late: the page is taken once it has not changed for a while. */
async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0)
  await page.waitForLoadState('networkidle')
  const path = join(FOLDER, `${name}.png`)
  let last = await page.screenshot()
  for (let same = 0, tries = 0; same < 3 && tries < 30; tries += 1) {
    await page.waitForTimeout(700)
    const next = await page.screenshot()
    same = next.equals(last) ? same + 1 : 0
    last = next
  }
  writeFileSync(path, last)
}
