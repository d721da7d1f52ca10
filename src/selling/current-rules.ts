import { LRUCache } from 'lru-cache'
import type { Clock } from '../lib/clock.ts'
import type { SellingStore, StoredRules } from '../store/selling-rules.ts'
import { NO_RULES, type RuleSet } from './rules.ts'

/** For so long the rules in memory count as the latest: a change by another process is seen after it. */
const REMEMBERED_MS = 1_000
const EARLIER_MAX = 20

/** The rules that prices are made by, out of memory wherever possible. */
export function createCurrentRules(store: Pick<SellingStore, 'latest' | 'version'>, clock: Clock) {
  let known: { readonly rules: RuleSet; readonly at: number } | undefined
  const earlier = new LRUCache<number, RuleSet>({ max: EARLIER_MAX })

  async function latest(): Promise<RuleSet> {
    const now = clock.now()
    if (known !== undefined && now >= known.at && now - known.at < REMEMBERED_MS) return known.rules
    try {
      const stored = await store.latest()
      const before = known?.rules
      const rules = stored?.version === before?.version ? before : stored && ruleSetOf(stored)
      known = { rules: rules ?? NO_RULES, at: now }
    } catch (error) {
      // While the store is away, searches go on by the rules that were known last.
      if (known === undefined) throw error
    }
    return known.rules
  }

  return {
    latest,
    /** Of a version; the latest where there is no such version. */
    async of(version: number): Promise<RuleSet> {
      const newest = await latest()
      if (version === newest.version) return newest
      if (version === 0) return NO_RULES
      const kept = earlier.get(version)
      if (kept !== undefined) return kept
      const stored = await store.version(version)
      if (stored === undefined) return newest
      const rules = ruleSetOf(stored)
      earlier.set(version, rules)
      return rules
    },
    forget(): void {
      known = undefined
    },
  }
}

export const ruleSetOf = ({ version, rules }: StoredRules): RuleSet => ({ version, rules: JSON.parse(rules) })
