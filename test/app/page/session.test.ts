import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ACCOUNT, OTHER_ACCOUNT, type TestApp, testApp } from '../../support/app/app.ts'
import { type PageBrowser, pageBrowser, withGuests } from '../../support/app/page-browser.ts'

const BOOKINGS = { url: '/api/accommodation/bookings' }
const user = { email: ACCOUNT.email, password: ACCOUNT.password }
let app: TestApp
let browser: PageBrowser

beforeEach(async () => {
  app = await testApp({
    publicUrl: 'http://serai.test',
    corsOrigins: ['https://partner.example'],
    ...withGuests('book'),
  })
  browser = pageBrowser(app)
})
afterEach(() => app.close())

describe('signing in to the page', () => {
  test('signing in sets an HttpOnly, SameSite cookie and returns the account', async () => {
    const answer = await browser.signIn()
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data).toMatchObject({ account: { email: ACCOUNT.email, name: ACCOUNT.name } })
    expect(answer.headers['set-cookie']).toMatch(
      /^serai_session=srp_[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Strict$/,
    )
    expect(answer.body).not.toContain('srp_')
    expect((await browser.send(BOOKINGS)).statusCode).toBe(200)
    expect(await browser.session()).toMatchObject({ account: { email: ACCOUNT.email } })
  })

  test('over TLS the cookie is Secure and bound to the host by its name', async () => {
    const secure = await testApp({ publicUrl: 'https://serai.test' })
    const answer = await pageBrowser(secure).signIn()
    expect(answer.headers['set-cookie']).toMatch(/^__Host-serai_session=srp_.*; Path=\/; .*; Secure$/)
    await secure.close()
  })

  test('a wrong password sets no cookie', async () => {
    const answer = await browser.signIn({ email: ACCOUNT.email, password: 'not the password' })
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  test('the secret of the cookie is never logged', async () => {
    await browser.signIn()
    await browser.send({ url: '/api/accommodation/bookings?limit=x', headers: { 'x-request-id': browser.cookie() } })
    const secret = browser.cookie().split('=')[1] ?? ''
    expect(secret).toMatch(/^srp_/)
    expect(app.logged.join('')).not.toContain(secret)
  })

  test('signing in starts a new session and invalidates one that was planted before', async () => {
    await browser.startGuest()
    const planted = browser.cookie()
    await browser.signIn()
    expect(browser.cookie()).not.toBe(planted)
    expect((await pageBrowser(app, planted).send(BOOKINGS)).statusCode).toBe(401)
  })

  test('an invented session is refused and replaced at sign-in', async () => {
    const invented = pageBrowser(app, `serai_session=srp_${'A'.repeat(43)}`)
    expect((await invented.send(BOOKINGS)).statusCode).toBe(401)
    await invented.signIn()
    expect(invented.cookie()).not.toContain('AAAA')
  })
})

describe('the end of a session', () => {
  test('signing out ends the session for all tabs of the browser', async () => {
    await browser.signIn()
    const otherTab = pageBrowser(app, browser.cookie())
    expect((await otherTab.send(BOOKINGS)).statusCode).toBe(200)
    const answer = await browser.signOut()
    expect(answer.statusCode).toBe(204)
    expect(answer.headers['set-cookie']).toMatch(/^serai_session=; Max-Age=0; /)
    expect((await otherTab.send(BOOKINGS)).statusCode).toBe(401)
  })

  test('signing out does not end the session of another browser', async () => {
    const other = pageBrowser(app)
    await browser.signIn()
    await other.signIn()
    await browser.signOut()
    expect((await other.send(BOOKINGS)).statusCode).toBe(200)
  })

  test('a session ends within a second of disabling the account, with a new password and at its expiry', async () => {
    await browser.signIn()
    const other = pageBrowser(app)
    await other.signIn(OTHER_ACCOUNT)
    await app.manageAccounts.disable(ACCOUNT.email)
    app.clock.advance(1_000)
    expect((await browser.send(BOOKINGS)).statusCode).toBe(401)
    await app.manageAccounts.setPassword(ACCOUNT.email, ACCOUNT.password)
    expect((await browser.send(BOOKINGS)).statusCode).toBe(401)
    expect((await other.send(BOOKINGS)).statusCode).toBe(200)
    app.clock.advance(24 * 3_600_000)
    expect((await other.send(BOOKINGS)).statusCode).toBe(401)
  })
})

describe('requests from other sites', () => {
  const search = { method: 'POST', url: '/api/accommodation_searches/search', payload: {} } as const
  const cancel = { method: 'POST', url: '/api/accommodation/bookings/bkg_1/cancel' } as const
  /** Headers of a browser request without those of our page. */
  const withoutPageHeaders = (cookie: string, headers: Record<string, string>) => ({ headers: { cookie, ...headers } })

  test.each([
    ['sec-fetch-site: cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['sec-fetch-site of a neighbouring subdomain', { 'sec-fetch-site': 'same-site' }],
    ['sec-fetch-site of a typed address', { 'sec-fetch-site': 'none' }],
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['our host with another port', { origin: 'http://serai.test:8080' }],
    ['our host over another scheme', { origin: 'https://serai.test' }],
    ['an opaque origin', { origin: 'null' }],
    ['no origin at all', {}],
  ])('a request with %s cannot change anything with the cookie', async (_name, headers: Record<string, string>) => {
    await browser.signIn()
    const sent = { ...headers, host: 'serai.test', 'x-serai-page': '1' }
    expect((await app.call({ ...search, ...withoutPageHeaders(browser.cookie(), sent) })).statusCode).toBe(401)
    expect((await app.call({ ...cancel, ...withoutPageHeaders(browser.cookie(), sent) })).statusCode).toBe(401)
    expect(await browser.session()).not.toBeNull()
  })

  test('another site can neither sign in a visitor nor start a guest session', async () => {
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
      const answer = await app.call({ method: 'POST', url: '/api/session', payload: { user }, headers })
      expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([401, undefined])
      const guest = await app.call({ method: 'POST', url: '/api/session/guest', headers })
      expect([guest.statusCode, guest.headers['set-cookie']]).toEqual([401, undefined])
    }
  })

  test('a form cannot be posted with the cookie, even from our own origin', async () => {
    await browser.signIn()
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'text/plain' }
    expect((await app.call({ ...cancel, ...withoutPageHeaders(browser.cookie(), headers) })).statusCode).toBe(401)
  })

  test('another site cannot read anything with the cookie', async () => {
    await browser.signIn()
    for (const site of ['cross-site', 'same-site']) {
      const sent = withoutPageHeaders(browser.cookie(), { 'sec-fetch-site': site })
      expect((await app.call({ ...BOOKINGS, ...sent })).statusCode).toBe(401)
      expect((await app.call({ url: '/page-config.json', ...sent })).json().session).toBeNull()
    }
  })

  test('an origin that CORS allows is never allowed credentials', async () => {
    const headers = {
      origin: 'https://partner.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-serai-page',
    }
    const asked = await app.call({ method: 'OPTIONS', url: BOOKINGS.url, headers })
    expect(asked.headers['access-control-allow-origin']).toBe('https://partner.example')
    expect(asked.headers['access-control-allow-credentials']).toBeUndefined()
    await browser.signIn()
    const sent = withoutPageHeaders(browser.cookie(), { origin: 'https://partner.example', 'x-serai-page': '1' })
    expect((await app.call({ ...cancel, ...sent })).statusCode).toBe(401)
  })

  test('two cookies of the same name are both ignored', async () => {
    await browser.signIn()
    const tossed = `${browser.cookie()}; serai_session=srp_${'B'.repeat(43)}`
    expect((await pageBrowser(app, tossed).send(BOOKINGS)).statusCode).toBe(401)
  })
})

describe('requests from our own page', () => {
  test('without sec-fetch-site, our page is recognised by its origin under each of its names', async () => {
    await browser.signIn()
    for (const headers of [
      { origin: 'http://serai.test', host: 'inside:4000' },
      { origin: 'http://localhost:4000', host: 'localhost:4000' },
    ]) {
      const answer = await app.call({
        method: 'POST',
        url: '/api/accommodation/bookings/bkg_1/cancel',
        headers: { cookie: browser.cookie(), 'x-serai-page': '1', ...headers },
      })
      expect(answer.statusCode).toBe(404)
    }
  })

  test('a token in the header takes precedence over the cookie, even if it is invalid', async () => {
    await browser.signIn()
    const headers = { authorization: 'bearer: srt_nonsense' }
    expect((await browser.send({ ...BOOKINGS, headers })).statusCode).toBe(401)
    const token = await app.signIn(OTHER_ACCOUNT)
    const revoked = await browser.send({
      method: 'POST',
      url: '/api/accounts/revoke_token',
      headers: { authorization: `bearer: ${token}` },
    })
    expect(revoked.statusCode).toBe(204)
    expect((await browser.send(BOOKINGS)).statusCode).toBe(200)
  })

  test('the secret of a cookie is not valid as a token, nor a token as a cookie', async () => {
    await browser.signIn()
    const secret = browser.cookie().split('=')[1]
    expect((await app.as(secret ?? '', BOOKINGS)).statusCode).toBe(401)
    expect((await pageBrowser(app, `serai_session=${await app.signIn()}`).send(BOOKINGS)).statusCode).toBe(401)
  })

  test('without a token or session, every operation that does not start one is refused', async () => {
    for (const options of [
      BOOKINGS,
      { url: '/api/locations/search?starts_with=Paris' },
      { method: 'POST' as const, url: '/api/accommodation_searches/search', payload: {} },
      { url: '/api/webhooks' },
    ])
      expect((await pageBrowser(app).send(options)).statusCode).toBe(401)
  })
})
