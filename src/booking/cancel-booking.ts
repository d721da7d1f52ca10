import type { BookingOwner } from '../domain/access.ts'
import type { Actor, By } from '../domain/actor.ts'
import { type Booking, timeOf } from '../domain/booking/booking.ts'
import { penaltyAt } from '../domain/booking/cancel-policy.ts'
import { soldBooking, soldFeeOf } from '../domain/booking/sold.ts'
import { AppError } from '../domain/errors.ts'
import { digitsOf } from '../domain/money/currency.ts'
import { type Money, sameMoney, toMajor, zero } from '../domain/money/money.ts'
import type { SimulatedOutcome } from '../domain/simulation.ts'
import type { RequestContext } from '../lib/async/call-context.ts'
import type { Ids } from '../lib/crypto/ids.ts'
import type { Clock } from '../lib/time/clock.ts'
import { startDeadline } from '../lib/time/deadline.ts'
import { dateIn } from '../lib/time/plain-date.ts'
import type { World, Worlds } from '../search/world.ts'
import type { Task } from '../store/tasks.ts'
import type { Vendor } from '../vendors/contract.ts'
import { VendorError } from '../vendors/vendor-error.ts'
import { isRefusal, PenaltyRisen, vendorFailed } from './refusals.ts'
import { CANCEL_TIMEOUT_MS, callContextOf, lookupOf, vendorOf } from './settle/settle-bookings.ts'
import { noSuchBooking, sampleBooking, visibleTo } from './show-bookings.ts'
import type { BookingStore } from './store/bookings.ts'
import { sendingTask } from './store/leases.ts'
import { keepLease, LEASE } from './submit-booking.ts'

export type CancelOrder = BookingOwner & {
  readonly bookingId: string
  readonly preview: boolean
  /** The fee that was agreed to, in major units; a higher one is refused. */
  readonly acceptPenaltyUpTo?: number | undefined
  /** Who asks for it; absent: the account itself. */
  readonly actor?: Actor
  /** Why, where somebody else than the customer asks for it; kept in the history. */
  readonly reason?: string
  readonly simulation?: SimulatedOutcome | undefined
}
/** `penalty` is what the client pays. */
export type CancelOutcome = { readonly booking: Booking; readonly penalty: Money; readonly preview: boolean }
export type CancelBooking = (order: CancelOrder, context: RequestContext) => Promise<CancelOutcome>

type Deps = {
  readonly bookings: BookingStore
  readonly worlds: Worlds
  readonly clock: Clock
  readonly ids: Ids
  onBug(error: unknown, booking: Booking): void
}

const PREVIEW_TIMEOUT_MS = 15_000
const FIRST_LOOK_MS = 1_000
/** How long somebody else's cancellation of the same booking is waited for, and how often it is looked at. */
const OTHER = { waitMs: 15_000, everyMs: 200 }

/** Two cancels of one booking at once are one: in this process they share the work, of another process they await it. */
export function createCancelBooking(deps: Deps): CancelBooking {
  const running = new Map<string, Promise<CancelOutcome>>()
  return async function cancelBooking(order, context) {
    if (order.preview) return cancelOne(deps, order, context)
    const key = `${order.accountId} ${order.bookingId} ${order.simulation ?? ''} ${order.onlySimulated ?? false} ${order.acceptPenaltyUpTo ?? ''}`
    const known = running.get(key)
    if (known !== undefined) return known
    const work = cancelOne(deps, order, context).finally(() => running.delete(key))
    running.set(key, work)
    return work
  }
}

