/**
 * Writes the screenshots in docs/images, from a real server with stand-in vendors. Run it with `node scripts/run.mjs
 * scripts/screenshots.ts`.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Site } from '../test/support/servers/browser.ts'
import { readArguments } from './read-arguments.ts'

const FOLDER = join(import.meta.dirname, '../docs/images')
/** Generous, because this is not a test and the machine may be slow. */
const PAGE_TIMEOUT_MS = 90_000

readArguments('Usage: node scripts/run.mjs scripts/screenshots.ts\n\nWrites the screenshots in docs/images.', {})
// Loaded after the arguments are read, so that --help answers at once.
const { DESKTOP, openSite, PHONE } = await import('../test/support/servers/browser.ts')
const { warmUp } = await import('../test/web/shortcuts.ts')
const {
  chooseDestination,
  continueAsDemo,
  openFirstStay,
  waitForResults: resultsAreIn,
} = await import('../test/web/steps.ts')
const { sharedThreads } = await import('../test/support/vendors/shared-threads.ts')
const { takeConsole } = await import('./console-screenshots.ts')
mkdirSync(FOLDER, { recursive: true })
const site = await openSite()
await warmUp(site, 'Lisbon')
await takeResults(site)
await takeRooms(site)
await takeConsole(site, take)
await site.close()
await sharedThreads.close()

async function takeResults(from: Site): Promise<void> {
  const { page, close } = await openResults(from, DESKTOP)
  await take(page, 'results-desktop')
  await close()
}

async function takeRooms(from: Site): Promise<void> {
  const { page, close } = await openResults(from, PHONE)
  await openFirstStay(page)
  await page.locator('#rooms').scrollIntoViewIfNeeded()
  await page.evaluate(`document.querySelector('#rooms').scrollIntoView()`)
  await take(page, 'rooms-phone')
  await close()
}

async function openResults(from: Site, viewport: typeof DESKTOP | typeof PHONE) {
  const visit = await from.visit({ viewport, map: true, timezoneId: 'Europe/Paris' })
  visit.page.setDefaultTimeout(PAGE_TIMEOUT_MS)
  await continueAsDemo(visit.page)
  await chooseDestination(visit.page, 'Lisbon', /^Lisbon/)
  await visit.page.getByRole('button', { name: 'Search' }).click()
  await waitForAllVendors(visit.page)
  return visit
}

/** A slow machine may not get all prices in time at first. */
async function waitForAllVendors(page: Page): Promise<void> {
  const again = page.getByRole('button', { name: 'Try again' })
  for (let tries = 1; tries <= 5; tries += 1) {
    await resultsAreIn(page)
    if ((await again.count()) === 0) return applyNewResults(page)
    await again.click()
    await page.locator('section[aria-busy="true"]').waitFor()
  }
  throw new Error('the vendors did not answer in time; try again when the machine is less busy')
}

/** Applies results that arrived after the first cards. */
async function applyNewResults(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: /^Sort in new results/ })
  if ((await button.count()) > 0) await button.click()
}

/** Waits until the page has not changed for a while, because pictures and the map load late. */
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
