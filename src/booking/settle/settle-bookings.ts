import { bySystem } from '../../domain/actor.ts'
import type { Booking } from '../../domain/booking/booking.ts'
import { firstSeriousDiscrepancy } from '../../domain/booking/discrepancy.ts'
import type { RequestContext } from '../../lib/async/call-context.ts'
import { createWorker, type Worker } from '../../lib/async/worker.ts'
import { deriveSessionId } from '../../lib/crypto/session-id.ts'
import { startDeadline } from '../../lib/time/deadline.ts'
import { MINUTE_MS } from '../../lib/time/durations.ts'
import type { World, Worlds } from '../../search/world.ts'
import type { HistoryReader } from '../../store/history.ts'
import type { BookingLookup, Receipt, Vendor } from '../../vendors/contract.ts'
import { VendorError } from '../../vendors/vendor-error.ts'
import { orderRooms } from '../order-rooms.ts'
import type { SettleClaim } from '../store/leases.ts'
import type { Moved, MoveFacts } from '../store/moves.ts'
import { LEASE, SENT_WITHIN_MS, type SubmitDeps, statusFromVendor } from '../submit-booking.ts'

export type SettleDeps = SubmitDeps & { readonly worlds: Worlds; readonly history: Pick<HistoryReader, 'read'> }

export const CANCEL_TIMEOUT_MS = 60_000
/** Maximum difference between the clocks of two processes. */
const CLOCK_SKEW_MS = 5_000
export const LOOKUP_TIMEOUT_MS = 30_000
const AT_ONCE_PER_VENDOR = 8
/** After this time an operator reviews the booking, whatever the vendor says. */
const REVIEW_AFTER_MS = 34 * MINUTE_MS

const BY = bySystem('settling')

/** Claims due bookings and advances each by one step. A vendor that does not answer delays only its own bookings. */
export function createSettleWorker(deps: SettleDeps): Worker {
  const ask = createLookup()
  return createWorker<SettleClaim>({
    name: 'settle',
    claim(running) {
      const now = deps.clock.now()
      const limits = { leaseMs: LOOKUP_TIMEOUT_MS + LEASE.leaseMs, mostPerVendor: AT_ONCE_PER_VENDOR }
      const busy = running.map(({ task }) => task.key)
      return deps.bookings.claimDue({ now, ...limits, busy, firstSentBefore: now - REVIEW_AFTER_MS })
    },
    work: (claim) => settleContained(deps, claim, ask),
    onBug: (error, { booking }) => deps.onBug(error, booking),
  })
}

async function settleContained(
  deps: SettleDeps,
  { task, booking }: SettleClaim,
  ask: typeof lookUpBooking,
): Promise<undefined> {
  let isSettled = false
  try {
    isSettled = await settleOne(deps, booking, ask)
  } catch (error) {
    deps.onBug(error, booking)
  }
  if (!isSettled) await deps.bookings.postpone(task, deps.clock.now() + backoffMs(task.failures + 1))
}

/** Skips the call for a booking that is due for review if its vendor did not answer last time: many may be waiting. */
function createLookup(): typeof lookUpBooking {
  const silent = new Set<string>()
  return async (deps, booking) => {
    const { vendorId } = booking
    const vendor = findVendor(deps.worlds.select(undefined, booking), booking)
    const askedAt = deps.clock.now()
    if (silent.has(vendorId) && askedAt >= reviewAt(vendor, booking)) return { vendor, receipt: undefined, askedAt }
    const found = await lookUpBooking(deps, booking)
    if (found.receipt === undefined) silent.add(vendorId)
    else silent.delete(vendorId)
    return found
  }
}

/** Settles one booking whose process died or whose vendor response was lost. False if it must be looked at again. */
export async function settleOne(deps: SettleDeps, booking: Booking, ask = lookUpBooking): Promise<boolean> {
  if (booking.isUnsent && (await rejectUnsent(deps, booking)) !== undefined) return true
  const current = booking.state === 'submitting' ? await markInDoubt(deps, booking) : booking
  if (current?.state === 'in_doubt') return settleDoubt(deps, current, await ask(deps, current))
  if (current?.state === 'cancelling') return settleCancel(deps, current, await ask(deps, current))
  return true
}