/** mine? → still cancellable → what will it cost → intent on disk → vendor → outcome on disk. */
async function cancelOne(
  deps: Deps,
  order: CancelOrder,
  context: RequestContext,
  isRepeated = false,
): Promise<CancelOutcome> {
  const { bookingId, preview, simulation } = order
  const booking = await settledElsewhere(deps, order)
  const world = deps.worlds.of(simulation, booking)
  if (booking === undefined) return cancelSample(deps, world, order)
  if (world.simulated && !booking.simulated)
    throw notCancellable('This booking is real: leave x-simulate-return out to cancel it.')
  if (booking.state === 'cancelled' || booking.state === 'cancelling') {
    return { booking, penalty: penaltyOf(booking, deps.clock.now()), preview }
  }
  const vendor = cancellableAt(deps, world, booking)

  const calling = callContextOf(booking, context)
  const fee = await quotedFee(deps, vendor, booking, calling)
  const at = deps.clock.now()
  const penalty = soldFeeOf(booking, fee, timeOf(at, booking))
  if (preview) return { booking, penalty, preview }
  refuseHigher(order, booking, penalty, timeOf(at, booking))

  const leaseUntil = at + LEASE.leaseMs
  const by = byOf(order, context)
  const claimed = await deps.bookings.move(bookingId, 'confirmed', 'cancelling', {
    at,
    by,
    dueAt: at,
    leaseUntil,
    cancelFeeMinor: fee.minor,
    ...(order.reason === undefined ? {} : { reason: order.reason }),
  })
  if (claimed === undefined) {
    // Somebody else was quicker: what they do is our answer too.
    if (!isRepeated) return cancelOne(deps, order, context, true)
    throw notCancellable('The booking has just changed; read it again.')
  }
  // Held up for longer than the lease, another process may be asking how it went already: too late to send.
  if (deps.clock.now() >= leaseUntil) {
    await settled(deps, claimed.booking, by, 'confirmed', 'not_sent')
    throw new AppError('overloaded', 'Nothing was cancelled: it could not be sent in time. Try again.', {
      retryAfterMs: 1_000,
    })
  }
  const after = await sendCancel(deps, vendor, { booking: claimed.booking, leaseUntil }, by, calling)
  return { booking: after, penalty: soldBooking(after).cancelFee ?? penalty, preview }
}

const byOf = ({ accountId, actor }: CancelOrder, { requestId }: { readonly requestId: string }): By => ({
  actor: actor ?? { kind: 'account', id: accountId },
  requestId,
})

/** The booking; one that is just being cancelled, once that is done or has taken too long. */
async function settledElsewhere(deps: Deps, order: CancelOrder) {
  const { bookingId, preview } = order
  for (let waitedMs = 0; ; waitedMs += OTHER.everyMs) {
    const booking = await visibleTo(deps.bookings, order, bookingId)
    const isOver = booking?.state !== 'cancelling' || preview || waitedMs >= OTHER.waitMs
    if (isOver || !(await deps.bookings.isLeased(bookingId, deps.clock.now()))) return booking
    await new Promise((later) => setTimeout(later, OTHER.everyMs))
  }
}

/** Under the simulation header an id that was never issued is cancelled as if it were a booking; nothing is stored. */
async function cancelSample(deps: Deps, world: World, order: CancelOrder): Promise<CancelOutcome> {
  if (!world.simulated) throw noSuchBooking()
  const { accountId, bookingId, preview } = order
  const booking = await sampleBooking(deps, world, accountId, bookingId)
  const penalty = penaltyOf(booking, deps.clock.now())
  if (!preview) refuseHigher(order, booking, penalty, deps.clock.now())
  const state = preview ? booking.state : world.samples.confirmsCancel ? 'cancelled' : 'cancelling'
  return { booking: { ...booking, state }, penalty, preview }
}

/** A client that agreed to a fee is not charged more: a deadline may have passed since it was shown. */
function refuseHigher({ acceptPenaltyUpTo }: CancelOrder, booking: Booking, penalty: Money, at: number): void {
  if (acceptPenaltyUpTo === undefined || toMajor(penalty) <= acceptPenaltyUpTo) return
  const { currency } = penalty
  const shown = { minor: Math.round(acceptPenaltyUpTo * 10 ** (digitsOf(currency) ?? 2)), currency }
  throw new PenaltyRisen({ what: 'cancellation_fee', from: at, shown, now: penalty }, booking.property.timezone)
}

function cancellableAt(deps: Deps, world: World, booking: Booking): Vendor {
  if (booking.state !== 'confirmed') throw notCancellable(`A booking that is ${booking.state} cannot be cancelled.`)
  if (dateIn(booking.property.timezone, timeOf(deps.clock.now(), booking)) > booking.stay.checkIn)
    throw notCancellable('The stay has begun.')
  const vendor = vendorOf(world, booking)
  if (vendor === undefined) throw notCancellable('Its vendor is not connected.')
  return vendor
}

