import type { BookingOwner } from '../domain/access.ts'
import type { Actor, By } from '../domain/actor.ts'
import { calculateSoldFee, soldBooking } from '../domain/booking/apply-sale.ts'
import { type Booking, bookingTime, type Confirmation } from '../domain/booking/booking.ts'
import { cancelFeeAt, penaltyAt } from '../domain/booking/cancel-policy.ts'
import { AppError } from '../domain/errors.ts'
import { minorDigits } from '../domain/money/currency.ts'
import { type Money, toMajor, zero } from '../domain/money/money.ts'
import type { Payment } from '../domain/payment/payment.ts'
import type { Simulation } from '../domain/simulation.ts'
import type { RequestContext } from '../lib/async/call-context.ts'
import type { Ids } from '../lib/crypto/ids.ts'
import type { Clock } from '../lib/time/clock.ts'
import { startDeadline } from '../lib/time/deadline.ts'
import { dateIn } from '../lib/time/plain-date.ts'
import type { World, Worlds } from '../search/world.ts'
import type { Task } from '../store/tasks.ts'
import type { Vendor } from '../vendors/contract.ts'
import { VendorError } from '../vendors/vendor-error.ts'
import type { CardPayments } from './card-payments.ts'
import { adviseByState, isRefusal, PenaltyIncreased, vendorFailure } from './refusals.ts'
import { bookingLookup, CANCEL_TIMEOUT_MS, contextForBooking, findVendor } from './settle/settle-bookings.ts'
import { readVisibleBooking, sampleBooking } from './show-bookings.ts'
import type { BookingStore } from './store/bookings.ts'
import { sendingTask } from './store/leases.ts'
import { keepLease, LEASE } from './submit-booking.ts'

export type CancelOrder = BookingOwner & {
  readonly bookingId: string
  readonly preview: boolean
  /** The accepted fee in major units; a higher one is refused. */
  readonly acceptPenaltyUpTo?: number | undefined
  /** Defaults to the account. */
  readonly actor?: Actor
  /** Recorded in the history if an operator cancels. */
  readonly reason?: string
  readonly simulation?: Simulation | undefined
  /** Throws unless the booking is the version that the client has read. */
  readonly precondition?: ((booking: Booking) => void) | undefined
}
/** `penalty` is the amount charged to the client. */
export type CancelOutcome = {
  readonly booking: Booking
  readonly penalty: Money
  readonly preview: boolean
  /** Absent on account. */
  readonly payment?: Payment | undefined
}
export type CancelBooking = (order: CancelOrder, context: RequestContext) => Promise<CancelOutcome>

type Deps = {
  readonly bookings: BookingStore
  readonly worlds: Worlds
  readonly clock: Clock
  readonly ids: Ids
  readonly cards: Pick<CardPayments, 'read'>
  onBug(error: unknown, booking: Booking): void
}

const PREVIEW_TIMEOUT_MS = 15_000
const FIRST_LOOKUP_MS = 1_000
/** Polling of a concurrent cancellation of the same booking. */
const CONCURRENT = { waitMs: 15_000, everyMs: 200 }

/** Concurrent cancellations are one: in this process they share the work, across processes they wait for it. */
export function createCancelBooking(deps: Deps): CancelBooking {
  const running = new Map<string, Promise<CancelOutcome>>()
  const withPayment = async (outcome: CancelOutcome): Promise<CancelOutcome> => {
    const { payment } = outcome.booking
    if (payment === undefined) return outcome
    return { ...outcome, payment: (await deps.cards.read([outcome.booking])).get(payment.paymentId) }
  }
  return async function cancelBooking(order, context) {
    if (order.preview || order.precondition !== undefined) return withPayment(await cancelOne(deps, order, context))
    const key = `${order.accountId} ${order.bookingId} ${order.simulation ?? ''} ${order.onlySimulated ?? false} ${order.acceptPenaltyUpTo ?? ''}`
    const known = running.get(key)
    if (known !== undefined) return known
    const work = cancelOne(deps, order, context)
      .then(withPayment)
      .finally(() => running.delete(key))
    running.set(key, work)
    return work
  }
}

