import type { RuleSet } from './rules.ts'

/** The id that each of these properties has now, by the id asked for: two properties may have been joined to one. */
export type CurrentIds = (propertyIds: readonly string[]) => Promise<ReadonlyMap<string, string>>

/** A rule for a property that was joined to another is one for both: searches made before still have the old id. */
export async function followJoins(set: RuleSet, currentIds: CurrentIds): Promise<RuleSet> {
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
