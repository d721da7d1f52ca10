import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createFaultPlan } from '../../../sandbox/server/fault-plan.ts'
import { DEFAULT_SETTINGS, parseSettings } from '../../../sandbox/server/settings.ts'
import { chooseWorsening } from '../../../sandbox/server/worse-terms.ts'
import { ALL_SETTINGS } from '../../../sandbox/stand-ins.ts'

test('every setting of the stand-ins is explained where it is defined', () => {
  const files = globSync('sandbox/{server,vendors/*}/settings.ts')
  const code = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  const explained = [...code.matchAll(/\*\/\n {2}(\w+): /g)].map(([, name]) => name)
  expect(Object.keys(ALL_SETTINGS).filter((name) => !explained.includes(name))).toEqual([])
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
