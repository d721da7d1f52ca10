import { parseMoney } from '../../domain/money/money.ts'
import type { CancelPenalty, CancelTerms } from '../../domain/offer.ts'
import { addDays, isPlainDate, type PlainDate } from '../../lib/time/plain-date.ts'
import { zonedIso } from '../../lib/time/zoned-time.ts'
import { asList, asRecord, asText, asTexts, type Wire } from '../wire/read.ts'
import { type Instant, readInstant, readPlainDate } from '../wire/read-time.ts'
import { convertFromBillable, nightWeights, type RoomPrice } from './rate.ts'

/** One window of a cancellation rule, not yet applied to a price. Its end is ignored, because fees never decrease. */
type PenaltyRule = {
  readonly from: string
  readonly fromMs: number
  readonly kind: 'amount' | 'nights' | 'percent' | 'everything'
  readonly size: string
  readonly currency: string
}

/** Rules of a rate, not yet applied to a price. The price check does not repeat them. */
export type TermRules = {
  readonly refundable: boolean | undefined
  readonly rules: readonly PenaltyRule[]
  /** First and last night of each non-refundable range. Their price is charged on top of a window's penalty. */
  readonly lostNights: readonly (readonly [PlainDate, PlainDate])[]
}

/** Undefined if a window cannot be read: an offer with unreadable terms is not sold. */
export function readTermRules(terms: Wire, timezone: string): TermRules | undefined {
  const rules: PenaltyRule[] = []
  for (const entry of asList(terms.cancel_penalties)) {
    const rule = readRule(asRecord(entry), timezone)
    if (rule === undefined) return undefined
    rules.push(rule)
  }
  const lostNights: (readonly [PlainDate, PlainDate])[] = []
  for (const entry of asList(terms.nonrefundable_date_ranges)) {
    const range = readRange(entry)
    if (range === undefined) return undefined
    lostNights.push(range)
  }
  return { refundable: readRefundable(terms), rules: rules.sort((a, b) => a.fromMs - b.fromMs), lostNights }
}

/** "Refundable" without a list of penalties has no deadline, so it is unknown. */
function readRefundable({ refundable, cancel_penalties }: Wire): boolean | undefined {
  if (refundable === true) return Array.isArray(cancel_penalties) ? true : undefined
  return refundable === false ? false : undefined
}

function readRange(value: unknown): readonly [PlainDate, PlainDate] | undefined {
  const range = asRecord(value)
  const [start, end] = [readPlainDate(range?.start), readPlainDate(range?.end)]
  return start === undefined || end === undefined ? undefined : [start, end]
}

function readRule(penalty: Wire | undefined, timezone: string): PenaltyRule | undefined {
  const start = readInstant(penalty?.start, timezone)
  if (penalty === undefined || start === undefined) return undefined
  return {
    ...readPenaltySize(penalty),
    from: start.iso,
    fromMs: start.ms,
    currency: /^[A-Z]{3}$/.exec(asText(penalty.currency))?.[0] ?? '',
  }
}

/** Rapid sends one of three forms. If none can be read, the whole price is lost. */
function readPenaltySize({ amount, nights, percent }: Wire): Pick<PenaltyRule, 'kind' | 'size'> {
  const toDigits = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  if (/^\d+(\.\d+)?$/.test(toDigits(amount))) return { kind: 'amount', size: toDigits(amount) }
  if (/^\d{1,3}$/.test(toDigits(nights))) return { kind: 'nights', size: toDigits(nights) }
  const share = /^(\d{1,3}(?:\.\d+)?) ?%?$/.exec(toDigits(percent))?.[1]
  return share === undefined ? { kind: 'everything', size: '' } : { kind: 'percent', size: share }
}

/** A free window is written as a penalty of zero. */
function isZeroPenalty(penalty: Wire): boolean {
  const { kind, size } = readPenaltySize(penalty)
  return kind !== 'everything' && Number(size) === 0
}

