import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createErasePersons } from '../../../src/booking/guests/erase-persons.ts'
import { withoutPersons } from '../../../src/booking/present/booking.ts'
import { createErasureStore } from '../../../src/booking/store/erasure.ts'
import { readConfig } from '../../../src/config.ts'
import { deriveKeyring } from '../../../src/lib/crypto/keyring.ts'
import type { Database } from '../../../src/store/database.ts'
import { OTHER_ACCOUNT, type TestApp, testApp } from '../../support/app/app.ts'
import { UNLIMITED } from '../../support/app/ledger-app.ts'
import { openMigrated } from '../../support/store/migrated-database.ts'

let app: TestApp
let database: Database
let token: string
beforeAll(async () => {
  database = await openMigrated()
  app = await testApp({ allowPrivateWebhookTargets: true, allowances: UNLIMITED, requireGuests: false }, { database })
  token = await app.signIn()
})
afterAll(() => app.close())

const keyed = (key: string, options: InjectOptions, as = token) =>
  app.as(as, { method: 'POST', ...options, headers: { 'idempotency-key': key, ...options.headers } })
const webhook = (path: string) => ({ url: '/api/webhooks', payload: { url: `http://localhost:9/${path}` } })
const stored = () => database.read.selectFrom('idempotent_requests').selectAll().execute()
const webhooks = async () => (await app.as(token, { url: '/api/webhooks?limit=100' })).json().data.length
const simulated = { 'x-simulate-return': 'success' }
const book = () =>
  app.as(token, {
    method: 'POST',
    url: '/api/accommodation/book',
    payload: { bed_id: String(Math.random()), price_check_uri: '/api/accommodation/price_check?token=none' },
    headers: simulated,
  })

test('a repeated key with the same body gets the first response byte for byte, with its secret, and creates nothing', async () => {
  const first = await keyed('w-1', webhook('a'))
  expect([first.statusCode, first.headers['idempotent-replayed']]).toEqual([201, undefined])
  const before = await webhooks()
  for (const key of ['w-1', '"w-1"']) {
    const again = await keyed(key, webhook('a'))
    expect([again.statusCode, again.body, again.headers['idempotent-replayed']]).toEqual([201, first.body, 'true'])
    expect(again.headers['content-type']).toBe(first.headers['content-type'])
  }
  expect(await webhooks()).toBe(before)
})

test('stored responses are encrypted, and neither keys nor secrets are in the database', async () => {
  const created = await keyed('ana@example.com', {
    url: '/api/accounts/keys',
    payload: { name: 'k', mode: 'live', scopes: ['read'] },
  })
  expect(created.statusCode, created.body).toBe(201)
  const rows = JSON.stringify(await stored())
  expect(rows).toContain('idm1.')
  for (const secret of [created.json().data.key, 'ana@example.com']) expect(rows).not.toContain(secret)
})

test('the same key with another body, path or query is refused (422) and does nothing', async () => {
  const first = await keyed('w-2', webhook('b'))
  const { id } = first.json().data
  const before = await webhooks()
  const other = await keyed('w-2', webhook('c'))
  expect([other.statusCode, other.json().code, other.json().effect]).toEqual([422, 'idempotency_mismatch', 'none'])
  expect(await webhooks()).toBe(before)
  const rotated = await keyed('w-3', { url: `/api/webhooks/${id}/rotate_secret` })
  expect(rotated.statusCode).toBe(200)
  expect((await keyed('w-3', { url: '/api/webhooks/whk_0/rotate_secret' })).json().code).toBe('idempotency_mismatch')
})

test('keys of other operations, accounts and simulated requests are other keys', async () => {
  const first = await keyed('w-4', webhook('d'))
  const other = await keyed('w-4', webhook('e'), await app.signIn(OTHER_ACCOUNT))
  expect(other.statusCode).toBe(201)
  const sandboxed = await keyed('w-4', { ...webhook('e'), headers: simulated })
  expect(sandboxed.statusCode).toBe(201)
  expect((await keyed('w-4', { url: `/api/webhooks/${first.json().data.id}/test` })).statusCode).toBe(202)
})

