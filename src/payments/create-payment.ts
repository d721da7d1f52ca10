import type { OwnsOffer } from '../accounts/offer-owner.ts'
import type { BookingQueue } from '../booking/booking-queue.ts'
import { type AgreeDeps, agreeOffer } from '../booking/offer/agree-offer.ts'
import { describeChange, offerExpired, withNotices } from '../booking/offer/check-offer.ts'
import { digestTerms } from '../booking/offer/terms-digest.ts'
import type { OfferedRoom } from '../booking/refusals.ts'
import { AppError } from '../domain/errors.ts'
import { fairnessKey } from '../domain/guest-access.ts'
import { minorDigits } from '../domain/money/currency.ts'
import type { Money } from '../domain/money/money.ts'
import type { Payment } from '../domain/payment/payment.ts'
import { type OpenedOffer, openOffer, readLineage, type SealedOffer } from '../domain/sealed-offer.ts'
import type { Simulation } from '../domain/simulation.ts'
import type { RequestContext } from '../lib/async/call-context.ts'
import { MINUTE_MS } from '../lib/time/durations.ts'
import { openFile, planOperation } from './decide/payment-file.ts'
import { type DriveDeps, drivePayment } from './drive-payment.ts'
import { dueForOffer, notForSimulation } from './pay-booking.ts'
import type { NextStep } from './provider.ts'
import { ProviderError } from './provider-error.ts'
import { notChargeable, PaymentRefused } from './refusals.ts'
import { readNextStep } from './show-payment.ts'
import type { EarlierPayment, PaymentStore } from './store/payments.ts'

type CreatePaymentOrder = {
  readonly account: { readonly id: string }
  readonly bookingInfo: Readonly<Record<string, unknown>>
  readonly termsDigest: string | undefined
  readonly acceptPriceUpTo: number | undefined
  readonly fingerprint: string
  readonly idempotencyKey: string | undefined
  readonly simulation: Simulation | undefined
}

export type CreatedPayment = {
  readonly payment: Payment
  readonly next: NextStep
  /** The checked room; absent if the payment was made by an earlier request. */
  readonly room: OfferedRoom | undefined
  readonly isNew: boolean
}

export type CreatePayment = (order: CreatePaymentOrder, context: RequestContext) => Promise<CreatedPayment>

type Deps = Omit<DriveDeps, 'isClaimed' | 'payments'> &
  AgreeDeps & {
    readonly payments: Pick<PaymentStore, 'read' | 'save' | 'unclaimed' | 'add' | 'earlier' | 'forgetKey'>
    readonly line: BookingQueue
    readonly ownsOffer: OwnsOffer
  }

/** An authorisation that no booking claims is released after this time. */
const UNCLAIMED_MS = 20 * MINUTE_MS
/** The job goes on if the process dies while it creates the payment. */
const TAKEN_OVER_AFTER_MS = 45_000

/** repeated? → valid offer → price check → payment on disk → provider. */
export function createCreatePayment(deps: Deps): CreatePayment {
  return async function createPayment(order, context) {
    const opened = await readOffer(deps, order)
    const earlier = await deps.payments.earlier(order.account.id, order.idempotencyKey, opened.offerId)
    if (earlier !== undefined) return repeat(deps, order, earlier)
    if (opened.expiresAt <= deps.clock.now()) throw offerExpired()
    const { fresh, room, amount } = await checkOrder(deps, order, opened, context)
    const payment = newPayment(deps, order, { opened, fresh, amount })
    const file = planOperation(openFile(payment, []), 'create', amount.minor)
    const takenOverAt = deps.clock.now() + TAKEN_OVER_AFTER_MS
    if (!(await deps.payments.add(file, order.idempotencyKey, takenOverAt))) {
      const winner = await deps.payments.earlier(order.account.id, order.idempotencyKey, opened.offerId)
      if (winner === undefined) throw stillRunning()
      return repeat(deps, order, winner)
    }
    const created = await finishCreating(deps, payment)
    return { payment: created, next: await readNextStep(deps, created), room, isNew: true }
  }
}

/** The vendor's current offer, with the same refusals as booking. */
async function checkOrder(deps: Deps, order: CreatePaymentOrder, opened: OpenedOffer, context: RequestContext) {
  const offer = await withNotices(deps, opened)
  const world = deps.worlds.select(order.simulation, offer)
  const vendor = world.vendors.find(({ id }) => id === offer.vendorId)
  if (vendor === undefined) throw new AppError('offer_invalid', 'The vendor of this offer is no longer connected.')
  using _turn = await deps.line.enter(fairnessKey(order.account.id, context.customerIp), vendor.id)
  const { fresh, changes } = await agreeOffer(deps, world, vendor, offer, order, context)
  const { room } = await describeChange(deps, world, offer, { fresh, changes })
  const amount = amountToAuthorise(fresh, order.acceptPriceUpTo)
  if (amount.minor <= 0)
    throw new PaymentRefused('payment_invalid', 'Nothing is paid by card: the property collects the whole price.')
  if (!deps.provider.accepts(amount)) throw notChargeable(amount)
  return { fresh, room, amount }
}

