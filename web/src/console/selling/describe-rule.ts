import type { Rule } from './draft-rule.ts'

const NAMES = {
  account: 'account',
  vendor: 'vendor',
  country: 'country',
  location: 'destination',
  property: 'property',
  stars: 'stars',
  check_in: 'check-in',
  lead_days: 'days before arrival',
  nights: 'nights',
} as const

export function describeScope({ match }: Rule): string {
  const conditions = Object.entries(NAMES).flatMap(([key, name]) => {
    const value = match?.[key as keyof typeof NAMES]
    if (value === undefined || value === null) return []
    return [Array.isArray(value) ? `${name} ${value.join(' or ')}` : `${name} ${describeSpan(value)}`]
  })
  return conditions.length === 0 ? 'everything' : conditions.join(', ')
}

type Span = { readonly from?: string | number | null; readonly to?: string | number | null }

function describeSpan({ from, to }: Span): string {
  if (from == null) return `up to ${to}`
  return to == null ? `from ${from}` : `${from} to ${to}`
}

export function describeMarkup(rule: Rule): string {
  const { rounding } = rule
  const parts = [
    rule.percent == null ? '' : `${rule.percent} %`,
    rule.per_night == null ? '' : `${rule.per_night.amount} ${rule.per_night.currency} per night and room`,
    rule.per_stay == null ? '' : `${rule.per_stay.amount} ${rule.per_stay.currency} per stay`,
    rounding == null
      ? ''
      : `rounded ${rounding.mode === 'nearest' ? 'to the nearest' : `${rounding.mode} to`} ${rounding.step}${rounding.minus ? ` less ${rounding.minus}` : ''}`,
    rule.cancel_buffer_hours == null ? '' : `free cancellation ends ${rule.cancel_buffer_hours} hours earlier`,
  ].filter(Boolean)
  return parts.length === 0 ? 'nothing' : parts.join(', ')
}

export const describeRule = (rule: Rule): string =>
  `Priority ${rule.priority}: for ${describeScope(rule)}, adds ${describeMarkup(rule)}`

/** Doubling a price is almost always a misplaced decimal point. */
export const isUnusuallyHigh = ({ percent }: Rule): boolean => percent != null && percent >= 100

/** Compares two lists of rules, each rule as one line; also detects added or removed duplicates. */
export function diffRules(before: readonly Rule[], after: readonly Rule[]) {
  const [oldLines, newLines] = [before.map(describeRule), after.map(describeRule)]
  return { removed: findMissingLines(oldLines, newLines), added: findMissingLines(newLines, oldLines) }
}

function findMissingLines(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return lines.filter((line) => {
    const index = left.indexOf(line)
    if (index >= 0) left.splice(index, 1)
    return index < 0
  })
}