type PricedStay = {
  readonly rooms: readonly RoomPrice[]
  readonly currency: string
  readonly checkIn: PlainDate
  readonly checkOut: PlainDate
  readonly timezone: string
}

/**
 * Applies the rules to a price; undefined if the vendor sent no terms. The fee at any time is the penalty of the window
 * plus the non-refundable nights, and it never decreases.
 */
export function decodeTerms(rules: TermRules, stay: PricedStay, now: number): CancelTerms | undefined {
  const { refundable, rules: windows, lostNights } = rules
  if (refundable === undefined && windows.length === 0 && lostNights.length === 0) return undefined
  const billed = sumRooms(stay.rooms, (room) => room.billed)
  const lostFee = (room: RoomPrice) => lostNightsFee(lostNights, room, stay)
  const windowFee = (rule: PenaltyRule) =>
    sumRooms(stay.rooms, (room) => Math.min(room.billed, cappedFee(rule, room, stay.currency) + lostFee(room)))
  const steps = risingSteps(windows, windowFee)
  const [first] = steps
  const before = feeBeforeFirstWindow(rules, sumRooms(stay.rooms, lostFee), first?.minor ?? billed)
  if (before > 0 && (first === undefined || first.fromMs > now)) {
    steps.unshift({ from: zonedIso(now, stay.timezone), fromMs: now, minor: before })
  }
  const penalties = toPenalties(steps, stay.currency)
  return { penalties, refundable: feeNow(penalties, now) < billed }
}

/**
 * Fee before the first window. "Not refundable" means "not fully": it is the price of the non-refundable nights if
 * there are any, else the fee of the first window, else everything.
 */
function feeBeforeFirstWindow({ refundable }: TermRules, lost: number, firstFee: number): number {
  return refundable === false && lost === 0 ? firstFee : lost
}

type Step = { readonly from: string; readonly fromMs: number; readonly minor: number }

/** Starts of windows with a higher fee than all before; free windows are left out. */
function risingSteps(rules: readonly PenaltyRule[], windowFee: (rule: PenaltyRule) => number): Step[] {
  const steps: Step[] = []
  let minor = 0
  for (const rule of rules) {
    const fee = windowFee(rule)
    if (fee <= minor) continue
    minor = fee
    if (steps.at(-1)?.fromMs === rule.fromMs) steps.pop()
    steps.push({ from: rule.from, fromMs: rule.fromMs, minor })
  }
  return steps
}

/** The last penalty has no end: after the last window the fee remains the same. */
function toPenalties(steps: readonly Step[], currency: string): CancelPenalty[] {
  const rising = steps.filter(({ minor }, index) => minor > (steps[index - 1]?.minor ?? 0))
  return rising.map(({ from, minor }, index) => {
    const until = rising[index + 1]?.from
    return { from, ...(until === undefined ? {} : { until }), amount: { minor, currency } }
  })
}

/** Highest fee of the windows that are active at `now`. */
export function feeNow(penalties: readonly CancelPenalty[], now: number): number {
  return penalties.reduce((fee, { from, until, amount }) => {
    const isActive = Date.parse(from) <= now && (until === undefined || now < Date.parse(until))
    return isActive ? Math.max(fee, amount.minor) : fee
  }, 0)
}

/** Like `decodeTerms`, but only the flag that a result list needs. Undefined if the terms cannot be read. */
export function isFreeNow(terms: Wire, stay: Pick<PricedStay, 'checkIn' | 'checkOut'>, now: number) {
  let isFree = readRefundable(terms) === true
  for (const entry of asList(terms.cancel_penalties)) {
    // The zone only matters for a window without an offset; a list does not need that precision.
    const penalty = asRecord(entry)
    const start = readInstant(penalty?.start, 'UTC')
    if (penalty === undefined || start === undefined) return undefined
    if (start.ms <= now && !isZeroPenalty(penalty)) isFree = false
  }
  for (const entry of asList(terms.nonrefundable_date_ranges)) {
    const range = readRange(entry)
    if (range === undefined) return undefined
    if (range[0] < stay.checkOut && range[1] >= stay.checkIn) isFree = false
  }
  return isFree
}

