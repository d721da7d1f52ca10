import { afterEach, beforeEach, expect, test } from 'vitest'
import { codeAt } from '../../src/accounts/totp.ts'
import { type Database, openDatabase } from '../../src/store/database.ts'
import { ACCOUNT, type TestApp, testApp } from '../support/app/app.ts'

let database: Database
let app: TestApp
let secret: Buffer
beforeEach(async () => {
  database = openDatabase({ kind: 'sqlite', path: ':memory:' })
  app = await testApp({}, { database })
  const prepared = app.oneTimeCodes.prepare(ACCOUNT.email)
  secret = decodeBase32(prepared.secret)
  expect(await prepared.confirm('000000'), 'a wrong code sets nothing up').toBe(codeNow() === '000000')
  expect((await signIn()).statusCode, 'so the password is enough').toBe(200)
  expect(await prepared.confirm(codeNow())).toBe(true)
})
afterEach(() => app.close())

function decodeBase32(text: string): Buffer {
  const bits = [...text].map((char) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(char).toString(2).padStart(5, '0'))
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

const codeNow = () => codeAt(secret, Math.floor(app.clock.now() / 30_000))
const signIn = (totp?: string, password: string = ACCOUNT.password) =>
  app.call({
    method: 'POST',
    url: '/api/accounts/get_token',
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
