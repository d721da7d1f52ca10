import type { Money } from '../../domain/money/money.ts'
import type { CancelPenalty, CancelTerms } from '../../domain/offer.ts'
import { zonedIso } from '../../lib/time/zoned-time.ts'
import { asList, asRecord, type Wire } from '../wire/read.ts'
import { readMinor } from '../wire/read-money.ts'
import { readInstant } from '../wire/read-time.ts'

/** From `atMs` on, cancelling costs `minor`. Steps replace each other; they do not add up. */
type FeeStep = { readonly atMs: number; readonly from: string; readonly minor: number }

/** Cancellation terms of one rate. */
export type FeeFacts = {
  /** Undefined if the vendor sent none, as usual before a recheck: unknown, never "free". */
  readonly steps: readonly FeeStep[] | undefined
  /** Sold as non-refundable, whatever the steps say. */
  readonly isNonRefundable: boolean
  /** Maximum fee. */
  readonly whole: Money
}

/** Sorts the steps by time (they are not sent sorted); `unreadable` if one is invalid. */
export function readSteps(
  policies: unknown,
  currency: string,
  zone: string | undefined,
): readonly FeeStep[] | undefined | 'unreadable' {
  const list = asList(policies)
  if (list.length === 0) return undefined
  const steps: FeeStep[] = []
  for (const item of list) {
    const step = readStep(asRecord(item), currency, zone)
    if (step === undefined) return 'unreadable'
    steps.push(step)
  }
  return steps.length < 2 ? steps : steps.sort((a, b) => a.atMs - b.atMs || a.minor - b.minor)
}

function readStep(policy: Wire | undefined, currency: string, zone: string | undefined): FeeStep | undefined {
  const minor = readMinor(policy?.amount, currency)
  const instant = readInstant(policy?.from, zone)
  if (instant === undefined || minor === undefined || minor < 0) return undefined
  return { atMs: instant.ms, from: instant.iso, minor }
}

/** Terms of a whole stay: the sum of the fees of its rates over time. */
export function buildTerms(facts: readonly FeeFacts[], now: number, zone = 'UTC'): CancelTerms | undefined {
  const known: (FeeFacts & { steps: readonly FeeStep[] })[] = []
  for (const fact of facts) {
    const steps = effectiveSteps(fact, now, zone)
    if (steps === undefined) return undefined
    known.push({ ...fact, steps })
  }
  const currency = facts[0]?.whole.currency ?? ''
  const whole = facts.reduce((sum, fact) => sum + fact.whole.minor, 0)
  const penalties = toPenalties(known, currency)
  return { penalties, refundable: feeAt(known, now) < whole }
}

/** A non-refundable rate costs everything from now on, unless its own steps already do. */
function effectiveSteps(
  { steps, isNonRefundable, whole }: FeeFacts,
  now: number,
  zone: string,
): readonly FeeStep[] | undefined {
  const current = steps?.findLast((step) => step.atMs <= now)
  if (!isNonRefundable || (current !== undefined && current.minor >= whole.minor)) return steps
  return [{ atMs: now, from: zonedIso(now, zone), minor: whole.minor }]
}

function feeAt(facts: readonly { steps: readonly FeeStep[] }[], timeMs: number): number {
  let fee = 0
  for (const { steps } of facts) fee += steps.findLast((step) => step.atMs <= timeMs)?.minor ?? 0
  return fee
}

function toPenalties(facts: readonly { steps: readonly FeeStep[] }[], currency: string): CancelPenalty[] {
  const starts = new Map<number, string>()
  for (const { steps } of facts) for (const step of steps) starts.set(step.atMs, step.from)
  const costly: { from: string; minor: number }[] = []
  for (const [atMs, from] of [...starts].sort(([a], [b]) => a - b)) {
    const minor = feeAt(facts, atMs)
    // Steps without a fee before the first fee are free cancellation, not a penalty.
    if (minor > 0 || costly.length > 0) costly.push({ from, minor })
  }
  return costly.map(({ from, minor }, index) => {
    const next = costly[index + 1]
    return { from, ...(next !== undefined && { until: next.from }), amount: { minor, currency } }
  })
}

/** Time of the first fee of several rates that are all free now; undefined if there is none. */
export function findFirstFee(facts: readonly FeeFacts[], now: number): string | undefined {
  let first: FeeStep | undefined
  for (const { steps } of facts) {
    const costly = steps?.find((step) => step.atMs > now && step.minor > 0)
    if (costly !== undefined && (first === undefined || costly.atMs < first.atMs)) first = costly
  }
  return first?.from
}

export function isFreeNow({ steps, isNonRefundable }: FeeFacts, now: number): boolean {
  return steps !== undefined && !isNonRefundable && (steps.findLast((step) => step.atMs <= now)?.minor ?? 0) === 0
}