/** own booking → cancellable → fee → intent on disk → vendor → outcome on disk. */
async function cancelOne(
  deps: Deps,
  order: CancelOrder,
  context: RequestContext,
  isRepeated = false,
): Promise<CancelOutcome> {
  const { bookingId, preview, simulation } = order
  const booking = await readAfterConcurrentCancel(deps, order)
  const world = deps.worlds.select(simulation, booking)
  if (booking === undefined) return cancelSample(deps, world, order)
  order.precondition?.(booking)
  if (world.simulated && !booking.simulated)
    throw notCancellable('This is a real booking. Omit x-simulate-return to cancel it.')
  if (booking.state === 'cancelled' || booking.state === 'cancelling') {
    return { booking, penalty: currentPenalty(booking, deps.clock.now()), preview }
  }
  const vendor = requireCancellable(deps, world, booking)

  const calling = contextForBooking(booking, context)
  const fee = await quotedFee(deps, vendor, booking, calling)
  const at = deps.clock.now()
  const penalty = calculateSoldFee(booking, fee, bookingTime(at, booking))
  if (preview) return { booking, penalty, preview }
  refuseHigherPenalty(order, booking, penalty, bookingTime(at, booking))

  const leaseUntil = at + LEASE.leaseMs
  const by: By = { actor: order.actor ?? { kind: 'account', id: order.accountId }, requestId: context.requestId }
  const claimed = await deps.bookings.move(bookingId, 'confirmed', 'cancelling', {
    at,
    by,
    dueAt: at,
    leaseUntil,
    cancelFeeMinor: fee.minor,
    precondition: order.precondition,
    ...(order.reason === undefined ? {} : { reason: order.reason }),
  })
  if (claimed === undefined) {
    // Another request was faster. Its result is ours too.
    if (!isRepeated) return cancelOne(deps, order, context, true)
    throw notCancellable('The booking has just changed. Read it again.')
  }
  // If the lease has expired, another process may already have taken over this booking. Do not send it.
  if (deps.clock.now() >= leaseUntil) {
    await recordOutcome(deps, claimed.booking, by, 'confirmed', 'not_sent')
    throw new AppError('overloaded', 'Nothing was cancelled: the request could not be sent in time. Try again.', {
      retryAfterMs: 1_000,
    })
  }
  const after = await sendCancel(deps, vendor, { booking: claimed.booking, leaseUntil }, by, calling)
  return { booking: after, penalty: soldBooking(after).cancelFee ?? penalty, preview }
}

/** Reads the booking, waiting for a concurrent cancellation to finish or time out. */
async function readAfterConcurrentCancel(deps: Deps, order: CancelOrder) {
  const { bookingId, preview } = order
  for (let waitedMs = 0; ; waitedMs += CONCURRENT.everyMs) {
    const booking = await readVisibleBooking(deps.bookings, order, bookingId)
    if (booking?.state !== 'cancelling' || preview || waitedMs >= CONCURRENT.waitMs) return booking
    // The other cancellation may have ended since the booking was read.
    if (!(await deps.bookings.isLeased(bookingId, deps.clock.now())))
      return readVisibleBooking(deps.bookings, order, bookingId)
    await new Promise((later) => setTimeout(later, CONCURRENT.everyMs))
  }
}

/** With the simulation header, an id that was never issued is a sample booking. Nothing is stored. */
async function cancelSample(deps: Deps, world: World, order: CancelOrder): Promise<CancelOutcome> {
  const { accountId, bookingId, preview } = order
  const booking = await sampleBooking(deps, world, accountId, bookingId)
  order.precondition?.(booking)
  const penalty = currentPenalty(booking, deps.clock.now())
  if (!preview) refuseHigherPenalty(order, booking, penalty, deps.clock.now())
  const state = preview ? booking.state : world.samples?.confirmsCancel === true ? 'cancelled' : 'cancelling'
  return { booking: { ...booking, state }, penalty, preview }
}

/** A deadline may have passed since the client saw the fee. */
function refuseHigherPenalty({ acceptPenaltyUpTo }: CancelOrder, booking: Booking, penalty: Money, at: number): void {
  if (acceptPenaltyUpTo === undefined || toMajor(penalty) <= acceptPenaltyUpTo) return
  const { currency } = penalty
  const shown = { minor: Math.round(acceptPenaltyUpTo * 10 ** (minorDigits(currency) ?? 2)), currency }
  throw new PenaltyIncreased({ what: 'cancellation_fee', from: at, shown, now: penalty }, booking.property.timezone)
}