/** A client that accepts a higher price authorises it, because a booking never captures more than was authorised. */
function amountToAuthorise(fresh: SealedOffer, acceptPriceUpTo = 0): Money {
  const due = dueForOffer(fresh)
  if (fresh.market.currency !== due.currency) return due
  const { dueAtProperty } = (fresh.sale ?? fresh).price
  const accepted = Math.round(acceptPriceUpTo * 10 ** (minorDigits(due.currency) ?? 2)) - dueAtProperty.minor
  return { ...due, minor: Math.max(due.minor, accepted) }
}

type Checked = { readonly opened: OpenedOffer; readonly fresh: SealedOffer; readonly amount: Money }

function newPayment(
  { provider, ids, clock }: Deps,
  order: CreatePaymentOrder,
  { opened, fresh, amount }: Checked,
): Payment {
  const now = clock.now()
  const { checkIn, checkOut } = fresh.stay
  return {
    ...{ paymentId: ids.prefixed('pay'), accountId: order.account.id, provider: provider.id, reference: undefined },
    ...{ state: 'creating', stateSince: now, bookingId: undefined, offerId: opened.offerId },
    ...{ lineage: readLineage(fresh), termsDigest: digestTerms(fresh, fresh.checkedAt ?? now) },
    description: `${fresh.roomName}, ${checkIn} to ${checkOut}`,
    ...{ currency: amount.currency, amount: amount.minor, authorised: 0, captured: 0, refunded: 0, refundPending: 0 },
    ...{ owed: undefined, goodwill: 0, disputed: 0, isFrozen: false, isInReview: false },
    ...{ isLive: provider.capabilities.isLive, captureBefore: undefined, card: undefined, failure: undefined },
    expiresAt: Math.min(fresh.expiresAt, now + UNCLAIMED_MS),
    ...{ reason: undefined, fee: undefined, fingerprint: order.fingerprint, revision: 0, lookedAt: 0 },
    ...{ createdAt: now, updatedAt: now },
  }
}

/** Only offers sealed for this account. */
async function readOffer(deps: Deps, order: CreatePaymentOrder): Promise<OpenedOffer> {
  const opened = openOffer(deps.keyring, order.bookingInfo)
  const isOurs = opened !== undefined && (await deps.ownsOffer(order.account.id, opened.accountId))
  if (!isOurs)
    throw new AppError(
      'offer_invalid',
      'This booking_info was not issued to you, or it was changed. Send its fields exactly as received, at the top level of the body.',
    )
  if (opened.simulated || order.simulation !== undefined) throw notForSimulation()
  return { ...opened, accountId: order.account.id }
}

/** The same offer or key gets the same payment. */
async function repeat(
  deps: Deps,
  order: CreatePaymentOrder,
  { payment: earlier, hasKey }: EarlierPayment,
): Promise<CreatedPayment> {
  if (hasKey && earlier.fingerprint !== order.fingerprint) {
    throw new AppError(
      'idempotency_mismatch',
      'This idempotency key was already used for another payment. Repeat that request, or use a new key.',
    )
  }
  const payment = earlier.state === 'creating' ? await finishCreating(deps, earlier) : earlier
  return { payment, next: await readNextStep(deps, payment), room: undefined, isNew: false }
}

/** Sends the order to the provider, unless another process does. */
async function finishCreating(deps: Deps, { paymentId }: Payment): Promise<Payment> {
  try {
    await drivePayment({ ...deps, isClaimed: false }, paymentId)
  } catch (error) {
    // A look after the creation failed: what is stored is the answer.
    if (!(error instanceof ProviderError)) throw error
  }
  const file = await deps.payments.read(paymentId)
  if (file === undefined) throw stillRunning()
  const { payment } = file
  if (payment.state === 'creating') throw stillRunning()
  if (payment.state !== 'failed') return payment
  await deps.payments.forgetKey(paymentId)
  throw new AppError(
    'payments_unavailable',
    'The payment provider refused or could not be reached. Nothing was reserved or charged. Repeat the request.',
  )
}

const stillRunning = () =>
  new AppError(
    'payment_outcome_unknown',
    'The payment provider has not answered in time. Nothing is charged. Repeat the request with the same idempotency key.',
    { retryAfterMs: 1_000 },
  )
