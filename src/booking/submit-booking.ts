import type { By } from '../domain/actor.ts'
import {
  type Booking,
  type BookingState,
  type Confirmation,
  type RoomState,
  timeOf,
} from '../domain/booking/booking.ts'
import { type Comparison, graveOne } from '../domain/booking/discrepancy.ts'
import type { Money } from '../domain/money/money.ts'
import type { Notice } from '../domain/offer.ts'
import type { RequestContext } from '../lib/async/call-context.ts'
import type { Clock } from '../lib/time/clock.ts'
import { startDeadline } from '../lib/time/deadline.ts'
import type { Task } from '../store/tasks.ts'
import type { Receipt, Vendor } from '../vendors/contract.ts'
import { VendorError } from '../vendors/vendor-error.ts'
import { compareReceipt } from './compare-receipt.ts'
import type { Instead } from './refusals.ts'
import { inOrderOf } from './room-order.ts'
import type { StoredAnswer } from './store/answers.ts'
import type { BookingStore } from './store/bookings.ts'
import { sendingTask } from './store/leases.ts'
import type { Moved } from './store/moves.ts'

/** A process that works on a booking renews its lease every `renewMs`; after `leaseMs` without that, another one takes over. */
export const LEASE = { leaseMs: 4_000, renewMs: 1_300 } as const
/** A booking is written down by the process that is to send it. */
export const firstLeaseUntil = ({ createdAt }: Booking): number => createdAt + LEASE.leaseMs
const INSTEAD_TIMEOUT_MS = 3_000
/** A vendor that takes no more requests is asked again, but nothing is sent later than this after the intent. */
export const SENT_WITHIN_MS = 10_000
const AGAIN_AFTER_MS = 500
/** How soon a doubt is looked into. */
const FIRST_LOOK_MS = 1_000

export type SubmitDeps = {
  readonly bookings: BookingStore
  readonly clock: Clock
  /** The answer to the request; `requestId` where it was decided in the course of one. */
  readonly present: (booking: Booking, reason?: string, instead?: Instead, requestId?: string) => StoredAnswer
  onBug(error: unknown, booking: Booking): void
}

const STATE_OF = {
  confirmed: 'confirmed',
  pending: 'in_doubt',
  rejected: 'rejected',
  cancelled: 'rejected',
  partly_cancelled: 'needs_review',
} as const satisfies Record<Receipt['state'], BookingState>

/**
 * Sends one booking that has been written down as being submitted, once; again only where the vendor says that it did not
 * act for want of capacity. Whatever happens, it ends in a state that says what
 * we know; undefined when another process has taken it over meanwhile.
 */
export async function submitBooking(
  deps: SubmitDeps,
  vendor: Vendor,
  booking: Booking,
  context: RequestContext,
  { by, instead }: { readonly by: By; instead(reason: string): Promise<Instead> },
): Promise<Moved | undefined> {
  const { stop } = keepLease(deps, sendingTask(booking.bookingId, firstLeaseUntil(booking)))
  try {
    // Held up for longer than the lease, we may have been given up for dead and the vendor asked already: too late to send.
    const inTime = deps.clock.now() < firstLeaseUntil(booking)
    const outcome = inTime ? await askVendor(deps, vendor, booking, context) : NOT_SENT
    const others = outcome.to === 'rejected' ? await quickly(() => instead(outcome.reason)) : {}
    return await recordOutcome(deps, booking, by, outcome, others)
  } finally {
    stop()
  }
}

