import type { Money } from '../../domain/money.ts'
import type { CancelPenalty, CancelTerms } from '../../domain/offer.ts'
import { isPlainDate } from '../../lib/plain-date.ts'
import { instantOf, toWholeSeconds, zonedIso } from '../../lib/zoned-time.ts'
import { minorOf } from './amount.ts'
import { listOf, objectOf, type WirePolicy } from './wire.ts'

/** From `at` on, cancelling costs `minor`. Steps replace each other, they do not add up. */
export type FeeStep = { readonly at: number; readonly from: string; readonly minor: number }

/** What decides how one rate can be given back. */
export type FeeFacts = {
  /** Undefined where the vendor did not say, as is usual before a recheck: unknown, never "free". */
  readonly steps: readonly FeeStep[] | undefined
  /** The rate is sold as not refundable, whatever its steps say. */
  readonly marked: boolean
  /** What losing everything costs. */
  readonly whole: Money
}

const INSTANT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/

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
    const step = readStep(objectOf<WirePolicy>(item), currency, zone)
    if (step === undefined) return 'unreadable'
    steps.push(step)
  }
  return steps.length < 2 ? steps : steps.sort((a, b) => a.at - b.at || a.minor - b.minor)
}

function readStep(policy: WirePolicy | undefined, currency: string, zone: string | undefined): FeeStep | undefined {
  if (policy === undefined || typeof policy.from !== 'string') return undefined
  const minor = minorOf(policy.amount, currency)
  const moment = momentOf(policy.from, zone)
  return moment === undefined || minor === undefined || minor < 0 ? undefined : { ...moment, minor }
}

type Moment = { readonly at: number; readonly from: string }

/** Hotels of one search share a handful of deadlines, so the same texts come again and again. */
const moments = new Map<string, Moment>()
const MOMENTS_MAX = 2000

function momentOf(text: string, zone: string | undefined): Moment | undefined {
  const known = moments.get(text)
  if (known !== undefined) return known
  const parts = INSTANT.exec(text)
  const [, date = '', time = '', offset] = parts ?? []
  if (parts === null || !isPlainDate(date)) return undefined
  if (offset === undefined) return zone === undefined ? undefined : localMoment(date, time, zone)
  const at = Date.parse(text)
  if (Number.isNaN(at)) return undefined
  if (moments.size >= MOMENTS_MAX) moments.clear()
  const moment = { at, from: toWholeSeconds(text) }
  moments.set(text, moment)
  return moment
}

function localMoment(date: string, time: string, zone: string): Moment | undefined {
  const at = instantOf(date, time, zone)
  return Number.isNaN(at) ? undefined : { at, from: zonedIso(at, zone) }
}

/** The terms of a whole party: what each of its rates costs at any moment, added up. */
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
    // Steps that cost nothing before the first that does are the free time, not a penalty.
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
