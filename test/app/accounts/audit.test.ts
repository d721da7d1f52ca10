import { afterEach, beforeEach, expect, test } from 'vitest'
import { AuditList } from '../../../src/accounts/schemas/audit.ts'
import { runWithAudit } from '../../../src/cli/audited.ts'
import { AppError } from '../../../src/domain/errors.ts'
import type { Database } from '../../../src/store/database.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { operatorToken } from '../../support/app/operator.ts'
import { expectToMatch } from '../../support/app/search-app-schema.ts'
import { openMigrated } from '../../support/store/migrated-database.ts'

const HOOK = { url: 'https://example.com/hook?token=canary' }

let database: Database
let app: TestApp
let operator: string
beforeEach(async () => {
  database = await openMigrated()
  app = await testApp({}, { database })
  operator = await operatorToken(app)
})
afterEach(() => app.close())

type Entry = { action: string; subject: string; outcome: string | null; actor: { kind: string; id: string } }

async function entries(query = ''): Promise<Entry[]> {
  const answer = await app.as(operator, { url: `/api/operator/audit${query}` })
  expect(answer.statusCode, answer.body).toBe(200)
  expectToMatch(AuditList, answer.json())
  return answer.json().data
}

test('the audit log records the actor, action, subject and outcome of an operator’s change through the API', async () => {
  const payload = { name: 'n', mode: 'live', scopes: ['admin'] }
  const made = await app.as(operator, { method: 'POST', url: '/api/accounts/keys', payload })
  const { id, key } = made.json().data
  app.clock.advance(1_000)
  await app.as(key, { method: 'DELETE', url: '/api/webhooks/whk_0', headers: { 'x-request-id': 'mine' } })
  const [last, first] = await entries()
  expect(first).toMatchObject({
    action: 'accounts.create_key',
    subject: '',
    outcome: 'done',
    actor: { kind: 'account' },
  })
  expect(last).toMatchObject({
    action: 'webhooks.delete',
    subject: 'whk_0',
    outcome: 'refused with 404',
    actor: { kind: 'key', id },
    request_id: 'mine',
  })
})

test('the audit log omits the actions of clients, reads and refused requests', async () => {
  const client = await app.signIn()
  await app.as(client, { method: 'POST', url: '/api/webhooks', payload: HOOK })
  await app.as(client, { url: '/api/operator/audit' })
  await app.as(operator, { url: '/api/webhooks' })
  expect(await entries()).toEqual([])
})

test('the audit log replaces control characters in a path, because PostgreSQL cannot store a NUL', async () => {
  expect((await app.as(operator, { method: 'DELETE', url: '/api/webhooks/a%00b' })).statusCode).toBe(404)
  expect((await entries())[0]?.subject).toBe('a�b')
})

test('the audit log does not keep request bodies, which may contain secrets', async () => {
  await app.as(operator, { method: 'POST', url: '/api/webhooks', payload: HOOK })
  const rows = await database.read.selectFrom('audit_log').selectAll().execute()
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain('canary')
})

test('an action is logged before it is carried out, so that a crash cannot hide it', async () => {
  const { audit } = app.operator
  const by = { actor: { kind: 'operator', id: 'ops' } } as const
  const seen: unknown[] = []
  await audit.during({ by, action: 'cli.test', subject: 's' }, async () => {
    seen.push(...(await entries()).map(({ action, outcome }) => [action, outcome]))
  })
  expect(seen).toEqual([['cli.test', null]])
  await expect(
    audit.during({ by, action: 'cli.fails', subject: 's' }, () => Promise.reject(new Error('no'))),
  ).rejects.toThrow('no')
  expect((await entries('?order_by[]=action')).map(({ outcome }) => outcome)).toEqual(['failed', 'done'])
})

test('commands that change something are logged with the user of the machine', async () => {
  const run = (verb: string, words: string[], work: () => Promise<number>) =>
    runWithAudit(app.operator.audit, 'bookings', ['resolve'], { verb, words, work }, undefined)
  await run('list', [], async () => 0)
  await run('resolve', ['bkg_1', 'confirmed'], async () => 1)
  const all = await entries()
  expect(all).toHaveLength(1)
  expect(all[0]).toMatchObject({
    action: 'cli.bookings.resolve',
    subject: 'bkg_1 confirmed',
    outcome: 'refused with exit code 1',
    actor: { kind: 'operator' },
  })
  await run('resolve', ['bkg_2', 'confirmed'], async () => 0)
  expect(await entries('?filters[]=outcome:==<done')).toMatchObject([{ subject: 'bkg_2 confirmed' }])
  const refused = run('resolve', ['bkg_3'], () => Promise.reject(new AppError('rules_changed', 'Too late.')))
  await expect(refused).rejects.toThrow('Too late.')
  expect(await entries('?filters[]=outcome:==<refused with rules_changed')).toMatchObject([{ subject: 'bkg_3' }])
})

test('the audit log is filtered and paged like every list', async () => {
  for (const url of ['/api/webhooks/whk_1', '/api/webhooks/whk_2']) await app.as(operator, { method: 'DELETE', url })
  expect(await entries('?filters[]=subject:==<whk_2')).toHaveLength(1)
  expect(await entries('?first=1')).toHaveLength(1)
})
