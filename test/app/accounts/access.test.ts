import type { RouteOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROLES, type Role, SCOPES, type Scope } from '../../../src/domain/access.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'

/** Required access of each operation. Widening an access requires a change here too. */
const NEEDS: Readonly<Record<string, string>> = {
  'accounts.create_key': 'person',
  'accounts.end_session': 'person',
  'accounts.keys': 'person',
  'accounts.revoke_key': 'person',
  'accounts.revoke_token': 'account',
  'accounts.sessions': 'person',
  'booking.amend': 'book',
  'booking.cancel': 'cancel',
  'booking.check_price': 'search',
  'booking.create': 'book',
  'booking.history': 'read',
  'booking.list': 'read',
  'booking.receipt': 'read',
  'booking.show': 'read',
  'booking.voucher': 'read',
  'events.list': 'read',
  'locations.neighbourhoods': 'account',
  'locations.search': 'account',
  mcp: 'account',
  'operator.account': 'operator',
  'operator.accounts': 'operator',
  'operator.attention': 'operator',
  'operator.attention.done': 'operator',
  'operator.audit': 'operator',
  'operator.bookings': 'operator',
  'operator.bookings.cancel': 'operator',
  'operator.bookings.mail': 'operator',
  'operator.bookings.read': 'operator',
  'operator.bookings.resolve': 'operator',
  'operator.bookings.revoke_links': 'operator',
  'operator.bookings.show': 'operator',
  'operator.bookings.voucher': 'operator',
  'operator.change_account': 'operator_person',
  'operator.compare_properties': 'operator',
  'operator.confirm_match': 'operator',
  'operator.create_account': 'operator_person',
  'operator.create_key': 'operator_person',
  'operator.disable_account': 'operator_person',
  'operator.end_sessions': 'operator_person',
  'operator.exchange_rates': 'operator',
  'operator.exchange_rates.confirm': 'operator',
  'operator.exchange_rates.renew': 'operator',
  'operator.find': 'operator',
  'operator.join_properties': 'operator',
  'operator.join_rooms': 'operator',
  'operator.keep_separate': 'operator',
  'operator.match': 'operator',
  'operator.matches': 'operator',
  'operator.near_matches': 'operator',
  'operator.numbers': 'operator',
  'operator.payments': 'operator',
  'operator.payments.look': 'operator',
  'operator.payments.refund': 'operator',
  'operator.payments.resolve': 'operator',
  'operator.payments.show': 'operator',
  'operator.postpone_near_match': 'operator',
  'operator.reconciliation': 'operator',
  'operator.reconciliation.carry_out': 'operator',
  'operator.request': 'operator',
  'operator.requests': 'operator',
  'operator.revoke_key': 'operator_person',
  'operator.selling.booking': 'operator',
  'operator.selling.rules': 'operator',
  'operator.selling.set_rules': 'operator',
  'operator.selling.try': 'operator',
  'operator.selling.version': 'operator',
  'operator.set_budget': 'operator_person',
  'operator.set_password': 'operator_person',
  'operator.split_property': 'operator',
  'operator.split_room': 'operator',
  'operator.statements': 'operator',
  'operator.tasks': 'operator',
  'operator.vendor': 'operator',
  'operator.vendors': 'operator',
  'operator.webhooks.replay': 'operator',
  'operator.webhooks.replay_delivery': 'operator',
  'payments.create': 'book',
  'payments.release': 'book',
  'payments.show': 'book',
  'search.availability': 'search',
  'search.create': 'search',
  'search.detail': 'search',
  'search.list': 'search',
  'test.clock': 'book',
  'test.read_clock': 'read',
  'test.reset_clock': 'book',
  'webhooks.create': 'admin',
  'webhooks.delete': 'admin',
  'webhooks.deliveries': 'admin',
  'webhooks.delivery': 'admin',
  'webhooks.list': 'admin',
  'webhooks.replay': 'admin',
  'webhooks.rotate_secret': 'admin',
  'webhooks.show': 'admin',
  'webhooks.test': 'admin',
  'webhooks.update': 'admin',
}

const PERMITTED: Readonly<Record<Role, readonly string[]>> = {
  client: ['search', 'book', 'cancel', 'read', 'admin'],
  viewer: ['read'],
  operator: ['search', 'book', 'cancel', 'read', 'admin'],
}

/** A session token, or a key with this one scope. */
type Credential = 'token' | Scope

function isPermitted(need: string, role: Role, credential: Credential): boolean {
  if (need === 'account') return true
  if (need === 'person') return credential === 'token'
  if (need === 'operator_person') return credential === 'token' && role === 'operator'
  const scope = need === 'operator' ? 'admin' : need
  const has = PERMITTED[role].includes(scope) && (credential === 'token' || credential === scope)
  return has && (need !== 'operator' || role === 'operator')
}

const PASSWORD = 'a long enough password'
const UNLIMITED = { quota: 1e9, windowMs: 60_000 }
const UNLIMITED_ALLOWANCES = {
  account: UNLIMITED,
  address: UNLIMITED,
  signInsPerAddress: UNLIMITED,
  signInsPerPair: UNLIMITED,
}

