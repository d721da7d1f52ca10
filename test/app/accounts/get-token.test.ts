import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCOUNT, type TestApp, testApp } from '../../support/app/app.ts'

const url = '/api/accounts/get_token'
const user = { email: ACCOUNT.email, password: ACCOUNT.password }
let app: TestApp

beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

describe('successful sign-in', () => {
  test('the correct password returns a new token that is valid for other operations', async () => {
    const first = await app.call({ method: 'POST', url, payload: { user } })
    const second = await app.call({ method: 'POST', url, payload: { user } })
    expect(first.statusCode).toBe(200)
    expect(first.json()).toMatchObject({ token_type: 'bearer', account: { email: ACCOUNT.email, name: ACCOUNT.name } })
    expect(first.json().token).toMatch(/^srt_[A-Za-z0-9_-]{43}$/)
    expect(second.json().token).not.toBe(first.json().token)
    expect((await app.as(first.json().token, { method: 'POST', url: '/api/accounts/revoke_token' })).statusCode).toBe(
      204,
    )
  })

  test('the case of the e-mail address does not matter', async () => {
    const answer = await app.call({ method: 'POST', url, payload: { user: { ...user, email: 'ANA@Example.com' } } })
    expect(answer.statusCode).toBe(200)
  })
})

describe('failed sign-in', () => {
  test('a wrong password and an unknown e-mail address get the same error', async () => {
    const fresh = await testApp()
    const wrong = await fresh.call({ method: 'POST', url, payload: { user: { ...user, password: 'not this one' } } })
    const unknown = await fresh.call({
      method: 'POST',
      url,
      payload: { user: { ...user, email: 'nobody@example.com' } },
    })
    const same = ({ instance: _, ...rest }: Record<string, unknown>) => rest
    expect(wrong.statusCode).toBe(401)
    expect(same(wrong.json())).toEqual(same(unknown.json()))
    expect(wrong.json().code).toBe('invalid_credentials')
    await fresh.close()
  })

  test('a disabled account gets the same error as a wrong password', async () => {
    const fresh = await testApp()
    await fresh.manageAccounts.disable(ACCOUNT.email)
    const answer = await fresh.call({ method: 'POST', url, payload: { user } })
    expect(answer.json().code).toBe('invalid_credentials')
    await fresh.close()
  })
})

describe('throttled sign-in', () => {
  const attempt = (app: TestApp, remoteAddress: string, password: string, email: string = ACCOUNT.email) =>
    app.call({ method: 'POST', url, remoteAddress, payload: { user: { email, password } } })

  test('five failed sign-ins lock out their address for a minute, whether the e-mail address is known or not', async () => {
    for (const email of [ACCOUNT.email, 'nobody@example.com']) {
      const fresh = await testApp()
      for (let i = 0; i < 5; i += 1) await attempt(fresh, '192.0.2.1', 'no', email)
      const slowed = await attempt(fresh, '192.0.2.1', ACCOUNT.password, email)
      expect(slowed.json().code).toBe('sign_in_locked')
      expect(Number(slowed.headers['retry-after'])).toBeGreaterThan(0)
      fresh.clock.advance(61_000)
      const later = await attempt(fresh, '192.0.2.1', ACCOUNT.password, email)
      expect(later.statusCode).toBe(email === ACCOUNT.email ? 200 : 401)
      await fresh.close()
    }
  })

  test('wrong passwords from one address do not lock out the owner at another address', async () => {
    const fresh = await testApp()
    for (let i = 0; i < 8; i += 1) await attempt(fresh, '192.0.2.1', 'no')
    expect((await attempt(fresh, '192.0.2.1', ACCOUNT.password)).statusCode).toBe(429)
    expect((await attempt(fresh, '198.51.100.7', ACCOUNT.password)).statusCode).toBe(200)
    await fresh.close()
  })

  test('addresses of one IPv6 network share a limit', async () => {
    const fresh = await testApp()
    for (let i = 0; i < 5; i += 1) await attempt(fresh, `2001:db8:0:7::${i + 1}`, 'no')
    expect((await attempt(fresh, '2001:db8:0:7:ffff::1', ACCOUNT.password)).statusCode).toBe(429)
    expect((await attempt(fresh, '2001:db8:0:8::1', ACCOUNT.password)).statusCode).toBe(200)
    await fresh.close()
  })

  test('a new password set by the operator ends the lock', async () => {
    const fresh = await testApp()
    for (let i = 0; i < 5; i += 1) await attempt(fresh, '192.0.2.1', 'no')
    await fresh.manageAccounts.setPassword(ACCOUNT.email, 'a brand new password')
    expect((await attempt(fresh, '192.0.2.1', 'a brand new password')).statusCode).toBe(200)
    await fresh.close()
  })

  test('guesses from one address are refused by the rate limit before a password is hashed', async () => {
    const fresh = await testApp()
    const codes = new Map<string, number>()
    for (let i = 0; i < 60; i += 1) {
      const answer = await fresh.call({
        method: 'POST',
        url,
        payload: { user: { email: `u${i}@example.com`, password: 'no' } },
      })
      const { code } = answer.json()
      codes.set(code, (codes.get(code) ?? 0) + 1)
    }
    expect(codes.get('invalid_credentials')).toBe(20)
    expect(codes.get('rate_limited')).toBe(40)
    await fresh.close()
  })
})

