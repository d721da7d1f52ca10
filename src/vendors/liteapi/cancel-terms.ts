import type { Money } from '../../domain/money/money.ts'
import type { CancelPenalty, CancelTerms } from '../../domain/offer.ts'
import { zonedIso } from '../../lib/time/zoned-time.ts'
import { finiteOf, recordOf, textOf, type Wire } from '../wire/read.ts'
import { instantOf } from '../wire/read-time.ts'
import { ceilMinor } from './wire.ts'

/** From `at` on, cancelling costs `minor`. Steps replace each other, they do not add up. */
type Step = { readonly at: number; readonly minor: number }

/** What decides the cancellation terms of one room of an offer. */
export type RoomTerms = {
  /** In order of time; undefined where the vendor did not say: unknown, never "free". */
  readonly steps: readonly Step[] | undefined
  readonly isRefundable: boolean
}

/** What a room costs with the commission, as the vendor tells its penalties, and without it, as we are charged. */
type Charge = { readonly retail: number; readonly net: number; readonly currency: string }

/** The terms of one room; `unreadable` when a step makes no sense. */
export function readTerms(policies: unknown, charge: Charge): RoomTerms | 'unreadable' {
  const wire = recordOf(policies)
  const infos = wire?.cancelPolicyInfos
  const tag = textOf(wire?.refundableTag).toUpperCase()
  const isRefundable = tag === 'RFN'
  const steps: Step[] = []
  for (const info of Array.isArray(infos) ? infos : []) {
    const step = readStep(recordOf(info), charge)
    if (step === undefined) return 'unreadable'
    steps.push(step)
  }
  if (steps.length > 0) return { steps: steps.sort((a, b) => a.at - b.at || a.minor - b.minor), isRefundable }
  // Without a ladder the tag alone says that everything is lost; it never says until when nothing is.
  return { steps: tag === 'NRFN' ? [{ at: 0, minor: charge.net }] : undefined, isRefundable }
}

function readStep(info: Wire | undefined, charge: Charge): Step | undefined {
  const at = info && gmtOf(info.cancelTime)
  const minor = info && penaltyOf(info, charge)
  return at === undefined || minor === undefined ? undefined : { at, minor }
}

/** Penalties are parts of the retail price; what is lost is the same part of what we are charged. */
function penaltyOf(info: Wire, { retail, net, currency }: Charge): number | undefined {
  if (info.type === 'percentage') {
    const percent = finiteOf(info.amount)
    return percent === undefined || percent < 0 || percent > 100 ? undefined : Math.round((net * percent) / 100)
  }
  const told = textOf(info.currency)
  if ((info.type !== undefined && info.type !== 'amount') || (told !== '' && told !== currency)) return undefined
  const minor = ceilMinor(info.amount, currency)
  if (minor === undefined) return undefined
  return minor >= retail ? net : Math.round((minor * net) / retail)
}

/** Always GMT, whatever the field beside it says. With a time, without one, or as ISO 8601. */
function gmtOf(time: unknown): number | undefined {
  const text = textOf(time).trim()
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00` : text.replace(' ', 'T')
  return instantOf(date, 'UTC')?.ms
}

/** What an offer loses at one moment: of rooms marked as not refundable, never less than their first step. */
function feeAt(rooms: readonly KnownTerms[], at: number): number {
  let fee = 0
  for (const { steps, isRefundable } of rooms) {
    const current = steps.findLast((step) => step.at <= at) ?? (isRefundable ? undefined : steps[0])
    fee += current?.minor ?? 0
  }
  return fee
}

type KnownTerms = RoomTerms & { readonly steps: readonly Step[] }

const isKnown = (room: RoomTerms): room is KnownTerms => room.steps !== undefined

/** The terms of a whole offer: the fees of its rooms, added up at every moment, in the property's own time. */
export function termsOf(rooms: readonly RoomTerms[], whole: Money, now: number, zone = 'UTC'): CancelTerms | undefined {
  const known = rooms.filter(isKnown)
  if (known.length < rooms.length || rooms.length === 0) return undefined
  const moments = [...new Set(known.flatMap(({ steps }) => steps.map(({ at }) => at)))].sort((a, b) => a - b)
  // What holds now began with the last step that has passed.
  const begun = moments.findLast((at) => at <= now) || now
  const costs: { at: number; minor: number }[] = []
  for (const at of [begun, ...moments.filter((moment) => moment > now)]) {
    const minor = feeAt(known, Math.max(at, now))
    if (minor !== (costs.at(-1)?.minor ?? 0)) costs.push({ at, minor })
  }
  const penalties = costs.map(({ at, minor }, index): CancelPenalty => {
    const next = costs[index + 1]
    const amount = { minor, currency: whole.currency }
    return { from: zonedIso(at, zone), ...(next !== undefined && { until: zonedIso(next.at, zone) }), amount }
  })
  return { penalties, refundable: feeAt(known, now) < whole.minor }
}

/** Whether cancelling costs nothing now, and until when; unknown terms are never called free. */
export function freedomOf(
  rooms: readonly RoomTerms[],
  now: number,
  zone = 'UTC',
): { readonly freeCancellation: boolean; readonly freeCancellationUntil?: string } {
  const known = rooms.filter(isKnown)
  if (known.length < rooms.length || feeAt(known, now) > 0) return { freeCancellation: false }
  let first: number | undefined
  for (const { steps } of known) {
    const costly = steps.find(({ at, minor }) => at > now && minor > 0)
    if (costly !== undefined && (first === undefined || costly.at < first)) first = costly.at
  }
  return { freeCancellation: true, ...(first !== undefined && { freeCancellationUntil: zonedIso(first, zone) }) }
}

/** The terms of an offer of which only is known that they changed: everything is lost from now on. */
export const lostFrom = (now: number, whole: Money, zone = 'UTC'): CancelTerms => ({
  penalties: [{ from: zonedIso(now, zone), amount: whole }],
  refundable: false,
})
