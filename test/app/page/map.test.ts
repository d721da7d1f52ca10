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

test('tiles are vector tiles, sent packed and kept for a day, and asked for again they are not sent again', async () => {
  const { headers } = await tile('land/7/60/48')
  expect(headers).toMatchObject({
    'content-type': 'application/vnd.mapbox-vector-tile',
    'content-encoding': 'gzip',
    'cache-control': 'public, max-age=86400',
  })
  const again = await app.call({ url: '/map/land/7/60/48', headers: { 'if-none-match': String(headers.etag) } })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

test('there is land and a river at Lisbon, land alone in the Sahara, and nothing in the open sea', async () => {
  const lisbon = (await tile('land/7/60/48')).text
  expect(lisbon).toContain('land')
  const inland = (await tile('land/7/66/56')).text
  expect(inland).toContain('land')
  expect(lisbon.length).toBeGreaterThan(10 * inland.length)
  expect((await tile('land/7/52/64')).statusCode).toBe(204)
})

test('names come by importance: the city from afar, its districts and landmarks from near', async () => {
  expect((await tile('places/5/15/12')).text).toContain('Lisbon')
  expect((await tile('places/5/15/12')).text).not.toContain('Belém')
  const near = (await tile('places/12/1943/1569')).text + (await tile('places/12/1942/1569')).text
  expect(near).toMatch(/Alfama|Baixa|Belém|Chiado/)
})

test.each(['land/3/0/0', 'places/13/0/0', 'places/2/4/0'])('%s: a tile that does not exist is empty', async (path) => {
  expect((await tile(path)).statusCode).toBe(204)
})

test.each(['land/x/0/0', 'places/-1/0/0', 'places/999999/0/0'])('%s is refused', async (path) => {
  expect((await tile(path)).statusCode).toBe(422)
})

test('the page may load from its own host alone, unless the operator has a map of its own', async () => {
  const policyOf = async (one: TestApp) => String((await one.call({ url: '/' })).headers['content-security-policy'])
  expect(await policyOf(app)).toContain("connect-src 'self';")
  expect(await policyOf(app)).not.toContain('blob:')
  const own = await testApp({ mapStyleUrl: 'https://maps.example.com/style.json' })
  const policy = await policyOf(own)
  expect(policy).toContain("connect-src 'self' https://maps.example.com;")
  expect(policy).toContain("script-src 'self';")
  expect((await own.call({ url: '/page-config.json' })).json().map_style_url).toBe(
    'https://maps.example.com/style.json',
  )
  await own.close()
})