/** A courtesy: the outcome is not kept waiting for it. */
async function quickly(instead: () => Promise<Instead>): Promise<Instead> {
  const late = Promise.withResolvers<Instead>()
  const timer = setTimeout(() => late.resolve({}), INSTEAD_TIMEOUT_MS)
  try {
    return await Promise.race([instead().catch(() => ({})), late.promise])
  } finally {
    clearTimeout(timer)
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

async function askVendor(
  deps: SubmitDeps,
  vendor: Vendor,
  booking: Booking,
  context: RequestContext,
): Promise<Outcome> {
  using deadline = startDeadline(vendor.capabilities.bookTimeoutMs)
  for (let tries = 0; ; tries += 1) {
    try {
      const { bookingId } = booking
      const receipt = await vendor.book(orderOf(booking), { ...context, bookingId, signal: deadline.signal })
      return standing(booking, inOrderOf(booking.stay, receipt), deps.clock.now())
    } catch (error) {
      if (!(await isTimeForAnother(deps, booking, error, tries))) return outcomeOf(deps, booking, error)
    }
  }
}

/** Only after a refusal for too many requests, which proves that the vendor did not act; under the same reference. */
async function isTimeForAnother(deps: SubmitDeps, booking: Booking, error: unknown, tries: number): Promise<boolean> {
  if (!(error instanceof VendorError) || error.fault !== 'throttled' || error.effect !== 'none') return false
  const waitMs = Math.max(error.retryAfterMs ?? 0, AGAIN_AFTER_MS * 2 ** tries)
  const until = (booking.submittedAt ?? booking.createdAt) + SENT_WITHIN_MS
  if (deps.clock.now() + waitMs >= until) return false
  await new Promise((later) => setTimeout(later, waitMs))
  // It may have taken longer than meant.
  return deps.clock.now() < until
}

function outcomeOf(deps: SubmitDeps, booking: Booking, error: unknown): Outcome {
  if (error instanceof VendorError)
    return { to: error.effect === 'none' ? 'rejected' : 'in_doubt', reason: error.fault }
  // Our own bug may have struck before or after the vendor acted: that is doubt too, never failure.
  deps.onBug(error, booking)
  return { to: 'in_doubt', reason: 'internal' }
}

/** Where a receipt brings a booking: as the vendor says, unless the vendor has booked something else. */
export function standing(booking: Booking, receipt: Receipt, at: number) {
  const compared = isStanding(receipt) ? compareReceipt(booking, receipt, timeOf(at, booking)) : undefined
  const grave = graveOne(compared?.differs ?? [])
  const { state, vendorReference, confirmation, notices } = receipt
  const told = {
    vendorReference,
    ...(compared && { compared }),
    ...roomsOf(receipt),
    ...billedOf(booking, receipt),
    ...(confirmation !== undefined && { confirmation }),
    ...(notices !== undefined && { notices }),
  }
  return grave === undefined
    ? { to: STATE_OF[state], reason: state, ...told }
    : { to: 'needs_review' as const, reason: grave.code, ...told }
}

/** The state of each room of a booking that stands, where the vendor tells it. */
export const roomsOf = (receipt: Receipt): { readonly rooms?: readonly RoomState[] } =>
  isStanding(receipt) && receipt.roomStates !== undefined ? { rooms: receipt.roomStates } : {}

const isStanding = ({ state }: Receipt) => state === 'confirmed' || state === 'partly_cancelled'

/** What the vendor bills, where it does so in another currency than was agreed in. */
export function billedOf({ price }: Booking, receipt: Receipt): { readonly vendorTotal?: Money } {
  const { state, total = receipt.charged } = receipt
  const isOther = total !== undefined && total.currency !== price.total.currency
  return isOther && state === 'confirmed' ? { vendorTotal: total } : {}
}

async function recordOutcome(
  deps: SubmitDeps,
  booking: Booking,
  by: By,
  { to, ...told }: Outcome,
  others: Instead,
): Promise<Moved | undefined> {
  const at = deps.clock.now()
  const facts = {
    ...told,
    at,
    by,
    dueAt: to === 'in_doubt' ? at + FIRST_LOOK_MS : null,
    answerOf: (moved: Booking, reason: string | undefined) => deps.present(moved, reason, others, by.requestId),
  }
  const moved = await deps.bookings.move(booking.bookingId, 'submitting', to, { ...facts, known: booking })
  if (moved !== undefined || to === 'in_doubt') return moved
  // Another process took us for dead and is asking the vendor; what we know settles its doubt.
  return deps.bookings.move(booking.bookingId, 'in_doubt', to, facts)
}

function orderOf(booking: Booking) {
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
