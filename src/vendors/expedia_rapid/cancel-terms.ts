import { parseMoney } from '../../domain/money/money.ts'
import type { CancelPenalty, CancelTerms } from '../../domain/offer.ts'
import { addDays, isPlainDate, type PlainDate } from '../../lib/time/plain-date.ts'
import { zonedIso } from '../../lib/time/zoned-time.ts'
import { listOf, recordOf, textOf, textsOf, type Wire } from '../wire/read.ts'
import { type Instant, instantOf, plainDateOf } from '../wire/read-time.ts'
import { fromBillable, nightWeights, type RoomPrice } from './rate.ts'

/** One window of a cancellation rule, its size still as the vendor gives it. Its end is not read: fees never get lower later. */
type PenaltyRule = {
  readonly from: string
  readonly fromMs: number
  readonly kind: 'amount' | 'nights' | 'percent' | 'everything'
  readonly size: string
  readonly currency: string
}

/** The rules of a rate before there is a price to apply them to; the price check does not repeat them. */
export type TermRules = {
  readonly refundable: boolean | undefined
  readonly rules: readonly PenaltyRule[]
  /** First and last night of each range in which nothing comes back; these nights cost their price on top of a window's. */
  readonly lostNights: readonly (readonly [PlainDate, PlainDate])[]
}

/** Undefined when a window cannot be read: an offer with terms nobody understands is not sold. */
export function readRules(terms: Wire, timezone: string): TermRules | undefined {
  const rules: PenaltyRule[] = []
  for (const entry of listOf(terms.cancel_penalties)) {
    const rule = readRule(recordOf(entry), timezone)
    if (rule === undefined) return undefined
    rules.push(rule)
  }
  const lostNights: (readonly [PlainDate, PlainDate])[] = []
  for (const entry of listOf(terms.nonrefundable_date_ranges)) {
    const range = readRange(entry)
    if (range === undefined) return undefined
    lostNights.push(range)
  }
  return { refundable: refundableOf(terms), rules: rules.sort((a, b) => a.fromMs - b.fromMs), lostNights }
}

/** "Refundable" without a list of penalties does not say until when. */
function refundableOf({ refundable, cancel_penalties }: Wire): boolean | undefined {
  if (refundable === true) return Array.isArray(cancel_penalties) ? true : undefined
  return refundable === false ? false : undefined
}

function readRange(value: unknown): readonly [PlainDate, PlainDate] | undefined {
  const range = recordOf(value)
  const [start, end] = [plainDateOf(range?.start), plainDateOf(range?.end)]
  return start === undefined || end === undefined ? undefined : [start, end]
}

function readRule(penalty: Wire | undefined, timezone: string): PenaltyRule | undefined {
  const start = instantOf(penalty?.start, timezone)
  if (penalty === undefined || start === undefined) return undefined
  return {
    ...sizeOf(penalty),
    from: start.iso,
    fromMs: start.ms,
    currency: /^[A-Z]{3}$/.exec(textOf(penalty.currency))?.[0] ?? '',
  }
}

/** Which of the three is given varies; where none can be read, everything is lost. */
function sizeOf({ amount, nights, percent }: Wire): Pick<PenaltyRule, 'kind' | 'size'> {
  const given = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '')
  if (/^\d+(\.\d+)?$/.test(given(amount))) return { kind: 'amount', size: given(amount) }
  if (/^\d{1,3}$/.test(given(nights))) return { kind: 'nights', size: given(nights) }
  const share = /^(\d{1,3}(?:\.\d+)?) ?%?$/.exec(given(percent))?.[1]
  return share === undefined ? { kind: 'everything', size: '' } : { kind: 'percent', size: share }
}

