import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { callApi, serai } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import { withoutFieldName } from '../../ui/notice.tsx'
import { diffRules } from './describe-rule.ts'
import {
  type DraftRule,
  findDraftFaults,
  locateField,
  type RuleFaults,
  toDraftRule,
  toSellingRule,
} from './draft-rule.ts'
import { type Rules, rulesKey } from './versions.tsx'

/** By rule key; `whole` is shown beside the rule. */
export type Faults = Readonly<Record<string, RuleFaults & { readonly whole?: string }>>

/** The rules in force as a draft, with its changes and a way to store it. */
export function useDraft(rules: Rules) {
  const client = useQueryClient()
  /** Version that the draft is based on; a version stored in the meantime does not replace it silently. */
  const [base, setBase] = useState(rules)
  const [drafts, setDrafts] = useState<readonly DraftRule[]>(() => rules.rules.map(toDraftRule))
  const [faults, setFaults] = useState<Faults>({})
  const isValid = drafts.every((draft) => Object.keys(findDraftFaults(draft)).length === 0)
  const changes = isValid
    ? diffRules(base.rules, drafts.map(toSellingRule))
    : { added: ['the draft is not valid yet'], removed: [] }
  const hasChanged = !isEmpty(changes)
  // True if this draft was stored but the response was lost.
  const isInForce = isValid && isEmpty(diffRules(rules.rules, drafts.map(toSellingRule)))

  const begin = (from: Rules) => {
    setBase(from)
    setDrafts(from.rules.map(toDraftRule))
    setFaults({})
  }
  useEffect(() => {
    if (rules.version !== base.version && (!hasChanged || isInForce)) begin(rules)
  })

  return {
    base,
    drafts,
    /** Undefined while the draft is invalid. */
    readable: isValid ? drafts.map(toSellingRule) : undefined,
    faults,
    changes,
    hasChanged,
    setDrafts,
    discard: () => begin(rules),
    /** Adds or replaces a rule; keeps the order in which rules are tried. */
    apply(changed: DraftRule): void {
      const isKnown = drafts.some(({ key }) => key === changed.key)
      const next = isKnown ? drafts.map((rule) => (rule.key === changed.key ? changed : rule)) : [...drafts, changed]
      setDrafts(next.toSorted((a, b) => Number(a.values.priority) - Number(b.values.priority)))
      setFaults(({ [changed.key]: _corrected, ...others }) => others)
    },
    async save(reason: string): Promise<string> {
      try {
        const order = { rules: drafts.map(toSellingRule), based_on: base.version, reason }
        const stored = await callApi(serai.operator.sellingSetRules(order))
        client.setQueryData(rulesKey, stored)
        begin(stored)
        return `Version ${stored.version} is in force. Earlier offers and bookings keep their prices.`
      } catch (error) {
        if (error instanceof ApiProblem) setFaults(faultsByRule(error, drafts))
        // Another operator may have stored rules, or the response was lost after storing these.
        void client.invalidateQueries({ queryKey: rulesKey })
        throw error
      }
    },
  }
}

const isEmpty = ({ added, removed }: ReturnType<typeof diffRules>): boolean => added.length + removed.length === 0

function faultsByRule({ fields }: ApiProblem, drafts: readonly DraftRule[]): Faults {
  const faults: Record<string, RuleFaults & { whole?: string }> = {}
  for (const fault of fields) {
    const message = withoutFieldName(fault)
    const place = locateField(fault.field)
    const key = place && drafts[place.at]?.key
    if (place === undefined || key === undefined) continue
    faults[key] = {
      whole: fault.message.replace(/^rules\[\d+\]\./, ''),
      ...faults[key],
      ...(place.field !== undefined && { [place.field]: message }),
    }
  }
  return faults
}
