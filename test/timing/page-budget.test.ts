import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSite, type Site } from '../support/servers/browser.ts'
import { searchAddress, signInBrowser, warmUp } from '../web/shortcuts.ts'
import { waitForResults } from '../web/steps.ts'

const DIST = join(import.meta.dirname, '../../web/dist')
const CPU_SLOWDOWN = 4
const LCP_MAX_MS = 2_500
const CARD_MAX_MS = 2_000
const HOTELS_MIN = 900
const READS_MAX = 3

let site: Site
beforeAll(async () => {
  site = await openSite()
  await warmUp(site, 'Lisbon')
})
afterAll(() => site.close())

/** Prints figures even if they pass. */
const printFigure = (figure: string) => process.stdout.write(`budget: ${figure}\n`)

test('the initial JavaScript is at most 200 kB and does not include the map', async () => {
  const html = readFileSync(join(DIST, 'index.html'), 'utf8')
  const painting = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path ?? '')
  const sumGzipped = (paths: Iterable<string>) =>
    [...paths].reduce((sum, path) => sum + gzipSync(readFileSync(join(DIST, path))).length, 0)

  // Everything that the start page loads, including the form after the first paint.
  const { page, close } = await site.visit({ map: true })
  const fetched = new Set<string>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('.js') || pathname.endsWith('.json')) fetched.add(pathname)
  })
  await page.goto('/')
  await page.getByRole('combobox', { name: 'Where' }).waitFor()
  await page.waitForLoadState('networkidle')
  await close()
  const scripts = [...fetched].filter((path) => path.endsWith('.js'))
  const kilobytes = (paths: Iterable<string>) => (sumGzipped(paths) / 1000).toFixed(1)
  printFigure(
    `first JavaScript ${kilobytes(scripts)} kB gzipped (at most 200), ${kilobytes(painting)} kB of it before the first paint`,
  )
  expect(painting.length).toBeGreaterThan(0)
  expect(sumGzipped(scripts)).toBeLessThanOrEqual(200_000)
  expect([...fetched].filter((path) => /stay-map|maplibre/.test(path))).toEqual([])
})

test('the code of the list comes in the first round of requests, in few files, and with it the session of a guest', () => {
  const html = readFileSync(join(DIST, 'search.html'), 'utf8')
  const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path ?? '')
  expect(files.some((path) => path.includes('results'))).toBe(true)
  printFigure(`${files.length} files of a linked list (at most 8)`)
  expect(files.length).toBeLessThanOrEqual(8)
  expect(html, 'the search does not wait for the other files').toMatch(/async crossorigin src="\/assets\/start-/)
  expect(html, 'something to see until the code has come').toMatch(/<div id="root">[\s\S]*class="skeleton/)
  expect(html).toContain('<link rel="preload" href="/page-config.json?guest" as="fetch" crossorigin')
})

type Measured = {
  readonly lcpMs: number
  /** Largest element and the moved elements, to find the cause of a failure. */
  readonly largest: string
  readonly moved: readonly string[]
  readonly shift: number
  readonly cardMs: number
}

type Session = Awaited<ReturnType<ReturnType<Page['context']>['newCDPSession']>>

async function measurePage(page: Page, act: (session: Session) => Promise<unknown>): Promise<Measured> {
  await page.addInitScript(OBSERVE)
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  await act(session)
  await page.waitForTimeout(500)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  return page.evaluate('window.measured')
}

/** `cardMs` is the time from the first bytes of the result stream to the first painted card. */
const OBSERVE = `window.measured = { lcpMs: 0, largest: '', moved: [], shift: 0, cardMs: 0 }
const describe = (node) => (node?.outerHTML ?? node?.parentElement?.outerHTML ?? 'removed').slice(0, 120)
const cards = Promise.withResolvers()
window.waitForCards = () => cards.promise
let arrivedMs = 0
const { getReader } = ReadableStream.prototype
ReadableStream.prototype.getReader = function (...given) {
  const reader = getReader.apply(this, given)
  const read = reader.read.bind(reader)
  reader.read = () => read().then((chunk) => ((arrivedMs ||= performance.now()), chunk))
  return reader
}
new MutationObserver((_, observer) => {
  if (document.querySelector('[data-property]') === null) return
  observer.disconnect()
  requestAnimationFrame(() =>
    setTimeout(() => {
      window.measured.cardMs = performance.now() - arrivedMs
      cards.resolve()
    }),
  )
}).observe(document, { childList: true, subtree: true })
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    window.measured.lcpMs = entry.startTime
    window.measured.largest = describe(entry.element)
  }
}).observe({ type: 'largest-contentful-paint', buffered: true })
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if (entry.hadRecentInput) continue
    window.measured.shift += entry.value
    for (const { node, previousRect, currentRect } of entry.sources)
      window.measured.moved.push(Math.round(entry.startTime) + ' ms, ' + entry.value.toFixed(4) + ': from ' + [previousRect, currentRect].map(({ x, y, width, height }) => [x, y, width, height].map(Math.round)).join(' to ') + ' ' + describe(node))
  }
}).observe({ type: 'layout-shift', buffered: true })`

test('the start page is painted within 2.5 s on a CPU slowed down four times, without layout shifts', async () => {
  const { page, close } = await site.visit({ map: true })
  const { lcpMs, largest, moved, shift } = await measurePage(page, async () => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Continue as the demo guest' }).waitFor()
  }).finally(close)
  printFigure(`start page LCP ${lcpMs.toFixed(0)} ms (below 2500), layout shift ${shift.toFixed(4)} (below 0.05)`)
  expect(lcpMs).toBeGreaterThan(0)
  expect(lcpMs, largest).toBeLessThan(LCP_MAX_MS)
  expect(shift, moved.join('\n')).toBeLessThan(0.05)
})