test('a request that is still running gets 409 with retry-after, and only one of several runs', async () => {
  const before = await webhooks()
  const answers = await Promise.all(Array.from({ length: 5 }, () => keyed('w-5', webhook('f'))))
  const codes = answers.map(({ statusCode }) => statusCode)
  expect(codes.filter((code) => code === 201).length).toBeGreaterThan(0)
  for (const answer of answers.filter(({ statusCode }) => statusCode !== 201))
    expect([answer.json().code, answer.headers['retry-after']]).toEqual(['request_in_progress', '1'])
  expect(await webhooks()).toBe(before + 1)
})

test('a key is forgotten after 24 hours', async () => {
  const first = await keyed('w-6', webhook('g'))
  app.clock.advance(23 * 3_600_000)
  token = await app.signIn()
  expect((await keyed('w-6', webhook('g'))).body).toBe(first.body)
  app.clock.advance(2 * 3_600_000)
  token = await app.signIn()
  expect((await keyed('w-6', webhook('g'))).json().data.id).not.toBe(first.json().data.id)
})

describe('responses that are not repeated', () => {
  test('a refusal that did nothing and may change is not stored: 412', async () => {
    const { id } = (await keyed('w-7', webhook('h'))).json().data
    const change = (tag: string) =>
      keyed('w-8', {
        method: 'PATCH',
        url: `/api/webhooks/${id}`,
        payload: { description: 'x' },
        headers: { 'if-match': tag },
      })
    expect((await change('"old"')).statusCode).toBe(412)
    const { etag } = (await app.as(token, { url: `/api/webhooks/${id}` })).headers
    expect((await change(String(etag))).statusCode).toBe(200)
  })

  test('a preview changes nothing, so its key stays free', async () => {
    const url = `/api/accommodation/bookings/${(await book()).json().data.booking_id}/cancel`
    const preview = await keyed('c-1', { url: `${url}?preview=true`, headers: simulated })
    expect(preview.json().data.preview).toBe(true)
    const cancelled = await keyed('c-1', { url, headers: simulated })
    expect([cancelled.statusCode, cancelled.json().data.status]).toEqual([200, 'cancelled'])
    const again = await keyed('c-1', { url, headers: simulated })
    expect([again.body, again.headers['idempotent-replayed']]).toEqual([cancelled.body, 'true'])
  })
})

test('a stored refusal is repeated, with the request id of the first', async () => {
  const gone = { method: 'DELETE', url: '/api/webhooks/whk_gone' } as const
  const first = await keyed('d-1', gone)
  expect(first.json().code).toBe('webhook_not_found')
  const again = await keyed('d-1', gone)
  expect([again.statusCode, again.body]).toEqual([404, first.body])
})

test('a response without a body is repeated too', async () => {
  const { id } = (await keyed('w-9', webhook('i'))).json().data
  const remove = { method: 'DELETE', url: `/api/webhooks/${id}` } as const
  expect((await keyed('d-2', remove)).statusCode).toBe(204)
  const again = await keyed('d-2', remove)
  expect([again.statusCode, again.body, again.headers['idempotent-replayed']]).toEqual([204, '', 'true'])
})

test('a key that is empty or too long is refused (422)', async () => {
  for (const key of ['', 'x'.repeat(256)]) {
    const refused = await keyed(key, webhook('j'))
    expect([refused.statusCode, refused.json().errors]).toMatchObject([422, [{ field: 'idempotency-key' }]])
  }
})

test('a changed booking is in no stored response once its persons are erased', async () => {
  const { booking_id: id } = (await book()).json().data
  const amended = await keyed('a-1', {
    method: 'PATCH',
    url: `/api/accommodation/bookings/${id}`,
    payload: { special_requests: 'late' },
    headers: simulated,
  })
  expect(amended.statusCode, amended.body).toBe(200)
  expect((await stored()).map(({ subject }) => subject)).toContain(id)
  const keyring = deriveKeyring(readConfig({ NODE_ENV: 'test' }).secrets, 'persons')
  const erasure = createErasePersons({ store: createErasureStore(database, keyring, withoutPersons), clock: app.clock })
  app.clock.advance(600 * 86_400_000)
  expect(await erasure.erase(id)).toBe(true)
  expect((await stored()).map(({ subject }) => subject)).not.toContain(id)
})
