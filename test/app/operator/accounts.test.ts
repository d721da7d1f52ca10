import type { InjectOptions } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AuditList } from '../../../src/accounts/schemas/audit.ts'
import {
  AccountDetailsResponse,
  NewAccountResponse,
  OperatorAccountList,
} from '../../../src/operator/schemas/accounts.ts'
import { FindResponse } from '../../../src/operator/schemas/find.ts'
import { ACCOUNT, OTHER_ACCOUNT, type TestApp, testApp } from '../../support/app/app.ts'
import { OPERATOR, operatorToken } from '../../support/app/operator.ts'
import { expectToMatch } from '../../support/app/search-app-schema.ts'

const ACCOUNTS = '/api/operator/accounts'
const reason = 'because the test says so'

let app: TestApp
let token: string
beforeEach(async () => {
  app = await testApp()
  token = await operatorToken(app)
})
afterEach(() => app.close())

async function operate(options: InjectOptions, status = 200) {
  const answer = await app.as(token, options)
  expect(answer.statusCode, answer.body).toBe(status)
  return answer.body === '' ? undefined : answer.json()
}
const post = (url: string, payload: object, status?: number) => operate({ method: 'POST', url, payload }, status)
const findAccountId = async (email: string) => (await app.manageAccounts.byEmail(email))?.id ?? ''
const readAccount = async (email: string) => (await operate({ url: `${ACCOUNTS}/${await findAccountId(email)}` })).data

test('accounts are listed with roles, keys and last sign-in, by the usual list rules', async () => {
  app.clock.advance(60_000)
  await app.signIn()
  const list = await operate({ url: `${ACCOUNTS}?order_by[]=email` })
  expectToMatch(OperatorAccountList, list)
  expect(list.data.map(({ email }: { email: string }) => email)).toEqual([
    ACCOUNT.email,
    OTHER_ACCOUNT.email,
    OPERATOR.email,
  ])
  const [ana, ben] = list.data
  expect(ana).toMatchObject({ role: 'client', see_net: false, one_time_codes: false, key_count: 0, booking_count: 0 })
  expect(ana.last_signed_in_at).toBe(new Date(app.clock.now()).toISOString())
  expect(ben.last_signed_in_at).toBeNull()
  const found = await operate({ url: `${ACCOUNTS}?filters[]=role:==<operator&first=1` })
  expect(found.data).toMatchObject([{ email: OPERATOR.email }])
  expect(JSON.stringify(list)).not.toMatch(/password|argon2|totp_secret/)
})

test('an account shows its webhooks with only the origin of their URLs', async () => {
  const payload = { url: 'http://127.0.0.1:9/hook?token=secret', events: ['booking.confirmed'] }
  const created = await app.as(await app.signIn(), { method: 'POST', url: '/api/webhooks', payload })
  expect(created.statusCode, created.body).toBe(201)
  const whole = await operate({ url: `${ACCOUNTS}/${await findAccountId(ACCOUNT.email)}` })
  expectToMatch(AccountDetailsResponse, whole)
  const { id, created_at } = created.json().data
  const [webhook] = whole.data.webhooks
  expect(webhook).toEqual({
    id,
    origin: 'http://127.0.0.1:9',
    events: ['booking.confirmed'],
    status: 'active',
    created_at,
  })
  expect((await readAccount(OTHER_ACCOUNT.email)).webhooks).toEqual([])
})

test('a new account signs in with its generated password, which is shown only once', async () => {
  const order = { email: 'new@example.com', role: 'viewer', reason }
  const created = await post(ACCOUNTS, order, 201)
  expectToMatch(NewAccountResponse, created)
  expect(created.data).toMatchObject({ email: 'new@example.com', name: 'new', role: 'viewer' })
  expect(await app.signIn({ email: 'new@example.com', password: created.data.password })).toMatch(/^srt_/)
  expect(JSON.stringify(await readAccount('new@example.com'))).not.toContain(created.data.password)
  const { data: log } = await operate({ url: '/api/operator/audit' })
  expect(log).toMatchObject([
    { action: 'operator.create_account', outcome: `done: created ${created.data.id}`, reason },
  ])
  const again = await post(ACCOUNTS, order, 422)
  expect(again.errors).toMatchObject([{ field: 'email', code: 'taken' }])
  const named = await post(ACCOUNTS, { ...order, email: 'own@example.com', password: 'chosen by a person' }, 201)
  expect(named.data.password).toBeNull()
})

