import type { components } from '../../../../packages/client/src/index.ts'

export type Rule = components['schemas']['SellingRule']

const LISTS = ['account', 'vendor', 'country', 'location', 'property'] as const
const SPANS = ['stars', 'check_in', 'lead_days', 'nights'] as const
const NUMBERS = ['priority', 'percent', 'cancel_buffer_hours'] as const
const AMOUNTS = ['per_night', 'per_stay'] as const
const ROUNDINGS = ['', 'up', 'down', 'nearest'] as const
export type RoundingMode = (typeof ROUNDINGS)[number]

export type DraftField =
  | (typeof NUMBERS)[number]
  | (typeof LISTS)[number]
  | `${(typeof SPANS)[number]}_${'from' | 'to'}`
  | `${(typeof AMOUNTS)[number]}_${'amount' | 'currency'}`
  | 'rounding_step'
  | 'rounding_minus'

/** A rule as it is typed: every value is a text, lists are separated by commas, and what is empty is not part of the rule. */
export type DraftRule = {
  /** Stays the same while the rule is moved and changed. */
  readonly key: string
  readonly values: Readonly<Record<DraftField, string>>
  readonly mode: RoundingMode
}

export type RuleFaults = Readonly<Partial<Record<DraftField, string>>>

const FIELDS: readonly DraftField[] = [
  ...NUMBERS,
  ...LISTS,
  ...SPANS.flatMap((name) => [`${name}_from`, `${name}_to`] as const),
  ...AMOUNTS.flatMap((name) => [`${name}_amount`, `${name}_currency`] as const),
  'rounding_step',
  'rounding_minus',
]

let made = 0
function newKey(): string {
  made += 1
  return `rule-${made}`
}

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

export function draftOf(rule: Rule): DraftRule {
  const match = rule.match ?? {}
  const values = Object.fromEntries(FIELDS.map((field) => [field, ''])) as Record<DraftField, string>
  for (const name of NUMBERS) values[name] = textOf(rule[name])
  for (const name of LISTS) values[name] = (match[name] ?? []).join(', ')
  for (const name of SPANS) {
    values[`${name}_from`] = textOf(match[name]?.from)
    values[`${name}_to`] = textOf(match[name]?.to)
  }
  for (const name of AMOUNTS) {
    values[`${name}_amount`] = textOf(rule[name]?.amount)
    values[`${name}_currency`] = textOf(rule[name]?.currency)
  }
  values.rounding_step = textOf(rule.rounding?.step)
  values.rounding_minus = textOf(rule.rounding?.minus)
  return { key: newKey(), values, mode: rule.rounding?.mode ?? '' }
}

export const newDraft = (priority: number): DraftRule => draftOf({ priority })

/** What cannot be sent at all; the service checks the rest. */
export function faultsOf({ values, mode }: DraftRule): RuleFaults {
  const faults: Partial<Record<DraftField, string>> = {}
  const number = (field: DraftField) => {
    if (values[field].trim() !== '' && Number.isNaN(Number(values[field])))
      faults[field] = 'Write a number, such as 12.5.'
  }
  for (const name of NUMBERS) number(name)
  for (const name of ['stars', 'lead_days', 'nights'] as const) {
    number(`${name}_from`)
    number(`${name}_to`)
  }
  for (const name of AMOUNTS) {
    number(`${name}_amount`)
    const [amount, currency] = [values[`${name}_amount`].trim(), values[`${name}_currency`].trim()]
    if (amount !== '' && currency === '') faults[`${name}_currency`] = 'Name the currency, such as EUR.'
    if (amount === '' && currency !== '') faults[`${name}_amount`] = 'Name the amount.'
  }
  number('rounding_step')
  number('rounding_minus')
  if (values.priority.trim() === '') faults.priority = 'Name a number: the lowest is tried first.'
  if (mode !== '' && values.rounding_step.trim() === '') faults.rounding_step = 'Name the step, such as 1.'
  return faults
}

/** As the service takes it. */
export function ruleOf({ values, mode }: DraftRule): Rule {
  const filled = (field: DraftField) => values[field].trim() !== ''
  const number = (field: DraftField) => Number(values[field])
  const match: Record<string, unknown> = {}
  for (const name of LISTS) if (filled(name)) match[name] = entriesOf(values[name])
  for (const name of SPANS) {
    const [from, to] = [`${name}_from`, `${name}_to`] as const
    const read = (field: DraftField) => (name === 'check_in' ? values[field].trim() : number(field))
    if (filled(from) || filled(to))
      match[name] = { ...(filled(from) && { from: read(from) }), ...(filled(to) && { to: read(to) }) }
  }
  return {
    priority: number('priority'),
    ...(Object.keys(match).length > 0 && { match }),
    ...(filled('percent') && { percent: number('percent') }),
    ...Object.fromEntries(
      AMOUNTS.filter((name) => filled(`${name}_amount`)).map((name) => [
        name,
        { amount: number(`${name}_amount`), currency: values[`${name}_currency`].trim().toUpperCase() },
      ]),
    ),
    ...(mode !== '' && {
      rounding: {
        step: number('rounding_step'),
        mode,
        ...(filled('rounding_minus') && { minus: number('rounding_minus') }),
      },
    }),
    ...(filled('cancel_buffer_hours') && { cancel_buffer_hours: number('cancel_buffer_hours') }),
  }
}

const entriesOf = (text: string) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)

/** Which field of which rule the service means: `rules[2].match.nights.from`. */
export function placeOf(path: string): { readonly at: number; readonly field: DraftField | undefined } | undefined {
  const [, at, rest = ''] = /^rules\[(\d+)\]\.?(.*)$/.exec(path) ?? []
  if (at === undefined) return undefined
  const name = rest
    .replace(/^match\./, '')
    .replace(/\[\d+\]$/, '')
    .replaceAll('.', '_')
  const field =
    FIELDS.find((one) => one === name) ?? FIELDS.find((one) => one === `${name}_from` || one === `${name}_amount`)
  return { at: Number(at), field: field ?? (name === 'rounding' ? 'rounding_step' : undefined) }
}

/** Moves a rule one place up or down. The places keep their priorities, so that the order is what was asked for. */
export function moved(drafts: readonly DraftRule[], at: number, by: -1 | 1): readonly DraftRule[] {
  const [one, other] = [drafts[at], drafts[at + by]]
  if (one === undefined || other === undefined) return drafts
  const withPriority = (draft: DraftRule, priority: string) => ({ ...draft, values: { ...draft.values, priority } })
  return drafts.map((draft, place) => {
    if (place === at) return withPriority(other, one.values.priority)
    if (place === at + by) return withPriority(one, other.values.priority)
    return draft
  })
}
