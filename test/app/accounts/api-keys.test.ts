import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { KeyList, NewKeyResponse, SessionList } from '../../../src/accounts/schemas/api-keys.ts'
import { addDays, dateIn } from '../../../src/lib/time/plain-date.ts'
import type { Database } from '../../../src/store/database.ts'
import { ACCOUNT, OTHER_ACCOUNT, type TestApp, testApp } from '../../support/app/app.ts'
import { pageBrowser } from '../../support/app/page-browser.ts'
import { expectToMatch } from '../../support/app/search-app-schema.ts'
import { openMigrated } from '../../support/store/migrated-database.ts'

const KEYS = '/api/accounts/keys'
const BOOKINGS = '/api/accommodation/bookings'
const SEARCHES = '/api/accommodation_searches'

let database: Database
let app: TestApp
let token: string
beforeEach(async () => {
  database = await openMigrated()
  app = await testApp({}, { database })
  token = await app.signIn()
})
afterEach(() => app.close())

type CreatedKey = { id: string; key: string }

const post = (body: object, as = token) => app.as(as, { method: 'POST', url: KEYS, payload: body })

async function create(more: object = {}, as = token): Promise<CreatedKey> {
  const answer = await post(
    { name: 'a program', mode: 'test', scopes: ['search', 'book', 'cancel', 'read'], ...more },
    as,
  )
  expect(answer.statusCode, answer.body).toBe(201)
  expectToMatch(NewKeyResponse, answer.json())
  return answer.json().data
}

const UNKNOWN = '0f0f0f0f-1111-4222-8333-444444444444'
/** Books a simulated offer that was issued before, without the header. */
async function book(as: string) {
  const url = `${SEARCHES}/accommodation?search_id=${UNKNOWN}&property_id=p1`
  const detail = await app.as(as, { url, headers: { 'x-simulate-return': 'success' } })
  const payload = detail.json().accommodation.available_rooms[0].booking_info
  return app.as(as, { method: 'POST', url: '/api/accommodation/book', payload })
}
const list = async (url: string, as = token) => (await app.as(as, { url })).json().data
const readErrorCodes = (answer: { json(): { errors?: { field: string; code: string }[] } }) =>
  (answer.json().errors ?? []).map(({ field, code }) => `${field} ${code}`)