/** Visits the results of a large city in a new profile; one of the vendors answers late. */
async function measureResults(): Promise<Measured> {
  const { page, close } = await site.visit({ map: true })
  const address = await searchAddress(site, await signInBrowser(site, page), 'Lisbon')
  const { hotelbeds } = site.sandbox.control
  await hotelbeds.addFaults({ kind: 'latency', operation: 'availability', ms: 2_500 })
  return measurePage(page, async (session) => {
    await page.goto(address)
    // Locators of Playwright load a script into the page, which would delay its first cards.
    await session.send('Runtime.evaluate', { expression: 'waitForCards()', awaitPromise: true })
    await waitForResults(page)
  }).finally(async () => {
    await hotelbeds.clearFaults()
    await close()
  })
}

const isSlow = ({ lcpMs, cardMs }: Measured) => lcpMs >= LCP_MAX_MS || cardMs >= CARD_MAX_MS

test('the results are painted within 2.5 s on such a CPU, the first card soon after the first results, and later results do not shift the page', async () => {
  let measured = await measureResults()
  // A busy machine slows one visit down; a slow page is slow every time.
  for (let visits = 1; isSlow(measured) && visits < READS_MAX; visits += 1) measured = await measureResults()
  const { lcpMs, largest, moved, shift, cardMs } = measured
  printFigure(
    `results LCP ${lcpMs.toFixed(0)} ms (below 2500; ${largest.slice(0, 4)}), first card ${cardMs.toFixed(0)} ms after the first results (below 2000), layout shift ${shift.toFixed(4)} (below 0.05)`,
  )
  expect(lcpMs).toBeGreaterThan(0)
  expect(lcpMs, largest).toBeLessThan(LCP_MAX_MS)
  expect(cardMs).toBeGreaterThan(0)
  expect(cardMs).toBeLessThan(CARD_MAX_MS)
  expect(shift, moved.join('\n')).toBeLessThan(0.05)
})

test('the list of a city with nearly 1,000 hotels is at most 230 kB compressed, with at most 30 properties in the first event', async () => {
  const { page, close } = await site.visit()
  const token = await signInBrowser(site, page)
  await close()
  const query = new URL(await searchAddress(site, token, 'Lisbon'), site.url).searchParams
  const body = {
    destination_id: query.get('to'),
    check_in: query.get('in'),
    check_out: query.get('out'),
    occupancies: [{ adults: 2 }],
    currency: 'EUR',
    timeout_ms: 15_000,
  }
  /** Reads again if a vendor was too slow on a busy machine, so that its hotels are missing. */
  const readWhole = async (query: string) => {
    for (let tries = 1; ; tries += 1) {
      const stream = await readStream(query, token, body)
      if (stream.total > HOTELS_MIN || tries === READS_MAX) return stream
    }
  }
  const [cards, full] = [await readWhole('?view=card'), await readWhole('')]
  printFigure(
    `stream of ${cards.total} hotels ${(cards.bytes / 1000).toFixed(0)} kB compressed (at most 230; ${(full.bytes / 1000).toFixed(0)} kB of whole summaries), ${cards.first} properties in the first event`,
  )
  expect(cards.total).toBeGreaterThan(HOTELS_MIN)
  expect(cards.bytes).toBeLessThanOrEqual(230_000)
  expect(cards.first).toBeLessThanOrEqual(30)
})

/** Compressed size of a streamed search and the number of its properties. */
async function readStream(query: string, token: string, body: object) {
  const headers = {
    'content-type': 'application/json',
    authorization: `bearer: ${token}`,
    accept: 'text/event-stream',
    'accept-encoding': 'br',
  }
  const sent = request(`${site.url}/api/accommodation_searches/search${query}`, { method: 'POST', headers })
  sent.end(JSON.stringify(body))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const bytes = await buffer(response)
  const events = brotliDecompressSync(bytes).toString().split('\n\n')
  const [first = ''] = events.filter((event) => event.startsWith('event: properties'))
  const [done = ''] = events.filter((event) => event.startsWith('event: done'))
  return {
    bytes: bytes.length,
    first: JSON.parse(first.slice(first.indexOf('{'))).availability.length,
    total: JSON.parse(done.slice(done.indexOf('{'))).data.order.length,
  }
}
