import { randomId } from '../../../packages/client/src/random-id.ts'
import { ApiProblem, SignInDeclined } from '../api/problem.ts'
import type { Payment } from '../api/shapes.ts'
import { type Attempt, type Checkout, interpretFailure } from '../checkout/checkout.ts'
import type { CardForm } from './card-form.ts'
import { type CardResult, confirmCard, findResult } from './confirm-card.ts'
import { createPayment, fetchPayment } from './payment-calls.ts'
import { readStanding } from './payment-state.ts'

type Steps = {
  readonly form: CardForm | undefined
  readonly signal: AbortSignal
  keep(checkout: Checkout): void
  /** The result is unknown for now. */
  onAsking(): void
}

/**
 * Leads the checkout's payment to `authorised`, or returns the reason why it is not. A checkout has one payment at a
 * time: another card pays the same one, so nothing is reserved twice.
 */
export async function authorise(checkout: Checkout, steps: Steps): Promise<Checkout | Attempt> {
  const { form, keep } = steps
  if (checkout.payment?.state === 'authorised') return checkout
  if (form === undefined) return { phase: 'card_needed' }
  if (!(await form.check())) return { phase: 'form' }
  try {
    const payment = await openPayment(checkout)
    const paying = withPayment(checkout, payment.payment_id, 'confirming')
    keep(paying)
    return settle(paying, await confirmCard(payment, { ...steps, form }), steps)
  } catch (error) {
    return interpretStart(error)
  }
}

/** Continues after a reload while the result was unknown. */
export async function resume(checkout: Checkout, steps: Omit<Steps, 'form'>): Promise<Checkout | Attempt> {
  if (checkout.payment === undefined) return { phase: 'form' }
  try {
    return settle(checkout, await findResult(checkout.payment.id, steps), steps)
  } catch (error) {
    return interpretStart(error)
  }
}

/** Reads the payment that the checkout has, or creates one. The offer is its key: two tabs get the same payment. */
async function openPayment({ payment: known, room, termsDigest }: Checkout): Promise<Payment> {
  if (known !== undefined) {
    const payment = await fetchPayment(known.id).catch(ignoreUnknownPayment)
    if (payment !== undefined && readStanding(payment).kind !== 'ended') return payment
  }
  return createPayment({ ...room.booking_info, ...(termsDigest !== undefined && { terms_digest: termsDigest }) })
}

/** Another visitor has signed in since the payment was created. */
function ignoreUnknownPayment(error: unknown): undefined {
  if (!(error instanceof ApiProblem) || error.status !== 404) throw error
}

function settle(paying: Checkout, result: CardResult, { keep }: Pick<Steps, 'keep'>): Checkout | Attempt {
  switch (result.kind) {
    case 'booked':
      return { ...paying, bookingId: result.bookingId }
    case 'authorised':
      return withState(paying, 'authorised')
    case 'declined':
      keep(withState(paying, 'open'))
      return { phase: 'declined', code: result.code }
    case 'ended':
      keep(withoutPayment(paying))
      return { phase: 'declined', code: 'expired' }
  }
}

type State = NonNullable<Checkout['payment']>['state']

const withPayment = (checkout: Checkout, id: string, state: State): Checkout => ({
  ...checkout,
  payment: { id, state },
})

const withState = (paying: Checkout, state: State): Checkout =>
  paying.payment === undefined ? paying : withPayment(paying, paying.payment.id, state)

/** Booking that this payment already belongs to, for example after paying in another tab. */
export async function findPaidBooking(error: unknown, { payment }: Checkout): Promise<string | undefined> {
  if (!(error instanceof ApiProblem) || error.code !== 'payment_invalid' || payment === undefined) return undefined
  const known = await fetchPayment(payment.id).catch(() => undefined)
  return known?.booking_id ?? undefined
}

/** The next payment needs a key of its own. */
const withoutPayment = ({ payment, ...checkout }: Checkout): Checkout =>
  payment === undefined ? checkout : { ...checkout, attemptKey: randomId('key') }

/** Nothing can be reserved before the guest confirms, whatever happened to the request. */
function interpretStart(error: unknown): Attempt {
  if (error instanceof SignInDeclined) return { phase: 'form' }
  if (!(error instanceof ApiProblem)) throw error
  const offer = interpretFailure(error, false)
  const isOfOffer = offer.phase === 'changed' || offer.phase === 'sold_out' || offer.phase === 'offer_expired'
  return isOfOffer ? offer : { phase: 'unpaid', problem: error }
}
