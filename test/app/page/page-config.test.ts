import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { type PageBrowser, pageBrowser, withGuests } from '../../support/app/page-browser.ts'

const WITH_GUEST = { url: '/page-config.json?guest' }
const SAVED = { url: '/api/accommodation_searches' }

test('a site whose name leads to this machine does not get the development sign-in', async () => {
  const demo = { email: 'demo@example.com', password: 'a password' }
  const app = await testApp({}, { demo })
  const readDemo = async (host: string) => (await app.call({ url: '/page-config.json', headers: { host } })).json().demo
  for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000'])
    expect(await readDemo(host), host).toEqual(demo)
  for (const host of ['site.example', 'site.example:3000', '127.0.0.1.site.example', 'localhost.site.example'])
    expect(await readDemo(host), host).toBeNull()
  await app.close()
})

test('the settings say if the vendors are stand-ins', async () => {
  const app = await testApp({ sandbox: true })
  expect((await app.call({ url: '/page-config.json' })).json().sandbox).toBe(true)
  await app.close()
})

describe('a guest session that starts with the settings of the page', () => {
  let app: TestApp
  let browser: PageBrowser
  beforeAll(async () => {
    app = await testApp(withGuests('search', true))
    browser = pageBrowser(app)
  })
  afterAll(() => app.close())

  test('the response has the session of a guest, whose cookie may search at once', async () => {
    expect((await browser.send(SAVED)).statusCode).toBe(401)
    const started = await browser.send(WITH_GUEST)
    expect(started.json().session).toMatchObject({ account: null })
    expect(started.headers['cache-control']).toBe('no-store')
    expect(started.headers['set-cookie']).toMatch(/; HttpOnly; SameSite=Strict$/)
    expect((await browser.send(SAVED)).statusCode).toBe(200)
  })

  test('a visitor with a session keeps it', async () => {
    const cookie = browser.cookie()
    expect((await browser.send(WITH_GUEST)).headers['set-cookie']).toBeUndefined()
    await browser.signIn()
    expect(browser.cookie()).not.toBe(cookie)
    const read = await browser.send(WITH_GUEST)
    expect([read.headers['set-cookie'], read.json().session.account]).toEqual([undefined, expect.anything()])
  })

  test('the settings alone and the documents start no session', async () => {
    for (const url of ['/page-config.json', '/page-config.json?changed', '/search?to=x', '/'])
      expect((await pageBrowser(app).send({ url })).headers['set-cookie'], url).toBeUndefined()
  })

  test.each(['cross-site', 'same-site', 'none', undefined])(
    'a request that another page may have caused starts none: sec-fetch-site %s',
    async (site) => {
      const headers = site === undefined ? {} : { 'sec-fetch-site': site }
      const answer = await app.call({ ...WITH_GUEST, headers })
      expect([answer.statusCode, answer.json().session, answer.headers['set-cookie']]).toEqual([200, null, undefined])
    },
  )

  test('both ways to start a session share the limit of the address, and over it the settings are still read', async () => {
    const from = { remoteAddress: '192.0.2.9' }
    const starts = []
    for (let index = 0; index < 21; index += 1) starts.push(await pageBrowser(app).send({ ...WITH_GUEST, ...from }))
    expect(starts.filter(({ headers }) => headers['set-cookie'] !== undefined)).toHaveLength(20)
    expect([starts[20]?.statusCode, starts[20]?.json().session]).toEqual([200, null])
    const post = await pageBrowser(app).send({ method: 'POST', url: '/api/session/guest', ...from })
    expect(post.json()).toMatchObject({ status: 429, code: 'rate_limited' })
  })

  test('without guest access no session starts', async () => {
    const closed = await testApp(withGuests('off'))
    const { headers, ...answer } = await pageBrowser(closed).send(WITH_GUEST)
    expect([answer.json().session, headers['set-cookie']]).toEqual([null, undefined])
    await closed.close()
  })
})
