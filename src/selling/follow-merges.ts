import type { RuleSet } from './rules.ts'

/** Current ids by the ids asked for: properties may have been merged. */
export type CurrentIds = (propertyIds: readonly string[]) => Promise<ReadonlyMap<string, string>>

/** A rule for a merged property matches both ids, because earlier searches still have the old one. */
export async function followMerges(set: RuleSet, currentIds: CurrentIds): Promise<RuleSet> {
  const named = [...new Set(set.rules.flatMap(({ match }) => match.property ?? []))]
  if (named.length === 0) return set
  const current = await currentIds(named)
  const withCurrent = (ids: readonly string[]) => [...new Set(ids.flatMap((id) => [id, current.get(id) ?? id]))]
  const rules = set.rules.map((rule) => {
    const { property } = rule.match
    return property === undefined ? rule : { ...rule, match: { ...rule.match, property: withCurrent(property) } }
  })
  return { ...set, rules }
}
