import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core'
import { findChromium } from '../../../scripts/system-packages.ts'
import { DEMO } from '../../../src/cli/commands/dev.ts'
import type { Overrides } from '../../../src/compose/core.ts'
import { type Config, readConfig } from '../../../src/config.ts'
import { type Running, serve } from '../../../src/process/serve.ts'
import { openDatabase } from '../../../src/store/database.ts'
import { testLocations } from '../app/app.ts'
import { withGuests } from '../app/page-browser.ts'
import { sharedThreads } from '../vendors/shared-threads.ts'
import { ensurePage } from './ensure-page.ts'
import { freePort } from './postgres.ts'
import { FLAGS } from './shared-browser.ts'

export const DESKTOP = { width: 1440, height: 900 } as const
export const PHONE = { width: 360, height: 740 } as const

/** A page in a fresh browser profile, with a record of its errors. */
export type Visit = {
  readonly page: Page
  /** Page errors, console errors, and requests to other hosts. */
  trouble(): string[]
  close(): Promise<void>
}

type VisitOptions = BrowserContextOptions & {
  /** Draws the map. Off by default, because drawing is slow without a graphics card. */
  readonly map?: boolean
}

export type Site = {
  readonly url: string
  readonly app: Running['app']
  readonly sandbox: NonNullable<Running['sandbox']>
  readonly browser: Browser
  visit(options?: VisitOptions): Promise<Visit>
  close(): Promise<void>
}

/** Disables WebGL and with it the map. Intercepting the map's requests would disable the browser's cache. */
const NO_WEBGL = `const open = HTMLCanvasElement.prototype.getContext
HTMLCanvasElement.prototype.getContext = function (kind) { return kind === 'webgl2' ? null : open.apply(this, arguments) }`
const MANY = { quota: 100_000, windowMs: 60_000 }

/** Browser and folder that outlive a site; the caller closes and removes them. */
export type Shared = { readonly browser: Browser; readonly folder: string }

/** Starts the real server with its stand-in vendors on a free port, and a browser. */
export async function openSite(
  settings: Partial<Config> = {},
  overrides: Overrides = {},
  shared?: Shared,
): Promise<Site> {
  ensurePage()
  const dataDir = mkdtempSync(join(shared?.folder ?? tmpdir(), 'serai-web-'))
  const environment = {
    NODE_ENV: 'development',
    PORT: String(await freePort()),
    SERAI_DATA_DIR: dataDir,
    SERAI_SANDBOX: 'true',
    SERAI_LOG_LEVEL: 'silent',
    SERAI_ANSWER_REUSE_SECONDS: '0',
    SERAI_CONTENT_JOB: 'off',
  }
  const config: Config = {
    ...readConfig(environment),
    booking: { patienceMs: 1_500 },
    // Tests send requests faster than people do.
    allowances: { account: MANY, address: MANY, signInsPerAddress: MANY, signInsPerPair: MANY },
    guests: withGuests('book').guests,
    ...settings,
  }
  // In memory, because disk writes only slow down tests of the page.
  const database = overrides.database ?? openDatabase({ kind: 'sqlite', path: ':memory:' })
  const [running, browser] = await Promise.all([
    serve(config, { demo: DEMO, locations: testLocations(), readingThreads: sharedThreads, ...overrides, database }),
    shared?.browser ?? launchBrowser(),
  ])
  await running.app.manageAccounts.add(DEMO.email, 'Demo Guest', DEMO.password)
  const { url, app, sandbox } = running
  if (sandbox === undefined) throw new Error('the site needs its sandbox')
  return {
    url,
    app,
    sandbox,
    browser,
    visit: (options) => visit(browser, url, options),
    async close() {
      if (shared === undefined) await browser.close()
      await running.stop()
      if (overrides.database === undefined) await database.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('Chromium is not installed, and these tests need it')
  return chromium.launch({ executablePath, args: FLAGS })
}

/** Without a graphics card, animations use more CPU than the page itself. */
const WINDOW = { viewport: DESKTOP, locale: 'en-GB', reducedMotion: 'reduce' } as const

async function visit(browser: Browser, url: string, { map = false, ...options }: VisitOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ baseURL: url, ...WINDOW, ...options })
  if (!map) await context.addInitScript(NO_WEBGL)
  const page = await context.newPage()
  return { page, trouble: watchPage(page, String(options.baseURL ?? url)), close: () => context.close() }
}

/** Collects page errors, console errors, and requests to other hosts. */
export function watchPage(page: Page, url: string): () => string[] {
  page.setDefaultTimeout(20_000)
  const seen: string[] = []
  page.on('pageerror', (error) => seen.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !isExpectedRefusal(message.text())) seen.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    const address = request.url()
    if (!address.startsWith(`${url}/`) && !/^(data|blob|about):/.test(address)) seen.push(`external: ${address}`)
  })
  return () => [...seen]
}

/** Chromium logs every failed request, even if the page handles it. */
const isExpectedRefusal = (text: string): boolean =>
  /^Failed to load resource: the server responded with a status of (401|403|404|409|410|422|429|502|504)/.test(text)

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

const RUN_AXE = `globalThis.axe?.run(document, ${JSON.stringify({ runOnly: RULES, resultTypes: ['violations'] })}).then(({ violations }) => violations)`
/** Loaded once per document, because loading takes longer than a run. The Playwright package loads it before every run. */
const LOAD_AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Returns the violations that axe finds on the page in its current state. */
export async function findAccessFaults(page: Page): Promise<string[]> {
  const runAxe = () => page.evaluate<axe.Result[] | undefined>(RUN_AXE)
  const violations = (await runAxe()) ?? (await page.evaluate(LOAD_AXE).then(runAxe))
  if (violations === undefined) throw new Error('axe could not be loaded')
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.html.slice(0, 160)}`),
  )
}

/**
 * Waits for the layout and colours of a changed window. An inherited colour that changes starts another transition, so it waits
 * until none is left; the transition of an element that is not drawn never ends.
 */
export const NEXT_FRAME = `(async () => {
  for (let round = 0; round < 8; round += 1) {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    const running = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
    if (running.length === 0) return
    await Promise.race([
      Promise.allSettled(running.map(({ finished }) => finished)),
      new Promise((done) => setTimeout(done, 500)),
    ])
  }
})()`

/**
 * Checks accessibility and horizontal overflow on a light desktop and on a dark phone. `state` must be visible in both.
 * Resizes the window instead of opening the page twice.
 */
export async function findAccessFaultsInBothThemes(page: Page, state: Locator): Promise<string[]> {
  const before = page.viewportSize() ?? DESKTOP
  const faults: string[] = []
  for (const [viewport, colorScheme] of [[DESKTOP, 'light'] as const, [PHONE, 'dark'] as const]) {
    await Promise.all([page.setViewportSize(viewport), page.emulateMedia({ colorScheme })])
    await page.evaluate(NEXT_FRAME)
    await state.waitFor()
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    const wide = overflow > 0 ? [`wider than the window by ${overflow}`] : []
    faults.push(...[...(await findAccessFaults(page)), ...wide].map((fault) => `${colorScheme}: ${fault}`))
  }
  await Promise.all([page.setViewportSize(before), page.emulateMedia({ colorScheme: 'light' })])
  await page.evaluate(NEXT_FRAME)
  return faults
}
