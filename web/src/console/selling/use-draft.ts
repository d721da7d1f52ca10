import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { resultOf, serai } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import { type DraftRule, draftOf, faultsOf, placeOf, type RuleFaults, ruleOf } from './draft-rule.ts'
import { differences } from './rule-words.ts'
import { type Rules, rulesKey } from './versions.tsx'

/** By the keys of the rules; `whole` is what to say beside the rule. */
export type Faults = Readonly<Record<string, RuleFaults & { readonly whole?: string }>>

/** The rules in force as a draft, what differs, and storing it. */
export function useDraft(rules: Rules) {
  const client = useQueryClient()
  /** What the draft was made from: a version that somebody else stores meanwhile does not become it unseen. */
  const [base, setBase] = useState(rules)
  const [drafts, setDrafts] = useState<readonly DraftRule[]>(() => rules.rules.map(draftOf))
  const [faults, setFaults] = useState<Faults>({})
  const isSound = drafts.every((draft) => Object.keys(faultsOf(draft)).length === 0)
  const changes = isSound ? differences(base.rules, drafts.map(ruleOf)) : { added: ['not readable yet'], removed: [] }
  const hasChanged = !isEmpty(changes)
  // True after this draft was stored and the answer was lost.
  const isInForce = isSound && isEmpty(differences(rules.rules, drafts.map(ruleOf)))

  const begin = (from: Rules) => {
    setBase(from)
    setDrafts(from.rules.map(draftOf))
    setFaults({})
  }
  useEffect(() => {
    if (rules.version !== base.version && (!hasChanged || isInForce)) begin(rules)
  })

  return {
    base,
    drafts,
    /** As the service takes them; undefined while they cannot be read. */
    readable: isSound ? drafts.map(ruleOf) : undefined,
    faults,
    changes,
    hasChanged,
    setDrafts,
    discard: () => begin(rules),
    /** Adds a rule, or changes it; they stay in the order in which they will be tried. */
    apply(changed: DraftRule): void {
      const isKnown = drafts.some(({ key }) => key === changed.key)
      const next = isKnown ? drafts.map((one) => (one.key === changed.key ? changed : one)) : [...drafts, changed]
      setDrafts(next.toSorted((a, b) => Number(a.values.priority) - Number(b.values.priority)))
      setFaults(({ [changed.key]: _mended, ...others }) => others)
    },
    async save(reason: string): Promise<string> {
      try {
        const order = { rules: drafts.map(ruleOf), based_on: base.version, reason }
        const stored = await resultOf(serai.operator.sellingSetRules(order))
        client.setQueryData(rulesKey, stored)
        begin(stored)
        return `Version ${stored.version} is in force. What was offered or booked before keeps its price.`
      } catch (error) {
        if (error instanceof ApiProblem) setFaults(faultsByRule(error, drafts))
        // Somebody else may have stored rules, or these were stored and the answer was lost.
        void client.invalidateQueries({ queryKey: rulesKey })
        throw error
      }
    },
  }
}

const isEmpty = ({ added, removed }: ReturnType<typeof differences>): boolean => added.length + removed.length === 0

function faultsByRule({ fields }: ApiProblem, drafts: readonly DraftRule[]): Faults {
  const faults: Record<string, RuleFaults & { whole?: string }> = {}
  for (const { field, message } of fields) {
    const place = placeOf(field)
    const key = place && drafts[place.at]?.key
    if (place === undefined || key === undefined) continue
    faults[key] = { whole: message, ...faults[key], ...(place.field !== undefined && { [place.field]: message }) }
  }
  return faults
}
