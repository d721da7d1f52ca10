import { parseMoney } from '../../domain/money.ts'
import type { CancelPenalty, CancelTerms } from '../../domain/offer.ts'
import { addDays, isPlainDate, type PlainDate } from '../../lib/plain-date.ts'
import { instantOf, toWholeSeconds, zonedIso } from '../../lib/zoned-time.ts'
import { fromBillable, nightWeights, type RoomPrice } from './decode-price.ts'
import { listOf, recordOf, textOf, type WireDateRange, type WirePenalty, type WireTerms } from './wire.ts'

/** One window of a cancellation rule, its size still as the vendor gives it. */
export type PenaltyRule = {
  readonly from: string
  readonly until: string | undefined
  readonly fromMs: number
  readonly kind: 'amount' | 'nights' | 'percent' | 'everything'
  readonly size: string
  readonly currency: string
}

/** The rules of a rate before there is a price to apply them to; the price check does not repeat them. */
export type TermRules = {
  readonly refundable: boolean | undefined
  readonly rules: readonly PenaltyRule[]
  /** First and last night of each range in which nothing comes back, whatever the windows say. */
  readonly lostNights: readonly (readonly [PlainDate, PlainDate])[]
}

/** Undefined when a window cannot be read: an offer with terms nobody understands is not sold. */
export function readRules(terms: WireTerms, timezone: string): TermRules | undefined {
  const rules: PenaltyRule[] = []
  for (const entry of listOf(terms.cancel_penalties)) {
    const rule = readRule(recordOf<WirePenalty>(entry), timezone)
    if (rule === undefined) return undefined
    rules.push(rule)
  }
  const lostNights: (readonly [PlainDate, PlainDate])[] = []
  for (const entry of listOf(terms.nonrefundable_date_ranges)) {
    const range = readRange(entry)
    if (range === undefined) return undefined
    lostNights.push(range)
  }
  const refundable = typeof terms.refundable === 'boolean' ? terms.refundable : undefined
  return { refundable, rules: rules.sort((a, b) => a.fromMs - b.fromMs), lostNights }
}

function readRange(value: unknown): readonly [PlainDate, PlainDate] | undefined {
  const range = recordOf<WireDateRange>(value)
  const [start, end] = [textOf(range?.start).slice(0, 10), textOf(range?.end).slice(0, 10)]
  const areDays =
    readInstant(`${start}T00:00Z`, 'UTC') !== undefined && readInstant(`${end}T00:00Z`, 'UTC') !== undefined
  return areDays ? [start, end] : undefined
}

function readRule(penalty: WirePenalty | undefined, timezone: string): PenaltyRule | undefined {
  const start = readInstant(penalty?.start, timezone)
  if (penalty === undefined || start === undefined) return undefined
  const end = readInstant(penalty.end, timezone)
  return {
    ...sizeOf(penalty),
    from: start.iso,
    fromMs: start.ms,
    // A window that ends where it begins (seen in Rapid's own examples) is read as open: never as free.
    until: end !== undefined && end.ms > start.ms ? end.iso : undefined,
    currency: /^[A-Z]{3}$/.exec(textOf(penalty.currency))?.[0] ?? '',
  }
}

/** Which of the three is given varies; where none can be read, everything is lost. */
function sizeOf({ amount, nights, percent }: WirePenalty): Pick<PenaltyRule, 'kind' | 'size'> {
  const given = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '')
  if (/^\d+(\.\d+)?$/.test(given(amount))) return { kind: 'amount', size: given(amount) }
  if (/^\d{1,3}$/.test(given(nights))) return { kind: 'nights', size: given(nights) }
  const share = /^(\d{1,3}(?:\.\d+)?) ?%?$/.exec(given(percent))?.[1]
  return share === undefined ? { kind: 'everything', size: '' } : { kind: 'percent', size: share }
}

const ISO = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/

type Instant = { readonly iso: string; readonly ms: number }

/** The houses of one town share their deadlines: one answer repeats a few of them hundreds of times. */
const instants = new Map<string, Instant | undefined>()
const INSTANTS_MAX = 2_000

function readInstant(value: unknown, timezone: string): Instant | undefined {
  const text = textOf(value)
  const key = text.length > 40 ? '' : `${text} ${timezone}`
  if (instants.has(key)) return instants.get(key)
  const instant = text.length > 40 ? undefined : parseInstant(text, timezone)
  if (instants.size >= INSTANTS_MAX) instants.clear()
  instants.set(key, instant)
  return instant
}

