import type { Booking, BookingState } from '../domain/booking.ts'
import type { CallContext } from '../lib/call-context.ts'
import type { Clock } from '../lib/clock.ts'
import { startDeadline } from '../lib/deadline.ts'
import type { BookingStore, Moved, StoredAnswer } from '../store/bookings.ts'
import type { Receipt, Vendor } from '../vendors/contract.ts'
import { VendorError } from '../vendors/vendor-error.ts'

/** A process that works on a booking says so every `beatMs`; one that has been silent for `leaseMs` is taken for dead. */
export const LEASE = { leaseMs: 4_000, beatMs: 1_300 } as const
/** A booking is written down by the process that is to send it. */
export const firstLeaseUntil = ({ createdAt }: Booking): number => createdAt + LEASE.leaseMs
const ALTERNATIVES_TIMEOUT_MS = 2_000
/** How soon a doubt is looked into. */
const FIRST_LOOK_MS = 1_000

export type SubmitDeps = {
  readonly bookings: BookingStore
  readonly clock: Clock
  /** `alternatives`: what else somebody could book who came too late. */
  readonly present: (booking: Booking, reason?: string, alternatives?: readonly unknown[]) => StoredAnswer
  onBug(error: unknown, booking: Booking): void
}

const STATE_OF = {
  confirmed: 'confirmed',
  pending: 'in_doubt',
  rejected: 'rejected',
  cancelled: 'rejected',
} as const satisfies Record<Receipt['state'], BookingState>

/**
 * Sends one booking that has been written down as being submitted, once. Whatever happens, it ends in a state that says what
 * we know; undefined when another process has taken it over meanwhile.
 */
export async function submitBooking(
  deps: SubmitDeps,
  vendor: Vendor,
  booking: Booking,
  context: Omit<CallContext, 'signal'>,
  alternatives: () => Promise<readonly unknown[]>,
): Promise<Moved | undefined> {
  const stop = keepLease(deps, booking.bookingId, 'submitting')
  try {
    // Held up for longer than the lease, we may have been given up for dead and the vendor asked already: too late to send.
    const inTime = deps.clock.now() < firstLeaseUntil(booking)
    const outcome = inTime ? await askVendor(deps, vendor, booking, context) : NOT_SENT
    const others = outcome.reason === 'sold_out' ? await quickly(alternatives) : []
    return await recordOutcome(deps, booking, outcome, others)
  } finally {
    stop()
  }
}

/** A courtesy: the outcome is not kept waiting for it. */
async function quickly(alternatives: () => Promise<readonly unknown[]>): Promise<readonly unknown[]> {
  const late = Promise.withResolvers<readonly unknown[]>()
  const timer = setTimeout(() => late.resolve([]), ALTERNATIVES_TIMEOUT_MS)
  try {
    return await Promise.race([alternatives().catch(() => []), late.promise])
  } finally {
    clearTimeout(timer)
  }
}

type Outcome = {
  readonly to: 'confirmed' | 'rejected' | 'in_doubt'
  readonly reason: string
  readonly vendorReference?: string
}
const NOT_SENT: Outcome = { to: 'rejected', reason: 'not_sent' }

async function askVendor(
  deps: SubmitDeps,
  vendor: Vendor,
  booking: Booking,
  context: Omit<CallContext, 'signal'>,
): Promise<Outcome> {
  using deadline = startDeadline(vendor.capabilities.bookTimeoutMs)
  try {
    const receipt = await vendor.book(orderOf(booking), { ...context, signal: deadline.signal })
    return { to: STATE_OF[receipt.state], reason: receipt.state, vendorReference: receipt.vendorReference }
  } catch (error) {
    if (error instanceof VendorError)
      return { to: error.effect === 'none' ? 'rejected' : 'in_doubt', reason: error.fault }
    // Our own bug may have struck before or after the vendor acted: that is doubt too, never failure.
    deps.onBug(error, booking)
    return { to: 'in_doubt', reason: 'internal' }
  }
}

async function recordOutcome(
  deps: SubmitDeps,
  booking: Booking,
  outcome: Outcome,
  others: readonly unknown[],
): Promise<Moved | undefined> {
  const at = deps.clock.now()
  const facts = {
    at,
    reason: outcome.reason,
    dueAt: outcome.to === 'in_doubt' ? at + FIRST_LOOK_MS : null,
    answerOf: (moved: Booking, reason: string | undefined) => deps.present(moved, reason, others),
    ...(outcome.vendorReference === undefined ? {} : { vendorReference: outcome.vendorReference }),
  }
  const moved = await deps.bookings.move(booking.bookingId, 'submitting', outcome.to, { ...facts, known: booking })
  if (moved !== undefined || outcome.to === 'in_doubt') return moved
  // Another process took us for dead and is asking the vendor; what we know settles its doubt.
  return deps.bookings.move(booking.bookingId, 'in_doubt', outcome.to, facts)
}

export function orderOf(booking: Booking) {
  return {
    ref: booking.ref,
    reference: booking.reference,
    guests: booking.persons.guests,
    contact: booking.persons.contact,
    specialRequests: booking.persons.specialRequests,
    stay: booking.stay,
    price: booking.price.total,
  }
}

/** Renews the lease while a vendor call is under way; answers how to stop. */
export function keepLease(
  deps: Pick<SubmitDeps, 'bookings' | 'clock'>,
  bookingId: string,
  state: BookingState,
): () => void {
  const timer = setInterval(() => {
    // A beat that fails only makes us look dead, which is harmless.
    deps.bookings.renewLease(bookingId, state, deps.clock.now() + LEASE.leaseMs).catch(() => undefined)
  }, LEASE.beatMs)
  timer.unref()
  return () => clearInterval(timer)
}