/** A window in which cancelling is free is written as a penalty of nothing. */
function isNothing(penalty: Wire): boolean {
  const { kind, size } = sizeOf(penalty)
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
 * The rules applied to a price; undefined when the vendor said nothing at all. At any time cancelling costs the penalty of the
 * window plus the nights that are never refunded, and never less than earlier.
 */
export function decodeTerms(rules: TermRules, stay: PricedStay, now: number): CancelTerms | undefined {
  const { refundable, rules: windows, lostNights } = rules
  if (refundable === undefined && windows.length === 0 && lostNights.length === 0) return undefined
  const billed = sumOf(stay.rooms, (room) => room.billed)
  const lostOf = (room: RoomPrice) => lostNightsOf(lostNights, room, stay)
  const feeIn = (rule: PenaltyRule) =>
    sumOf(stay.rooms, (room) => Math.min(room.billed, feeOf(rule, room, stay.currency) + lostOf(room)))
  const steps = risingSteps(windows, feeIn)
  const [first] = steps
  const before = feeBefore(rules, sumOf(stay.rooms, lostOf), first?.minor ?? billed)
  if (before > 0 && (first === undefined || first.fromMs > now)) {
    steps.unshift({ from: zonedIso(now, stay.timezone), fromMs: now, minor: before })
  }
  const penalties = penaltiesOf(steps, stay.currency)
  return { penalties, refundable: feeNow(penalties, now) < billed }
}

/**
 * What cancelling costs before the first window. "Not refundable" means "not fully": where nights that are never refunded
 * explain it, only they are lost; else what the first window costs is lost already, or everything where there is no window.
 */
function feeBefore({ refundable }: TermRules, lost: number, firstFee: number): number {
  return refundable === false && lost === 0 ? firstFee : lost
}

type Step = { readonly from: string; readonly fromMs: number; readonly minor: number }

/** Where the windows begin, each at least as expensive as all before it; windows that cost nothing are left out. */
function risingSteps(rules: readonly PenaltyRule[], feeIn: (rule: PenaltyRule) => number): Step[] {
  const steps: Step[] = []
  let minor = 0
  for (const rule of rules) {
    const fee = feeIn(rule)
    if (fee <= minor) continue
    minor = fee
    if (steps.at(-1)?.fromMs === rule.fromMs) steps.pop()
    steps.push({ from: rule.from, fromMs: rule.fromMs, minor })
  }
  return steps
}

/** The last penalty has no end: after the vendor's last window cancelling still costs as much. */
function penaltiesOf(steps: readonly Step[], currency: string): CancelPenalty[] {
  const rising = steps.filter(({ minor }, index) => minor > (steps[index - 1]?.minor ?? 0))
  return rising.map(({ from, minor }, index) => {
    const until = rising[index + 1]?.from
    return { from, ...(until === undefined ? {} : { until }), amount: { minor, currency } }
  })
}

/** What cancelling costs at an instant: the dearest window that holds then. */
export function feeNow(penalties: readonly CancelPenalty[], now: number): number {
  return penalties.reduce((fee, { from, until, amount }) => {
    const holds = Date.parse(from) <= now && (until === undefined || now < Date.parse(until))
    return holds ? Math.max(fee, amount.minor) : fee
  }, 0)
}

/**
 * Whether cancelling right now costs nothing: all that a result list needs, without building the terms. Undefined when
 * the terms cannot be read.
 */
export function isFreeNow(terms: Wire, stay: Pick<PricedStay, 'checkIn' | 'checkOut'>, now: number) {
  let free = refundableOf(terms) === true
  for (const entry of listOf(terms.cancel_penalties)) {
    // The zone only matters for a window without an offset; a day more or less does not show in a list.
    const penalty = recordOf(entry)
    const start = instantOf(penalty?.start, 'UTC')
    if (penalty === undefined || start === undefined) return undefined
    if (start.ms <= now && !isNothing(penalty)) free = false
  }
  for (const entry of listOf(terms.nonrefundable_date_ranges)) {
    const range = readRange(entry)
    if (range === undefined) return undefined
    if (range[0] < stay.checkOut && range[1] >= stay.checkIn) free = false
  }
  return free
}

/** The first window's start of a rate that is free now; undefined where none is to come, or one has no offset. */
export function firstPenaltyStart(terms: Wire): string | undefined {
  let first: Instant | undefined
  for (const entry of listOf(terms.cancel_penalties)) {
    const penalty = recordOf(entry)
    const start = instantOf(penalty?.start, undefined)
    if (penalty === undefined || start === undefined) return undefined
    if (!isNothing(penalty) && (first === undefined || start.ms < first.ms)) first = start
  }
  return first?.iso
}

/** A penalty hangs on the rate and is repeated on every booked room, so it is read as the penalty of one room. */
function feeOf(rule: PenaltyRule, room: RoomPrice, currency: string): number {
  return Math.min(room.billed, Math.max(0, uncappedFee(rule, room, currency) ?? room.billed))
}

function uncappedFee(rule: PenaltyRule, room: RoomPrice, currency: string): number | undefined {
  if (rule.kind === 'percent') return Math.round((room.billed * Number(rule.size)) / 100)
  if (rule.kind === 'amount') {
    const amount = parseMoney(rule.size, rule.currency)
    return amount === undefined ? undefined : fromBillable(room, amount, currency)
  }
  if (rule.kind !== 'nights') return undefined
  const weights = nightWeights(room)
  const nights = Number(rule.size)
  return nights >= weights.length ? undefined : shareOfNights(room.billed, weights, (_, night) => night < nights)
}

function lostNightsOf(ranges: TermRules['lostNights'], room: RoomPrice, stay: PricedStay): number {
  if (ranges.length === 0) return 0
  const weights = nightWeights(room)
  const isLost = (date: PlainDate) => ranges.some(([start, end]) => start <= date && date <= end)
  const isDated = weights.length > 0 && isPlainDate(stay.checkIn)
  if (isDated) return shareOfNights(room.billed, weights, (_, night) => isLost(addDays(stay.checkIn, night)))
  // Nights of unknown price or date: one lost night is enough to promise nothing back.
  return ranges.some(([start, end]) => start < stay.checkOut && end >= stay.checkIn) ? room.billed : 0
}

function shareOfNights(minor: number, weights: readonly number[], counts: (weight: number, night: number) => boolean) {
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const counted = weights.filter(counts).reduce((sum, weight) => sum + weight, 0)
  return all === 0 ? minor : Math.round((minor * counted) / all)
}

const sumOf = (rooms: readonly RoomPrice[], of: (room: RoomPrice) => number): number =>
  rooms.reduce((sum, room) => sum + of(room), 0)

/** Rules as short texts, to travel inside an offer's reference. */
export const packRules = ({ rules }: TermRules): string[] =>
  rules.map(({ from, kind, size, currency }) => JSON.stringify([from, kind, size, currency]))

/** The rules out of an offer's reference; one that cannot be read counts as the loss of everything from the start. */
export function unpackRules(packed: readonly string[]): PenaltyRule[] {
  return packed.map((text): PenaltyRule => {
    const texts = unpackTexts(text)
    const [from = ''] = texts
    // References of earlier versions have the window's end in between.
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
    return textsOf(JSON.parse(json))
  } catch {
    return []
  }
}