test('changing a role, net prices, disabling and passwords have the same effect as on the command line', async () => {
  const accountUrl = `${ACCOUNTS}/${await findAccountId(ACCOUNT.email)}`
  const client = await app.signIn()
  const changed = await operate({
    method: 'PATCH',
    url: accountUrl,
    payload: { role: 'viewer', see_net: true, reason },
  })
  expectToMatch(AccountDetailsResponse, changed)
  expect(changed.data).toMatchObject({ role: 'viewer', see_net: true, sessions: [{ kind: 'token' }] })
  app.clock.advance(1_000)
  expect((await app.as(client, { url: '/api/accommodation_searches' })).statusCode).toBe(403)

  expect((await post(`${accountUrl}/disable`, { reason })).data).toMatchObject({
    disabled_at: expect.any(String),
    sessions: [],
  })
  app.clock.advance(1_000)
  expect((await app.as(client, { url: '/api/accommodation/bookings' })).statusCode).toBe(401)
  const { data } = await post(`${accountUrl}/password`, { reason })
  expect(await app.signIn({ email: ACCOUNT.email, password: data.password })).toMatch(/^srt_/)
  expect((await readAccount(ACCOUNT.email)).disabled_at).toBeNull()
})

test('an operator creates, limits and revokes keys of an account within its role', async () => {
  const accountUrl = `${ACCOUNTS}/${await findAccountId(ACCOUNT.email)}`
  const order = { name: 'robot', mode: 'live', scopes: ['search', 'read'], reason }
  const { data: key } = await post(`${accountUrl}/keys`, order, 201)
  expect((await app.as(key.key, { url: '/api/accommodation/bookings' })).statusCode).toBe(200)
  const budget = { amount: 250, currency: 'EUR', per: 'day' }
  await operate({ method: 'PUT', url: `${accountUrl}/keys/${key.id}/budget`, payload: { budget, reason } })
  expect((await readAccount(ACCOUNT.email)).keys).toMatchObject([{ id: key.id, budget: { ...budget, left: 250 } }])
  await operate({ method: 'PUT', url: `${accountUrl}/keys/${key.id}/budget`, payload: { budget: null, reason } })
  expect((await readAccount(ACCOUNT.email)).keys).toMatchObject([{ budget: null }])
  const wrong = { budget: { ...budget, amount: 1.001 }, reason }
  const refused = await operate({ method: 'PUT', url: `${accountUrl}/keys/${key.id}/budget`, payload: wrong }, 422)
  expect(refused.errors).toMatchObject([{ field: 'budget.amount' }])

  expect((await post(`${accountUrl}/keys/${key.id}/revoke`, { reason })).data.keys).toEqual([])
  expect((await app.as(key.key, { url: '/api/accommodation/bookings' })).statusCode).toBe(401)
  expect((await readAccount(ACCOUNT.email)).keys).toEqual([])
  await post(`${accountUrl}/keys/${key.id}/revoke`, { reason }, 404)
  const beyond = `${ACCOUNTS}/${await findAccountId(OTHER_ACCOUNT.email)}`
  await operate({ method: 'PATCH', url: beyond, payload: { role: 'viewer', reason } })
  expect((await post(`${beyond}/keys`, order, 422)).errors).toMatchObject([{ field: 'scopes' }])
})

test('an operator ends one session or all of them', async () => {
  const accountUrl = `${ACCOUNTS}/${await findAccountId(ACCOUNT.email)}`
  const tokens = [await app.signIn(), await app.signIn(), await app.signIn()]
  const { sessions } = await readAccount(ACCOUNT.email)
  expect(sessions).toHaveLength(3)
  expect((await post(`${accountUrl}/end_sessions`, { session_id: sessions[0].id, reason })).data.sessions).toHaveLength(
    2,
  )
  expect((await post(`${accountUrl}/end_sessions`, { reason })).data.sessions).toEqual([])
  app.clock.advance(1_000)
  for (const sessionToken of tokens)
    expect((await app.as(sessionToken, { url: '/api/accommodation/bookings' })).statusCode).toBe(401)
  await post(`${accountUrl}/end_sessions`, { session_id: 'ses_0', reason }, 404)
})

test('the last operator can neither lose the role nor be disabled', async () => {
  const accountUrl = `${ACCOUNTS}/${await findAccountId(OPERATOR.email)}`
  const demote = { method: 'PATCH', url: accountUrl, payload: { role: 'client', reason } } as const
  expect((await operate(demote, 422)).errors).toMatchObject([{ field: 'role', code: 'last_operator' }])
  expect((await post(`${accountUrl}/disable`, { reason }, 422)).errors).toMatchObject([{ code: 'last_operator' }])
  expect((await readAccount(OPERATOR.email)).role).toBe('operator')
  await app.manageAccounts.setRole(ACCOUNT.email, 'operator')
  await operate(demote)
  app.clock.advance(1_000)
  expect((await app.as(token, { url: ACCOUNTS })).statusCode).toBe(403)
})

