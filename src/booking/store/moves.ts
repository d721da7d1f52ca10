import { type By, byVendor } from '../../domain/actor.ts'
import {
  type Booking,
  type BookingEvent,
  type BookingState,
  type Confirmation,
  type RoomState,
  roomsAfter,
  shownProperty,
  timeOf,
} from '../../domain/booking/booking.ts'
import { addNumbers } from '../../domain/booking/confirmation.ts'
import { type Comparison, compareDiscrepancies, type Discrepancy } from '../../domain/booking/discrepancy.ts'
import { soldFeeOf } from '../../domain/booking/sold.ts'
import type { Money } from '../../domain/money/money.ts'
import type { Notice } from '../../domain/offer.ts'
import { joinNotices } from '../../domain/property/notices.ts'
import type { Keyring } from '../../lib/crypto/keyring.ts'
import type { Database, Tx } from '../../store/database.ts'
import { prepareInsert } from '../../store/prepared.ts'
import { NO_ANSWER, readAnswer, type StoredAnswer, sealAnswer } from './answers.ts'
import { moveBooking } from './prepared-queries.ts'
import { changingColumns, fromRow } from './rows.ts'
import { type SettleAt, scheduleMoved } from './schedule.ts'

/** What a move records beside the new state. */
export type MoveFacts = {
  readonly at: number
  readonly by: By
  readonly reason?: string
  readonly vendorReference?: string
  /** What the vendor charges for the cancellation. */
  readonly cancelFeeMinor?: number
  readonly dueAt: SettleAt
  readonly leaseUntil?: number
  /** What the vendor tells with its confirmation. */
  readonly confirmation?: Confirmation
  readonly notices?: readonly Notice[]
  /** What the vendor says it costs in the currency in which it bills; kept as it was first told. */
  readonly vendorTotal?: Money
  /** How each room stands, where somebody has told. */
  readonly rooms?: readonly RoomState[]
  /** What was found at the vendor; each new difference is an event of its own. */
  readonly compared?: Comparison
  /** The first answer, if this move decides it and none was given before. */
  readonly answerOf?: (booking: Booking, reason: string | undefined) => StoredAnswer
  /** The booking in state `from`, where the caller itself has just brought it there: it is not read again. */
  readonly known?: Booking
}

/** A booking after its move, and the first answer to its request where one has been decided. */
export type Moved = { readonly booking: Booking; readonly answer: StoredAnswer | undefined }

/** Called with every change of state, inside its transaction; it queues the webhooks. */
export type OnMove = (tx: Tx, booking: Booking, event: BookingEvent) => Promise<void>

export type BookingParts = {
  readonly database: Database
  readonly keyring: Keyring
  readonly onMove: OnMove
}

const addEvents = prepareInsert('booking_events')

/** Adds events to the history of a booking, at the time that the booking lives in. */
export async function record({ onMove }: BookingParts, tx: Tx, booking: Booking, ...steps: BookingEvent[]) {
  const events = steps.map((step) => ({ ...step, at: timeOf(step.at, booking) }))
  const rows = events.map(({ by, ...event }) => ({
    booking_id: booking.bookingId,
    sequence: event.sequence,
    from_state: event.from ?? null,
    to_state: event.to,
    at: event.at,
    reason: event.reason ?? null,
    kind: event.kind ?? null,
    actor_kind: by?.actor.kind ?? null,
    actor_id: by?.actor.id ?? null,
    request_id: by?.requestId ?? null,
  }))
  if (rows.length > 0) await addEvents(tx, rows)
  for (const event of events) await onMove(tx, booking, event)
}

type Step = { readonly bookingId: string; readonly from: BookingState; readonly to: BookingState }

export async function moveIn(parts: BookingParts, tx: Tx, step: Step, facts: MoveFacts): Promise<Moved | undefined> {
  const { keyring } = parts
  const before = facts.known ?? (await readToMove(parts, tx, step))
  if (before === undefined) return undefined
  const { booking, fresh } = movedBooking(before, step.to, facts, await askedAt(tx, before, step, facts))
  const answer = facts.answerOf?.(booking, facts.reason)
  const sealed = answer && sealAnswer(keyring, answer)
  const { bookingId, from, to } = step
  const [row] = await moveBooking(tx, {
    ...changingColumns(booking),
    from,
    booking_id: bookingId,
    events: 1 + fresh.length,
    told_notices: facts.notices === undefined ? null : JSON.stringify(facts.notices),
    ...(sealed ?? NO_ANSWER),
  })
  if (row === undefined) return undefined
  // A guest may have signed in while the vendor was being asked. Then the booking belongs to the account.
  const after = { ...booking, accountId: row.account_id }
  const { at, by, reason, dueAt, leaseUntil } = facts
  await scheduleMoved(tx, after, { from, at, dueAt, leaseUntil })
  const sequence = row.events - fresh.length
  await record(parts, tx, after, { sequence, from, to, at, reason, by }, ...differences(after, fresh, sequence, at))
  const isFirst = sealed !== undefined && row.answer_body === sealed.answer_body
  return { booking: after, answer: isFirst ? answer : readAnswer(row, keyring) }
}

