/**
 * Takes the pictures of docs/images: the main states of the page on a desk and on a phone, by day and by night, from
 * the real server with its stand-in vendors. Run it with `npm run serai`'s Node: `node scripts/screenshots.ts`.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { DESK, openSite, PHONE, type Site } from '../test/support/browser.ts'
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

const FOLDER = join(import.meta.dirname, '../docs/images')
const LOOKS = [
  { name: 'desk', viewport: DESK, colorScheme: 'light' },
  { name: 'desk-dark', viewport: DESK, colorScheme: 'dark' },
  { name: 'phone', viewport: PHONE, colorScheme: 'light' },
  { name: 'phone-dark', viewport: PHONE, colorScheme: 'dark' },
] as const

mkdirSync(FOLDER, { recursive: true })
const site = await openSite()
await warmUp(site, 'Lisbon')
for (const { name, ...look } of LOOKS) await walk(site, name, look)
await site.close()

async function walk(from: Site, look: string, options: Parameters<Site['visit']>[0]): Promise<void> {
  const { page, close } = await from.visit({ ...options, timezoneId: 'Europe/Paris' })
  const shoot = (state: string) => take(page, `${state}-${look}`)
  await page.goto('/')
  await page.getByRole('button', { name: 'Continue as the demo guest' }).waitFor()
  await page.getByRole('combobox', { name: 'Where' }).waitFor()
  await shoot('start')
  await continueAsDemo(page)
  await chooseDestination(page, 'Lisbon', /^Lisbon/)
  await page.getByRole('button', { name: 'Search' }).click()
  await resultsAreIn(page)
  await shoot('results')
  await openFirstStay(page)
  await shoot('property')
  await page.locator('#rooms').scrollIntoViewIfNeeded()
  await page.evaluate(`document.querySelector('#rooms').scrollIntoView()`)
  await shoot('rooms')
  await chooseRoom(page)
  await fillGuest(page)
  await page.evaluate('scrollTo(0, 0)')
  await shoot('checkout')
  await bookButton(page).click()
  await confirmed(page)
  await shoot('confirmation')
  await page.getByRole('button', { name: 'Cancel this booking' }).click()
  await page.getByText('You get back').waitFor()
  await shoot('cancel')
  await page.getByRole('button', { name: 'Keep the booking' }).click()
  await page.getByRole('link', { name: 'My bookings' }).click()
  await page.locator('article').first().waitFor()
  await shoot('bookings')
  await close()
}

async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0)
  // The pictures in view and the map's land.
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(900)
  await page.screenshot({ path: join(FOLDER, `${name}.png`) })
}