describe('API keys', () => {
  test('a key is shown once, and only its SHA-256 is stored', async () => {
    const created = await create({ mode: 'live' })
    expect(created.key).toMatch(/^srk_live_[A-Za-z0-9_-]{43}$/)
    const listed = await app.as(token, { url: KEYS })
    expectToMatch(KeyList, listed.json())
    expect(listed.body).not.toContain(created.key)
    expect(listed.json().data[0]).toMatchObject({ id: created.id, hint: `srk_live_…${created.key.slice(-4)}` })
    const rows = await database.read.selectFrom('api_keys').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(created.key.slice('srk_live_'.length))
    expect(rows[0]?.hash).toMatch(/^[0-9a-f]{64}$/)
  })

  test('a key is sent like a token and is never logged', async () => {
    const { key } = await create({ mode: 'live' })
    for (const header of [`bearer: ${key}`, `Bearer ${key}`, `BEARER ${key}`]) {
      const answer = await app.call({ url: BOOKINGS, headers: { authorization: header, 'x-request-id': key } })
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['x-request-id']).not.toContain('srk_')
    }
    expect(app.logged.join('')).not.toContain(key)
  })

  test('an account can neither see nor revoke the keys of another account', async () => {
    const other = await app.signIn(OTHER_ACCOUNT)
    const created = await create({}, other)
    expect(await list(KEYS)).toEqual([])
    const revoked = await app.as(token, { method: 'DELETE', url: `${KEYS}/${created.id}` })
    expect(revoked.json()).toMatchObject({ status: 404, code: 'key_not_found' })
    expect((await app.as(created.key, { url: BOOKINGS })).statusCode).toBe(200)
  })

  test('a revoked key stops working at once and is no longer listed', async () => {
    const { id, key } = await create()
    expect((await app.as(key, { url: BOOKINGS })).statusCode).toBe(200)
    expect((await app.as(token, { method: 'DELETE', url: `${KEYS}/${id}` })).statusCode).toBe(204)
    expect((await app.as(key, { url: BOOKINGS })).statusCode).toBe(401)
    expect(await list(KEYS)).toEqual([])
    expect((await app.as(token, { method: 'DELETE', url: `${KEYS}/${id}` })).statusCode).toBe(404)
    expect((await app.as(token, { method: 'DELETE', url: `${KEYS}/%00` })).statusCode).toBe(404)
  })

  test('a key revokes itself with revoke_token and leaves its owner signed in', async () => {
    const { key } = await create({ scopes: ['search'] })
    expect((await app.as(key, { method: 'POST', url: '/api/accounts/revoke_token' })).statusCode).toBe(204)
    expect((await app.as(key, { url: '/api/locations/search?starts_with=par' })).statusCode).toBe(401)
    expect((await app.as(token, { url: BOOKINGS })).statusCode).toBe(200)
  })

  test('a key stops working with its account, but not with the token that created it', async () => {
    const { key } = await create()
    await app.as(token, { method: 'POST', url: '/api/accounts/revoke_token' })
    expect((await app.as(key, { url: BOOKINGS })).statusCode).toBe(200)
    await app.manageAccounts.disable(ACCOUNT.email)
    app.clock.advance(1_000)
    expect((await app.as(key, { url: BOOKINGS })).statusCode).toBe(401)
  })

  test('a key shows its last use, which is recorded at most every five minutes', async () => {
    const { key } = await create()
    const lastUse = async () => (await list(KEYS))[0].last_used_at
    expect(await lastUse()).toBeNull()
    const first = app.clock.now()
    await app.as(key, { url: BOOKINGS })
    expect(Date.parse(await lastUse())).toBe(first)
    app.clock.advance(4 * 60_000)
    await app.as(key, { url: BOOKINGS })
    expect(Date.parse(await lastUse())).toBe(first)
    app.clock.advance(60_000)
    await app.as(key, { url: BOOKINGS })
    expect(Date.parse(await lastUse())).toBe(first + 5 * 60_000)
  })

  test('a key has its own rate limit within that of its account', async () => {
    const { key } = await create({ per_minute: 3 })
    const ask = () => app.as(key, { url: BOOKINGS })
    const answers = [await ask(), await ask(), await ask(), await ask()]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 429])
    expect(answers[1]?.headers).toMatchObject({ 'ratelimit-policy': '"key";q=3;w=60' })
    expect(String(answers[1]?.headers.ratelimit)).toMatch(/^"key";r=1;t=/)
    expect(answers[3]?.headers['retry-after']).toBeDefined()
    expect((await app.as(token, { url: BOOKINGS })).statusCode).toBe(200)
  })
})

