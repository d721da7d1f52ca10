import { AppError } from '../domain/app-error.ts'
import type { Booking } from '../domain/booking.ts'
import { penaltyAt } from '../domain/cancel-policy.ts'
import type { Money } from '../domain/money.ts'
import type { CallContext } from '../lib/call-context.ts'
import type { Clock } from '../lib/clock.ts'
import { startDeadline } from '../lib/deadline.ts'
import { dateIn } from '../lib/plain-date.ts'
import type { BookingStore } from '../store/bookings.ts'
import type { Vendor } from '../vendors/contract.ts'
import { VendorError } from '../vendors/vendor-error.ts'
import { noSuchBooking } from './list-bookings.ts'
import { CANCEL_TIMEOUT_MS, lookupOf } from './settle-bookings.ts'
import { keepLease, LEASE } from './submit-booking.ts'

export type CancelOrder = { readonly accountId: string; readonly bookingId: string; readonly preview: boolean }
export type CancelOutcome = { readonly booking: Booking; readonly penalty: Money; readonly preview: boolean }
export type CancelBooking = (order: CancelOrder, context: Omit<CallContext, 'signal'>) => Promise<CancelOutcome>

type Deps = {
  readonly bookings: BookingStore
  readonly clock: Clock
  vendorOf(booking: Booking): Vendor | undefined
  onBug(error: unknown, booking: Booking): void
}

const PREVIEW_TIMEOUT_MS = 15_000
const FIRST_LOOK_MS = 1_000

/** mine? → still cancellable → what will it cost → intent on disk → vendor → outcome on disk. */
export function createCancelBooking(deps: Deps): CancelBooking {
  return async function cancelBooking({ accountId, bookingId, preview }, context) {
    const booking = await deps.bookings.get(accountId, bookingId)
    if (booking === undefined) throw noSuchBooking()
    if (booking.state === 'cancelled' || booking.state === 'cancelling') {
      return { booking, penalty: penaltyOf(booking, deps.clock.now()), preview }
    }
    const vendor = cancellableAt(deps, booking)

    const penalty = await quotedPenalty(deps, vendor, booking, context)
    if (preview) return { booking, penalty, preview }

    const at = deps.clock.now()
    const leaseUntil = at + LEASE.leaseMs
    const claimed = await deps.bookings.move(bookingId, 'confirmed', 'cancelling', {
      at,
      dueAt: at,
      leaseUntil,
      cancelFeeMinor: penalty.minor,
    })
    if (claimed === undefined) throw notCancellable('The booking has just changed; read it again.')
    // Held up for longer than the lease, another process may be asking how it went already: too late to send.
    if (deps.clock.now() >= leaseUntil) {
      await settled(deps, claimed.booking, 'confirmed', 'not_sent')
      throw new AppError('overloaded', 'Nothing was cancelled: it could not be sent in time. Try again.', {
        retryAfterMs: 1_000,
      })
    }
    const after = await sendCancel(deps, vendor, claimed.booking, context)
    return { booking: after, penalty: after.cancelFee ?? penalty, preview }
  }
}

function cancellableAt(deps: Deps, booking: Booking): Vendor {
  if (booking.state !== 'confirmed') throw notCancellable(`A booking that is ${booking.state} cannot be cancelled.`)
  if (dateIn(booking.property.timezone, deps.clock.now()) > booking.stay.checkIn)
    throw notCancellable('The stay has begun.')
  const vendor = deps.vendorOf(booking)
  if (vendor === undefined) throw notCancellable('Its vendor is not connected.')
  return vendor
}

/** What a cancellation cost, or would cost now. A fee noted for one that did not happen does not count. */
export function penaltyOf(booking: Booking, now: number): Money {
  const went = booking.state === 'cancelled' || booking.state === 'cancelling'
  return (went ? booking.cancelFee : undefined) ?? penaltyAt(booking.cancel, booking.price.total, now)
}

/** The vendor's own word where it gives one, else the terms of the booking. */
async function quotedPenalty(
  deps: Deps,
  vendor: Vendor,
  booking: Booking,
  context: Omit<CallContext, 'signal'>,
): Promise<Money> {
  const byTerms = penaltyAt(booking.cancel, booking.price.total, deps.clock.now())
  using deadline = startDeadline(PREVIEW_TIMEOUT_MS)
  try {
    const quote = await vendor.previewCancel(lookupOf(booking), { ...context, signal: deadline.signal })
    return quote !== undefined && quote.fee.currency === byTerms.currency ? quote.fee : byTerms
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    return byTerms
  }
}

async function sendCancel(
  deps: Deps,
  vendor: Vendor,
  booking: Booking,
  context: Omit<CallContext, 'signal'>,
): Promise<Booking> {
  const stop = keepLease(deps, booking.bookingId, 'cancelling')
  using deadline = startDeadline(CANCEL_TIMEOUT_MS)
  try {
    const receipt = await vendor.cancel(lookupOf(booking), { ...context, signal: deadline.signal })
    if (receipt.state !== 'cancelled') return await leaveInDoubt(deps, booking)
    const fee = receipt.cancelFee?.currency === booking.price.total.currency ? receipt.cancelFee.minor : undefined
    return await settled(deps, booking, 'cancelled', 'cancelled', fee)
  } catch (error) {
    if (error instanceof VendorError && error.effect === 'none') {
      await settled(deps, booking, 'confirmed', error.fault)
      throw notCancellable('The vendor refused to cancel this booking; it stands as before.', error)
    }
    if (!(error instanceof VendorError)) deps.onBug(error, booking)
    return await leaveInDoubt(deps, booking)
  } finally {
    stop()
  }
}

async function settled(
  deps: Deps,
  booking: Booking,
  to: 'cancelled' | 'confirmed',
  reason: string,
  feeMinor?: number,
): Promise<Booking> {
  const moved = await deps.bookings.move(booking.bookingId, 'cancelling', to, {
    at: deps.clock.now(),
    reason,
    dueAt: null,
    ...(feeMinor === undefined ? {} : { cancelFeeMinor: feeMinor }),
  })
  return moved?.booking ?? (await deps.bookings.get(booking.accountId, booking.bookingId)) ?? booking
}

/** Stays `cancelling`; the settling job asks the vendor. */
async function leaveInDoubt(deps: Deps, booking: Booking): Promise<Booking> {
  await deps.bookings.postpone(booking.bookingId, deps.clock.now() + FIRST_LOOK_MS)
  return booking
}

const notCancellable = (words: string, cause?: unknown) => new AppError('not_cancellable', words, { cause })
