import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO, devServer, PLACE } from '../support/client/dev-server.ts'
import { type InstalledClient, installClient } from '../support/client/installed-client.ts'
import { sharedBrowser } from './sites.ts'

/** A page on another origin that uses the package. */
const SHOP = `import { createClient, SeraiError, signInWith, signWebhook, verifyWebhook } from '@serai/client'

window.shop = async (baseUrl, email, password, place) => {
  const serai = createClient({ baseUrl, ...signInWith({ email, password }, { baseUrl }) })
  const [found] = (await serai.locations.search({ starts_with: place, limit: 1 })).data
  const day = (ahead) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
  const request = { destination_id: found.id, check_in: day(30), check_out: day(32), occupancies: [{ adults: 2 }], timeout_ms: 15_000 }
  const types = []
  let search
  for await (const event of serai.search.stream(request)) {
    types.push(event.type)
    if (event.type === 'done') search = event.search
  }
  const property = await serai.search.detail({ search_id: search.search_id, property_id: search.availability[0].property_id })
  const { room, terms_digest } = await serai.booking.checkRoom(property.available_rooms[0])
  const order = { ...room.booking_info, terms_digest, guests: [{ given_name: 'Ana', family_name: 'Costa' }] }
  const booking = await serai.booking.create(order)
  const again = await serai.booking.create(order)
  const error = await serai.booking.show({ booking_id: 'bkg_0' }, { requestId: 'from-a-browser' }).catch((one) => one)
  const secret = 'whsec_' + btoa('a secret of twenty-four!')
  const at = Math.floor(Date.now() / 1000)
  const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': String(at), 'webhook-signature': await signWebhook(secret, 'evt_1', at, '{"type":"x"}') }
  const event = await verifyWebhook({ secret, headers, body: '{"type":"x"}' })
  return {
    types: [...new Set(types)].sort(),
    status: booking.status,
    isSame: booking.booking_id === again.booking_id,
    error: [error instanceof SeraiError, error.status, error.code, error.requestId],
    event: event.id,
  }
}
`

let client: InstalledClient
let server: Awaited<ReturnType<typeof devServer>>
let shop: Awaited<ReturnType<typeof serveShop>>
beforeAll(async () => {
  client = await installClient()
  shop = await serveShop(client.folder)
  server = await devServer({ corsOrigins: [shop.origin] })
})
afterAll(async () => {
  await server?.close()
  await shop?.close()
  client?.close()
})

async function serveShop(folder: string) {
  writeFileSync(join(folder, 'shop.js'), SHOP)
  const { build } = await import('vite')
  const lib = { entry: join(folder, 'shop.js'), formats: ['es' as const], fileName: 'bundle' }
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    build: { lib, outDir: 'bundled', emptyOutDir: true },
  })
  const bundle = readFileSync(join(folder, 'bundled/bundle.js'))
  const pages: Record<string, readonly [type: string, body: string | Buffer]> = {
    '/': ['text/html', '<!doctype html><title>Shop</title><script type="module" src="/bundle.js"></script>'],
    '/bundle.js': ['text/javascript', bundle],
  }
  const http = createServer((request, response) => {
    const [type, body] = pages[request.url ?? ''] ?? ['text/plain', '']
    response.writeHead(200, { 'content-type': type }).end(body)
  })
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening))
  return {
    origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    bytes: bundle.length,
    async close() {
      http.closeAllConnections()
      await new Promise((done) => http.close(done))
    },
  }
}

test('the client, bundled for a page of another origin, searches, streams, checks and books once', async () => {
  const before = (await server.ledger()).length
  const context = await (await sharedBrowser()).newContext()
  try {
    const page = await context.newPage()
    const trouble: string[] = []
    page.on('pageerror', (error) => trouble.push(error.message))
    await page.goto(shop.origin)
    await page.waitForFunction('window.shop !== undefined')
    const call = `window.shop(${[server.url, DEMO.email, DEMO.password, PLACE].map((one) => JSON.stringify(one)).join(', ')})`
    expect(await page.evaluate(call)).toEqual({
      types: ['done', 'properties', 'vendor'],
      status: 'confirmed',
      isSame: true,
      error: [true, 404, 'booking_not_found', 'from-a-browser'],
      event: 'evt_1',
    })
    expect(trouble).toEqual([])
  } finally {
    await context.close()
  }
  expect((await server.ledger()).length - before).toBe(1)
  // The bundle excludes the command line and Node's modules.
  expect(shop.bytes).toBeLessThan(50_000)
})

const SMALL_SHOP = `import { createClient, SeraiError, signInWith } from '@serai/client'
const options = { baseUrl: 'https://api.example.com' }
const serai = createClient({ ...options, ...signInWith(window.account, options) })
window.search = (request) => serai.search.stream(request)
window.book = (order) => serai.booking.create(order).catch((error) => error instanceof SeraiError && error.effect)
`

test('a bundle that searches and books has at most 7 kB compressed, and no operations of operators', async () => {
  writeFileSync(join(client.folder, 'small.js'), SMALL_SHOP)
  const { build } = await import('vite')
  await build({
    root: client.folder,
    configFile: false,
    logLevel: 'error',
    build: {
      rollupOptions: { input: join(client.folder, 'small.js'), output: { entryFileNames: 'small.js' } },
      outDir: 'small',
    },
  })
  const bundle = readFileSync(join(client.folder, 'small/small.js'), 'utf8')
  expect(gzipSync(bundle).length).toBeLessThanOrEqual(7_000)
  expect(bundle).toContain('/api/accommodation/book')
  expect(bundle).not.toContain('/api/operator')
})
