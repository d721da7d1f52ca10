import type { By } from '../domain/actor.ts'
import {
  type Booking,
  type BookingState,
  bookingTime,
  type Confirmation,
  type RoomState,
} from '../domain/booking/booking.ts'
import { type Comparison, firstSeriousDiscrepancy } from '../domain/booking/discrepancy.ts'
import { AppError } from '../domain/errors.ts'
import type { Money } from '../domain/money/money.ts'
import type { Notice } from '../domain/offer.ts'
import type { RequestContext } from '../lib/async/call-context.ts'
import type { Clock } from '../lib/time/clock.ts'
import { startDeadline, unlessLate } from '../lib/time/deadline.ts'
import type { StoreHistory } from '../store/history.ts'
import type { Task } from '../store/tasks.ts'
import type { Receipt, Vendor } from '../vendors/contract.ts'
import { VendorError } from '../vendors/vendor-error.ts'
import { compareReceipt } from './compare-receipt.ts'
import { orderRooms } from './order-rooms.ts'
import type { Fallback } from './refusals.ts'
import type { StoredAnswer } from './store/answers.ts'
import type { BookingStore } from './store/bookings.ts'
import { sendingTask } from './store/leases.ts'
import type { Moved, MoveFacts } from './store/moves.ts'

/** A process renews the lease of its booking every `renewMs`. After `leaseMs` without renewal another takes over. */
export const LEASE = { leaseMs: 4_000, renewMs: 1_300 } as const
/** The process that stores a booking also sends it and holds the first lease. */
export const firstLeaseUntil = ({ createdAt }: Booking): number => createdAt + LEASE.leaseMs
const FALLBACK_TIMEOUT_MS = 3_000
/** Maximum time from the intent to the last attempt to send it to a vendor that is throttling. */
export const SENT_WITHIN_MS = 10_000
const RETRY_AFTER_MS = 500
/** A database that is away for two minutes is waited for. */
const RECORD_WAIT_MAX_MS = 64_000
/** Delay before the settle job first asks about a booking in doubt. */
const FIRST_LOOKUP_MS = 1_000

export type SubmitDeps = {
  readonly bookings: BookingStore
  readonly clock: Clock
  /** Builds the response. `requestId` belongs to the request that decided it, if any. */
  readonly present: (booking: Booking, reason?: string, fallback?: Fallback, requestId?: string) => StoredAnswer
  onBug(error: unknown, booking: Booking): void
}

const STATE_BY_RECEIPT = {
  confirmed: 'confirmed',
  pending: 'in_doubt',
  rejected: 'rejected',
  cancelled: 'rejected',
  partly_cancelled: 'needs_review',
} as const satisfies Record<Receipt['state'], BookingState>

type Submission = {
  readonly by: By
  /** History of the store when the request was looked up. */
  readonly seen: StoreHistory
  findFallback(reason: string): Promise<Fallback>
}

/** Sends a booking stored as `submitting` and records a state. Undefined if another process has taken over. */
export async function submitBooking(
  deps: SubmitDeps,
  vendor: Vendor,
  booking: Booking,
  context: RequestContext,
  { by, seen, findFallback }: Submission,
): Promise<Moved | undefined> {
  const { stop } = keepLease(deps, sendingTask(booking.bookingId, firstLeaseUntil(booking)))
  try {
    const outcome = await sendToVendor(deps, vendor, booking, { ...context, seen })
    if (outcome === NOT_SENT) return await recordNotSent(deps, booking, by)
    const finding = outcome.to === 'rejected' ? findFallback(outcome.reason) : undefined
    // Best effort; does not delay the result for long.
    const fallback = finding && (await unlessLate(finding, FALLBACK_TIMEOUT_MS).catch(() => undefined))
    return await recordOutcome(deps, booking, by, outcome, fallback ?? {})
  } finally {
    stop()
  }
}

