import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createFaultPlan } from '../../../sandbox/server/fault-plan.ts'
import { FAULT_KINDS } from '../../../sandbox/server/faults.ts'
import { DEFAULT_SETTINGS, parseSettings } from '../../../sandbox/server/settings.ts'
import { chooseWorsening } from '../../../sandbox/server/worse-terms.ts'
import { ALL_SETTINGS } from '../../../sandbox/stand-ins.ts'

const docs = readFileSync('docs/vendors.md', 'utf8')

test('docs/vendors.md lists every setting of the stand-ins with its default', () => {
  const rows = [...docs.matchAll(/^\| `(\w+)` \| ([\d.]+) \|/gm)].map(([, name, value]) => [name, Number(value)])
  expect(Object.fromEntries(rows)).toEqual(ALL_SETTINGS)
})

test('every documented fault exists', () => {
  const [, table = ''] = docs.split('| fault | operation |')
  const named = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  )
  expect(named.length).toBeGreaterThan(8)
  for (const name of named) expect(FAULT_KINDS).toContain(name)
})

test('unknown settings and values that are not numbers are refused', () => {
  const names = Object.keys(DEFAULT_SETTINGS)
  expect(parseSettings({ packaging: 0.5 }, names)).toEqual({ packaging: 0.5 })
  for (const bad of [{ pakaging: 1 }, { packaging: '1' }, { packaging: -1 }, 7, null]) {
    expect(parseSettings(bad, names)).toBeUndefined()
  }
})

test('terms get worse by a fault or, deterministically, for the configured share of offers', () => {
  expect(chooseWorsening([{ kind: 'fees_move', operation: 'price_check' }], DEFAULT_SETTINGS, 0)).toBe('fees')
  expect(chooseWorsening([], DEFAULT_SETTINGS, 0)).toBeUndefined()
  const draws = Array.from({ length: 1000 }, (_, index) => index / 1000)
  const worse = draws.flatMap((draw) => chooseWorsening([], { worseTerms: 0.03 }, draw) ?? [])
  expect(worse).toHaveLength(30)
  expect(new Set(worse)).toEqual(new Set(['terms', 'fees', 'board']))
})

test('a fault can skip calls before it takes effect', () => {
  const plan = createFaultPlan(1)
  plan.add({ kind: 'error_before', operation: 'cancel', after: 1, times: 1 })
  expect([1, 2, 3].map(() => plan.next('cancel').length)).toEqual([0, 1, 0])
})