/** Nothing left before the mark of sending, so the client may repeat the request. */
const rejectUnsent = async ({ bookings, history, clock, present }: SettleDeps, booking: Booking) =>
  bookings.rejectUnsent(booking, await history.read(), {
    ...{ at: clock.now(), by: BY, reason: 'not_sent', dueAt: null, presentAnswer: present },
  })

/** The submitting process died or lost its lease during the vendor call. */
async function markInDoubt(deps: SettleDeps, booking: Booking): Promise<Booking | undefined> {
  const at = deps.clock.now()
  const moved = await deps.bookings.move(booking.bookingId, 'submitting', 'in_doubt', {
    at,
    by: BY,
    reason: 'cut_off',
    dueAt: 'unchanged',
  })
  return moved?.booking
}

async function settleDoubt(deps: SettleDeps, booking: Booking, { vendor, receipt, askedAt }: Lookup): Promise<boolean> {
  const at = deps.clock.now()
  const settle = (
    to: 'confirmed' | 'rejected' | 'needs_review',
    reason: string,
    found: Partial<MoveFacts> = {},
  ): Promise<Moved | undefined> =>
    deps.bookings.move(booking.bookingId, 'in_doubt', to, {
      at,
      by: BY,
      reason,
      dueAt: null,
      presentAnswer: deps.present,
      ...found,
    })

  if (receipt?.state === 'confirmed' || receipt?.state === 'partly_cancelled') {
    const { reason, to: _, ...found } = statusFromVendor(booking, receipt, at)
    const isSound = firstSeriousDiscrepancy(found.compared?.differs ?? []) === undefined
    await settle(isSound ? 'confirmed' : 'needs_review', isSound ? 'found' : reason, found)
  } else if (receipt?.state === 'rejected' || receipt?.state === 'cancelled') {
    const reason = receipt.state === 'rejected' ? 'vendor_rejected' : 'vendor_cancelled'
    await settle('rejected', reason, { vendorReference: receipt.vendorReference })
  } else if (receipt?.state === 'absent' && vendor !== undefined && askedAt >= bookHorizon(vendor, booking)) {
    await settle(vendor.capabilities.absenceIsFinal ? 'rejected' : 'needs_review', 'not_found')
  } else if (at >= reviewAt(vendor, booking)) await settle('needs_review', 'no_answer')
  else return false
  return true
}

/** Settles a cancellation with an unknown outcome. Until the horizon, "still confirmed" may be out of date. */
async function settleCancel(
  deps: SettleDeps,
  booking: Booking,
  { vendor, receipt, askedAt }: Lookup,
): Promise<boolean> {
  const at = deps.clock.now()
  const isPastHorizon = vendor !== undefined && askedAt >= cancelHorizon(vendor, booking)
  if (receipt?.state === 'cancelled') {
    const fee = receipt.cancelFee?.currency === booking.price.total.currency ? receipt.cancelFee.minor : undefined
    await deps.bookings.move(booking.bookingId, 'cancelling', 'cancelled', {
      at,
      by: BY,
      reason: 'found_cancelled',
      dueAt: null,
      ...(fee === undefined ? {} : { cancelFeeMinor: fee }),
      ...(receipt.confirmation && { confirmation: receipt.confirmation }),
    })
  } else if (receipt?.state === 'confirmed' && isPastHorizon) {
    await deps.bookings.move(booking.bookingId, 'cancelling', 'confirmed', {
      at,
      by: BY,
      reason: 'still_confirmed',
      dueAt: null,
    })
  } else if (receipt?.state === 'partly_cancelled' && isPastHorizon) {
    const { to: _, ...found } = statusFromVendor(booking, receipt, at)
    const facts = { at, by: BY, dueAt: null, ...found, reason: 'room_cancelled' }
    await deps.bookings.move(booking.bookingId, 'cancelling', 'needs_review', facts)
  } else if (at >= reviewAt(vendor, booking)) {
    await deps.bookings.move(booking.bookingId, 'cancelling', 'needs_review', {
      at,
      by: BY,
      reason: 'no_answer',
      dueAt: null,
    })
  } else return false
  return true
}