/** Events of new discrepancies, after the event with the number `last`. */
export const differences = ({ state, vendorId }: Booking, fresh: readonly Discrepancy[], last: number, at: number) =>
  fresh.map(
    ({ code }, place): BookingEvent => ({
      ...{ sequence: last + 1 + place, kind: 'discrepancy', from: state, to: state, at },
      ...{ reason: code, by: byVendor(vendorId) },
    }),
  )

export const NOTHING_COMPARED: Comparison = { differs: [], agrees: [] }

/** Nobody else can move it until the transaction ends. */
export async function readToMove({ keyring }: BookingParts, tx: Tx, { bookingId, from }: Omit<Step, 'to'>) {
  const row = await tx
    .selectFrom('bookings')
    .selectAll()
    .where('booking_id', '=', bookingId)
    .where('state', '=', from)
    .forUpdate()
    .executeTakeFirst()
  return row && fromRow(row, keyring)
}

/**
 * When the client asked for the cancellation that a fee is told of, in the booking's time; undefined where the vendor
 * cancels of its own accord. A review that a cancellation has led to has its fee: a confirmed booking has none.
 */
async function askedAt(tx: Tx, before: Booking, { bookingId, to }: Step, { at, cancelFeeMinor }: MoveFacts) {
  if (before.sale === undefined || cancelFeeMinor === undefined) return undefined
  if (to === 'cancelling') return timeOf(at, before)
  if (before.state !== 'cancelling' && before.cancelFee === undefined) return undefined
  const asked = await tx
    .selectFrom('booking_events')
    .select('at')
    .where('booking_id', '=', bookingId)
    .where('to_state', '=', 'cancelling')
    .orderBy('sequence', 'desc')
    .executeTakeFirst()
  return asked?.at
}

/** What a cancellation costs at the vendor and for the client, who is judged by when it was asked for. */
function cancelFees(before: Booking, to: BookingState, { cancelFeeMinor }: MoveFacts, asked: number | undefined) {
  if (cancelFeeMinor === undefined || to === 'confirmed') return {}
  const cancelFee = { minor: cancelFeeMinor, currency: before.price.total.currency }
  return before.sale === undefined ? { cancelFee } : { cancelFee, soldFee: soldFeeOf(before, cancelFee, asked) }
}

/** A cancellation that failed costs nothing, neither now nor when the vendor cancels by itself later. */
function withoutFees({ soldFee: _, ...booking }: Booking): Booking {
  return { ...booking, cancelFee: undefined }
}

/** The booking as its row will be after the move, and the discrepancies that are new. */
function movedBooking(before: Booking, to: BookingState, facts: MoveFacts, asked: number | undefined) {
  const time = timeOf(facts.at, before)
  const { all, fresh } = compareDiscrepancies(before.discrepancies ?? [], facts.compared ?? NOTHING_COMPARED, time)
  const vendorTotal = before.vendorTotal ?? facts.vendorTotal
  const confirmedAt = before.confirmedAt ?? (to === 'confirmed' ? time : undefined)
  const { rooms: _, ...kept } = to === 'confirmed' ? withoutFees(before) : before
  const rooms = roomsAfter(before, to, facts.rooms)
  const booking: Booking = {
    ...kept,
    property: shownProperty(before.property, confirmedAt !== undefined),
    state: to,
    updatedAt: facts.at,
    vendorReference: facts.vendorReference ?? before.vendorReference,
    ...cancelFees(before, to, facts, asked),
    ...(facts.confirmation && { confirmation: addNumbers(before.confirmation, facts.confirmation) }),
    ...(facts.notices && { notices: joinNotices(before.notices ?? [], facts.notices) }),
    ...(vendorTotal && { vendorTotal }),
    ...(rooms && { rooms }),
    ...(confirmedAt !== undefined && { confirmedAt }),
    ...(all.length > 0 && { discrepancies: all }),
  }
  return { booking, fresh }
}
