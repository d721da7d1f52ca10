import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Site } from '../support/servers/browser.ts'
import { manyProperties, openRecorded, RESULTS_ADDRESS } from './recorded-api.ts'
import { openOwnSite } from './sites.ts'

/** A custom map, as in docs/operating/map.md: a style and its sources on another host. */

const LAND = { red: 255, green: 0, blue: 170 }
const PARK = { red: 0, green: 200, blue: 80 }
const css = ({ red, green, blue }: typeof LAND) => `rgb(${red}, ${green}, ${blue})`
/** A ring around Paris. */
const RING = {
  type: 'Feature',
  properties: { name: 'France' },
  geometry: {
    type: 'Polygon',
    coordinates: [square(2.341, 48.8383, 3), square(2.341, 48.8383, 0.03).reverse()],
  },
}

function square(lon: number, lat: number, half: number): number[][] {
  const [west, east, south, north] = [lon - half, lon + half, lat - half, lat + half]
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
}

type Host = { readonly url: string; readonly asked: string[]; readonly server: Server }

/** Serves `answers` by path to pages of every origin and records the requested paths. */
async function startHost(answers: (url: string, path: string) => string | undefined): Promise<Host> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    asked.push(path)
    const body = answers(urlOf(server), path)
    response.writeHead(body === undefined ? 404 : 200, {
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
    })
    response.end(body)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return { url: urlOf(server), asked, server }
}

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const styleAt = (url: string, otherUrl: string) => ({
  version: 8,
  sources: {
    park: { type: 'geojson', data: `${url}/park.json`, attribution: '© the operator’s source' },
    city: { type: 'vector', url: `${url}/city.json` },
    elsewhere: { type: 'geojson', data: `${otherUrl}/secret.json` },
  },
  layers: [
    { id: 'land', type: 'background', paint: { 'background-color': css(LAND) } },
    { id: 'park', type: 'fill', source: 'park', paint: { 'fill-color': css(PARK), 'fill-antialias': false } },
    { id: 'roads', type: 'line', source: 'city', 'source-layer': 'roads', paint: { 'line-color': '#ffffff' } },
    { id: 'elsewhere', type: 'fill', source: 'elsewhere', paint: { 'fill-color': '#000000' } },
    {
      id: 'names',
      type: 'symbol',
      source: 'park',
      layout: { 'text-field': ['get', 'name'], 'text-font': ['sans-serif'], 'text-size': 13 },
    },
  ],
})

let other: Host
let maps: Host
let site: Site
beforeAll(async () => {
  other = await startHost(() => '{"type":"FeatureCollection","features":[]}')
  maps = await startHost((url, path) => {
    if (path === '/style.json') return JSON.stringify(styleAt(url, other.url))
    if (path === '/park.json') return JSON.stringify(RING)
    if (path === '/city.json') return JSON.stringify({ tilejson: '3.0.0', tiles: [`${url}/city/{z}/{x}/{y}.mvt`] })
    return undefined
  })
  site = await openOwnSite({ mapStyleUrl: `${maps.url}/style.json` })
})
afterAll(async () => {
  await site.close()
  for (const { server } of [maps, other]) server.close()
})

/** Counts the pixels of each colour in a screenshot of the element. */
async function pixelsOf(page: Page, element: Locator, colours: readonly (typeof LAND)[]): Promise<number[]> {
  const picture = (await element.screenshot()).toString('base64')
  return page.evaluate(
    `(async () => {
      const image = new Image()
      image.src = 'data:image/png;base64,${picture}'
      await image.decode()
      const canvas = new OffscreenCanvas(image.width, image.height)
      const context = canvas.getContext('2d')
      context.drawImage(image, 0, 0)
      const { data } = context.getImageData(0, 0, image.width, image.height)
      return ${JSON.stringify(colours)}.map(({ red, green, blue }) => {
        let count = 0
        for (let at = 0; at < data.length; at += 4)
          if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) count += 1
        return count
      })
    })()`,
  )
}

test('a custom map style is drawn below our pins, and requests go only to its host', async () => {
  const { page, api, trouble, close } = await openRecorded(site, { map: true })
  const properties = manyProperties(8)
  // Spread out, so that the map also shows the ring.
  const spread = properties.map((each, index) => ({
    ...each,
    location: { lat: 48.78 + index / 60, lon: 2.26 + index / 50 },
  }))
  api.find(spread)
  await page.goto(RESULTS_ADDRESS)
  const map = page.getByRole('group', { name: 'Map of stays' })
  const pins = map.locator('[data-pin]')
  await pins.first().waitFor()
  await expect
    .poll(async () => Math.min(...(await pixelsOf(page, map, [LAND, PARK]))), { timeout: 30_000 })
    .toBeGreaterThan(1_000)
  await expect.poll(() => maps.asked.some((path) => path.startsWith('/city/')), { timeout: 20_000 }).toBe(true)
  expect([...new Set(maps.asked.slice(0, 3))].sort()).toEqual(['/city.json', '/park.json', '/style.json'])
  for (const pin of await pins.all()) expect(await pin.getAttribute('aria-label')).toMatch(/€\s?\d/)
  await pins.nth(1).click()
  await map.getByRole('article').waitFor()
  await map.getByText('© the operator’s source').waitFor({ state: 'attached' })
  expect(trouble().filter((line) => line.startsWith('external:') && !line.includes(maps.url))).toEqual([])
  const asked = [`${maps.url}/style.json`, `${other.url}/secret.json`]
  const asPage = `Promise.all(${JSON.stringify(asked)}.map((url) => fetch(url).then(() => 'sent', () => 'refused')))`
  expect(await page.evaluate(asPage), 'by the content security policy').toEqual(['sent', 'refused'])
  expect(other.asked).toEqual([])
  await close()
})

test('the content security policy allows the host of the map style only for its requests and images', async () => {
  const policyOf = async (url: string) => (await fetch(url)).headers.get('content-security-policy') ?? ''
  const directives = (policy: string) =>
    new Map(policy.split(';').map((each) => [each.split(' ')[0] ?? '', each.split(' ').slice(1)]))
  const withStyle = directives(await policyOf(`${site.url}/search`))
  const naming = [...withStyle].filter(([, sources]) => sources.includes(maps.url)).map(([name]) => name)
  expect(naming.sort()).toEqual(['connect-src', 'img-src'])
  expect(withStyle.get('connect-src')).toEqual(["'self'", maps.url])
  expect(withStyle.get('script-src')).toEqual(["'self'"])
  expect(await policyOf(`${site.url}/api/locations/search`)).not.toContain(maps.url)
})
