import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

const tile = async (path: string) => {
  const answer = await app.call({ url: `/map/${path}` })
  return { ...answer, text: answer.statusCode === 200 ? gunzipSync(answer.rawPayload).toString('latin1') : '' }
}

test('tiles are compressed vector tiles, cached for a day and revalidated by etag', async () => {
  const { headers } = await tile('land/7/60/48')
  expect(headers).toMatchObject({
    'content-type': 'application/vnd.mapbox-vector-tile',
    'content-encoding': 'gzip',
    'cache-control': 'public, max-age=86400',
  })
  const again = await app.call({ url: '/map/land/7/60/48', headers: { 'if-none-match': String(headers.etag) } })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

test('tiles contain land and a river at Lisbon, land alone in the Sahara, and nothing in the open sea', async () => {
  const lisbon = (await tile('land/7/60/48')).text
  expect(lisbon).toContain('land')
  const inland = (await tile('land/7/66/56')).text
  expect(inland).toContain('land')
  expect(lisbon.length).toBeGreaterThan(10 * inland.length)
  expect((await tile('land/7/52/64')).statusCode).toBe(204)
})

test('names appear by importance: the city at low zoom, its districts and landmarks at high zoom', async () => {
  expect((await tile('places/5/15/12')).text).toContain('Lisbon')
  expect((await tile('places/5/15/12')).text).not.toContain('Belém')
  const near = (await tile('places/12/1943/1569')).text + (await tile('places/12/1942/1569')).text
  expect(near).toMatch(/Alfama|Baixa|Belém|Chiado/)
})

test.each(['land/3/0/0', 'places/13/0/0', 'places/2/4/0'])(
  'the tile %s, which does not exist, is empty',
  async (path) => {
    expect((await tile(path)).statusCode).toBe(204)
  },
)

test.each(['land/x/0/0', 'places/-1/0/0', 'places/999999/0/0'])('the tile %s is refused', async (path) => {
  expect((await tile(path)).statusCode).toBe(422)
})

test('the page may load only from its own host, unless the operator configures a map style', async () => {
  const readPolicy = async (server: TestApp) =>
    String((await server.call({ url: '/' })).headers['content-security-policy'])
  expect(await readPolicy(app)).toContain("connect-src 'self';")
  expect(await readPolicy(app)).not.toContain('blob:')
  const withOwnMap = await testApp({ mapStyleUrl: 'https://maps.example.com/style.json' })
  const policy = await readPolicy(withOwnMap)
  expect(policy).toContain("connect-src 'self' https://maps.example.com;")
  expect(policy).toContain("script-src 'self';")
  expect((await withOwnMap.call({ url: '/page-config.json' })).json().map_style_url).toBe(
    'https://maps.example.com/style.json',
  )
  await withOwnMap.close()
})