type Outcome = {
  readonly to: 'confirmed' | 'rejected' | 'in_doubt' | 'needs_review'
  readonly reason: string
  readonly vendorReference?: string
  readonly compared?: Comparison
  readonly rooms?: readonly RoomState[]
  readonly vendorTotal?: Money
  readonly confirmation?: Confirmation
  readonly notices?: readonly Notice[]
}
const NOT_SENT: Outcome = { to: 'rejected', reason: 'not_sent' }

class NotSent extends Error {}

async function sendToVendor(
  deps: SubmitDeps,
  vendor: Vendor,
  booking: Booking,
  { seen, ...context }: RequestContext & Pick<Submission, 'seen'>,
): Promise<Outcome> {
  using deadline = startDeadline(vendor.capabilities.bookTimeoutMs)
  const { bookingId } = booking
  let isMarked = false
  const beforeSend = async () => {
    isMarked ||= await markSending(deps, booking, seen)
    // If the lease has expired, another process may already have taken over this booking. Do not send it.
    if (!isMarked || deps.clock.now() >= sentBefore(booking)) throw new NotSent()
  }
  for (let tries = 0; ; tries += 1) {
    try {
      const calling = { ...context, bookingId, signal: deadline.signal, beforeSend }
      const receipt = await vendor.book(vendorOrder(booking), calling)
      return statusFromVendor(booking, orderRooms(booking.stay, receipt), deps.clock.now())
    } catch (error) {
      if (await waitBeforeRetry(deps, booking, error, tries)) continue
      if (error instanceof NotSent || (!isMarked && isUnknown(error))) return NOT_SENT
      return outcomeAfterError(deps, booking, error)
    }
  }
}

/** The mark of sending; false if it is not certain to be on disk. */
async function markSending({ bookings, clock, onBug }: SubmitDeps, booking: Booking, seen: StoreHistory) {
  if (clock.now() >= firstLeaseUntil(booking)) return false
  return bookings.markSending(booking.bookingId, clock.now(), seen).catch((error: unknown) => {
    if (!(error instanceof AppError)) onBug(error, booking)
    return false
  })
}

const isUnknown = (error: unknown) => !(error instanceof VendorError) || error.effect === 'unknown'

/** Records the vendor's booking of an earlier attempt, whose row the database has lost. */
export const adoptFound = (deps: SubmitDeps, booking: Booking, receipt: Receipt, by: By): Promise<Moved | undefined> =>
  recordOutcome(deps, booking, by, statusFromVendor(booking, orderRooms(booking.stay, receipt), deps.clock.now()), {})

/** Only this process knows that the booking was not sent, so it records that once the database is back. */
async function recordNotSent(deps: SubmitDeps, booking: Booking, by: By): Promise<Moved | undefined> {
  for (let waitMs = RETRY_AFTER_MS; ; waitMs *= 2) {
    try {
      return (await recordOutcome(deps, booking, by, NOT_SENT, {})) ?? (await readRejected(deps, booking, by))
    } catch (error) {
      if (!(error instanceof AppError) || waitMs > RECORD_WAIT_MAX_MS) throw error
      await new Promise((later) => setTimeout(later, waitMs))
    }
  }
}

/** Returns the outcome if the settle job has already rejected the booking as not sent. */
async function readRejected({ bookings, present }: SubmitDeps, { bookingId }: Booking, by: By) {
  const booking = await bookings.any(bookingId)
  if (booking?.state !== 'rejected') return undefined
  return { booking, answer: present(booking, NOT_SENT.reason, {}, by.requestId) }
}

const sentBefore = ({ submittedAt, createdAt }: Booking) => (submittedAt ?? createdAt) + SENT_WITHIN_MS

/** Waits and returns true if the booking may be sent again: only throttling proves that the vendor did not act. */
async function waitBeforeRetry(deps: SubmitDeps, booking: Booking, error: unknown, tries: number): Promise<boolean> {
  if (!(error instanceof VendorError) || error.fault !== 'throttled' || error.effect !== 'none') return false
  const waitMs = Math.max(error.retryAfterMs ?? 0, RETRY_AFTER_MS * 2 ** tries)
  const until = sentBefore(booking)
  if (deps.clock.now() + waitMs >= until) return false
  await new Promise((later) => setTimeout(later, waitMs))
  // The timer may have fired late.
  return deps.clock.now() < until
}