function parseInstant(text: string, timezone: string): Instant | undefined {
  const parts = ISO.exec(text)
  if (parts === null || !isPlainDate(parts[1] ?? '')) return undefined
  if (parts[3] !== undefined) {
    const ms = Date.parse(parts[0])
    return Number.isNaN(ms) ? undefined : { iso: toWholeSeconds(parts[0]), ms }
  }
  const ms = instantOf(parts[1] ?? '', parts[2] ?? '', timezone)
  return Number.isNaN(ms) ? undefined : { iso: zonedIso(ms, timezone), ms }
}

export type PricedStay = {
  readonly rooms: readonly RoomPrice[]
  readonly currency: string
  readonly checkIn: PlainDate
  readonly checkOut: PlainDate
  readonly timezone: string
}

/** The rules applied to a price; undefined when the vendor said nothing at all. */
export function decodeTerms(rules: TermRules, stay: PricedStay, now: number): CancelTerms | undefined {
  if (rules.refundable === undefined && rules.rules.length === 0) return undefined
  const billed = sumOf(stay.rooms, (room) => room.billed)
  const lost = sumOf(stay.rooms, (room) => lostNightsOf(rules.lostNights, room, stay))
  const penalties: CancelPenalty[] = rules.rules.map((rule) => ({
    from: rule.from,
    ...(rule.until === undefined ? {} : { until: rule.until }),
    amount: {
      minor: Math.max(
        lost,
        sumOf(stay.rooms, (room) => feeOf(rule, room, stay.currency)),
      ),
      currency: stay.currency,
    },
  }))
  const first = rules.rules[0]
  const untilFirst = rules.refundable === false ? billed : lost
  if (untilFirst > 0 && (first === undefined || first.fromMs > now)) {
    penalties.unshift({
      from: zonedIso(now, stay.timezone),
      ...(first === undefined ? {} : { until: first.from }),
      amount: { minor: untilFirst, currency: stay.currency },
    })
  }
  return { penalties, refundable: feeNow(penalties, now) < billed }
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
export function isFreeNow(terms: WireTerms, stay: Pick<PricedStay, 'checkIn' | 'checkOut'>, now: number) {
  let free = terms.refundable === true
  for (const entry of listOf(terms.cancel_penalties)) {
    // The zone only matters for a window without an offset; a day more or less does not show in a list.
    const start = readInstant(recordOf<WirePenalty>(entry)?.start, 'UTC')
    if (start === undefined) return undefined
    if (start.ms <= now) free = false
  }
  for (const entry of listOf(terms.nonrefundable_date_ranges)) {
    const range = readRange(entry)
    if (range === undefined) return undefined
    if (range[0] < stay.checkOut && range[1] >= stay.checkIn) free = false
  }
  return free
}

const WITH_OFFSET = /(?:Z|[+-]\d{2}:\d{2})$/

/** The first window's start of a rate that is free now; undefined where none is to come, or one has no offset. */
export function firstPenaltyStart(terms: WireTerms): string | undefined {
  let first: Instant | undefined
  for (const entry of listOf(terms.cancel_penalties)) {
    const start = readInstant(recordOf<WirePenalty>(entry)?.start, 'UTC')
    if (start === undefined || !WITH_OFFSET.test(textOf(recordOf<WirePenalty>(entry)?.start))) return undefined
    if (first === undefined || start.ms < first.ms) first = start
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
  rules.map(({ from, until, kind, size, currency }) => JSON.stringify([from, until ?? '', kind, size, currency]))

/** The rules out of an offer's reference; one that cannot be read counts as the loss of everything from the start. */
export function unpackRules(packed: readonly string[]): PenaltyRule[] {
  return packed.map((text): PenaltyRule => {
    const [from = '', until = '', kind = '', size = '', currency = ''] = textsOf(text)
    const known = kind === 'amount' || kind === 'nights' || kind === 'percent'
    return {
      from: from === '' ? new Date(0).toISOString() : from,
      until: until === '' ? undefined : until,
      fromMs: from === '' ? 0 : Date.parse(from),
      kind: known ? kind : 'everything',
      size,
      currency,
    }
  })
}

function textsOf(json: string): string[] {
  try {
    return listOf(JSON.parse(json)).map(textOf)
  } catch {
    return []
  }
}
