/**
 * Writes pictures of the page in its main states, in four widths and two themes, to look for ugly ones. From a real server
 * with stand-in vendors; needs no network.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Site, Visit } from '../test/support/servers/browser.ts'
import type { State } from './page-states.ts'
import { readArguments, refuse } from './read-arguments.ts'

const USAGE = `Usage: node scripts/run.mjs scripts/state-screenshots.ts FOLDER [STATE …]

Writes FOLDER/STATE-WIDTH-THEME.png for the states of the page and of the console.`
const SIZES = { 320: 568, 390: 844, 820: 1180, 1440: 900 }
/** Drawn only inside the window. Chromium also lays the page out anew, for a moment at width 0, to draw beyond it. */
const HAS_FRAME = `document.querySelector('iframe, canvas') !== null`
/** As high as the window. */
const HAS_TALL_MAP = `document.querySelector('canvas')?.clientHeight > innerHeight / 2`
const HAS_MAP = `document.querySelector('canvas') !== null`
/** Until a map has drawn its tiles. */
const MAP_MS = 1_500
const HAS_DIALOG = `document.querySelector('[role=dialog], [role=alertdialog]') !== null`
/** No placeholders of parts that are still loading, and no map that has not folded its sources after the first drawing. */
const IS_LOADED = `document.querySelector('h1') !== null && !document.querySelector('.skeleton, [aria-busy="true"], .maplibregl-map:not(:has(.maplibregl-compact:not(.maplibregl-compact-show)))') && !/^Loading/m.test(document.body.innerText)`
const LOADING_MS = 20_000
/** Long lists are cut. */
const HEIGHT_MAX = 2_600
const OPERATOR = { email: 'operator@example.com', password: 'a long enough password' }

const { positionals } = readArguments(USAGE, { allowPositionals: true, options: {} })
const [folder, ...chosen] = positionals
if (folder === undefined) refuse(USAGE, 'FOLDER is missing.')
// Loaded after the arguments are read, so that --help answers at once.
const { NEXT_FRAME, openSite } = await import('../test/support/servers/browser.ts')
const shortcuts = await import('../test/web/shortcuts.ts')
const { withoutExpected } = await import('../test/web/card-steps.ts')
const { sharedThreads } = await import('../test/support/vendors/shared-threads.ts')
const { ACCOUNT, CONSOLE, PAYER, PLAIN, VENDOR, VISITOR } = await import('./page-states.ts')

mkdirSync(folder, { recursive: true })
const site = await openSite()
await shortcuts.warmUp(site)
await site.app.manageAccounts.add(OPERATOR.email, 'Operator', OPERATOR.password, 'operator')
await shortcuts.bookAt(site, await shortcuts.freshToken(site), VENDOR)
await site.app.writeFigures()
await takeAll(ACCOUNT, (page) => shortcuts.signInBrowser(site, page))
await takeAll(PAYER)
await takeAll(VISITOR)
await takeAll(PLAIN, undefined, { javaScriptEnabled: false })
await takeAll(CONSOLE, (page) => shortcuts.signInBrowser(site, page, OPERATOR))
await site.close()
await sharedThreads.close()

/** A state that cannot be reached is reported, and the next one is tried. */
async function takeAll(
  states: readonly State[],
  signIn?: (page: Page) => Promise<unknown>,
  options: Parameters<Site['visit']>[0] = {},
): Promise<void> {
  const visit: Visit = await site.visit({ map: true, ...options })
  await signIn?.(visit.page)
  for (const { name, widths = Object.keys(SIZES).map(Number), open } of states) {
    try {
      await visit.page.setViewportSize({ width: widths.at(-1) ?? 1440, height: 900 })
      await open(visit.page, site)
      if (chosen.length === 0 || chosen.includes(name))
        await take(visit.page, name, widths, options.javaScriptEnabled !== false)
    } catch (error) {
      console.error(`${name}: ${error instanceof Error ? error.message : error}`)
    }
  }
  for (const problem of withoutExpected(site, visit.trouble())) console.error(problem)
  await visit.close()
}

async function take(page: Page, name: string, widths: readonly number[], hasScripts: boolean): Promise<void> {
  for (const [size, height] of Object.entries(SIZES)) {
    const width = Number(size)
    if (!widths.includes(width)) continue
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme })
      if (hasScripts) {
        await waitUntilLoaded(page)
        if (await page.evaluate<boolean>(HAS_MAP)) await page.waitForTimeout(MAP_MS)
        await page.evaluate(NEXT_FRAME)
      }
      await page.waitForTimeout(400)
      if (hasScripts) await page.addStyleTag({ content: '* { content-visibility: visible !important }' })
      const full = await page.evaluate<number>('document.documentElement.scrollHeight')
      // The rest of the page is behind a dialog.
      const isWindow = hasScripts && (await page.evaluate<boolean>(`${HAS_DIALOG} || ${HAS_TALL_MAP}`))
      const clip = { x: 0, y: 0, width, height: isWindow ? height : Math.min(full, HEIGHT_MAX) }
      const hasFrame = hasScripts && (await page.evaluate<boolean>(HAS_FRAME))
      if (hasFrame) {
        await page.setViewportSize({ width, height: clip.height })
        await page.waitForTimeout(400)
      }
      const path = join(folder ?? '', `${name}-${width}-${colorScheme}.png`)
      await page.screenshot({ path, fullPage: !hasFrame, clip })
    }
  }
}

/** Not `waitForFunction`, which the page's content security policy forbids. */
async function waitUntilLoaded(page: Page): Promise<void> {
  const end = Date.now() + LOADING_MS
  while (!(await page.evaluate<boolean>(IS_LOADED))) {
    if (Date.now() > end) throw new Error('The page is still loading.')
    await page.waitForTimeout(100)
  }
}
