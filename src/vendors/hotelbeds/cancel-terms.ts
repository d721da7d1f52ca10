import type { Money } from '../../domain/money/money.ts'
import type { CancelPenalty, CancelTerms } from '../../domain/offer.ts'
import { zonedIso } from '../../lib/time/zoned-time.ts'
import { listOf, recordOf, type Wire } from '../wire/read.ts'
import { minorOf } from '../wire/read-money.ts'
import { instantOf } from '../wire/read-time.ts'

/** From `at` on, cancelling costs `minor`. Steps replace each other, they do not add up. */
type FeeStep = { readonly at: number; readonly from: string; readonly minor: number }

/** What decides the cancellation terms of one rate. */
export type FeeFacts = {
  /** Undefined where the vendor did not say, as is usual before a recheck: unknown, never "free". */
  readonly steps: readonly FeeStep[] | undefined
  /** The rate is sold as not refundable, whatever its steps say. */
  readonly marked: boolean
  /** The whole amount that can be lost. */
  readonly whole: Money
}

/** The steps in order of time (they are not sent sorted); `unreadable` when one of them makes no sense. */
export function readSteps(
  policies: unknown,
  currency: string,
  zone: string | undefined,
): readonly FeeStep[] | undefined | 'unreadable' {
  const list = listOf(policies)
  if (list.length === 0) return undefined
  const steps: FeeStep[] = []
  for (const item of list) {
    const step = readStep(recordOf(item), currency, zone)
    if (step === undefined) return 'unreadable'
    steps.push(step)
  }
  return steps.length < 2 ? steps : steps.sort((a, b) => a.at - b.at || a.minor - b.minor)
}

function readStep(policy: Wire | undefined, currency: string, zone: string | undefined): FeeStep | undefined {
  const minor = minorOf(policy?.amount, currency)
  const instant = instantOf(policy?.from, zone)
  if (instant === undefined || minor === undefined || minor < 0) return undefined
  return { at: instant.ms, from: instant.iso, minor }
}

/** The terms of a whole stay: the fees of its rates, added up at every moment. */
export function termsOf(facts: readonly FeeFacts[], now: number, zone = 'UTC'): CancelTerms | undefined {
  const known: (FeeFacts & { steps: readonly FeeStep[] })[] = []
  for (const fact of facts) {
    const steps = firmSteps(fact, now, zone)
    if (steps === undefined) return undefined
    known.push({ ...fact, steps })
  }
  const currency = facts[0]?.whole.currency ?? ''
  const whole = facts.reduce((sum, fact) => sum + fact.whole.minor, 0)
  const penalties = penaltiesOf(known, currency)
  return { penalties, refundable: feeAt(known, now) < whole }
}

/** A rate marked as not refundable loses everything from now on, unless its own steps already say so. */
function firmSteps({ steps, marked, whole }: FeeFacts, now: number, zone: string): readonly FeeStep[] | undefined {
  const current = steps?.findLast((step) => step.at <= now)
  if (!marked || (current !== undefined && current.minor >= whole.minor)) return steps
  return [{ at: now, from: zonedIso(now, zone), minor: whole.minor }]
}

function feeAt(facts: readonly { steps: readonly FeeStep[] }[], at: number): number {
  let fee = 0
  for (const { steps } of facts) fee += steps.findLast((step) => step.at <= at)?.minor ?? 0
  return fee
}

function penaltiesOf(facts: readonly { steps: readonly FeeStep[] }[], currency: string): CancelPenalty[] {
  const moments = new Map<number, string>()
  for (const { steps } of facts) for (const step of steps) moments.set(step.at, step.from)
  const costly: { from: string; minor: number }[] = []
  for (const [at, from] of [...moments].sort(([a], [b]) => a - b)) {
    const minor = feeAt(facts, at)
    // Steps without a fee before the first fee are free cancellation, not a penalty.
    if (minor > 0 || costly.length > 0) costly.push({ from, minor })
  }
  return costly.map(({ from, minor }, index) => {
    const next = costly[index + 1]
    return { from, ...(next !== undefined && { until: next.from }), amount: { minor, currency } }
  })
}

/** When the first of several rates, all of them free now, begins to cost; undefined where none ever does. */
export function freeUntil(facts: readonly FeeFacts[], now: number): string | undefined {
  let first: FeeStep | undefined
  for (const { steps } of facts) {
    const costly = steps?.find((step) => step.at > now && step.minor > 0)
    if (costly !== undefined && (first === undefined || costly.at < first.at)) first = costly
  }
  return first?.from
}

/** Whether cancelling at this moment costs nothing, as far as the vendor has said. */
export function isFreeNow({ steps, marked }: FeeFacts, now: number): boolean {
  return steps !== undefined && !marked && (steps.findLast((step) => step.at <= now)?.minor ?? 0) === 0
}
