import { type By, byVendor } from '../../domain/actor.ts'
import { calculateSoldFee, soldBooking } from '../../domain/booking/apply-sale.ts'
import {
  type Booking,
  type BookingEvent,
  type BookingState,
  bookingTime,
  type Confirmation,
  type RoomState,
  roomStatesAfter,
  shownProperty,
} from '../../domain/booking/booking.ts'
import { mergeConfirmations } from '../../domain/booking/confirmation.ts'
import { type Comparison, compareDiscrepancies, type Discrepancy } from '../../domain/booking/discrepancy.ts'
import type { Money } from '../../domain/money/money.ts'
import type { Notice } from '../../domain/offer.ts'
import { joinNotices } from '../../domain/property/notices.ts'
import type { Keyring } from '../../lib/crypto/keyring.ts'
import type { Database, Tx } from '../../store/database.ts'
import { prepareInsert } from '../../store/prepared.ts'
import { EMPTY_ANSWER, readAnswer, type StoredAnswer, sealAnswer } from './answers.ts'
import { freeKeys, moveBooking } from './prepared-queries.ts'
import { bookingFromRow, changingColumns } from './rows.ts'
import { type SettleAt, scheduleMoved } from './schedule.ts'

/** Reason presented if a repeatable request has an answer already, which is then the last one. */
const NOT_FREED = 'not_reached'

export type PresentAnswer = (booking: Booking, reason: string | undefined) => StoredAnswer

/** Recorded with the new state. */
export type MoveFacts = {
  readonly at: number
  readonly by: By
  readonly reason?: string
  readonly vendorReference?: string
  /** The vendor's cancellation charge. */
  readonly cancelFeeMinor?: number
  readonly dueAt: SettleAt
  readonly leaseUntil?: number
  /** Sent with the vendor's confirmation. */
  readonly confirmation?: Confirmation
  readonly notices?: readonly Notice[]
  /** Total in the vendor's billing currency. The first reported one is kept. */
  readonly vendorTotal?: Money
  /** Status of each room, if the vendor reported it. */
  readonly rooms?: readonly RoomState[]
  /** Comparison with the vendor's version. Each new discrepancy is an event of its own. */
  readonly compared?: Comparison
  /** Builds the first answer, if this move decides it and none was given before. */
  readonly presentAnswer?: PresentAnswer
  /** Frees offer, key and reference for a repeated request, unless the client already has a 202. The answer is then not stored. */
  readonly isRepeatable?: boolean
  /** Throws unless the locked booking is the version that the client has read. */
  readonly precondition?: ((booking: Booking) => void) | undefined
  /** The booking in state `from`, if the caller has just stored it; saves a read. */
  readonly known?: Booking
}

/** The booking after its move, and the first answer to its request, if decided. */
export type Moved = { readonly booking: Booking; readonly answer: StoredAnswer | undefined }

/** Called inside the transaction of every event; queues the webhooks. */
export type OnMove = (tx: Tx, booking: Booking, event: BookingEvent) => Promise<void>

export type BookingParts = {
  readonly database: Database
  readonly keyring: Keyring
  readonly onMove: OnMove
}

const addEvents = prepareInsert('booking_events')

