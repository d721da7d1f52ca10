import { expect, test } from 'vitest'
import { createManageRules } from '../../../src/selling/manage-rules.ts'
import { firstMatchingRule, type RuleSet } from '../../../src/selling/rules.ts'
import type { SellingStore } from '../../../src/selling/store.ts'
import { manualClock } from '../../support/time/clock.ts'
import { RATES } from '../search/arbitrary-searches.ts'

test('rules follow merged properties, in the latest version, in earlier ones and in trials', async () => {
  const clock = manualClock()
  const joins = new Map<string, string>()
  const createRules = (property: string) => [{ priority: 1, match: { property: [property] }, percent: 5 }]
  const versions = [createRules('prp_b'), createRules('prp_a')].map((rules, index) => ({
    version: index + 1,
    rules: JSON.stringify(rules),
    changedAt: 1,
    by: { kind: 'operator', id: 'ana' } as const,
  }))
  const store: Pick<SellingStore, 'latest' | 'version'> = {
    latest: async () => versions.at(-1),
    version: async (version) => versions[version - 1],
  }
  const currentIds = async (ids: readonly string[]) => new Map(ids.map((id) => [id, joins.get(id) ?? id]))
  const rules = createManageRules({
    store: store as SellingStore,
    clock,
    rates: () => RATES,
    exchangePercent: 0,
    currentIds,
    vendorIds: [],
  })
  const matched = ({ rules: all }: RuleSet) =>
    ['prp_a', 'prp_b', 'prp_c'].filter((propertyId) =>
      firstMatchingRule(all, { vendorId: 'any', propertyId, stars: 3 }),
    )
  const matchedByVersion = async () => [
    matched((await rules.pricing()).rules),
    matched((await rules.pricing(1)).rules),
    matched(await rules.onTrial(createRules('prp_a'))),
  ]

  expect(await matchedByVersion()).toEqual([['prp_a'], ['prp_b'], ['prp_a']])
  joins.set('prp_a', 'prp_c').set('prp_b', 'prp_c')
  clock.advance(61_000)
  // A search from before the merge still has the old id.
  expect(await matchedByVersion()).toEqual([
    ['prp_a', 'prp_c'],
    ['prp_b', 'prp_c'],
    ['prp_a', 'prp_c'],
  ])
})