describe('creating a key', () => {
  test('an error lists every invalid field of a new key', async () => {
    const answer = await post({ name: '', mode: 'prod', scopes: [], per_minute: 0 })
    expect(answer.statusCode).toBe(422)
    expect(new Set(readErrorCodes(answer).map((line) => line.split(' ')[0]))).toEqual(
      new Set(['name', 'mode', 'scopes', 'per_minute']),
    )
  })

  test.each([
    [{ amount: 10.001, currency: 'EUR', per: 'day' }, 'budget.amount wrong_format'],
    [{ amount: 10, currency: 'XXX', per: 'day' }, 'budget.currency unknown_currency'],
  ])('the budget %j of a new key is refused', async (budget, code) => {
    expect(readErrorCodes(await post({ name: 'n', mode: 'live', scopes: ['book'], budget }))).toEqual([code])
  })

  test('the error for the currency of a budget says how to write it', async () => {
    const budget = { amount: 10, currency: 'eur', per: 'day' }
    const [error] = (await post({ name: 'n', mode: 'live', scopes: ['book'], budget })).json().errors
    expect(error).toEqual({
      ...{ field: 'budget.currency', code: 'wrong_format' },
      message: 'budget.currency must be an ISO 4217 code in capitals, such as EUR.',
    })
  })

  test('a key cannot have scopes beyond its account’s role, nor a test key the scope admin', async () => {
    await app.manageAccounts.setRole(ACCOUNT.email, 'viewer')
    app.clock.advance(1_000)
    expect(readErrorCodes(await post({ name: 'n', mode: 'live', scopes: ['read', 'book'] }))).toEqual([
      'scopes not_permitted',
    ])
    await app.manageAccounts.setRole(ACCOUNT.email, 'client')
    app.clock.advance(1_000)
    expect(readErrorCodes(await post({ name: 'n', mode: 'test', scopes: ['admin'] }))).toEqual(['scopes not_permitted'])
  })

  test('a key cannot create, list or revoke keys, whatever its scopes', async () => {
    const { id, key } = await create({ mode: 'live', scopes: ['admin'] })
    const refused = [
      await post({ name: 'n', mode: 'live', scopes: ['read'] }, key),
      await app.as(key, { url: KEYS }),
      await app.as(key, { method: 'DELETE', url: `${KEYS}/${id}` }),
    ]
    for (const answer of refused) expect(answer.json()).toMatchObject({ status: 403, code: 'insufficient_scope' })
  })

  test('an account can have at most fifty keys', async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, async () => (await create()).id))
    expect(readErrorCodes(await post({ name: 'n', mode: 'live', scopes: ['read'] }))).toEqual(['name too_many'])
    await app.as(token, { method: 'DELETE', url: `${KEYS}/${ids[0]}` })
    expect((await post({ name: 'n', mode: 'live', scopes: ['read'] })).statusCode).toBe(201)
  })
})

describe('test keys', () => {
  test('a test key makes simulated bookings without the header and is recorded as their actor', async () => {
    const { id, key } = await create()
    const booked = await book(key)
    expect(booked.statusCode, booked.body).toBe(201)
    const { booking_id, simulated } = booked.json().data
    expect(simulated).toBe(true)
    const shown = (await app.as(key, { url: `${BOOKINGS}/${booking_id}` })).json().data
    expect(shown.events.map(({ actor }: { actor: object }) => actor)).toEqual(
      shown.events.map(() => ({ kind: 'key', id })),
    )
  })

  test('a test key gets the outcome that the header asks for', async () => {
    const { key } = await create()
    const answer = await app.as(key, {
      method: 'POST',
      url: '/api/accommodation/book',
      payload: { bed_id: '1' },
      headers: { 'x-simulate-return': 'sold_out' },
    })
    expect(answer.json().code).toBe('sold_out')
  })

  test('a test key sees no real booking, neither in the list nor by its id', async () => {
    const { key } = await create()
    const id = (await book(key)).json().data.booking_id
    await database.write((tx) => tx.updateTable('bookings').set({ simulated: 0, client_reference: 'real' }).execute())
    expect(await list(BOOKINGS, key)).toEqual([])
    expect(await list(BOOKINGS)).toHaveLength(1)
    const cancel = { method: 'POST', url: `${BOOKINGS}/${id}/cancel` } as const
    for (const path of ['', '/history', '/voucher'])
      expect((await app.as(key, { url: `${BOOKINGS}/${id}${path}` })).statusCode).toBe(404)
    expect((await app.as(key, cancel)).statusCode).toBe(404)
    // With the header, any unknown id is a sample.
    const headers = { 'x-simulate-return': 'success' }
    for (const path of ['', '/history', '/voucher'])
      expect((await app.as(key, { url: `${BOOKINGS}/${id}${path}`, headers })).body).not.toContain(':"real"')
    expect((await app.as(key, { ...cancel, headers })).statusCode).toBe(200)
    expect((await list(BOOKINGS))[0].status).toBe('confirmed')
  })

  test('a test key sees no real search, neither in the list nor by its id', async () => {
    const { key } = await create()
    const payload = {
      destination_id: UNKNOWN,
      check_in: addDays(dateIn('UTC', app.clock.now()), 30),
      check_out: addDays(dateIn('UTC', app.clock.now()), 32),
      occupancies: [{ adults: 2 }],
    }
    const headers = { 'x-simulate-return': 'success' }
    const created = await app.as(key, { method: 'POST', url: `${SEARCHES}/search`, payload, headers })
    expect(created.statusCode, created.body).toBe(200)
    const id = created.json().data.search_id
    const page = async (as: string, more = {}) =>
      (await app.as(as, { url: `${SEARCHES}/${id}/availability`, headers: more })).json()
    expect((await list(SEARCHES, key)).map(({ search_id }: { search_id: string }) => search_id)).toEqual([id])
    expect((await page(key)).meta.search.check_in).toBe(payload.check_in)

    const row = await database.read.selectFrom('searches').select('head').executeTakeFirstOrThrow()
    const head = JSON.stringify({ ...JSON.parse(row.head), simulated: false })
    await database.write((tx) => tx.updateTable('searches').set({ simulated: 0, head }).execute())
    expect(await list(SEARCHES, key)).toEqual([])
    expect(await list(SEARCHES)).toHaveLength(1)
    expect((await page(key)).code).toBe('search_not_found')
    // With the header, any unknown id is a sample.
    const shown = await page(key, headers)
    expect(shown.meta.search).toMatchObject({ search_id: id, simulated: true })
    expect(shown.data.length).toBeGreaterThan(0)
    expect((await page(token)).meta.search.simulated).toBe(false)
  })

  test('a test key moves the test clock, also in production', async () => {
    await app.close()
    app = await testApp({ mode: 'production' })
    token = await app.signIn()
    const { key } = await create()
    const move = (as: string) => app.as(as, { method: 'POST', url: '/api/test/clock', payload: { advance_hours: 24 } })
    expect((await move(token)).statusCode).toBe(404)
    const moved = await move(key)
    expect(moved.statusCode).toBe(200)
    expect(Date.parse(moved.json().data.now)).toBe(app.clock.now() + 24 * 3_600_000)
  })
})

