import type { components } from '../../../../packages/client/src/index.ts'
import { currencyFault, numberFault } from '../parts/checks.ts'

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

/** A rule as entered: values are texts, lists are separated by commas, and empty values are omitted. */
export type DraftRule = {
  /** Stable while the rule is moved and changed. */
  readonly key: string
  readonly values: Readonly<Record<DraftField, string>>
  readonly mode: RoundingMode
}

export type RuleFaults = Readonly<Partial<Record<DraftField, string | undefined>>>

const FIELDS: readonly DraftField[] = [
  ...NUMBERS,
  ...LISTS,
  ...SPANS.flatMap((name) => [`${name}_from`, `${name}_to`] as const),
  ...AMOUNTS.flatMap((name) => [`${name}_amount`, `${name}_currency`] as const),
  'rounding_step',
  'rounding_minus',
]

let keyCount = 0
function newKey(): string {
  keyCount += 1
  return `rule-${keyCount}`
}

const toText = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

export function toDraftRule(rule: Rule): DraftRule {
  const match = rule.match ?? {}
  const values = Object.fromEntries(FIELDS.map((field) => [field, ''])) as Record<DraftField, string>
  for (const name of NUMBERS) values[name] = toText(rule[name])
  for (const name of LISTS) values[name] = (match[name] ?? []).join(', ')
  for (const name of SPANS) {
    values[`${name}_from`] = toText(match[name]?.from)
    values[`${name}_to`] = toText(match[name]?.to)
  }
  for (const name of AMOUNTS) {
    values[`${name}_amount`] = toText(rule[name]?.amount)
    values[`${name}_currency`] = toText(rule[name]?.currency)
  }
  values.rounding_step = toText(rule.rounding?.step)
  values.rounding_minus = toText(rule.rounding?.minus)
  return { key: newKey(), values, mode: rule.rounding?.mode ?? '' }
}

export const newDraft = (priority: number): DraftRule => toDraftRule({ priority })

/** Checks only what cannot be sent; the service checks the rest. */
export function findDraftFaults({ values, mode }: DraftRule): RuleFaults {
  const faults: Partial<Record<DraftField, string | undefined>> = {}
  const checkNumber = (field: DraftField) => {
    faults[field] = numberFault(values[field])
  }
  for (const name of NUMBERS) checkNumber(name)
  for (const name of ['stars', 'lead_days', 'nights'] as const) {
    checkNumber(`${name}_from`)
    checkNumber(`${name}_to`)
  }
  for (const name of AMOUNTS) {
    checkNumber(`${name}_amount`)
    const [amount, currency] = [values[`${name}_amount`].trim(), values[`${name}_currency`].trim()]
    if (amount !== '' && currency === '') faults[`${name}_currency`] = 'Enter the currency, such as EUR.'
    if (amount === '' && currency !== '') faults[`${name}_amount`] = 'Enter the amount.'
    if (currency !== '') faults[`${name}_currency`] = currencyFault(currency)
  }
  checkNumber('rounding_step')
  checkNumber('rounding_minus')
  if (splitList(values.country).some((code) => !/^[A-Za-z]{2}$/.test(code)))
    faults.country = 'Enter two-letter codes, such as PT, separated by commas.'
  for (const field of ['check_in_from', 'check_in_to'] as const)
    if (values[field].trim() !== '' && Number.isNaN(Date.parse(values[field])))
      faults[field] = 'Enter a date, such as 2027-03-31.'
  if (values.priority.trim() === '') faults.priority = 'Enter a number. The lowest is tried first.'
  if (mode !== '' && values.rounding_step.trim() === '') faults.rounding_step = 'Enter the step, such as 1.'
  return Object.fromEntries(Object.entries(faults).filter(([, message]) => message !== undefined))
}

export function toSellingRule({ values, mode }: DraftRule): Rule {
  const filled = (field: DraftField) => values[field].trim() !== ''
  const number = (field: DraftField) => Number(values[field])
  const match: Record<string, unknown> = {}
  for (const name of LISTS) if (filled(name)) match[name] = splitList(values[name])
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

const splitList = (text: string) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)

/** Finds the rule and field of an error path such as `rules[2].match.nights.from`. */
export function locateField(path: string): { readonly at: number; readonly field: DraftField | undefined } | undefined {
  const [, at, rest = ''] = /^rules\[(\d+)\]\.?(.*)$/.exec(path) ?? []
  if (at === undefined) return undefined
  const name = rest
    .replace(/^match\./, '')
    .replace(/\[\d+\]$/, '')
    .replaceAll('.', '_')
  const field =
    FIELDS.find((known) => known === name) ??
    FIELDS.find((known) => known === `${name}_from` || known === `${name}_amount`)
  return { at: Number(at), field: field ?? (name === 'rounding' ? 'rounding_step' : undefined) }
}

/** Moves a rule one position. Positions keep their priorities, so that the order matches. */
export function moveRule(drafts: readonly DraftRule[], index: number, offset: -1 | 1): readonly DraftRule[] {
  const [rule, neighbour] = [drafts[index], drafts[index + offset]]
  if (rule === undefined || neighbour === undefined) return drafts
  const withPriority = (draft: DraftRule, priority: string) => ({ ...draft, values: { ...draft.values, priority } })
  return drafts.map((draft, position) => {
    if (position === index) return withPriority(neighbour, rule.values.priority)
    if (position === index + offset) return withPriority(rule, neighbour.values.priority)
    return draft
  })
}
