import { bySystem } from '../../domain/actor.ts'
import type { Booking } from '../../domain/booking/booking.ts'
import { graveOne } from '../../domain/booking/discrepancy.ts'
import type { RequestContext } from '../../lib/async/call-context.ts'
import { createWorker, type Worker } from '../../lib/async/worker.ts'
import { sessionIdOf } from '../../lib/crypto/session-id.ts'
import { startDeadline } from '../../lib/time/deadline.ts'
import { MINUTE_MS } from '../../lib/time/durations.ts'
import type { World, Worlds } from '../../search/world.ts'
import type { BookingLookup, Receipt, Vendor } from '../../vendors/contract.ts'
import { VendorError } from '../../vendors/vendor-error.ts'
import { inOrderOf } from '../room-order.ts'
import type { SettleClaim } from '../store/leases.ts'
import type { Moved, MoveFacts } from '../store/moves.ts'
import { LEASE, SENT_WITHIN_MS, type SubmitDeps, standing } from '../submit-booking.ts'

export type SettleDeps = SubmitDeps & { readonly worlds: Worlds }

/** How long a cancellation is waited for. */
export const CANCEL_TIMEOUT_MS = 60_000
/** How far the clocks of two processes may differ. */
const CLOCK_SKEW_MS = 5_000
export const LOOK_TIMEOUT_MS = 30_000
const AT_ONCE_PER_VENDOR = 8
/** Whatever a vendor says or does not say: after this long a person looks at it. */
const REVIEW_AFTER_MS = 34 * MINUTE_MS

const BY = bySystem('settling')

/** Takes the bookings that are due and brings each one step further. A vendor that does not answer delays only its own. */
export function createSettleWorker(deps: SettleDeps): Worker {
  const ask = createAsk()
  return createWorker<SettleClaim>({
    claim(running) {
      const now = deps.clock.now()
      const limits = { leaseMs: LOOK_TIMEOUT_MS + LEASE.leaseMs, mostPerVendor: AT_ONCE_PER_VENDOR }
      const busy = running.map(({ task }) => task.key)
      return deps.bookings.claimDue({ now, ...limits, busy, firstSentBefore: now - REVIEW_AFTER_MS })
    },
    work: (claim) => settleContained(deps, claim, ask),
    onBug: (error, { booking }) => deps.onBug(error, booking),
  })
}

async function settleContained(deps: SettleDeps, { task, booking }: SettleClaim, ask: typeof look): Promise<undefined> {
  let isSettled = false
  try {
    isSettled = await settleOne(deps, booking, ask)
  } catch (error) {
    deps.onBug(error, booking)
  }
  if (!isSettled) await deps.bookings.postpone(task, deps.clock.now() + backoffMs(task.failures + 1))
}

/** Asks the vendor, except while it does not answer and the booking is due for review anyway: many may be waiting. */
function createAsk(): typeof look {
  const silent = new Set<string>()
  return async (deps, booking) => {
    const { vendorId } = booking
    const vendor = vendorOf(deps.worlds.of(undefined, booking), booking)
    const askedAt = deps.clock.now()
    if (silent.has(vendorId) && askedAt >= reviewAt(vendor, booking)) return { vendor, receipt: undefined, askedAt }
    const seen = await look(deps, booking)
    if (seen.receipt === undefined) silent.add(vendorId)
    else silent.delete(vendorId)
    return seen
  }
}

/** Settles one booking whose process died or whose vendor response was lost. False if it must be looked at again. */
export async function settleOne(deps: SettleDeps, booking: Booking, ask = look): Promise<boolean> {
  const current = booking.state === 'submitting' ? await cutOff(deps, booking) : booking
  if (current?.state === 'in_doubt') return settleDoubt(deps, current, await ask(deps, current))
  if (current?.state === 'cancelling') return settleCancel(deps, current, await ask(deps, current))
  return true
}

/** Its process died, or lost touch, while the vendor was being asked. */
async function cutOff(deps: SettleDeps, booking: Booking): Promise<Booking | undefined> {
  const at = deps.clock.now()
  const moved = await deps.bookings.move(booking.bookingId, 'submitting', 'in_doubt', {
    at,
    by: BY,
    reason: 'cut_off',
    dueAt: 'unchanged',
  })
  return moved?.booking
}

async function settleDoubt(deps: SettleDeps, booking: Booking, { vendor, receipt, askedAt }: Look): Promise<boolean> {
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
      answerOf: deps.present,
      ...found,
    })

  if (receipt?.state === 'confirmed' || receipt?.state === 'partly_cancelled') {
    const { reason, to: _, ...found } = standing(booking, receipt, at)
    const isSound = graveOne(found.compared?.differs ?? []) === undefined
    await settle(isSound ? 'confirmed' : 'needs_review', isSound ? 'found' : reason, found)
  } else if (receipt?.state === 'rejected') await settle('rejected', 'vendor_rejected', referenceOf(receipt))
  else if (receipt?.state === 'cancelled') await settle('rejected', 'vendor_cancelled', referenceOf(receipt))
  else if (receipt?.state === 'absent' && vendor !== undefined && askedAt >= horizonOf(vendor, booking)) {
    await settle(vendor.capabilities.absenceIsFinal ? 'rejected' : 'needs_review', 'not_found')
  } else if (at >= reviewAt(vendor, booking)) await settle('needs_review', 'no_answer')
  else return false
  return true
}

