import type { OwnsOffer } from '../../accounts/offer-owner.ts'
import { withoutCardPayments } from '../../booking/card-payments.ts'
import type { BookingStore } from '../../booking/store/bookings.ts'
import type { OnMove } from '../../booking/store/moves.ts'
import { bySystem } from '../../domain/actor.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import { traced } from '../../lib/trace.ts'
import { createCreatePayment } from '../../payments/create-payment.ts'
import { createManagePayments } from '../../payments/manage-payments.ts'
import { createCardPayments, type PaysByCard, readPayments } from '../../payments/pay-booking.ts'
import { createPaymentWorker } from '../../payments/payment-worker.ts'
import type { PaymentProvider } from '../../payments/provider.ts'
import { createReceiveNotification } from '../../payments/receive-notification.ts'
import { reconcilePayments } from '../../payments/reconcile-payments.ts'
import { createShowPayments } from '../../payments/show-payment.ts'
import { createPaymentHook } from '../../payments/store/follow-moves.ts'
import { createPaymentLists } from '../../payments/store/payment-lists.ts'
import { createPaymentStore, type PaymentStore, type TellBooking } from '../../payments/store/payments.ts'
import type { Core } from '../core.ts'

const NOTIFICATIONS_KEPT_MS = 35 * DAY_MS

/** Reports what happened to a payment as events of its booking. */
const tellBookings = (bookings: () => BookingStore): TellBooking => ({
  lock: (tx, bookingId) => bookings().lockForPayment(tx, bookingId),
  tell: (tx, bookingId, { payment, news }, at) =>
    bookings().notePayment(
      tx,
      bookingId,
      news.map((kind) => ({ kind, reason: payment.reason, by: bySystem('payments'), payment })),
      at,
    ),
})

/** Parts that every booking with a payment needs, even if the provider was switched off since. */
export function composePaymentStore(
  { database, clock }: Pick<Core, 'database' | 'clock'>,
  bookings: () => BookingStore,
): { readonly payments: PaymentStore; readonly followMoves: OnMove } {
  const booking = tellBookings(bookings)
  return { payments: createPaymentStore(database, booking), followMoves: createPaymentHook({ clock, booking }) }
}

type ForCards = {
  readonly payments: PaymentStore
  readonly paysByCard: PaysByCard
  readonly ownsOffer: OwnsOffer
}

export const composeCards = (clock: Clock, provider: PaymentProvider | undefined, { payments, ...parts }: ForCards) =>
  provider === undefined
    ? withoutCardPayments(readPayments(payments))
    : createCardPayments({ ...parts, payments, provider, clock })

type ForPayments = Omit<Parameters<typeof createCreatePayment>[0], 'provider'> & { readonly payments: PaymentStore }

/** For all calls of a probe, which are sequential. */
const PROBE_TIMEOUT_MS = 60_000

export function composePayments(
  { clock, log, database }: Core,
  provider: PaymentProvider | undefined,
  deps: ForPayments,
) {
  const { payments } = deps
  const lists = createPaymentLists(database)
  const manage = createManagePayments({ payments, lists, provider, clock })
  const always = {
    lists,
    /** For the command line. */
    forOperators: {
      ...{ manage, lists, now: clock.now },
      reconcile: async (period: { readonly from: number; readonly to: number }) =>
        provider && reconcilePayments({ provider, lists }, period),
      probe: async () =>
        provider?.probe({ requestId: 'payments-check', signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }),
    },
    forgetOld: () => payments.deleteOldNotifications(clock.now() - NOTIFICATIONS_KEPT_MS),
  }
  if (provider === undefined) return { ...OFF, ...always, forHttp: { ...OFF.forHttp, managePayments: manage } }
  const shared = { ...deps, provider }
  const worker = createPaymentWorker({
    ...shared,
    onBug: (error, payment) => log.error({ err: error, payment }, 'unexpected error while driving a payment'),
  })
  const operations = {
    createPayment: traced('create payment', createCreatePayment(shared)),
    showPayments: createShowPayments(shared),
  }
  return {
    ...always,
    forHttp: {
      ...{ payments: operations, managePayments: manage },
      receiveNotification: traced('receive notification', createReceiveNotification(shared)),
    },
    /** One round of the job. */
    drive: () => worker.run(),
    job: worker.runBriefly,
    quiet: worker.drain,
  }
}

const OFF = {
  forHttp: { payments: undefined, receiveNotification: undefined },
  drive: async () => 0,
  job: async () => 0,
  quiet: async (): Promise<unknown> => undefined,
}
