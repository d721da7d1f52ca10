import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { codeAt } from '../../../src/accounts/totp.ts'
import type { Database } from '../../../src/store/database.ts'
import { ACCOUNT, type TestApp, testApp } from '../../support/app/app.ts'
import { openMigrated } from '../../support/store/migrated-database.ts'

let database: Database
let app: TestApp
let secret: Buffer
beforeEach(async () => {
  database = await openMigrated()
  app = await testApp({}, { database })
  const prepared = app.oneTimeCodes.prepare(ACCOUNT.email)
  secret = decodeBase32(prepared.secret)
  expect(await prepared.confirm('000000'), 'a wrong code sets nothing up').toBe(codeNow() === '000000')
  expect((await signIn()).statusCode, 'so the password is enough').toBe(200)
  expect(await prepared.confirm(earlierCode())).toBe(true)
})
afterEach(() => app.close())

function decodeBase32(text: string): Buffer {
  const bits = [...text].map((char) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(char).toString(2).padStart(5, '0'))
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

const codeNow = () => codeAt(secret, Math.floor(app.clock.now() / 30_000))
/** Still accepted: a clock may be half a minute behind. */
const earlierCode = () => codeAt(secret, Math.floor(app.clock.now() / 30_000) - 1)
const wrongCode = () => {
  const present = Math.floor(app.clock.now() / 30_000)
  const right = [-1, 0, 1].map((distance) => codeAt(secret, present + distance))
  return ['123456', '654321', '111111', '222222'].find((code) => !right.includes(code))
}
const signIn = (totp?: string, password: string = ACCOUNT.password, remoteAddress = '127.0.0.1') =>
  app.call({
    method: 'POST',
    url: '/api/accounts/get_token',
    remoteAddress,
    payload: { user: { email: ACCOUNT.email, password, ...(totp === undefined ? {} : { totp }) } },
  })

test('e-mail and password alone get totp_required, and no token', async () => {
  const answer = await signIn()
  expect(answer.json()).toMatchObject({ status: 401, code: 'totp_required' })
  expect(answer.body).not.toContain('srt_')
})

test('signing in to the page needs the code too', async () => {
  const toPage = (totp?: string) =>
    app.call({
      method: 'POST',
      url: '/api/session',
      headers: { 'sec-fetch-site': 'same-origin' },
      payload: { user: { email: ACCOUNT.email, password: ACCOUNT.password, ...(totp === undefined ? {} : { totp }) } },
    })
  const without = await toPage()
  expect([without.json().code, without.headers['set-cookie']]).toEqual(['totp_required', undefined])
  expect((await toPage(codeNow())).headers['set-cookie']).toContain('srp_')
})

test('with the code the account signs in; the same code does not count again, nor an earlier one', async () => {
  const code = codeNow()
  expect((await signIn(code)).statusCode).toBe(200)
  expect((await signIn(code)).json().code).toBe('invalid_credentials')
  app.clock.turn(30_000)
  expect((await signIn(code)).json().code, 'still inside its time').toBe('invalid_credentials')
  expect((await signIn(codeNow())).statusCode).toBe(200)
})

test('the code that set it up is used: it signs nobody in', async () => {
  expect((await signIn(earlierCode())).json().code).toBe('invalid_credentials')
  expect((await signIn(codeNow())).statusCode).toBe(200)
})

test('of ten sign-ins with one code at once, one succeeds', async () => {
  const code = codeNow()
  const answers = await Promise.all(Array.from({ length: 10 }, () => signIn(code)))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
})

test('a wrong password is told before the code is looked at', async () => {
  expect((await signIn(codeNow(), 'not this one')).json().code).toBe('invalid_credentials')
  expect((await signIn(undefined, 'not this one')).json().code).toBe('invalid_credentials')
})

test('guessing codes is slowed down like guessing passwords', async () => {
  const wrong = codeNow() === '123456' ? '654321' : '123456'
  for (let guess = 0; guess < 5; guess += 1) expect((await signIn(wrong)).statusCode).toBe(401)
  expect((await signIn(codeNow())).json().code).toBe('sign_in_locked')
})

describe('codes guessed with the right password, each from another address', () => {
  let addresses = 0
  const from = () => `2001:db8:${(addresses++).toString(16)}::1`
  const guess = (password?: string) => signIn(wrongCode(), password, from())
  const guesses = (count: number, password?: string) =>
    Promise.all(Array.from({ length: count }, () => guess(password)))
  const waitOf = async () => {
    const answer = await signIn(codeNow(), undefined, from())
    expect(answer.json(), answer.body).toMatchObject({ status: 429, code: 'sign_in_locked' })
    return Number(answer.headers['retry-after'])
  }

  test('after five wrong ones codes are refused for a minute, twice as long after each further one, up to an hour', async () => {
    for (let at = 0; at < 5; at += 1) expect((await guess()).json().code).toBe('invalid_credentials')
    const waits: number[] = []
    for (let at = 0; at < 8; at += 1) {
      const seconds = await waitOf()
      waits.push(seconds / 60)
      app.clock.turn(seconds * 1_000)
      expect((await guess()).json().code).toBe('invalid_credentials')
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
  })

  test('of thirty at the same time, five are looked at', async () => {
    const codes = (await guesses(30)).map((answer) => answer.json().code)
    expect(codes.filter((code) => code === 'invalid_credentials')).toHaveLength(5)
    expect(codes.filter((code) => code === 'sign_in_locked')).toHaveLength(25)
  })

  test('another process refuses them too', async () => {
    await guesses(5)
    const second = await testApp({}, { database, clock: app.clock })
    const user = { email: ACCOUNT.email, password: ACCOUNT.password, totp: codeNow() }
    const url = '/api/accounts/get_token'
    const answer = await second.call({ method: 'POST', url, remoteAddress: from(), payload: { user } })
    expect(answer.json().code).toBe('sign_in_locked')
    await second.http.close()
  })

  test('the words say that only codes are refused, and for how long', async () => {
    await guesses(5)
    const { detail } = (await signIn(codeNow(), undefined, from())).json()
    expect(detail).toContain('wrong one-time codes')
    expect(detail).toContain('in 1 min')
    expect(detail).toContain('The password is not locked.')
  })

  test('a right code after the wait signs in, and five are free again', async () => {
    await guesses(5)
    app.clock.turn(60_000)
    expect((await signIn(codeNow(), undefined, from())).statusCode).toBe(200)
    for (let at = 0; at < 4; at += 1) expect((await guess()).statusCode).toBe(401)
    app.clock.turn(30_000)
    expect((await signIn(codeNow(), undefined, from())).statusCode).toBe(200)
  })

  test('nobody without the password causes it, and no sign-in without a code counts', async () => {
    for (let at = 0; at < 10; at += 1) expect((await guess('not this one')).statusCode).toBe(401)
    for (let at = 0; at < 6; at += 1)
      expect((await signIn(undefined, undefined, from())).json().code).toBe('totp_required')
    expect((await signIn(codeNow(), undefined, from())).statusCode).toBe(200)
  })

  test('a new password set by the operator ends it', async () => {
    await guesses(5)
    await app.manageAccounts.setPassword(ACCOUNT.email, 'a brand new password')
    expect((await signIn(codeNow(), 'a brand new password', from())).statusCode).toBe(200)
  })
})

test('the secret is stored encrypted', async () => {
  const [row] = await database.read
    .selectFrom('accounts')
    .select('totp_secret')
    .where('totp_secret', 'is not', null)
    .execute()
  expect(row?.totp_secret).not.toContain(secret.toString('base64url'))
})

test('once removed, the password is enough again', async () => {
  expect(await app.oneTimeCodes.remove(ACCOUNT.email)).toBe(true)
  expect((await signIn()).statusCode).toBe(200)
})
