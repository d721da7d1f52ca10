import type { Money } from '../../domain/money/money.ts'
import type { CancelPenalty, CancelTerms, Offer } from '../../domain/offer.ts'
import { zonedIso } from '../../lib/time/zoned-time.ts'
import { asList, asNumber, asRecord, asText, type Wire } from '../wire/read.ts'
import { readInstant } from '../wire/read-time.ts'
import { ceilMinor } from './wire.ts'

/** From `atMs` on, cancelling costs `minor`. Steps replace each other; they do not add up. */
type Step = { readonly atMs: number; readonly minor: number }

/** Cancellation terms of one room of an offer. */
export type RoomTerms = {
  /** Sorted by time; undefined if the vendor sent none: unknown, never "free". */
  readonly steps: readonly Step[] | undefined
  readonly isRefundable: boolean
}

/** Price of a room with our commission, which penalties refer to, and without it, which we are charged. */
type Charge = { readonly retail: number; readonly net: number; readonly currency: string }

/** `unreadable` if a step is invalid. */
export function readTerms(policies: unknown, charge: Charge): RoomTerms | 'unreadable' {
  const wire = asRecord(policies)
  const tag = asText(wire?.refundableTag).toUpperCase()
  const steps: Step[] = []
  for (const info of asList(wire?.cancelPolicyInfos)) {
    const step = readStep(asRecord(info), charge)
    if (step === undefined) return 'unreadable'
    steps.push(step)
  }
  // `NRFN`: nothing is refunded, whatever ladder comes with it.
  if (tag === 'NRFN') return { steps: [{ atMs: 0, minor: charge.net }], isRefundable: false }
  if (steps.length === 0) return { steps: undefined, isRefundable: tag === 'RFN' }
  return { steps: steps.sort((a, b) => a.atMs - b.atMs || a.minor - b.minor), isRefundable: tag === 'RFN' }
}

function readStep(info: Wire | undefined, charge: Charge): Step | undefined {
  const atMs = info && parseGmt(info.cancelTime)
  const minor = info && readPenalty(info, charge)
  return atMs === undefined || minor === undefined ? undefined : { atMs, minor }
}

/**
 * Penalties are in retail or in net, so one of at least the net price means everything. A smaller one is read as a part
 * of the retail price; the fee is the same part of our charge.
 */
function readPenalty(info: Wire, { retail, net, currency }: Charge): number | undefined {
  if (info.type === 'percentage') {
    const percent = asNumber(info.amount)
    return percent === undefined || percent < 0 || percent > 100 ? undefined : Math.round((net * percent) / 100)
  }
  const stepCurrency = asText(info.currency)
  if ((info.type !== undefined && info.type !== 'amount') || (stepCurrency !== '' && stepCurrency !== currency))
    return undefined
  const minor = ceilMinor(info.amount, currency)
  if (minor === undefined) return undefined
  return minor >= net ? net : Math.round((minor * net) / retail)
}

/** Always GMT, whatever the field beside it says; with or without a time, or ISO 8601. */
function parseGmt(time: unknown): number | undefined {
  const text = asText(time).trim()
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00` : text.replace(' ', 'T')
  return readInstant(date, 'UTC')?.ms
}

/** Fee of an offer at one time. Non-refundable rooms cost at least their first step. */
function feeAt(rooms: readonly KnownTerms[], timeMs: number): number {
  let fee = 0
  for (const { steps, isRefundable } of rooms) {
    const current = steps.findLast((step) => step.atMs <= timeMs) ?? (isRefundable ? undefined : steps[0])
    fee += current?.minor ?? 0
  }
  return fee
}

type KnownTerms = RoomTerms & { readonly steps: readonly Step[] }

const isKnown = (room: RoomTerms): room is KnownTerms => room.steps !== undefined

/** Terms of a whole offer: the sum of the fees of its rooms over time, in the property's time zone. */
export function buildTerms(
  rooms: readonly RoomTerms[],
  whole: Money,
  now: number,
  zone = 'UTC',
): CancelTerms | undefined {
  const known = rooms.filter(isKnown)
  if (known.length < rooms.length || rooms.length === 0) return undefined
  const times = [...new Set(known.flatMap(({ steps }) => steps.map(({ atMs }) => atMs)))].sort((a, b) => a - b)
  // The current fee started with the last step that has passed.
  const start = times.findLast((time) => time <= now) || now
  const costs: Step[] = []
  for (const atMs of [start, ...times.filter((time) => time > now)]) {
    const minor = feeAt(known, Math.max(atMs, now))
    if (minor !== (costs.at(-1)?.minor ?? 0)) costs.push({ atMs, minor })
  }
  const penalties = costs.map(({ atMs, minor }, index): CancelPenalty => {
    const next = costs[index + 1]
    const amount = { minor, currency: whole.currency }
    return { from: zonedIso(atMs, zone), ...(next !== undefined && { until: zonedIso(next.atMs, zone) }), amount }
  })
  return { penalties, refundable: feeAt(known, now) < whole.minor }
}

/** Unknown terms are never free. */
export function readFreeCancellation(
  rooms: readonly RoomTerms[],
  now: number,
  zone = 'UTC',
): Pick<Offer, 'freeCancellation'> {
  const known = rooms.filter(isKnown)
  if (known.length < rooms.length || feeAt(known, now) > 0) return {}
  let first: number | undefined
  for (const { steps } of known) {
    const costly = steps.find(({ atMs, minor }) => atMs > now && minor > 0)
    if (costly !== undefined && (first === undefined || costly.atMs < first)) first = costly.atMs
  }
  return { freeCancellation: first === undefined ? {} : { until: zonedIso(first, zone) } }
}

/** For changed terms without details: everything is lost from now on. */
export const nonRefundableFrom = (now: number, whole: Money, zone = 'UTC'): CancelTerms => ({
  penalties: [{ from: zonedIso(now, zone), amount: whole }],
  refundable: false,
})
