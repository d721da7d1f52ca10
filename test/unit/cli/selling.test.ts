import { afterEach, beforeEach, expect, test } from 'vitest'
import { sellingCommand } from '../../../src/cli/selling.ts'
import { createManageRules } from '../../../src/selling/manage-rules.ts'
import { createAccountStore } from '../../../src/store/accounts.ts'
import { type Database, openDatabase } from '../../../src/store/database.ts'
import { migrate } from '../../../src/store/migrations.ts'
import { createSellingStore } from '../../../src/store/selling-rules.ts'
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
beforeEach(async () => {
  database = openDatabase({ kind: 'sqlite', path: ':memory:' })
  await migrate(database)
})
afterEach(() => database.close())

async function run(...args: string[]): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = []
  const rules = createManageRules({
    store: createSellingStore(database),
    clock,
    rates: () => RATES,
    exchangePercent: 2,
    currentIds: async () => new Map(),
    vendorIds: ['alpha'],
  })
  const code = await sellingCommand(args, {
    rules,
    clock,
    operator: 'ana',
    readFile: (path) => files[path] ?? expect.fail(`no file ${path}`),
    out: (line) => lines.push(line),
  })
  return { code, lines }
}

test('rules are stored, shown with who made them, and tried', async () => {
  expect((await run('show')).lines.at(-1)).toBe('There are no rules: everything is sold at its net price.')
  expect(await run('set', 'good.json')).toMatchObject({
    code: 0,
    lines: [expect.stringContaining('Version 1 with 1 rule')],
  })
  const { lines } = await run('show')
  expect(lines[1]).toMatch(/^version 1 {2}2027-01-15T\S+ {2}by operator ana$/)
  expect(JSON.parse(lines[2] ?? '')).toEqual({ rules: [{ priority: 1, match: { country: ['FR'] }, percent: 10 }] })

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
])('a wrong file (%s) is explained and changes nothing', async (file, words) => {
  const { code, lines } = await run('set', file)
  expect(code).toBe(2)
  expect(lines.join('\n')).toMatch(words)
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
  })
  expect(await createSellingStore(database).seesNet('acc_1')).toBe(true)
  expect((await run('see-net', 'ana@example.com', 'off')).code).toBe(0)
  expect((await run('see-net', 'ben@example.com', 'on')).code).toBe(1)
})

test.each([[[]], [['set']], [['try']], [['see-net', 'a@b.c', 'maybe']], [['show', 'x']]])(
  '%j is answered with the usage and 2',
  async (args) => {
    expect(await run(...args)).toMatchObject({ code: 2, lines: [expect.stringContaining('serai selling show')] })
  },
)
