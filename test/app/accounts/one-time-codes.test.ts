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
/** Still accepted, because a clock may be half a minute slow. */
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

test('e-mail address and password alone get totp_required and no token', async () => {
  const answer = await signIn()
  expect(answer.json()).toMatchObject({ status: 401, code: 'totp_required' })
  expect(answer.body).not.toContain('srt_')
})

test('signing in to the page needs the code too', async () => {
  const signInToPage = (totp?: string) =>
    app.call({
      method: 'POST',
      url: '/api/session',
      headers: { 'sec-fetch-site': 'same-origin' },
      payload: { user: { email: ACCOUNT.email, password: ACCOUNT.password, ...(totp === undefined ? {} : { totp }) } },
    })
  const without = await signInToPage()
  expect([without.json().code, without.headers['set-cookie']]).toEqual(['totp_required', undefined])
  expect((await signInToPage(codeNow())).headers['set-cookie']).toContain('srp_')
})

test('a code signs in once, and neither it nor an earlier code is accepted afterwards', async () => {
  const code = codeNow()
  expect((await signIn(code)).statusCode).toBe(200)
  expect((await signIn(code)).json().code).toBe('invalid_credentials')
  app.clock.advance(30_000)
  expect((await signIn(code)).json().code, 'still inside its time').toBe('invalid_credentials')
  expect((await signIn(codeNow())).statusCode).toBe(200)
})

test('the code that set up one-time codes cannot be used to sign in', async () => {
  expect((await signIn(earlierCode())).json().code).toBe('invalid_credentials')
  expect((await signIn(codeNow())).statusCode).toBe(200)
})

test('ten concurrent sign-ins with one code succeed once', async () => {
  const code = codeNow()
  const answers = await Promise.all(Array.from({ length: 10 }, () => signIn(code)))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
})

test('a wrong password is refused before the code is checked', async () => {
  expect((await signIn(codeNow(), 'not this one')).json().code).toBe('invalid_credentials')
  expect((await signIn(undefined, 'not this one')).json().code).toBe('invalid_credentials')
})

test('guessing codes is throttled like guessing passwords', async () => {
  const wrong = codeNow() === '123456' ? '654321' : '123456'
  for (let guess = 0; guess < 5; guess += 1) expect((await signIn(wrong)).statusCode).toBe(401)
  expect((await signIn(codeNow())).json().code).toBe('sign_in_locked')
})

describe('guessing codes with the correct password from many addresses', () => {
  let addresses = 0
  const nextAddress = () => `2001:db8:${(addresses++).toString(16)}::1`
  const guess = (password?: string) => signIn(wrongCode(), password, nextAddress())
  const guesses = (count: number, password?: string) =>
    Promise.all(Array.from({ length: count }, () => guess(password)))
  const readLockSeconds = async () => {
    const answer = await signIn(codeNow(), undefined, nextAddress())
    expect(answer.json(), answer.body).toMatchObject({ status: 429, code: 'sign_in_locked' })
    return Number(answer.headers['retry-after'])
  }

  test('five wrong codes lock codes for a minute, and each further one doubles that up to an hour', async () => {
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await guess()).json().code).toBe('invalid_credentials')
    const waits: number[] = []
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const seconds = await readLockSeconds()
      waits.push(seconds / 60)
      app.clock.advance(seconds * 1_000)
      expect((await guess()).json().code).toBe('invalid_credentials')
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
  })

  test('only five of thirty concurrent codes are checked', async () => {
    const codes = (await guesses(30)).map((answer) => answer.json().code)
    expect(codes.filter((code) => code === 'invalid_credentials')).toHaveLength(5)
    expect(codes.filter((code) => code === 'sign_in_locked')).toHaveLength(25)
  })

  test('another process enforces the lock on codes too', async () => {
    await guesses(5)
    const second = await testApp({}, { database, clock: app.clock })
    const user = { email: ACCOUNT.email, password: ACCOUNT.password, totp: codeNow() }
    const url = '/api/accounts/get_token'
    const answer = await second.call({ method: 'POST', url, remoteAddress: nextAddress(), payload: { user } })
    expect(answer.json().code).toBe('sign_in_locked')
    await second.http.close()
  })

  test('the error says that only codes are locked, and for how long', async () => {
    await guesses(5)
    const { detail } = (await signIn(codeNow(), undefined, nextAddress())).json()
    expect(detail).toContain('wrong one-time codes')
    expect(detail).toContain('in 1 min')
    expect(detail).toContain('The password is not locked.')
  })

  test('a correct code after the lock signs in and allows five attempts again', async () => {
    await guesses(5)
    app.clock.advance(60_000)
    expect((await signIn(codeNow(), undefined, nextAddress())).statusCode).toBe(200)
    for (let attempt = 0; attempt < 4; attempt += 1) expect((await guess()).statusCode).toBe(401)
    app.clock.advance(30_000)
    expect((await signIn(codeNow(), undefined, nextAddress())).statusCode).toBe(200)
  })

  test('neither wrong passwords nor sign-ins without a code lock codes', async () => {
    for (let attempt = 0; attempt < 10; attempt += 1) expect((await guess('not this one')).statusCode).toBe(401)
    for (let attempt = 0; attempt < 6; attempt += 1)
      expect((await signIn(undefined, undefined, nextAddress())).json().code).toBe('totp_required')
    expect((await signIn(codeNow(), undefined, nextAddress())).statusCode).toBe(200)
  })

  test('a new password set by the operator ends the lock on codes', async () => {
    await guesses(5)
    await app.manageAccounts.setPassword(ACCOUNT.email, 'a brand new password')
    expect((await signIn(codeNow(), 'a brand new password', nextAddress())).statusCode).toBe(200)
  })
})

test('the secret of one-time codes is stored encrypted', async () => {
  const [row] = await database.read
    .selectFrom('accounts')
    .select('totp_secret')
    .where('totp_secret', 'is not', null)
    .execute()
  expect(row?.totp_secret).not.toContain(secret.toString('base64url'))
})

test('the password is sufficient again after one-time codes are removed', async () => {
  expect(await app.oneTimeCodes.remove(ACCOUNT.email)).toBe(true)
  expect((await signIn()).statusCode).toBe(200)
})