/** Start of the first window with a fee; undefined if there is none, or one has no offset. */
export function firstPenaltyStart(terms: Wire): string | undefined {
  let first: Instant | undefined
  for (const entry of asList(terms.cancel_penalties)) {
    const penalty = asRecord(entry)
    const start = readInstant(penalty?.start, undefined)
    if (penalty === undefined || start === undefined) return undefined
    if (!isZeroPenalty(penalty) && (first === undefined || start.ms < first.ms)) first = start
  }
  return first?.iso
}

/** Rapid repeats a rate's penalty for every room, so it applies to each room. */
function cappedFee(rule: PenaltyRule, room: RoomPrice, currency: string): number {
  return Math.min(room.billed, Math.max(0, uncappedFee(rule, room, currency) ?? room.billed))
}

function uncappedFee(rule: PenaltyRule, room: RoomPrice, currency: string): number | undefined {
  if (rule.kind === 'percent') return Math.round((room.billed * Number(rule.size)) / 100)
  if (rule.kind === 'amount') {
    const amount = parseMoney(rule.size, rule.currency)
    return amount === undefined ? undefined : convertFromBillable(room, amount, currency)
  }
  if (rule.kind !== 'nights') return undefined
  const weights = nightWeights(room)
  const nights = Number(rule.size)
  return nights >= weights.length ? undefined : shareOfNights(room.billed, weights, (_, night) => night < nights)
}

function lostNightsFee(ranges: TermRules['lostNights'], room: RoomPrice, stay: PricedStay): number {
  if (ranges.length === 0) return 0
  const weights = nightWeights(room)
  const isLost = (date: PlainDate) => ranges.some(([start, end]) => start <= date && date <= end)
  const isDated = weights.length > 0 && isPlainDate(stay.checkIn)
  if (isDated) return shareOfNights(room.billed, weights, (_, night) => isLost(addDays(stay.checkIn, night)))
  // If prices or dates of nights are unknown, one non-refundable night makes the room non-refundable.
  return ranges.some(([start, end]) => start < stay.checkOut && end >= stay.checkIn) ? room.billed : 0
}

function shareOfNights(
  minor: number,
  weights: readonly number[],
  isCounted: (weight: number, night: number) => boolean,
) {
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const counted = weights.filter(isCounted).reduce((sum, weight) => sum + weight, 0)
  return all === 0 ? minor : Math.round((minor * counted) / all)
}

const sumRooms = (rooms: readonly RoomPrice[], selectAmount: (room: RoomPrice) => number): number =>
  rooms.reduce((sum, room) => sum + selectAmount(room), 0)

/** Rules as short strings for an offer's reference. */
export const packRules = ({ rules }: TermRules): string[] =>
  rules.map(({ from, kind, size, currency }) => JSON.stringify([from, kind, size, currency]))

/** Rules from an offer's reference. One that cannot be read means that everything is lost from the start. */
export function unpackRules(packed: readonly string[]): PenaltyRule[] {
  return packed.map((text): PenaltyRule => {
    const texts = unpackTexts(text)
    const [from = ''] = texts
    // References of earlier versions contain the end of the window as well.
    const [kind = '', size = '', currency = ''] = texts.slice(-3)
    const known = kind === 'amount' || kind === 'nights' || kind === 'percent'
    return {
      from: from === '' ? new Date(0).toISOString() : from,
      fromMs: from === '' ? 0 : Date.parse(from),
      kind: known ? kind : 'everything',
      size,
      currency,
    }
  })
}

function unpackTexts(json: string): string[] {
  try {
    return asTexts(JSON.parse(json))
  } catch {
    return []
  }
}