/** Adds events to the history of a booking, in the booking's own time. */
export async function recordEvents({ onMove }: BookingParts, tx: Tx, booking: Booking, ...steps: BookingEvent[]) {
  const events = steps.map((step) => ({ ...step, at: bookingTime(step.at, booking) }))
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

export async function applyMove(parts: BookingParts, tx: Tx, step: Step, facts: MoveFacts): Promise<Moved | undefined> {
  const { keyring } = parts
  const before = facts.known ?? (await lockBooking(parts, tx, step))
  if (before === undefined) return undefined
  facts.precondition?.(before)
  const { booking, fresh } = movedBooking(before, step.to, facts, await cancelRequestedAt(tx, before, step, facts))
  const { bookingId, from, to } = step
  const isFreed = facts.isRepeatable === true && (await freeKeys(tx, { bookingId, from }))
  const answer = facts.presentAnswer?.(booking, facts.isRepeatable === true && !isFreed ? NOT_FREED : facts.reason)
  const sealed = answer && !isFreed ? sealAnswer(keyring, answer) : undefined
  const [row] = await moveBooking(tx, {
    ...changingColumns(booking),
    from,
    booking_id: bookingId,
    events: 1 + fresh.length,
    told_notices: facts.notices === undefined ? null : JSON.stringify(facts.notices),
    ...(sealed ?? EMPTY_ANSWER),
  })
  if (row === undefined) return undefined
  // A guest who signed in during the vendor call has made it the account's booking.
  const after = { ...booking, accountId: row.account_id }
  const { at, by, reason, dueAt, leaseUntil } = facts
  await scheduleMoved(tx, after, { from, at, dueAt, leaseUntil })
  const sequence = row.events - fresh.length
  await recordEvents(
    parts,
    tx,
    after,
    { sequence, from, to, at, reason, by },
    ...discrepancyEvents(after, fresh, sequence, at),
  )
  const isFirst = isFreed || (sealed !== undefined && row.answer_body === sealed.answer_body)
  return { booking: after, answer: isFirst ? answer : readAnswer(row, keyring) }
}

/** Events of new discrepancies, numbered after `last`. */
export const discrepancyEvents = (
  { state, vendorId }: Booking,
  fresh: readonly Discrepancy[],
  last: number,
  at: number,
) =>
  fresh.map(
    ({ code }, index): BookingEvent => ({
      ...{ sequence: last + 1 + index, kind: 'discrepancy', from: state, to: state, at },
      ...{ reason: code, by: byVendor(vendorId) },
    }),
  )

export const EMPTY_COMPARISON: Comparison = { differs: [], agrees: [] }

/** Locks the row until the transaction ends. */
export async function lockBooking({ keyring }: BookingParts, tx: Tx, { bookingId, from }: Omit<Step, 'to'>) {
  const row = await tx
    .selectFrom('bookings')
    .selectAll()
    .where('booking_id', '=', bookingId)
    .where('state', '=', from)
    .forUpdate()
    .executeTakeFirst()
  return row && bookingFromRow(row, keyring)
}

/** In the booking's time; undefined if the vendor cancelled by itself. A confirmed booking has no fee. */
async function cancelRequestedAt(tx: Tx, before: Booking, { bookingId, to }: Step, { at, cancelFeeMinor }: MoveFacts) {
  if (before.sale === undefined || cancelFeeMinor === undefined) return undefined
  if (to === 'cancelling') return bookingTime(at, before)
  if (before.state !== 'cancelling' && before.cancelFee === undefined) return undefined
  const event = await tx
    .selectFrom('booking_events')
    .select('at')
    .where('booking_id', '=', bookingId)
    .where('to_state', '=', 'cancelling')
    .orderBy('sequence', 'desc')
    .executeTakeFirst()
  return event?.at
}

/** Vendor's and client's cancellation fees. The client's depends on the time of the request and never exceeds the quote. */
function cancelFees(before: Booking, to: BookingState, { cancelFeeMinor }: MoveFacts, requestedAt: number | undefined) {
  if (cancelFeeMinor === undefined || to === 'confirmed') return {}
  const cancelFee = { minor: cancelFeeMinor, currency: before.price.total.currency }
  const fee = calculateSoldFee(before, cancelFee, requestedAt)
  const quoted = soldBooking(before).cancelFee
  const soldFee = quoted !== undefined && quoted.minor < fee.minor ? quoted : fee
  return before.sale === undefined && soldFee === cancelFee ? { cancelFee } : { cancelFee, soldFee }
}

/** A failed cancellation costs nothing, now or when the vendor cancels later. */
function withoutFees({ soldFee: _, ...booking }: Booking): Booking {
  return { ...booking, cancelFee: undefined }
}

/** The booking after the move, and its new discrepancies. */
function movedBooking(before: Booking, to: BookingState, facts: MoveFacts, requestedAt: number | undefined) {
  const time = bookingTime(facts.at, before)
  const { all, fresh } = compareDiscrepancies(before.discrepancies ?? [], facts.compared ?? EMPTY_COMPARISON, time)
  const vendorTotal = before.vendorTotal ?? facts.vendorTotal
  const confirmedAt = before.confirmedAt ?? (to === 'confirmed' ? time : undefined)
  const { rooms: _, ...kept } = to === 'confirmed' ? withoutFees(before) : before
  const rooms = roomStatesAfter(before, to, facts.rooms)
  const booking: Booking = {
    ...kept,
    property: shownProperty(before.property, confirmedAt !== undefined),
    state: to,
    updatedAt: facts.at,
    vendorReference: facts.vendorReference ?? before.vendorReference,
    ...cancelFees(before, to, facts, requestedAt),
    ...(facts.confirmation && { confirmation: mergeConfirmations(before.confirmation, facts.confirmation) }),
    ...(facts.notices && { notices: joinNotices(before.notices ?? [], facts.notices) }),
    ...(vendorTotal && { vendorTotal }),
    ...(rooms && { rooms }),
    ...(confirmedAt !== undefined && { confirmedAt }),
    ...(all.length > 0 && { discrepancies: all }),
  }
  return { booking, fresh }
}