function outcomeAfterError(deps: SubmitDeps, booking: Booking, error: unknown): Outcome {
  if (error instanceof VendorError)
    return { to: error.effect === 'none' ? 'rejected' : 'in_doubt', reason: error.fault }
  // A bug may have struck before or after the vendor acted: that is doubt, never failure.
  deps.onBug(error, booking)
  return { to: 'in_doubt', reason: 'internal' }
}

/** State after a receipt: the vendor's, unless it booked something else. */
export function statusFromVendor(booking: Booking, receipt: Receipt, at: number) {
  const compared = isActive(receipt) ? compareReceipt(booking, receipt, bookingTime(at, booking)) : undefined
  const serious = firstSeriousDiscrepancy(compared?.differs ?? [])
  const { state, vendorReference, confirmation, notices } = receipt
  const reported = {
    vendorReference,
    ...(compared && { compared }),
    ...activeRooms(receipt),
    ...billedTotal(booking, receipt),
    ...(confirmation !== undefined && { confirmation }),
    ...(notices !== undefined && { notices }),
  }
  return serious === undefined
    ? { to: STATE_BY_RECEIPT[state], reason: state, ...reported }
    : { to: 'needs_review' as const, reason: serious.code, ...reported }
}

/** Room states of an active booking, if the vendor reported them. */
export const activeRooms = (receipt: Receipt): { readonly rooms?: readonly RoomState[] } =>
  isActive(receipt) && receipt.roomStates !== undefined ? { rooms: receipt.roomStates } : {}

const isActive = ({ state }: Receipt) => state === 'confirmed' || state === 'partly_cancelled'

/** The vendor's bill, if it is in another currency than the agreed price. */
export function billedTotal({ price }: Booking, receipt: Receipt): { readonly vendorTotal?: Money } {
  const { state, total = receipt.charged } = receipt
  const isOtherCurrency = total !== undefined && total.currency !== price.total.currency
  return isOtherCurrency && state === 'confirmed' ? { vendorTotal: total } : {}
}

async function recordOutcome(
  deps: SubmitDeps,
  booking: Booking,
  by: By,
  { to, ...reported }: Outcome,
  fallback: Fallback,
): Promise<Moved | undefined> {
  const at = deps.clock.now()
  const facts = {
    ...reported,
    at,
    by,
    dueAt: to === 'in_doubt' ? at + FIRST_LOOKUP_MS : null,
    isRepeatable: reported.reason === 'throttled' || reported.reason === 'not_sent',
    presentAnswer: (moved, reason) => deps.present(moved, reason, fallback, by.requestId),
  } satisfies MoveFacts
  const moved = await deps.bookings.move(booking.bookingId, 'submitting', to, { ...facts, known: booking })
  if (moved !== undefined || to === 'in_doubt') return moved
  // Another process has taken over and put it in doubt. Our result settles that.
  return deps.bookings.move(booking.bookingId, 'in_doubt', to, facts)
}

function vendorOrder(booking: Booking) {
  return {
    ref: booking.ref,
    reference: booking.reference,
    guests: booking.persons.guests,
    contact: booking.persons.contact,
    specialRequests: booking.persons.specialRequests,
    stay: booking.stay,
  }
}

/** Renews the lease during a vendor call. `task` is the claim after the last renewal. */
export function keepLease(deps: Pick<SubmitDeps, 'bookings' | 'clock'>, first: Task) {
  let task = first
  const renew = async () => {
    task = (await deps.bookings.extendLease(task, deps.clock.now() + LEASE.leaseMs)) ?? task
  }
  // If this fails, another process may take over, which is harmless.
  const timer = setInterval(() => renew().catch(() => undefined), LEASE.renewMs)
  timer.unref()
  return { task: () => task, stop: () => clearInterval(timer) }
}