describe('sessions', () => {
  const SESSIONS = '/api/accounts/sessions'

  test('sessions are listed newest first, and the current one is marked', async () => {
    app.clock.advance(1_000)
    const second = await app.signIn()
    const listed = await app.as(second, { url: SESSIONS })
    expectToMatch(SessionList, listed.json())
    expect(listed.json().data.map(({ current }: { current: boolean }) => current)).toEqual([true, false])
    expect(listed.body).not.toContain('srt_')
  })

  test('page sessions are listed with the others and can be ended in the same way', async () => {
    const browser = pageBrowser(app)
    await browser.signIn()
    const pages = async () => (await list(`${SESSIONS}?filters[]=kind:==<page`)) as { id: string }[]
    const [page] = await pages()
    expect((await browser.send({ url: BOOKINGS })).statusCode).toBe(200)
    const end = (as: string) => app.as(as, { method: 'DELETE', url: `${SESSIONS}/${page?.id}` })
    expect((await end(await app.signIn(OTHER_ACCOUNT))).statusCode).toBe(404)
    expect((await end(token)).statusCode).toBe(204)
    expect((await browser.send({ url: BOOKINGS })).statusCode).toBe(401)
    expect(await pages()).toEqual([])
  })

  test('a session is ended individually, at once, and only by its owner', async () => {
    app.clock.advance(1_000)
    const second = await app.signIn()
    const [, first] = await list(SESSIONS, second)
    const end = (as: string) => app.as(as, { method: 'DELETE', url: `${SESSIONS}/${first.id}` })
    expect((await end(await app.signIn(OTHER_ACCOUNT))).json()).toMatchObject({
      status: 404,
      code: 'session_not_found',
    })
    expect((await app.as(token, { url: BOOKINGS })).statusCode).toBe(200)
    expect((await end(second)).statusCode).toBe(204)
    expect((await app.as(token, { url: BOOKINGS })).statusCode).toBe(401)
    expect((await app.as(second, { url: BOOKINGS })).statusCode).toBe(200)
    expect((await end(second)).statusCode).toBe(404)
    expect((await app.as(second, { method: 'DELETE', url: `${SESSIONS}/ses_%25` })).statusCode).toBe(404)
  })
})