let app: TestApp
let routes: RouteOptions[]
beforeAll(async () => {
  routes = []
  app = await testApp({ allowances: UNLIMITED_ALLOWANCES }, { onRoute: (route) => routes.push(route) })
  for (const role of ROLES) await app.manageAccounts.add(`${role}@example.com`, role, PASSWORD, role)
  // Two operations show net prices; test/app/operator/selling.test.ts covers the refusal.
  await app.manageAccounts.setSeesNet('operator@example.com', true)
})
afterAll(() => app.close())

const operations = () =>
  routes.filter(({ method, config }) => method !== 'HEAD' && method !== 'OPTIONS' && config?.access !== 'public')

/** Creates a new credential, because some operations revoke the one they are called with. */
async function createCredential(role: Role, credential: Credential): Promise<string> {
  if (credential === 'token') return app.signIn({ email: `${role}@example.com`, password: PASSWORD })
  const account = await app.manageAccounts.byEmail(`${role}@example.com`)
  if (account === undefined) throw new Error(`No account has the role ${role}.`)
  const order = { name: 'walk', mode: 'live', scopes: [credential], perMinute: undefined, budget: undefined } as const
  // Created with the role of an operator, so that the key can have scopes that its account's role does not permit.
  const { secret } = await app.manageKeys.create({ accountId: account.id, role: 'operator' }, order)
  return secret
}

test('every operation that needs a caller is in the table, with the access that its route declares', () => {
  const declared = operations().map(({ config }) => [String(config?.operation), config?.access])
  expect(Object.fromEntries(declared)).toEqual(NEEDS)
})

describe.each(ROLES)('role %s', (role) => {
  test.each(['token', ...SCOPES] as const)(
    'the credential %s may call exactly the operations that the table permits',
    async (credential) => {
      let secret = await createCredential(role, credential)
      const violations: string[] = []
      for (const { method, url, config } of operations()) {
        const operation = String(config?.operation)
        const answer = await app.as(secret, {
          method: method as 'GET',
          url: url.replaceAll(/:\w+/g, 'unknown'),
          headers: { 'x-simulate-return': 'success' },
          ...(method === 'POST' || method === 'PUT' || method === 'PATCH' ? { payload: {} } : {}),
        })
        const isRefused = answer.statusCode === 403
        if (isRefused) expect(answer.json().code).toBe('insufficient_scope')
        else
          expect([200, 201, 202, 204, 400, 404, 409, 410, 422], `${operation} ${answer.body}`).toContain(
            answer.statusCode,
          )
        if (isRefused === isPermitted(NEEDS[operation] ?? '', role, credential)) violations.push(operation)
        if (operation === 'accounts.revoke_token') secret = await createCredential(role, credential)
      }
      expect(violations).toEqual([])
    },
  )
})

test('a refusal names the missing scope in its detail and in the RFC 6750 challenge', async () => {
  const secret = await createCredential('client', 'search')
  const answer = await app.as(secret, { method: 'POST', url: '/api/accommodation/book', payload: {} })
  expect(answer.statusCode).toBe(403)
  expect(answer.json()).toMatchObject({ code: 'insufficient_scope', detail: expect.stringContaining('scope book') })
  expect(answer.headers['www-authenticate']).toContain('error="insufficient_scope", scope="book"')
})

test('a changed role applies to existing tokens and keys within a second', async () => {
  await app.manageAccounts.add('moving@example.com', 'Moving', PASSWORD, 'operator')
  const token = await app.signIn({ email: 'moving@example.com', password: PASSWORD })
  const audit = () => app.as(token, { url: '/api/operator/audit' })
  expect((await audit()).statusCode).toBe(200)
  await app.manageAccounts.setRole('moving@example.com', 'viewer')
  app.clock.advance(1_000)
  expect((await audit()).statusCode).toBe(403)
})

test('the OpenAPI document states the access that each operation needs', async () => {
  const { paths } = (await app.call({ url: '/openapi.json' })).json()
  type DocumentedOperation = {
    operationId: string
    description: string
    'x-access'?: string
    responses: Record<string, object>
  }
  const documented = Object.values(paths as Record<string, Record<string, DocumentedOperation>>).flatMap((methods) =>
    Object.values(methods),
  )
  const needs = Object.fromEntries(
    documented.flatMap((operation) => (operation['x-access'] ? [[operation.operationId, operation['x-access']]] : [])),
  )
  const toOperationId = (operation: string) =>
    operation.replace(/[._](\w)/g, (_all, letter: string) => letter.toUpperCase())
  const expected = Object.entries(NEEDS).filter(([, need]) => need !== 'account')
  expect(needs).toEqual(Object.fromEntries(expected.map(([operation, need]) => [toOperationId(operation), need])))
  const refusals = ({ responses }: DocumentedOperation) => JSON.stringify(responses['403'] ?? '')
  for (const operation of documented)
    expect(refusals(operation).includes('insufficient_scope'), operation.operationId).toBe(
      operation['x-access'] !== undefined,
    )
})
