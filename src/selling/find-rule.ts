import { matchesOffer, type OfferFacts, type Rule } from './rules.ts'

type IndexedRule = { readonly rule: Rule; readonly position: number }

/** Finds the first matching rule. Rules are indexed by vendor and property, because a search has thousands of offers. */
export function createFindRule(rules: readonly Rule[]): (facts: OfferFacts) => Rule | undefined {
  const byVendor = new Map<string, ReturnType<typeof indexRules>>()
  return (facts) => {
    if (rules.length === 0) return undefined
    let index = byVendor.get(facts.vendorId)
    if (index === undefined) {
      index = indexRules(rules, facts.vendorId)
      byVendor.set(facts.vendorId, index)
    }
    const forProperty = firstMatch(index.byProperty.get(facts.propertyId), facts)
    const forAll = firstMatch(index.general, facts)
    if (forProperty === undefined || forAll === undefined) return (forProperty ?? forAll)?.rule
    return forProperty.position < forAll.position ? forProperty.rule : forAll.rule
  }
}

const firstMatch = (candidates: readonly IndexedRule[] | undefined, facts: OfferFacts): IndexedRule | undefined =>
  candidates?.find(({ rule }) => matchesOffer(rule, facts))

function indexRules(rules: readonly Rule[], vendorId: string) {
  const general: IndexedRule[] = []
  const byProperty = new Map<string, IndexedRule[]>()
  for (const [position, rule] of rules.entries()) {
    const { vendor, property } = rule.match
    if (vendor !== undefined && !vendor.includes(vendorId)) continue
    if (property === undefined) general.push({ rule, position })
    for (const id of property ?? []) {
      const list = byProperty.get(id)
      if (list === undefined) byProperty.set(id, [{ rule, position }])
      else list.push({ rule, position })
    }
  }
  return { general, byProperty }
}
