import { describe, expect, test } from 'vitest'
import {
  describeMarkup,
  describeScope,
  diffRules,
  isUnusuallyHigh,
} from '../../../web/src/console/selling/describe-rule.ts'
import {
  findDraftFaults,
  locateField,
  moveRule,
  newDraft,
  type Rule,
  toDraftRule,
  toSellingRule,
} from '../../../web/src/console/selling/draft-rule.ts'

const FULL: Rule = {
  priority: 10,
  match: {
    country: ['FR', 'DE'],
    stars: { from: 3 },
    check_in: { from: '2027-03-01', to: '2027-03-31' },
    nights: { to: 7 },
  },
  percent: 12.5,
  per_night: { amount: 2, currency: 'EUR' },
  rounding: { step: 1, mode: 'up', minus: 0.01 },
  cancel_buffer_hours: 24,
}

describe('a rule that is edited', () => {
  test('a rule that was not edited stays the same', () => {
    for (const rule of [FULL, { priority: 0 }, { priority: 1, percent: 0 }])
      expect(toSellingRule(toDraftRule(rule))).toEqual(rule)
  })

  test('an edited rule accepts lists with commas and currencies in lower case', () => {
    const draft = newDraft(10)
    const values = { ...draft.values, vendor: ' a , b,', per_stay_amount: '3', per_stay_currency: 'eur' }
    const { match, per_stay } = toSellingRule({ ...draft, values })
    expect(match).toEqual({ vendor: ['a', 'b'] })
    expect(per_stay).toEqual({ amount: 3, currency: 'EUR' })
  })

  test('an edited rule with an invalid number or an incomplete amount is refused', () => {
    const draft = toDraftRule(FULL)
    expect(findDraftFaults(draft)).toEqual({})
    const values = { ...draft.values, percent: 'twelve', per_stay_amount: '3', priority: '' }
    expect(Object.keys(findDraftFaults({ ...draft, values })).sort()).toEqual([
      'per_stay_currency',
      'percent',
      'priority',
    ])
    expect(findDraftFaults({ ...newDraft(1), mode: 'up' })).toHaveProperty('rounding_step')
  })
})

test('errors of the service are assigned to the fields of the form', () => {
  expect(locateField('rules[2].percent')).toEqual({ at: 2, field: 'percent' })
  expect(locateField('rules[0].per_night.currency')).toEqual({ at: 0, field: 'per_night_currency' })
  expect(locateField('rules[0].match.nights')).toEqual({ at: 0, field: 'nights_from' })
  expect(locateField('rules[1].match.check_in.to')).toEqual({ at: 1, field: 'check_in_to' })
  expect(locateField('rules[1].match.country[3]')).toEqual({ at: 1, field: 'country' })
  expect(locateField('rules[1].rounding.minus')).toEqual({ at: 1, field: 'rounding_minus' })
  expect(locateField('reason')).toBeUndefined()
})

test('moving a rule swaps the order and keeps the priorities sorted', () => {
  const drafts = [toDraftRule({ priority: 10, percent: 1 }), toDraftRule({ priority: 20, percent: 2 })]
  expect(moveRule(drafts, 1, -1).map(toSellingRule)).toEqual([
    { priority: 10, percent: 2 },
    { priority: 20, percent: 1 },
  ])
  expect(moveRule(drafts, 0, -1)).toBe(drafts)
})

test('rules are described in words, and a rule that at least doubles a price is marked as unusual', () => {
  expect(describeScope({ priority: 1 })).toBe('everything')
  expect(describeScope(FULL)).toBe('country FR or DE, stars from 3, check-in 2027-03-01 to 2027-03-31, nights up to 7')
  expect(describeMarkup(FULL)).toBe(
    '12.5 %, 2 EUR per night and room, rounded up to 1 less 0.01, free cancellation ends 24 hours earlier',
  )
  expect([12, 99.9, 100, 120].map((percent) => isUnusuallyHigh({ priority: 1, percent }))).toEqual([
    false,
    false,
    true,
    true,
  ])
})

test('the difference of two versions lists removed and added rules', () => {
  const [a, b] = [
    { priority: 1, percent: 120 },
    { priority: 1, percent: 12 },
  ] as const
  const { added, removed } = diffRules([a, { priority: 2 }], [b, { priority: 2 }])
  expect([added.length, removed.length]).toEqual([1, 1])
  expect(added[0]).toContain('12 %')
  expect(diffRules([a], [{ ...a }])).toEqual({ added: [], removed: [] })
  expect(diffRules([a, { ...a }], [a]).removed, 'one of two equal rules').toHaveLength(1)
})
