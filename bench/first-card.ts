/**
 * Time from opening a link to a place until the first card is painted, including page load: on a desktop for a place
 * that was never searched and for one that was, and on a phone with slow 4G and a quarter of the processor:
 * node bench/first-card.ts. Browser, service and stand-ins share the machine. Needs Chromium and the built page.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium, type Page } from 'playwright-core'
import { findChromium } from '../scripts/system-packages.ts'
import { freePort } from '../test/support/servers/postgres.ts'
import { FLAGS } from '../test/support/servers/shared-browser.ts'
import { createStay, findPlaceId, openSession, type SendRequest } from './support/client-calls.ts'
import { median, round } from './support/figures.ts'
import { report } from './support/report.ts'
import { startSerai } from './support/servers.ts'

const PLACES = 'Salzburg|Porto|Seville|Nice|Tallinn|Bergen|Florence|Lyon|Vienna|Boston|Athens|Paris'
const DESKTOP = { width: 1366, height: 768 }
const PHONE = { width: 390, height: 844 }
/** "Slow 4G" of Chromium's developer tools. */
const SLOW_4G = { offline: false, latency: 562.5, downloadThroughput: 184_320, uploadThroughput: 84_375 }
const CPU_SLOWDOWN = 4
const TIMEOUT_MS = 30_000
/** Guests of one address may search 20 times a minute. */
const VISIT_EVERY_MS = 3_200

/** Sets `window.cardMs` after the frame that shows the first card. */
const OBSERVE = `new MutationObserver((_, observer) => {
  if (document.querySelector('[data-property]') === null) return
  observer.disconnect()
  requestAnimationFrame(() => setTimeout(() => (window.cardMs = performance.now())))
}).observe(document, { childList: true, subtree: true })`

export async function benchFirstCard({ quick }: { quick: boolean }): Promise<Record<string, number>> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('Chromium was not found. Install it or set CHROMIUM_PATH.')
  // The page loads its pictures from the address in the service's configuration.
  const serai = await startSerai({ PORT: String(await freePort()) })
  const browser = await chromium.launch({ executablePath, args: FLAGS })
  try {
    const { request } = await openSession(serai.url)
    const [cold, warm, slow]: number[][] = [[], [], []]
    for (const place of PLACES.split('|').slice(0, quick ? 5 : undefined)) {
      const link = await createLink(request, place)
      cold?.push(await measureFirstCard(browser, serai.url, link))
      warm?.push(await measureFirstCard(browser, serai.url, link))
      slow?.push(await measureFirstCard(browser, serai.url, link, true))
    }
    return { ...figures('first_card', cold), ...figures('first_card_warm', warm), ...figures('first_card_slow', slow) }
  } finally {
    await browser.close()
    await serai.close()
  }
}

const figures = (name: string, cards: readonly number[] = []) => ({
  [`${name}_p50_ms`]: round(median(cards), 0),
  [`${name}_worst_ms`]: round(Math.max(...cards), 0),
  [`${name}_places`]: cards.length,
})

async function createLink(request: SendRequest, place: string): Promise<string> {
  const { check_in, check_out } = createStay(60)
  const to = await findPlaceId(request, place)
  return `/search?${new URLSearchParams({ to, place, in: check_in, out: check_out, rooms: '2', cur: 'EUR' })}`
}

/** Uses a separate profile, so that nothing is cached. */
async function measureFirstCard(browser: Browser, baseURL: string, link: string, isSlow = false): Promise<number> {
  const context = await browser.newContext({ baseURL, viewport: isSlow ? PHONE : DESKTOP })
  const nextVisit = sleep(VISIT_EVERY_MS)
  try {
    const page = await context.newPage()
    if (isSlow) await slowDown(page)
    await page.addInitScript(OBSERVE)
    await page.goto(link)
    // The search has ended once the address names it. In a large city this takes seconds after the first card, which
    // must not overlap with the next measurement.
    await page.waitForURL(/[?&]search_id=/, { timeout: TIMEOUT_MS })
    await page.waitForFunction('window.cardMs !== undefined', undefined, { timeout: TIMEOUT_MS })
    return (await page.evaluate('window.cardMs')) as number
  } finally {
    await context.close()
    await nextVisit
  }
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', SLOW_4G)
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
}

if (import.meta.main) await report(benchFirstCard)
