import { matchesOffer, type OfferFacts, type Rule } from './rules.ts'

type Placed = { readonly rule: Rule; readonly place: number }

/**
 * The first rule that matches an offer, as `ruleOf` finds it. A search asks for thousands of offers, so the rules of each
 * vendor are put aside once, and those for single properties are found by the property.
 */
export function createFindRule(rules: readonly Rule[]): (facts: OfferFacts) => Rule | undefined {
  const byVendor = new Map<string, ReturnType<typeof rulesOf>>()
  return (facts) => {
    if (rules.length === 0) return undefined
    let own = byVendor.get(facts.vendorId)
    if (own === undefined) {
      own = rulesOf(rules, facts.vendorId)
      byVendor.set(facts.vendorId, own)
    }
    const special = firstOf(own.ofProperty.get(facts.propertyId), facts)
    const general = firstOf(own.ofAll, facts)
    if (special === undefined || general === undefined) return (special ?? general)?.rule
    return special.place < general.place ? special.rule : general.rule
  }
}

const firstOf = (placed: readonly Placed[] | undefined, facts: OfferFacts): Placed | undefined =>
  placed?.find(({ rule }) => matchesOffer(rule, facts))

function rulesOf(rules: readonly Rule[], vendorId: string) {
  const ofAll: Placed[] = []
  const ofProperty = new Map<string, Placed[]>()
  for (const [place, rule] of rules.entries()) {
    const { vendor, property } = rule.match
    if (vendor !== undefined && !vendor.includes(vendorId)) continue
    if (property === undefined) ofAll.push({ rule, place })
    for (const id of property ?? []) {
      const list = ofProperty.get(id)
      if (list === undefined) ofProperty.set(id, [{ rule, place }])
      else list.push({ rule, place })
    }
  }
  return { ofAll, ofProperty }
}
