import type { Booking } from '../domain/booking.ts'
import { startDeadline } from '../lib/deadline.ts'
import type { Moved } from '../store/bookings.ts'
import type { BookingLookup, Receipt, Vendor } from '../vendors/contract.ts'
import { VendorError } from '../vendors/vendor-error.ts'
import { LEASE, type SubmitDeps } from './submit-booking.ts'

export type SettleDeps = SubmitDeps & { vendorOf(booking: Booking): Vendor | undefined }

/** How long a cancellation is waited for. */
export const CANCEL_TIMEOUT_MS = 60_000
/** How far the clocks of two processes may be apart. */
const CLOCKS_APART_MS = 5_000
const LOOK_TIMEOUT_MS = 30_000
const AT_ONCE = 8
/** Whatever a vendor says or does not say: after this long a person looks at it. */
const REVIEW_AFTER_MS = 34 * 60_000

/** Takes the bookings that are due and brings each one step further. Answers how many it looked at. */
export function createSettleBookings(deps: SettleDeps): () => Promise<number> {
  return async function settleBookings() {
    const due = await deps.bookings.claimDue(deps.clock.now(), LOOK_TIMEOUT_MS + LEASE.leaseMs, AT_ONCE)
    await Promise.all(due.map((booking) => settleContained(deps, booking)))
    return due.length
  }
}

/** One booking's bug must not keep the others waiting. */
async function settleContained(deps: SettleDeps, booking: Booking): Promise<void> {
  try {
    await settleOne(deps, booking)
  } catch (error) {
    deps.onBug(error, booking)
    await deps.bookings.postpone(booking.bookingId, deps.clock.now() + backoffMs(booking.attempts))
  }
}

/** The way of one booking whose process is gone or whose answer was lost. */
export async function settleOne(deps: SettleDeps, booking: Booking): Promise<void> {
  switch (booking.state) {
    case 'pending':
      return neverSent(deps, booking)
    case 'submitting':
      return booking.submittedAt === undefined ? giveUp(deps, booking) : cutOff(deps, booking)
    case 'in_doubt':
      return askAbout(deps, booking)
    case 'cancelling':
      return askAboutCancel(deps, booking)
    default:
      return
  }
}

/** An intent alone, as a version before wrote it first. Nobody waits for it any more, so it is not sent now. */
async function neverSent(deps: SettleDeps, booking: Booking): Promise<void> {
  const at = deps.clock.now()
  const claimed = await deps.bookings.move(booking.bookingId, 'pending', 'submitting', {
    at,
    reason: 'recovered',
    dueAt: at,
    leaseUntil: at + LEASE.leaseMs,
  })
  if (claimed !== undefined) await giveUp(deps, claimed.booking)
}

/** Whoever sends notes the moment in the very move that lets it send; without that moment nothing was sent. */
async function giveUp(deps: SettleDeps, booking: Booking): Promise<void> {
  await deps.bookings.move(booking.bookingId, 'submitting', 'rejected', {
    at: deps.clock.now(),
    reason: 'not_sent',
    dueAt: null,
    answerOf: deps.present,
  })
}

/** Its process died, or lost touch, while the vendor was being asked. */
async function cutOff(deps: SettleDeps, booking: Booking): Promise<void> {
  const at = deps.clock.now()
  const moved = await deps.bookings.move(booking.bookingId, 'submitting', 'in_doubt', {
    at,
    reason: 'cut_off',
    dueAt: at,
    leaseUntil: at + LOOK_TIMEOUT_MS,
  })
  if (moved !== undefined) await askAbout(deps, moved.booking)
}

async function askAbout(deps: SettleDeps, booking: Booking): Promise<void> {
  const { vendor, receipt, askedAt } = await look(deps, booking)
  const at = deps.clock.now()
  const settle = (
    to: 'confirmed' | 'rejected' | 'needs_review',
    reason: string,
    vendorReference?: string,
  ): Promise<Moved | undefined> =>
    deps.bookings.move(booking.bookingId, 'in_doubt', to, {
      at,
      reason,
      dueAt: null,
      answerOf: deps.present,
      ...(vendorReference === undefined ? {} : { vendorReference }),
    })

  if (receipt?.state === 'confirmed') await settle('confirmed', 'found', receipt.vendorReference)
  else if (receipt?.state === 'rejected') await settle('rejected', 'vendor_rejected', receipt.vendorReference)
  else if (receipt?.state === 'cancelled') await settle('rejected', 'vendor_cancelled', receipt.vendorReference)
  else if (receipt?.state === 'absent' && vendor !== undefined && askedAt >= horizonOf(vendor, booking)) {
    await settle(vendor.capabilities.absenceIsFinal ? 'rejected' : 'needs_review', 'not_found')
  } else if (at >= reviewAt(vendor, booking)) await settle('needs_review', 'no_answer')
  else await deps.bookings.postpone(booking.bookingId, at + backoffMs(booking.attempts))
}

