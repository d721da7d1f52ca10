import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ACCOUNT, type TestApp, testApp } from '../../support/app/app.ts'

// Any operation that needs a token.
const url = '/api/accounts/revoke_token'
const method = 'POST'
let app: TestApp
let token: string

beforeEach(async () => {
  app = await testApp()
  token = await app.signIn()
})
afterEach(() => app.close())

const withHeader = (authorization: string) => app.call({ method, url, headers: { authorization } })

describe('accepted credentials', () => {
  test.each(['bearer: ', 'Bearer: ', 'BEARER: ', 'Bearer ', 'bearer ', 'bearer:'])(
    'the header "%s<token>" is accepted',
    async (scheme) => {
      expect((await withHeader(scheme + token)).statusCode).toBe(204)
    },
  )
})

describe('refused credentials', () => {
  test('a missing header, an empty scheme and another scheme are refused with a challenge', async () => {
    expect((await app.call({ method, url })).statusCode).toBe(401)
    for (const header of [
      'bearer:',
      'bearer: ',
      'Bearer',
      'Basic abc',
      `token ${token}`,
      `bearer: ${token} ${token}`,
    ]) {
      const answer = await withHeader(header)
      expect(answer.statusCode).toBe(401)
      expect(answer.headers['www-authenticate']).toContain('Bearer')
    }
  })

  test('a token with one changed character is refused', async () => {
    const changed = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')
    expect((await withHeader(`bearer: ${changed}`)).statusCode).toBe(401)
  })

  test('a revoked token is refused at once', async () => {
    await withHeader(`bearer: ${token}`)
    expect((await withHeader(`bearer: ${token}`)).statusCode).toBe(401)
  })

  test('a token revoked by another process is refused within a second', async () => {
    const other = await app.signIn()
    await app.as(other, { url: '/api/nowhere' })
    await app.manageAccounts.disable(ACCOUNT.email)
    app.clock.advance(1_000)
    expect((await app.as(other, { method, url })).statusCode).toBe(401)
  })

  test('an expired token is refused', async () => {
    app.clock.advance(24 * 3_600_000)
    expect((await withHeader(`bearer: ${token}`)).statusCode).toBe(401)
  })
})

test('a request with two authorization headers is refused', async () => {
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.http.server.address() as { port: number }
  const { request } = await import('node:http')
  const status = await new Promise<number | undefined>((done, fail) => {
    const call = request({ port, host: '127.0.0.1', path: url, method }, (answer) => {
      answer.resume()
      done(answer.statusCode)
    })
    call.on('error', fail)
    call.setHeader('authorization', [`bearer: ${token}`, 'bearer: other'])
    call.end()
  })
  expect(status).toBe(401)
})
