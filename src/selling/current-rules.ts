import { LRUCache } from 'lru-cache'
import type { Clock } from '../lib/time/clock.ts'
import { type CurrentIds, followJoins } from './follow-joins.ts'
import { NO_RULES, type RuleSet } from './rules.ts'
import type { SellingStore, StoredRules } from './store.ts'

/** For so long the rules in memory count as the latest: a change by another process is seen after it. */
const REMEMBERED_MS = 1_000
/** For so long the property ids in the rules count as current: properties are rarely joined. */
const JOINS_REMEMBERED_MS = 60_000
const VERSIONS_MAX = 20

/** The rules that prices are made by, out of memory wherever possible. */
export function createCurrentRules(
  store: Pick<SellingStore, 'latest' | 'version'>,
  currentIds: CurrentIds,
  clock: Clock,
) {
  let known: { readonly rules: RuleSet; readonly at: number } | undefined
  const read = new LRUCache<number, RuleSet>({
    max: VERSIONS_MAX,
    perf: clock,
    ttl: JOINS_REMEMBERED_MS,
    ttlResolution: 0,
  })

  async function asUsed(stored: StoredRules): Promise<RuleSet> {
    const kept = read.get(stored.version)
    if (kept !== undefined) return kept
    const rules = await followJoins(ruleSetOf(stored), currentIds)
    read.set(stored.version, rules)
    return rules
  }

  async function latest(): Promise<RuleSet> {
    const now = clock.now()
    if (known !== undefined && now >= known.at && now - known.at < REMEMBERED_MS) return known.rules
    try {
      const stored = await store.latest()
      known = { rules: stored === undefined ? NO_RULES : await asUsed(stored), at: now }
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
      const kept = read.get(version)
      if (kept !== undefined) return kept
      const stored = await store.version(version)
      return stored === undefined ? newest : asUsed(stored)
    },
    forget(): void {
      known = undefined
    },
  }
}

export const ruleSetOf = ({ version, rules }: StoredRules): RuleSet => ({ version, rules: JSON.parse(rules) })
