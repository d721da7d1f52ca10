import type { Page } from 'playwright-core'
import { DESKTOP, type Site } from '../test/support/servers/browser.ts'
import { bookAt, freshToken } from '../test/web/shortcuts.ts'

const OPERATOR = { email: 'operator@example.com', password: 'a long enough password' }
const VENDOR = 'expedia_rapid'

/** The attention page of the operators' console. */
export async function takeConsole(site: Site, take: (page: Page, name: string) => Promise<void>): Promise<void> {
  const { manageAccounts, operator, readBookings } = site.app
  await manageAccounts.add(OPERATOR.email, 'Operator', OPERATOR.password, 'operator')
  const token = await freshToken(site)
  const [moved, cancelled] = [await bookAt(site, token, VENDOR), await bookAt(site, token, VENDOR)]
  await site.sandbox.control[VENDOR]?.changeBooking(moved.reference, 'other_hotel')
  await site.sandbox.control[VENDOR]?.changeBooking(cancelled.reference, 'cancel')
  await operator.bookings.promptReadings(VENDOR, [moved.reference, cancelled.reference], Date.now())
  await readBookings()
  const { page, close } = await site.visit({ viewport: DESKTOP })
  const headers = { 'sec-fetch-site': 'same-origin' }
  await page.request.post(`${site.url}/api/session`, { data: { user: OPERATOR }, headers })
  await page.goto('/console/attention')
  await page.locator('[data-entry]').first().waitFor()
  await take(page, 'console-attention-desktop')
  await close()
}