/** `absent`: the vendor does not know the booking. Undefined: the vendor did not answer. */
export type Lookup = {
  readonly vendor: Vendor | undefined
  readonly receipt: Receipt | { readonly state: 'absent' } | undefined
  /** The receipt is at least as recent as this. Its arrival time proves nothing. */
  readonly askedAt: number
}

export async function lookUpBooking(
  deps: Pick<SettleDeps, 'worlds' | 'clock'>,
  booking: Booking,
  purpose: 'settle' | 'read' = 'settle',
): Promise<Lookup> {
  const vendor = findVendor(deps.worlds.select(undefined, booking), booking)
  const askedAt = deps.clock.now()
  if (vendor === undefined) return { vendor, receipt: undefined, askedAt }
  using deadline = startDeadline(LOOKUP_TIMEOUT_MS)
  try {
    const context = contextForBooking(booking, { requestId: `${purpose}-${booking.bookingId}` })
    const receipt = await vendor.find(bookingLookup(booking), { ...context, signal: deadline.signal })
    return { vendor, receipt: receipt ? orderRooms(booking.stay, receipt) : { state: 'absent' }, askedAt }
  } catch (error) {
    if (error instanceof VendorError) return { vendor, receipt: undefined, askedAt }
    throw error
  }
}

export const findVendor = ({ vendors }: World, { vendorId }: Booking): Vendor | undefined =>
  vendors.find(({ id }) => id === vendorId)

/** Background calls use the session and customer address of the original request too. */
export const contextForBooking = (
  { bookingId, searchId, persons }: Booking,
  context: RequestContext,
): RequestContext => ({
  ...context,
  bookingId,
  sessionId: deriveSessionId(searchId),
  ...(persons.customerIp === undefined ? {} : { customerIp: persons.customerIp }),
})

export function bookingLookup(booking: Booking): BookingLookup {
  return {
    reference: booking.reference,
    email: booking.persons.bookedEmail ?? booking.persons.contact.email,
    createdOn: new Date(booking.createdAt).toISOString().slice(0, 10),
    ...(booking.vendorReference === undefined ? {} : { vendorReference: booking.vendorReference }),
  }
}

const sentAt = (booking: Booking) => booking.submittedAt ?? booking.createdAt

/** A cancellation is sent only during its lease, whose start may come from another process's clock. */
const CANCEL_SENT_WITHIN_MS = LEASE.leaseMs + CLOCK_SKEW_MS

/** Until then, a booking unknown to the vendor may still appear. */
const bookHorizon = ({ capabilities }: Vendor, booking: Booking) =>
  sentAt(booking) + SENT_WITHIN_MS + CLOCK_SKEW_MS + capabilities.bookTimeoutMs + capabilities.visibilityLagMs

/** Until then, a booking that is still confirmed may yet become cancelled. */
const cancelHorizon = ({ capabilities }: Vendor, { updatedAt }: Booking) =>
  updatedAt +
  CANCEL_SENT_WITHIN_MS +
  Math.max(CANCEL_TIMEOUT_MS, capabilities.bookTimeoutMs) +
  capabilities.visibilityLagMs

/** Time at which the booking goes to review. */
function reviewAt(vendor: Vendor | undefined, booking: Booking): number {
  if (booking.state === 'cancelling') return booking.updatedAt + REVIEW_AFTER_MS
  return Math.max(sentAt(booking) + REVIEW_AFTER_MS, vendor === undefined ? 0 : bookHorizon(vendor, booking) + 60_000)
}

/** Exponential back-off from 1 s to 60 s, because most doubts are short. */
const backoffMs = (failures: number) => Math.min(60_000, 1_000 * 2 ** Math.min(failures, 6))
