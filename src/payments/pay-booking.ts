import type { OwnsOffer } from '../accounts/offer-owner.ts'
import type { CardOrder, CardPayments, ClaimedPayment } from '../booking/card-payments.ts'
import { soldOffer } from '../domain/booking/apply-sale.ts'
import type { Booking } from '../domain/booking/booking.ts'
import { AppError } from '../domain/errors.ts'
import type { Money } from '../domain/money/money.ts'
import { dueByCard } from '../domain/payment/owed.ts'
import type { Payment } from '../domain/payment/payment.ts'
import { readLineage, type SealedOffer } from '../domain/sealed-offer.ts'
import { type DriveDeps, lookAtPayment } from './drive-payment.ts'
import { ProviderError } from './provider-error.ts'
import { notChargeable, notOfThisOrder, PaymentRefused, PaymentRequired, paymentNotFound } from './refusals.ts'
import { refuseClaim } from './refuse-claim.ts'
import type { PaymentStore } from './store/payments.ts'

export type PaysByCard = (account: CardOrder['account']) => Promise<boolean>

type Deps = Omit<DriveDeps, 'isClaimed' | 'payments'> & {
  readonly payments: Pick<PaymentStore, 'read' | 'save' | 'unclaimed' | 'readMany'>
  readonly paysByCard: PaysByCard
  readonly ownsOffer: OwnsOffer
}

/** Payments as price check and booking use them. */
export function createCardPayments(deps: Deps): CardPayments {
  const { provider } = deps
  const quote = async (account: CardOrder['account'], offer: SealedOffer) => {
    const due = dueForOffer(offer)
    if (offer.simulated || due.minor <= 0 || !(await deps.paysByCard(account))) return undefined
    return { provider: provider.id, due, isAccepted: provider.accepts(due) }
  }
  return {
    quote,
    async prepare(order) {
      if (order.paymentId === undefined) {
        const missing = await quote(order.account, order.offer)
        if (missing !== undefined) throw requireCard(provider.id, missing.due, missing.isAccepted)
        return undefined
      }
      if (order.offer.simulated) throw notForSimulation(order.paymentId)
      const payment = await readOrdered(deps, order, order.paymentId)
      refuseClaim(payment, order.paymentId, deps.clock.now())
      return payment
    },
    async claim(order, payment): Promise<ClaimedPayment | 'short' | undefined> {
      const due = dueForOffer(order.offer)
      if (payment === undefined) {
        const missing = await quote(order.account, order.offer)
        if (missing !== undefined) throw requireCard(provider.id, missing.due, missing.isAccepted)
        return undefined
      }
      if (due.currency !== payment.currency || due.minor <= 0) throw notOfThisOrder(payment.paymentId)
      if (due.minor > payment.authorised) return 'short'
      // The authorised amount may be chargeable although this one is not.
      if (!provider.accepts(due)) throw notChargeable(due)
      return { payment: { paymentId: payment.paymentId, amount: due }, card: payment.card }
    },
    read: readPayments(deps.payments),
  }
}

export const readPayments =
  (payments: Pick<PaymentStore, 'readMany'>): CardPayments['read'] =>
  async (bookings: readonly Booking[]) => {
    const ids = bookings.flatMap(({ payment }) => payment?.paymentId ?? [])
    return new Map((await payments.readMany(ids)).map((payment) => [payment.paymentId, payment]))
  }

export const dueForOffer = (offer: SealedOffer): Money => dueByCard(soldOffer(offer).price)

const requireCard = (provider: string, due: Money, isAccepted: boolean) =>
  isAccepted ? new PaymentRequired(provider, { due }) : notChargeable(due)

export const notForSimulation = (paymentId?: string) =>
  new PaymentRefused('payment_invalid', 'A simulated booking takes no payment. Book without payment_id.', paymentId)

/** The payment, if it was made for this order. A payment that is still open is looked at once. */
async function readOrdered(deps: Deps, order: CardOrder, paymentId: string): Promise<Payment> {
  const file = await deps.payments.read(paymentId)
  if (file === undefined || !(await deps.ownsOffer(order.account.id, file.payment.accountId))) throw paymentNotFound()
  const { payment } = file
  const { termsDigest } = order
  const isForOrder =
    payment.lineage === readLineage(order.offer) &&
    payment.isLive === deps.provider.capabilities.isLive &&
    (termsDigest === undefined || termsDigest === payment.termsDigest)
  if (!isForOrder) throw notOfThisOrder(paymentId)
  if (payment.state !== 'open') return payment
  try {
    const looked = await lookAtPayment({ ...deps, isClaimed: false }, file)
    return looked?.file.payment ?? (await deps.payments.read(paymentId))?.payment ?? payment
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    throw new AppError(
      'payments_unavailable',
      'The payment provider could not be asked about the payment. Nothing was booked. Repeat the request.',
      { cause: error },
    )
  }
}