function requireCancellable(deps: Deps, world: World, booking: Booking): Vendor {
  const { state } = booking
  if (state !== 'confirmed')
    throw notCancellable(`A booking that is ${state} cannot be cancelled.${adviseByState(state)}`)
  if (dateIn(booking.property.timezone, bookingTime(deps.clock.now(), booking)) > booking.stay.checkIn)
    throw notCancellable('The stay has begun.')
  const vendor = findVendor(world, booking)
  if (vendor === undefined) throw notCancellable('The vendor of this booking is not connected.')
  return vendor
}

/** The fee charged, or due now. A cancellation by the vendor that names no fee is free. */
function currentPenalty(stored: Booking, now: number): Money {
  const { state, cancelFee, cancel, price } = soldBooking(stored)
  if (state === 'cancelled') return cancelFee ?? zero(price.total.currency)
  return (state === 'cancelling' ? cancelFee : undefined) ?? penaltyAt(cancel, price.total, bookingTime(now, stored))
}

/** The vendor's quote, or else the fee by its terms. */
async function quotedFee(deps: Deps, vendor: Vendor, booking: Booking, context: RequestContext): Promise<Money> {
  const byTerms = cancelFeeAt(booking.cancel, booking.price, bookingTime(deps.clock.now(), booking))
  using deadline = startDeadline(PREVIEW_TIMEOUT_MS)
  try {
    const quote = await vendor.previewCancel(bookingLookup(booking), { ...context, signal: deadline.signal })
    const isQuoted = quote !== undefined && quote.fee.currency === byTerms.currency && !hasMovedClock(booking)
    return isQuoted ? quote.fee : byTerms
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    return byTerms
  }
}

/** The simulator ignores the test clock, so its quotes do not apply. */
const hasMovedClock = ({ clockOffsetMs = 0 }: Booking) => clockOffsetMs > 0

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
    const receipt = await vendor.cancel(bookingLookup(booking), { ...context, signal: deadline.signal })
    if (receipt.state !== 'cancelled') return await leaveInDoubt(deps, booking, lease.task())
    const isReported = receipt.cancelFee?.currency === booking.price.total.currency && !hasMovedClock(booking)
    const fee = isReported ? receipt.cancelFee?.minor : undefined
    return await recordOutcome(deps, booking, by, 'cancelled', 'cancelled', fee, receipt.confirmation)
  } catch (error) {
    if (error instanceof VendorError && error.effect === 'none') {
      await recordOutcome(deps, booking, by, 'confirmed', error.fault)
      if (!isRefusal(error)) throw vendorFailure(error, 'Nothing was cancelled')
      throw notCancellable('The vendor refused to cancel this booking. It remains confirmed.', error)
    }
    if (!(error instanceof VendorError)) deps.onBug(error, booking)
    return await leaveInDoubt(deps, booking, lease.task())
  } finally {
    lease.stop()
  }
}

async function recordOutcome(
  deps: Deps,
  booking: Booking,
  by: By,
  to: 'cancelled' | 'confirmed',
  reason: string,
  feeMinor?: number,
  confirmation?: Confirmation,
): Promise<Booking> {
  const moved = await deps.bookings.move(booking.bookingId, 'cancelling', to, {
    at: deps.clock.now(),
    by,
    reason,
    dueAt: null,
    ...(feeMinor === undefined ? {} : { cancelFeeMinor: feeMinor }),
    ...(confirmation === undefined ? {} : { confirmation }),
  })
  return moved?.booking ?? (await deps.bookings.get(booking.accountId, booking.bookingId)) ?? booking
}

/** The booking stays `cancelling`, and the settle job asks the vendor. */
async function leaveInDoubt(deps: Deps, booking: Booking, task: Task): Promise<Booking> {
  await deps.bookings.postpone(task, deps.clock.now() + FIRST_LOOKUP_MS)
  return booking
}

const notCancellable = (message: string, cause?: unknown) => new AppError('not_cancellable', message, { cause })