test('of two operators who concurrently revoke each other’s role, one remains', async () => {
  await app.manageAccounts.setRole(ACCOUNT.email, 'operator')
  const ids = [await findAccountId(OPERATOR.email), await findAccountId(ACCOUNT.email)]
  const answers = await Promise.all(
    ids.map((id) => app.as(token, { method: 'PATCH', url: `${ACCOUNTS}/${id}`, payload: { role: 'client', reason } })),
  )
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 422])
})

test('every change needs a reason, which the audit log keeps without the rest of the body', async () => {
  const id = await findAccountId(ACCOUNT.email)
  const without = await operate({ method: 'PATCH', url: `${ACCOUNTS}/${id}`, payload: { role: 'viewer' } }, 422)
  expect(without.errors).toMatchObject([{ field: 'reason' }])
  await operate({ method: 'PATCH', url: `${ACCOUNTS}/${id}`, payload: { role: 'viewer', reason: '  ' } }, 422)
  await post(`${ACCOUNTS}/${id}/password`, { password: 'a secret of the test', reason })
  const { data } = await operate({ url: '/api/operator/audit' })
  expect(data).toHaveLength(1)
  expect(data[0]).toMatchObject({ action: 'operator.set_password', subject: id, reason, outcome: 'done' })
  expect(JSON.stringify(data)).not.toContain('a secret of the test')
})

test('a key of an operator cannot change accounts, so a leaked key cannot create others', async () => {
  const order = { name: 'k', mode: 'live', scopes: ['admin'], perMinute: undefined, budget: undefined } as const
  const owner = { accountId: await findAccountId(OPERATOR.email), role: 'operator' } as const
  const { secret } = await app.manageKeys.create(owner, order)
  const payload = { email: 'thief@example.com', role: 'operator', reason }
  expect((await app.as(secret, { url: ACCOUNTS })).statusCode).toBe(200)
  expect((await app.as(secret, { method: 'POST', url: ACCOUNTS, payload })).json().code).toBe('insufficient_scope')
})

test('an unknown account id returns 404', async () => {
  for (const id of ['acc_0', 'nobody', '%00'])
    expect((await operate({ url: `${ACCOUNTS}/${id}` }, 404)).code).toBe('account_not_found')
})

test('the audit log names persons and objects and has the values before and after', async () => {
  const id = await findAccountId(ACCOUNT.email)
  await operate({ method: 'PATCH', url: `${ACCOUNTS}/${id}`, payload: { role: 'viewer', see_net: true, reason } })
  app.clock.advance(1_000)
  await post(`${ACCOUNTS}/${id}/disable`, { reason })
  app.clock.advance(1_000)
  await operate({ method: 'PATCH', url: `${ACCOUNTS}/acc_0`, payload: { role: 'viewer', reason } }, 404)
  const list = await operate({ url: '/api/operator/audit' })
  expectToMatch(AuditList, list)
  expect(list.data).toMatchObject([
    { actor_name: OPERATOR.email, objects: [], changes: [] },
    {
      actor_name: OPERATOR.email,
      objects: [{ id, name: ACCOUNT.email }],
      changes: [{ field: 'disabled', before: 'false', after: 'true' }],
    },
    {
      objects: [{ id, name: ACCOUNT.email }],
      changes: [
        { field: 'role', before: '"client"', after: '"viewer"' },
        { field: 'see_net', before: 'false', after: 'true' },
      ],
    },
  ])
})

test('one search finds accounts by name, e-mail and id', async () => {
  const find = async (text: string, status = 200) =>
    operate({ url: `/api/operator/find?q=${encodeURIComponent(text)}` }, status)
  const id = await findAccountId(ACCOUNT.email)
  for (const text of [ACCOUNT.email.toUpperCase(), ACCOUNT.email.slice(0, 5), id, ` ${id} `]) {
    const found = await find(text)
    expectToMatch(FindResponse, found)
    expect(found.data.accounts.map(({ email }: { email: string }) => email)).toContain(ACCOUNT.email)
  }
  expect((await find('100%_of nobody')).data).toMatchObject({ bookings: [], accounts: [], requests: [] })
  expect((await find('%')).data.accounts).toEqual([])
  await operate({ url: '/api/operator/find' }, 422)
})