/** What a cancellation cost, or would cost now. Nobody is charged for one of the vendor's own that named no fee. */
function penaltyOf(stored: Booking, now: number): Money {
  const { state, cancelFee, cancel, price } = soldBooking(stored)
  if (state === 'cancelled') return cancelFee ?? zero(price.total.currency)
  return (state === 'cancelling' ? cancelFee : undefined) ?? penaltyAt(cancel, price.total, timeOf(now, stored))
}

/** What the vendor says it charges, or else its terms. */
async function quotedFee(deps: Deps, vendor: Vendor, booking: Booking, context: RequestContext): Promise<Money> {
  const byTerms = feeByTerms(booking, timeOf(deps.clock.now(), booking))
  using deadline = startDeadline(PREVIEW_TIMEOUT_MS)
  try {
    const quote = await vendor.previewCancel(lookupOf(booking), { ...context, signal: deadline.signal })
    const isQuoted = quote !== undefined && quote.fee.currency === byTerms.currency && !isMovedInTime(booking)
    return isQuoted ? quote.fee : byTerms
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    return byTerms
  }
}

/** A fee of the whole price does not include what the property would have collected, unless that is all there is. */
function feeByTerms({ cancel, price: { total, dueAtProperty } }: Booking, time: number): Money {
  const fee = penaltyAt(cancel, total, time)
  const paid = total.minor - dueAtProperty.minor
  return paid > 0 && sameMoney(fee, total) ? { ...fee, minor: paid } : fee
}

/** The simulator knows nothing of the test clock: then the terms say what cancelling costs. */
const isMovedInTime = ({ clockOffsetMs = 0 }: Booking) => clockOffsetMs > 0

async function sendCancel(
  deps: Deps,
  vendor: Vendor,
  { booking, leaseUntil }: { readonly booking: Booking; readonly leaseUntil: number },
  by: By,
  context: RequestContext,
): Promise<Booking> {
  const lease = keepLease(deps, sendingTask(booking.bookingId, leaseUntil))
  using deadline = startDeadline(CANCEL_TIMEOUT_MS)
  try {
    const receipt = await vendor.cancel(lookupOf(booking), { ...context, signal: deadline.signal })
    if (receipt.state !== 'cancelled') return await leaveInDoubt(deps, booking, lease.task())
    const isTold = receipt.cancelFee?.currency === booking.price.total.currency && !isMovedInTime(booking)
    const fee = isTold ? receipt.cancelFee?.minor : undefined
    return await settled(deps, booking, by, 'cancelled', 'cancelled', fee)
  } catch (error) {
    if (error instanceof VendorError && error.effect === 'none') {
      await settled(deps, booking, by, 'confirmed', error.fault)
      if (!isRefusal(error)) throw vendorFailed(error, 'Nothing was cancelled')
      throw notCancellable('The vendor refused to cancel this booking; it stands as before.', error)
    }
    if (!(error instanceof VendorError)) deps.onBug(error, booking)
    return await leaveInDoubt(deps, booking, lease.task())
  } finally {
    lease.stop()
  }
}

async function settled(
  deps: Deps,
  booking: Booking,
  by: By,
  to: 'cancelled' | 'confirmed',
  reason: string,
  feeMinor?: number,
): Promise<Booking> {
  const moved = await deps.bookings.move(booking.bookingId, 'cancelling', to, {
    at: deps.clock.now(),
    by,
    reason,
    dueAt: null,
    ...(feeMinor === undefined ? {} : { cancelFeeMinor: feeMinor }),
  })
  return moved?.booking ?? (await deps.bookings.get(booking.accountId, booking.bookingId)) ?? booking
}

/** Stays `cancelling`; the settling job asks the vendor. */
async function leaveInDoubt(deps: Deps, booking: Booking, task: Task): Promise<Booking> {
  await deps.bookings.postpone(task, deps.clock.now() + FIRST_LOOK_MS)
  return booking
}

const notCancellable = (words: string, cause?: unknown) => new AppError('not_cancellable', words, { cause })