/** A cancellation whose answer was lost. Until the vendor's horizon has passed, "still confirmed" may only be late. */
async function askAboutCancel(deps: SettleDeps, booking: Booking): Promise<void> {
  const { vendor, receipt, askedAt } = await look(deps, booking)
  const at = deps.clock.now()
  const since = booking.updatedAt
  if (receipt?.state === 'cancelled') {
    const fee = receipt.cancelFee?.currency === booking.price.total.currency ? receipt.cancelFee.minor : undefined
    await deps.bookings.move(booking.bookingId, 'cancelling', 'cancelled', {
      at,
      reason: 'found_cancelled',
      dueAt: null,
      ...(fee === undefined ? {} : { cancelFeeMinor: fee }),
    })
  } else if (receipt?.state === 'confirmed' && vendor !== undefined && askedAt >= cancelHorizonOf(vendor, since)) {
    await deps.bookings.move(booking.bookingId, 'cancelling', 'confirmed', {
      at,
      reason: 'still_confirmed',
      dueAt: null,
    })
  } else if (at >= since + REVIEW_AFTER_MS) {
    await deps.bookings.move(booking.bookingId, 'cancelling', 'needs_review', { at, reason: 'no_answer', dueAt: null })
  } else await deps.bookings.postpone(booking.bookingId, at + backoffMs(booking.attempts))
}

/** `absent` is the vendor's word that there is none; undefined is no word at all. */
type Look = {
  readonly vendor: Vendor | undefined
  readonly receipt: Receipt | { readonly state: 'absent' } | undefined
  /** What the vendor says is true of this moment or later; when the answer arrives proves nothing. */
  readonly askedAt: number
}

async function look(deps: SettleDeps, booking: Booking): Promise<Look> {
  const vendor = deps.vendorOf(booking)
  const askedAt = deps.clock.now()
  if (vendor === undefined) return { vendor, receipt: undefined, askedAt }
  using deadline = startDeadline(LOOK_TIMEOUT_MS)
  try {
    const receipt = await vendor.find(lookupOf(booking), {
      signal: deadline.signal,
      requestId: `settle-${booking.bookingId}`,
    })
    return { vendor, receipt: receipt ?? { state: 'absent' }, askedAt }
  } catch (error) {
    if (error instanceof VendorError) return { vendor, receipt: undefined, askedAt }
    throw error
  }
}

export function lookupOf(booking: Booking): BookingLookup {
  return {
    reference: booking.reference,
    email: booking.persons.contact.email,
    createdOn: new Date(booking.createdAt).toISOString().slice(0, 10),
    ...(booking.vendorReference === undefined ? {} : { vendorReference: booking.vendorReference }),
  }
}

const sentAt = (booking: Booking) => booking.submittedAt ?? booking.createdAt

/** Nothing is sent after its lease, which began at the moment that was noted, perhaps by another clock than ours. */
const SENT_WITHIN_MS = LEASE.leaseMs + CLOCKS_APART_MS

/** Before this moment a booking the vendor does not know may still turn up. */
const horizonOf = ({ capabilities }: Vendor, booking: Booking) =>
  sentAt(booking) + SENT_WITHIN_MS + capabilities.bookTimeoutMs + capabilities.visibilityLagMs

/** Before this moment a booking that still stands may yet turn out to be cancelled. */
const cancelHorizonOf = ({ capabilities }: Vendor, since: number) =>
  since + SENT_WITHIN_MS + Math.max(CANCEL_TIMEOUT_MS, capabilities.bookTimeoutMs) + capabilities.visibilityLagMs

const reviewAt = (vendor: Vendor | undefined, booking: Booking) =>
  Math.max(sentAt(booking) + REVIEW_AFTER_MS, vendor === undefined ? 0 : horizonOf(vendor, booking) + 60_000)

/** Quick at first, for most doubts are short; a minute apart later. */
const backoffMs = (attempts: number) => Math.min(60_000, 1_000 * 2 ** Math.min(attempts, 6))
