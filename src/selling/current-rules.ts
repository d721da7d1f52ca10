import { LRUCache } from 'lru-cache'
import type { Clock } from '../lib/time/clock.ts'
import { type CurrentIds, followMerges } from './follow-merges.ts'
import { NO_RULES, type RuleSet } from './rules.ts'
import type { SellingStore, StoredRules } from './store.ts'

/** Cached rules may be this old; a change by another process is seen after it. */
const CACHE_MS = 1_000
/** Property ids in rules are refreshed this often, because properties are rarely merged. */
const MERGES_CACHE_MS = 60_000
const VERSIONS_MAX = 20

export function createCurrentRules(
  store: Pick<SellingStore, 'latest' | 'version'>,
  currentIds: CurrentIds,
  clock: Clock,
) {
  let known: { readonly rules: RuleSet; readonly at: number } | undefined
  const cache = new LRUCache<number, RuleSet>({
    max: VERSIONS_MAX,
    perf: clock,
    ttl: MERGES_CACHE_MS,
    ttlResolution: 0,
  })

  async function resolveRules(stored: StoredRules): Promise<RuleSet> {
    const cached = cache.get(stored.version)
    if (cached !== undefined) return cached
    const rules = await followMerges(toRuleSet(stored), currentIds)
    cache.set(stored.version, rules)
    return rules
  }

  async function latest(): Promise<RuleSet> {
    const now = clock.now()
    if (known !== undefined && now >= known.at && now - known.at < CACHE_MS) return known.rules
    try {
      const stored = await store.latest()
      known = { rules: stored === undefined ? NO_RULES : await resolveRules(stored), at: now }
    } catch (error) {
      // If the store is unavailable, pricing continues with the last known rules.
      if (known === undefined) throw error
    }
    return known.rules
  }

  return {
    latest,
    /** Falls back to the latest if the version does not exist. */
    async byVersion(version: number): Promise<RuleSet> {
      const newest = await latest()
      if (version === newest.version) return newest
      if (version === 0) return NO_RULES
      const cached = cache.get(version)
      if (cached !== undefined) return cached
      const stored = await store.version(version)
      return stored === undefined ? newest : resolveRules(stored)
    },
    forget(): void {
      known = undefined
    },
  }
}

export const toRuleSet = ({ version, rules }: StoredRules): RuleSet => ({ version, rules: JSON.parse(rules) })
