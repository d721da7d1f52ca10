import type { Actor } from '../domain/actor.ts'
import { AppError, invalidRequest } from '../domain/errors.ts'
import type { ExchangeRates } from '../domain/money/exchange.ts'
import type { Clock } from '../lib/time/clock.ts'
import { createCurrentRules, toRuleSet } from './current-rules.ts'
import { type CurrentIds, followMerges } from './follow-merges.ts'
import { validateRules } from './rule-errors.ts'
import { type Rule, type RuleSet, sortRules } from './rules.ts'
import type { Pricing } from './seller.ts'
import type { SellingStore, StoredRules } from './store.ts'

export type RuleVersion = RuleSet & { readonly changedAt: number; readonly by: Actor }

export type ManageRules = ReturnType<typeof createManageRules>

type Deps = {
  readonly store: SellingStore
  readonly clock: Clock
  readonly rates: () => ExchangeRates
  readonly exchangePercent: number
  readonly currentIds: CurrentIds
  /** Vendors that rules may name, configured or not. */
  readonly vendorIds: readonly string[]
}

const VERSIONS_SHOWN = 50

export function createManageRules({ store, clock, rates, exchangePercent, currentIds, vendorIds }: Deps) {
  const current = createCurrentRules(store, currentIds, clock)
  return {
    /** By the current rules, or by an earlier version. */
    pricing: async (version?: number): Promise<Pricing> => ({
      rules: version === undefined ? await current.latest() : await current.byVersion(version),
      exchangePercent,
      rates: rates(),
    }),

    /** Prepares rules for a trial without storing them. */
    onTrial: (rules: readonly Rule[]): Promise<RuleSet> =>
      followMerges({ version: 0, rules: sortRules(rules) }, currentIds),

    /** Undefined if there are none. */
    async latest(): Promise<RuleVersion | undefined> {
      const stored = await store.latest()
      return stored && toRuleVersion(stored)
    },
    /** Newest first. */
    history: async (): Promise<RuleVersion[]> => (await store.versions(VERSIONS_SHOWN)).map(toRuleVersion),

    async version(version: number): Promise<RuleVersion | undefined> {
      const stored = await store.version(version)
      return stored && toRuleVersion(stored)
    },

    /** Stores a new version. Throws `rules_changed` if `basedOn` is given and not the latest. */
    async set(rules: readonly Rule[], by: Actor, basedOn?: number): Promise<RuleVersion> {
      const errors = validateRules(rules, { ...rates(), vendorIds })
      if (errors.length > 0) throw invalidRequest(errors)
      const stored = await store.add(JSON.stringify(sortRules(rules)), by, clock.now(), basedOn)
      current.forget()
      if (stored === undefined)
        throw new AppError(
          'rules_changed',
          `The rules have changed since version ${basedOn}. Read them again and repeat your change.`,
        )
      return toRuleVersion(stored)
    },
  }
}

const toRuleVersion = (stored: StoredRules): RuleVersion => ({
  ...toRuleSet(stored),
  changedAt: stored.changedAt,
  by: stored.by,
})
