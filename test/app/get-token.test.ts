import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCOUNT, OTHER_ACCOUNT, type TestApp, testApp } from '../support/app/app.ts'

const url = '/api/accounts/get_token'
const user = { email: ACCOUNT.email, password: ACCOUNT.password }
let app: TestApp

beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

/** With password hashes as costly as the service makes them, where the time of a sign-in matters. */
async function appWithCostlyHashes(settings: Parameters<typeof testApp>[0]): Promise<TestApp> {
  const costly = await testApp(settings)
  for (const { email, password } of [ACCOUNT, OTHER_ACCOUNT]) await costly.manageAccounts.setPassword(email, password)
  return costly
}

describe('200', () => {
  test('a right password gives a fresh token that opens other operations', async () => {
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

  test('the e-mail is found in any case', async () => {
    const answer = await app.call({ method: 'POST', url, payload: { user: { ...user, email: 'ANA@Example.com' } } })
    expect(answer.statusCode).toBe(200)
  })
})

describe('401', () => {
  test('wrong password and unknown e-mail get the same words', async () => {
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

  test('wrong password and unknown e-mail take the same time', async () => {
    const fresh = await appWithCostlyHashes({ allowances: unlimited() })
    const timeOf = async (email: string) => {
      const started = performance.now()
      await fresh.call({ method: 'POST', url, payload: { user: { email, password: 'not this one' } } })
      return performance.now() - started
    }
    // In turns, and the best of each, so that a busy machine strikes both alike.
    const times = { known: [] as number[], unknown: [] as number[] }
    for (let i = 0; i < 4; i += 1) {
      times.known.push(await timeOf(ACCOUNT.email))
      times.unknown.push(await timeOf('nobody@example.com'))
    }
    const [known, unknown] = [Math.min(...times.known), Math.min(...times.unknown)]
    // Both hash once; without the decoy the unknown one would be tens of times faster.
    expect(unknown).toBeGreaterThan(known / 4)
    expect(unknown).toBeLessThan(known * 4)
    await fresh.close()
  })

  test('a disabled account is told nothing else', async () => {
    const fresh = await testApp()
    await fresh.manageAccounts.disable(ACCOUNT.email)
    const answer = await fresh.call({ method: 'POST', url, payload: { user } })
    expect(answer.json().code).toBe('invalid_credentials')
    await fresh.close()
  })
})

describe('429', () => {
  const attempt = (app: TestApp, remoteAddress: string, password: string, email: string = ACCOUNT.email) =>
    app.call({ method: 'POST', url, remoteAddress, payload: { user: { email, password } } })

  test('the fifth failure slows down the address that sent them, for an e-mail that is known or not, and time ends it', async () => {
    for (const email of [ACCOUNT.email, 'nobody@example.com']) {
      const fresh = await testApp()
      for (let i = 0; i < 5; i += 1) await attempt(fresh, '192.0.2.1', 'no', email)
      const slowed = await attempt(fresh, '192.0.2.1', ACCOUNT.password, email)
      expect(slowed.json().code).toBe('sign_in_locked')
      expect(Number(slowed.headers['retry-after'])).toBeGreaterThan(0)
      fresh.clock.turn(61_000)
      const later = await attempt(fresh, '192.0.2.1', ACCOUNT.password, email)
      expect(later.statusCode).toBe(email === ACCOUNT.email ? 200 : 401)
      await fresh.close()
    }
  })

  test('wrong passwords from one address do not keep the owner out at another', async () => {
    const fresh = await testApp()
    for (let i = 0; i < 8; i += 1) await attempt(fresh, '192.0.2.1', 'no')
    expect((await attempt(fresh, '192.0.2.1', ACCOUNT.password)).statusCode).toBe(429)
    expect((await attempt(fresh, '198.51.100.7', ACCOUNT.password)).statusCode).toBe(200)
    await fresh.close()
  })

  test('addresses of one IPv6 network are one sender', async () => {
    const fresh = await testApp()
    for (let i = 0; i < 5; i += 1) await attempt(fresh, `2001:db8:0:7::${i + 1}`, 'no')
    expect((await attempt(fresh, '2001:db8:0:7:ffff::1', ACCOUNT.password)).statusCode).toBe(429)
    expect((await attempt(fresh, '2001:db8:0:8::1', ACCOUNT.password)).statusCode).toBe(200)
    await fresh.close()
  })

  test('an account attacked from many addresses is slowed down, not closed; its owner’s address is not even slowed down', async () => {
    type Someone = { readonly email: string; readonly password: string }
    const timed = async (app: TestApp, address: string, { email, password }: Someone = ACCOUNT) => {
      const begun = performance.now()
      expect((await attempt(app, address, password, email)).statusCode).toBe(200)
      return performance.now() - begun
    }
    const attacked = async (signInPauseMs: number) => {
      const fresh = await appWithCostlyHashes({ signInPauseMs })
      await timed(fresh, '198.51.100.7')
      await Promise.all(Array.from({ length: 24 }, (_, at) => attempt(fresh, `192.0.2.${at + 1}`, 'no')))
      return fresh
    }
    const slow = await attacked(1_000)
    expect(await timed(slow, '198.51.100.8'), 'slowed down').toBeGreaterThan(900)
    expect(await timed(slow, '198.51.100.9', OTHER_ACCOUNT), 'another account is not').toBeLessThan(900)
    await slow.close()

    // While the attack goes on, so that the owner waits behind it or passes it: 30 of it wait for three seconds.
    const fresh = await attacked(100)
    const attack = Array.from({ length: 60 }, (_, at) => attempt(fresh, `203.0.113.${at + 1}`, 'no'))
    expect(await timed(fresh, '198.51.100.7')).toBeLessThan(1_000)
    const answers = await Promise.all(attack)
    expect(answers.filter(({ statusCode }) => statusCode === 503).length, 'refused at once').toBeGreaterThan(20)
    await fresh.close()
  }, 60_000)

  test('a new password set by the operator ends the slow-down of its owner', async () => {
    const fresh = await testApp()
    for (let i = 0; i < 5; i += 1) await attempt(fresh, '192.0.2.1', 'no')
    await fresh.manageAccounts.setPassword(ACCOUNT.email, 'a brand new password')
    expect((await attempt(fresh, '192.0.2.1', 'a brand new password')).statusCode).toBe(200)
    await fresh.close()
  })

  test('guesses from one address run out before they reach the hash', async () => {
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

describe('bad input', () => {
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
  ])('%s is refused and named', async (_name, payload, status, code) => {
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
  ])('%s is refused, or a name would be kept with � in it', async (_name, payload, words) => {
    for (const type of ['application/json', 'application/json; charset=iso-8859-1']) {
      const answer = await post(payload, type)
      expect(answer.json()).toMatchObject({ status: 400, code: 'malformed_request' })
      expect(answer.json().detail).toContain(words)
    }
  })

  test('a compressed body is read; one that cannot be decompressed is refused with the reason', async () => {
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

  test('every missing field is named at once', async () => {
    const answer = await post({ user: {} })
    expect(
      answer
        .json()
        .errors.map((error: { field: string }) => error.field)
        .sort(),
    ).toEqual(['user.email', 'user.password'])
  })

  test('neither password nor token is ever logged', async () => {
    const token = await app.signIn()
    await post({ user: { email: ACCOUNT.email, password: 'canary-password-1' } })
    await app.as('srt_canary', { url: '/api/nope' })
    const log = app.logged.join('')
    expect(log).toContain('answered')
    for (const secret of [token, 'canary-password-1', 'srt_canary', ACCOUNT.password]) expect(log).not.toContain(secret)
  })
})

function unlimited() {
  const much = { quota: 1e6, windowMs: 60_000 }
  return { account: much, address: much, signInsPerAddress: much, signInsPerPair: much }
}
