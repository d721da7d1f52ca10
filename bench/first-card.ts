/**
 * How long after opening a link to a place nobody has searched before the first card is painted, the loading of the page included:
 * node bench/first-card.ts. Browser, service and stand-ins share the machine. Needs Chromium and the built page.
 */
import { type Browser, chromium } from 'playwright-core'
import { findChromium } from '../scripts/system-packages.ts'
import { freePort } from '../test/support/servers/postgres.ts'
import { FLAGS } from '../test/support/servers/shared-browser.ts'
import { type Ask, placeIdOf, signIn, stay } from './support/client-calls.ts'
import { median, round } from './support/figures.ts'
import { report } from './support/report.ts'
import { startSerai } from './support/servers.ts'

const PLACES = 'Salzburg|Porto|Seville|Nice|Tallinn|Bergen|Florence|Lyon|Vienna|Boston|Athens|Paris'
const VIEWPORT = { width: 1366, height: 768 }
const PATIENCE_MS = 30_000
const SETTLE_MS = 1_500

/** Sets `window.cardMs` after the frame that shows the first card. */
const OBSERVE = `new MutationObserver((_, observer) => {
  if (document.querySelector('[data-property]') === null) return
  observer.disconnect()
  requestAnimationFrame(() => setTimeout(() => (window.cardMs = performance.now())))
}).observe(document, { childList: true, subtree: true })`

export async function benchFirstCard({ quick }: { quick: boolean }): Promise<Record<string, number>> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('There is no Chromium on the path; CHROMIUM_PATH may name one.')
  // The page loads its pictures from the address that the service was configured with.
  const serai = await startSerai({ PORT: String(await freePort()) })
  const browser = await chromium.launch({ executablePath, args: FLAGS })
  try {
    const { ask } = await signIn(serai.url)
    const cards: number[] = []
    for (const place of PLACES.split('|').slice(0, quick ? 5 : undefined)) {
      cards.push(await firstCardMs(browser, serai.url, await linkTo(ask, place)))
    }
    return {
      first_card_p50_ms: round(median(cards), 0),
      first_card_worst_ms: round(Math.max(...cards), 0),
      first_card_places: cards.length,
    }
  } finally {
    await browser.close()
    await serai.close()
  }
}

async function linkTo(ask: Ask, place: string): Promise<string> {
  const { check_in, check_out } = stay(60)
  const to = await placeIdOf(ask, place)
  return `/search?${new URLSearchParams({ to, place, in: check_in, out: check_out, rooms: '2', cur: 'EUR' })}`
}

/** In a profile of its own, so that nothing is cached. */
async function firstCardMs(browser: Browser, baseURL: string, link: string): Promise<number> {
  const context = await browser.newContext({ baseURL, viewport: VIEWPORT })
  try {
    const page = await context.newPage()
    await page.addInitScript(OBSERVE)
    await page.goto(link)
    await page.locator('[data-property]').first().waitFor({ timeout: PATIENCE_MS })
    // The card is in the document; painting it takes a moment more. The rest of the search must not run into the next place.
    await page.waitForTimeout(SETTLE_MS)
    return (await page.evaluate('window.cardMs')) as number
  } finally {
    await context.close()
  }
}

if (import.meta.main) await report(benchFirstCard)
