import type { Actor } from '../domain/actor.ts'
import { AppError, invalidRequest } from '../domain/errors.ts'
import type { ExchangeRates } from '../domain/money/exchange.ts'
import type { Clock } from '../lib/time/clock.ts'
import { createCurrentRules, ruleSetOf } from './current-rules.ts'
import { type CurrentIds, followJoins } from './follow-joins.ts'
import { ruleErrors } from './rule-errors.ts'
import { inOrder, type Rule, type RuleSet } from './rules.ts'
import type { Pricing } from './seller.ts'
import type { SellingStore, StoredRules } from './store.ts'

/** A version of the rules, and who made it. */
export type RuleVersion = RuleSet & { readonly changedAt: number; readonly by: Actor }

export type ManageRules = ReturnType<typeof createManageRules>

type Deps = {
  readonly store: SellingStore
  readonly clock: Clock
  readonly rates: () => ExchangeRates
  readonly exchangePercent: number
  readonly currentIds: CurrentIds
  /** Vendors that rules may name, whether or not they are configured now. */
  readonly vendorIds: readonly string[]
}

const VERSIONS_SHOWN = 50

/** The rules as they are now, and how they came about. */
export function createManageRules({ store, clock, rates, exchangePercent, currentIds, vendorIds }: Deps) {
  const current = createCurrentRules(store, currentIds, clock)
  return {
    /** What prices are made with now, or by an earlier version of the rules. */
    pricing: async (version?: number): Promise<Pricing> => ({
      rules: version === undefined ? await current.latest() : await current.of(version),
      exchangePercent,
      rates: rates(),
    }),

    /** Rules that are not stored, as prices would be made with them. */
    onTrial: (rules: readonly Rule[]): Promise<RuleSet> =>
      followJoins({ version: 0, rules: inOrder(rules) }, currentIds),

    /** Undefined while there are none. */
    async latest(): Promise<RuleVersion | undefined> {
      const stored = await store.latest()
      return stored && versionOf(stored)
    },
    /** The newest first. */
    history: async (): Promise<RuleVersion[]> => (await store.versions(VERSIONS_SHOWN)).map(versionOf),

    /** One version; undefined where there is none with this number. */
    async version(version: number): Promise<RuleVersion | undefined> {
      const stored = await store.version(version)
      return stored && versionOf(stored)
    },

    /**
     * From now on these are the rules. What is wrong with them is told field by field. With `basedOn`, only if no other version
     * has come in between: two operators at once do not undo each other's work unseen.
     */
    async set(rules: readonly Rule[], by: Actor, basedOn?: number): Promise<RuleVersion> {
      const errors = ruleErrors(rules, { ...rates(), vendorIds })
      if (errors.length > 0) throw invalidRequest(errors)
      const stored = await store.add(JSON.stringify(inOrder(rules)), by, clock.now(), basedOn)
      current.forget()
      if (stored === undefined)
        throw new AppError(
          'rules_changed',
          `The rules are no longer version ${basedOn}: read them again and decide again.`,
        )
      return versionOf(stored)
    },
  }
}

const versionOf = (stored: StoredRules): RuleVersion => ({
  ...ruleSetOf(stored),
  changedAt: stored.changedAt,
  by: stored.by,
})
