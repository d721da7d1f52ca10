import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listOperatorOperations, parseApiCall } from '../../../src/cli/commands/api.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { captureOutput } from '../../support/cli/capture-output.ts'
import { runInProcess } from '../../support/cli/run-in-process.ts'

const OPERATOR = { operator: 'ana', token: 'the-token-of-this-process' }

let folder: string
let app: TestApp
let accountId: string
const declared: string[] = []
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'serai-api-'))
  app = await testApp(
    {},
    {
      commandLine: OPERATOR,
      onRoute({ config, method }) {
        if (config?.access?.startsWith('operator') && method !== 'HEAD') declared.push(config.operation ?? '')
      },
    },
  )
  const added = await call('operator.create_account', '--email', 'client@example.com', '--reason', 'a new client')
  accountId = added.data.id
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

const api = (...args: string[]) => captureOutput(async () => (await parseApiCall(args))(app.http, OPERATOR.token))

async function call(...args: string[]) {
  const { code, out, err } = await api(...args)
  expect(code, err).toBe(0)
  return JSON.parse(out)
}

/** Runs the whole command with its own database. */
const serai = (...args: string[]) =>
  runInProcess(['api', ...args], {
    PATH: process.env.PATH,
    NODE_ENV: 'development',
    SERAI_DATA_DIR: join(folder, 'data'),
    SERAI_SANDBOX: 'false',
  })

test('every operation for operators can be called, and no other', async () => {
  const callable = (await listOperatorOperations()).map(({ name }) => name)
  expect([...callable].sort()).toEqual(declared.sort())
})

test('an operation has no two fields with the same name', async () => {
  for (const { name, fields } of await listOperatorOperations()) {
    const names = fields.map((field) => field.name)
    expect(new Set(names).size, name).toBe(names.length)
    expect(names, name).not.toContain('body')
    expect(names, name).not.toContain('accept')
  }
})

test('the command without an operation lists all operations with their summaries', async () => {
  const { code, out } = await serai()
  expect(code).toBe(0)
  expect(out).toMatch(/^ {2}operator\.bookings\.resolve +End the review of a booking$/m)
})

test('--help after an operation lists its fields', async () => {
  const { code, out } = await serai('operator.bookings.resolve', '--help')
  expect(code).toBe(0)
  expect(out).toMatch(/^serai api operator\.bookings\.resolve\n/)
  expect(out).toContain('--booking_id string (required)')
  expect(out).toContain('--status confirmed|rejected|cancelled (required)')
  expect((await serai('operator.bookings', '--help')).out).toContain('--filters array')
})

test('a key is created, given a budget, shown and revoked', async () => {
  const key = (...options: string[]) =>
    call(
      'operator.create_key',
      ...['--account_id', accountId, '--name', 'robot', '--scopes', 'search,book', '--reason', 'for the robot'],
      ...options,
    )
  const budget = ['--budget', '{"amount":1000,"currency":"EUR","per":"day"}']
  const { data: created } = await key('--mode', 'live', '--per_minute', '60', ...budget)
  expect(created).toMatchObject({ scopes: ['search', 'book'], per_minute: 60, budget: { amount: 1000 } })
  expect(created.key).toMatch(/^srk_live_/)
  const keyOptions = ['--account_id', accountId, '--key_id', created.id, '--reason', 'too much']
  expect((await call('operator.set_budget', ...keyOptions, '--budget', 'null')).data.budget).toBeNull()
  const account = await call('operator.account', '--account_id', accountId)
  expect(account.data.keys).toMatchObject([{ name: 'robot' }])
  expect((await call('operator.revoke_key', ...keyOptions)).data.keys).toEqual([])
  expect(await api('operator.revoke_key', ...keyOptions)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('"code": "key_not_found"'),
  })
})

test('invalid values print the field errors of the API and exit with code 2', async () => {
  const { code, out, err } = await api(
    'operator.create_key',
    ...['--account_id', accountId, '--scopes', 'search,fly', '--per_minute', 'many', '--name', 'n', '--mode', 'live'],
  )
  expect([code, out]).toEqual([2, ''])
  const fields = JSON.parse(err).errors.map(({ field }: { field: string }) => field)
  expect(fields.sort()).toEqual(['per_minute', 'reason', 'scopes[1]'])
  expect(await api('operator.bookings', '--filters', 'status:==<lost')).toMatchObject({ code: 2 })
})

test('selling rules are read from a file, and trials and statements show net prices', async () => {
  const file = join(folder, 'rules.json')
  writeFileSync(file, JSON.stringify({ rules: [{ priority: 1, match: { country: ['FR'] }, percent: 10 }] }))
  const { data } = await call('operator.selling.set_rules', '--body', file, '--reason', 'spring prices')
  expect(data).toMatchObject({ version: 1, rules: [{ percent: 10 }] })
  expect(data.versions[0].changed_by).toEqual({ kind: 'operator', id: 'ana' })
  const tried = await call(
    'operator.selling.try',
    ...['--vendor_id', 'any', '--net', '{"amount":100,"currency":"EUR"}', '--country_code', 'FR'],
    ...['--check_in', '2027-03-01', '--check_out', '2027-03-03'],
  )
  expect(tried.data).toMatchObject({ net: 100, selling: 110 })
  expect(await call('operator.statements', '--from', '2027-03')).toEqual({ data: [] })
})

test('changes are recorded in the audit log as a command of the operator', async () => {
  await call('operator.disable_account', '--account_id', accountId, '--reason', 'left us')
  const filters = ['--filters', `subject:==<${accountId}`, '--filters', 'action:==<cli.operator.disable_account']
  expect((await call('operator.audit', ...filters)).data).toMatchObject([
    { actor: { kind: 'operator', id: 'ana' }, outcome: 'done', reason: 'left us', subject: accountId },
  ])
})

test('the command acts as the user of this machine', async () => {
  const added = await serai('operator.create_account', '--email', 'x@example.com', '--reason', 'a new client')
  expect(added, added.err).toMatchObject({ code: 0 })
  const { out } = await serai('operator.audit')
  expect(JSON.parse(out).data).toMatchObject([
    { actor: { kind: 'operator', id: userInfo().username }, action: 'cli.operator.create_account' },
  ])
})

test('the token of the command line is unknown to other processes', async () => {
  const other = await testApp()
  const { code, err } = await captureOutput(async () =>
    (await parseApiCall(['operator.audit']))(other.http, OPERATOR.token),
  )
  await other.close()
  expect([code, JSON.parse(err).code]).toEqual([1, 'unauthenticated'])
})

test('control characters in output are escaped, and the JSON stays the same', async () => {
  const name = 'Bad\u009b2J\u202eHotel\u{e0041}'
  const { code, out } = await api(
    'operator.create_account',
    '--email',
    'x@example.com',
    '--name',
    name,
    '--reason',
    'r',
  )
  expect(code).toBe(0)
  expect(out).not.toMatch(/[\u007f-\u009f\u202e]|\u{e0041}/u)
  expect(JSON.parse(out).data.name).toBe(name)
})