describe('invalid sign-in requests', () => {
  const post = (payload: string | Buffer | object, type = 'application/json') =>
    app.call({ method: 'POST', url, payload, headers: { 'content-type': type } })

  test.each([
    ['no body', '', 422, 'invalid_request'],
    ['null', 'null', 422, 'invalid_request'],
    ['a list', '[]', 422, 'invalid_request'],
    ['broken JSON', '{"user":', 400, 'malformed_request'],
    ['a key twice', '{"user":{"email":"a@b.cd","email":"c@d.ef","password":"x"}}', 400, 'malformed_request'],
    [
      'a prototype key',
      '{"user":{"__proto__":{"admin":true},"email":"a@b.cd","password":"x"}}',
      400,
      'malformed_request',
    ],
    ['deep nesting', `${'['.repeat(500)}${']'.repeat(500)}`, 400, 'malformed_request'],
    [
      'a long e-mail',
      JSON.stringify({ user: { email: `${'a'.repeat(10_000)}@b.cd`, password: 'x' } }),
      422,
      'invalid_request',
    ],
    ['a number as password', '{"user":{"email":"a@b.cd","password":5}}', 422, 'invalid_request'],
    ['10 MB', `{"user":"${'x'.repeat(10_000_000)}"}`, 413, 'body_too_large'],
  ])('%s is refused with its error code', async (_name, payload, status, code) => {
    const answer = await post(payload)
    expect(answer.statusCode).toBe(status)
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(answer.json()).toMatchObject({ code, status, instance: answer.headers['x-request-id'] })
  })

  test.each([
    [
      'a body in Latin-1, whatever it is declared as',
      Buffer.from('{"user":{"email":"josé@b.cd","password":"x"}}', 'latin1'),
      'UTF-8',
    ],
    ['half of a character', '{"user":{"email":"\\ud83d@b.cd","password":"x"}}', 'half of a character'],
  ])('%s is refused because it would put � into a stored name', async (_name, payload, words) => {
    for (const type of ['application/json', 'application/json; charset=iso-8859-1']) {
      const answer = await post(payload, type)
      expect(answer.json()).toMatchObject({ status: 400, code: 'malformed_request' })
      expect(answer.json().detail).toContain(words)
    }
  })

  test('a compressed body is decompressed, and one that cannot be is refused with the reason', async () => {
    const compressed = (encoding: string, payload: Buffer | string) =>
      app.call({
        method: 'POST',
        url,
        payload,
        headers: { 'content-type': 'application/json', 'content-encoding': encoding },
      })
    expect((await compressed('gzip', gzipSync('{"user":{}}'))).json()).toMatchObject({ status: 422 })
    expect((await compressed('gzip', gzipSync(' '.repeat(1e6)))).json()).toMatchObject({ status: 413 })
    expect((await compressed('gzip', '{"user":{}}')).json()).toMatchObject({
      status: 400,
      detail: expect.stringContaining('content-encoding'),
    })
    expect((await compressed('lzma', '{"user":{}}')).json()).toMatchObject({
      status: 415,
      detail: expect.stringContaining('content-encoding: gzip'),
    })
  })

  test('another content type is refused', async () => {
    const answer = await post('user=x', 'text/plain')
    expect([answer.statusCode, answer.json().code]).toEqual([415, 'unsupported_media_type'])
  })

  test('an error names every missing field', async () => {
    const answer = await post({ user: {} })
    expect(
      answer
        .json()
        .errors.map((error: { field: string }) => error.field)
        .sort(),
    ).toEqual(['user.email', 'user.password'])
  })

  test('passwords and tokens are never logged', async () => {
    const token = await app.signIn()
    await post({ user: { email: ACCOUNT.email, password: 'canary-password-1' } })
    await app.as('srt_canary', { url: '/api/nope' })
    const log = app.logged.join('')
    expect(log).toContain('answered')
    for (const secret of [token, 'canary-password-1', 'srt_canary', ACCOUNT.password]) expect(log).not.toContain(secret)
  })
})
