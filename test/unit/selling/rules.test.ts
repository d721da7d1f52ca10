import { describe, expect, test } from 'vitest'
import { createFindRule } from '../../../src/selling/find-rule.ts'
import { validateRules } from '../../../src/selling/rule-errors.ts'
import { filterRules, firstMatchingRule, type Rule, type RuleMatch, sortRules } from '../../../src/selling/rules.ts'
import { RATES } from '../search/arbitrary-searches.ts'

const rule = (priority: number, match: RuleMatch): Rule => ({ priority, match, percent: priority })
const SEARCH = {
  accountId: 'acc_1',
  countryCode: 'FR',
  locationId: 'loc_1',
  checkIn: '2027-03-12',
  leadDays: 56,
  nights: 3,
}

describe('conditions of a rule', () => {
  test.each<[string, RuleMatch, boolean]>([
    ['no conditions', {}, true],
    ['its account', { account: ['acc_0', 'acc_1'] }, true],
    ['another account', { account: ['acc_2'] }, false],
    ['its country', { country: ['FR'] }, true],
    ['another country', { country: ['ES'] }, false],
    ['its destination', { location: ['loc_1'] }, true],
    ['the first day of a range', { checkIn: { from: '2027-03-12' } }, true],
    ['the last day of a range', { checkIn: { to: '2027-03-12' } }, true],
    ['a day before the range', { checkIn: { from: '2027-03-13' } }, false],
    ['its days before arrival', { leadDays: { from: 30, to: 56 } }, true],
    ['more days before arrival', { leadDays: { from: 57 } }, false],
    ['its nights', { nights: { from: 3, to: 3 } }, true],
    ['one of two conditions not met', { country: ['FR'], nights: { to: 2 } }, false],
  ])('a rule matches a search as expected: %s', (_name, match, matches) => {
    expect(filterRules({ version: 1, rules: [rule(1, match)] }, SEARCH)).toHaveLength(matches ? 1 : 0)
  })
})

test('of the matching rules the one with the lowest priority number applies, and the first of equal ones', () => {
  const rules = sortRules([rule(5, {}), rule(1, { vendor: ['beta'] }), { ...rule(5, {}), percent: 9 }])
  expect(firstMatchingRule(rules, { vendorId: 'alpha', propertyId: 'p', stars: 3 })?.percent).toBe(5)
  expect(firstMatchingRule(rules, { vendorId: 'beta', propertyId: 'p', stars: 3 })?.percent).toBe(1)
})

const KNOWN = { ...RATES, vendorIds: ['alpha', 'beta'] }

test('an unknown country in a rule is refused, since the rule would never match', () => {
  const validate = (...country: string[]) => validateRules([rule(1, {}), rule(2, { country })], KNOWN)
  expect(validate('FR', 'XK')).toEqual([])
  for (const wrong of ['fr', 'France', 'UK'])
    expect(validate('FR', wrong)).toMatchObject([
      { field: 'rules[1].match.country', code: 'wrong_format', message: expect.stringContaining(wrong) },
    ])
})

test('an unknown vendor in a rule is refused, since the rule would never match', () => {
  const validate = (...vendor: string[]) => validateRules([rule(1, {}), rule(2, { vendor })], KNOWN)
  expect(validate('alpha', 'beta')).toEqual([])
  expect(validate('alpha', 'Beta')).toMatchObject([
    { field: 'rules[1].match.vendor', code: 'unknown_vendor', message: expect.stringContaining('alpha, beta. Beta') },
  ])
})

test('the indexed lookup finds the same rule as a linear search', () => {
  const pick = <T>(all: readonly T[], number: number): T => all[number % all.length] as T
  const matches: RuleMatch[] = [
    {},
    { vendor: ['alpha'] },
    { vendor: ['beta', 'gamma'] },
    { property: ['p1'] },
    { property: ['p1', 'p2'], stars: { from: 3 } },
    { stars: { to: 2 } },
    { vendor: ['alpha'], property: ['p2'], stars: { from: 4, to: 5 } },
  ]
  for (let run = 0; run < 2_000; run += 1) {
    const rules = Array.from({ length: run % 6 }, (_, place) => rule(place, pick(matches, run * 31 + place * 17 + run)))
    const find = createFindRule(rules)
    for (const vendorId of ['alpha', 'beta', 'delta'])
      for (const propertyId of ['p1', 'p2', 'p3'])
        for (const stars of [0, 3, 5]) {
          const facts = { vendorId, propertyId, stars }
          expect(find(facts)).toBe(firstMatchingRule(rules, facts))
        }
  }
})
