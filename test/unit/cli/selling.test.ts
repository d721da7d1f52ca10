import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createAccountStore } from '../../../src/accounts/store/accounts.ts'
import { readSelling } from '../../../src/cli/commands/selling.ts'
import { createManageRules } from '../../../src/selling/manage-rules.ts'
import { createSellingStore } from '../../../src/selling/store.ts'
import { type Database, openDatabase } from '../../../src/store/database.ts'
import { migrate } from '../../../src/store/migrations.ts'
import { printed } from '../../support/cli/printed.ts'
import { manualClock } from '../../support/time/clock.ts'
import { RATES } from '../search/a-search.ts'

let database: Database
const clock = manualClock()
const files: Record<string, string> = {
  'good.json': JSON.stringify({ rules: [{ priority: 1, match: { country: ['FR'] }, percent: 10, per_stay: null }] }),
  'typo.json': JSON.stringify({ rules: [{ priority: 1, percnt: 10 }] }),
  'money.json': JSON.stringify({ rules: [{ priority: 1, per_stay: { amount: 1.005, currency: 'EUR' } }] }),
  'broken.json': '{',
}
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'serai-selling-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(async () => {
  database = openDatabase({ kind: 'sqlite', path: ':memory:' })
  await migrate(database)
})
afterEach(() => database.close())

async function run(...args: string[]): Promise<{ code: number | undefined; lines: string[]; err: string }> {
  const rules = createManageRules({
    store: createSellingStore(database),
    clock,
    rates: () => RATES,
    exchangePercent: 2,
    currentIds: async () => new Map(),
    vendorIds: ['alpha'],
  })
  const accounts = createAccountStore(database)
  const { code, out, err } = await printed(() => readSelling(args).work({ rules, accounts, clock, operator: 'ana' }))
  return { code, lines: out.split('\n'), err }
}
const file = (name: string) => join(folder, name)

test('rules are stored, shown with who made them, and tried', async () => {
  expect((await run('show')).lines.at(-1)).toBe(
    'There are no rules: everything is sold at net, or at the lowest price that the vendor allows.',
  )
  expect(await run('set', file('good.json'))).toMatchObject({
    code: 0,
    lines: [expect.stringContaining('Version 1 with 1 rule')],
  })
  const { lines } = await run('show')
  expect(lines[1]).toMatch(/^version 1 {2}2027-01-15T\S+ {2}by operator ana$/)
  expect(JSON.parse(lines.slice(2).join('\n'))).toEqual({
    rules: [{ priority: 1, match: { country: ['FR'] }, percent: 10 }],
  })

  const tried = await run('try', '--vendor', 'any', '--net', '100', '--currency', 'EUR', '--country', 'FR')
  expect(tried.lines[0]).toContain('Rule 1 of version 1')
  expect(tried.lines.slice(1).map((line) => line.split(/\s+/))).toEqual([
    ['net', '100', 'EUR'],
    ['percent', '10', 'EUR'],
    ['selling', '110', 'EUR'],
  ])
  const asked = ['--net', '100', '--currency', 'EUR', '--asked', 'USD']
  const converted = await run('try', '--vendor', 'any', ...asked)
  expect(converted.lines).toEqual([
    'No rule matches.',
    expect.any(String),
    expect.stringContaining('exchange'),
    expect.any(String),
  ])
})

test.each([
  ['typo.json', /percnt/],
  ['money.json', /per_stay\.amount/],
  ['broken.json', /not JSON/],
])('a wrong file (%s) is explained and changes nothing', async (name, words) => {
  expect(() => readSelling(['set', file(name)])).toThrow(words)
  expect((await run('show')).lines.at(-1)).toContain('There are no rules')
})

test('an account is allowed to see net prices, and forbidden again', async () => {
  const account = {
    id: 'acc_1',
    name: 'A',
    role: 'client',
    passwordHash: '',
    createdAt: 1,
    disabledAt: undefined,
  } as const
  await createAccountStore(database).add({ ...account, email: 'ana@example.com' })
  expect(await run('see-net', 'ana@example.com', 'on')).toEqual({
    code: 0,
    lines: ['ana@example.com sees net prices.'],
    err: '',
  })
  expect(await createSellingStore(database).seesNet('acc_1')).toBe(true)
  expect((await run('see-net', 'ana@example.com', 'off')).code).toBe(0)
  expect(await run('see-net', 'ben@example.com', 'on')).toEqual({
    code: 1,
    lines: [''],
    err: 'There is no account ben@example.com.',
  })
})