/**
 * A cancellation whose answer was lost, or that not all rooms got. Until the vendor's horizon has passed, "still confirmed"
 * may only be late, of the booking or of a room.
 */
async function settleCancel(deps: SettleDeps, booking: Booking, { vendor, receipt, askedAt }: Look): Promise<boolean> {
  const at = deps.clock.now()
  const isPast = vendor !== undefined && askedAt >= cancelHorizonOf(vendor, booking)
  if (receipt?.state === 'cancelled') {
    const fee = receipt.cancelFee?.currency === booking.price.total.currency ? receipt.cancelFee.minor : undefined
    await deps.bookings.move(booking.bookingId, 'cancelling', 'cancelled', {
      at,
      by: BY,
      reason: 'found_cancelled',
      dueAt: null,
      ...(fee === undefined ? {} : { cancelFeeMinor: fee }),
    })
  } else if (receipt?.state === 'confirmed' && isPast) {
    await deps.bookings.move(booking.bookingId, 'cancelling', 'confirmed', {
      at,
      by: BY,
      reason: 'still_confirmed',
      dueAt: null,
    })
  } else if (receipt?.state === 'partly_cancelled' && isPast) {
    const { to: _, ...found } = standing(booking, receipt, at)
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

/** `absent`: the vendor says that there is none; undefined: it did not answer. */
export type Look = {
  readonly vendor: Vendor | undefined
  readonly receipt: Receipt | { readonly state: 'absent' } | undefined
  /** What the vendor says is true of this moment or later; when the answer arrives proves nothing. */
  readonly askedAt: number
}

/** Asks the vendor how a booking stands. */
export async function look(
  deps: Pick<SettleDeps, 'worlds' | 'clock'>,
  booking: Booking,
  why: 'settle' | 'read' = 'settle',
): Promise<Look> {
  const vendor = vendorOf(deps.worlds.of(undefined, booking), booking)
  const askedAt = deps.clock.now()
  if (vendor === undefined) return { vendor, receipt: undefined, askedAt }
  using deadline = startDeadline(LOOK_TIMEOUT_MS)
  try {
    const context = callContextOf(booking, { requestId: `${why}-${booking.bookingId}` })
    const receipt = await vendor.find(lookupOf(booking), { ...context, signal: deadline.signal })
    return { vendor, receipt: receipt ? inOrderOf(booking.stay, receipt) : { state: 'absent' }, askedAt }
  } catch (error) {
    if (error instanceof VendorError) return { vendor, receipt: undefined, askedAt }
    throw error
  }
}

export const vendorOf = ({ vendors }: World, { vendorId }: Booking): Vendor | undefined =>
  vendors.find(({ id }) => id === vendorId)

/** Calls about a booking belong to the journey and the customer that it was made for, in the background too. */
export const callContextOf = ({ bookingId, searchId, persons }: Booking, context: RequestContext): RequestContext => ({
  ...context,
  bookingId,
  sessionId: sessionIdOf(searchId),
  ...(persons.customerIp === undefined ? {} : { customerIp: persons.customerIp }),
})

export function lookupOf(booking: Booking): BookingLookup {
  return {
    reference: booking.reference,
    email: booking.persons.bookedEmail ?? booking.persons.contact.email,
    createdOn: new Date(booking.createdAt).toISOString().slice(0, 10),
    ...(booking.vendorReference === undefined ? {} : { vendorReference: booking.vendorReference }),
  }
}

const referenceOf = ({ vendorReference }: Receipt) => ({ vendorReference })

const sentAt = (booking: Booking) => booking.submittedAt ?? booking.createdAt

/** Nothing is sent after its lease, which began at the moment that was noted, perhaps by another clock than ours. */
const CANCEL_SENT_WITHIN_MS = LEASE.leaseMs + CLOCK_SKEW_MS

/** Before this moment a booking the vendor does not know may still turn up. */
const horizonOf = ({ capabilities }: Vendor, booking: Booking) =>
  sentAt(booking) + SENT_WITHIN_MS + CLOCK_SKEW_MS + capabilities.bookTimeoutMs + capabilities.visibilityLagMs

/** Before this moment a booking that still stands may yet turn out to be cancelled. */
const cancelHorizonOf = ({ capabilities }: Vendor, { updatedAt }: Booking) =>
  updatedAt +
  CANCEL_SENT_WITHIN_MS +
  Math.max(CANCEL_TIMEOUT_MS, capabilities.bookTimeoutMs) +
  capabilities.visibilityLagMs

/** From this moment on a person looks at it. */
function reviewAt(vendor: Vendor | undefined, booking: Booking): number {
  if (booking.state === 'cancelling') return booking.updatedAt + REVIEW_AFTER_MS
  return Math.max(sentAt(booking) + REVIEW_AFTER_MS, vendor === undefined ? 0 : horizonOf(vendor, booking) + 60_000)
}

/** Soon at first, for most doubts are short; every minute later. */
const backoffMs = (looks: number) => Math.min(60_000, 1_000 * 2 ** Math.min(looks, 6))
