import { randomId } from '../../../packages/client/src/random-id.ts'
import { ApiProblem, SignInDeclined } from '../api/problem.ts'
import type { Payment } from '../api/shapes.ts'
import { type Attempt, type Checkout, interpretFailure } from '../checkout/checkout.ts'
import type { CardForm } from './card-form.ts'
import { createPayment, fetchPayment } from './payment-calls.ts'
import { isNewFailure, readStanding, waitForDecision } from './payment-state.ts'

type Steps = {
  readonly form: CardForm | undefined
  readonly signal: AbortSignal
  keep(checkout: Checkout): void
  /** The result is unknown for now. */
  onAsking(): void
}

/** Time for which the provider may report an open payment before the page believes that nothing arrived. */
const LOST_OPEN_MS = 15_000
/** After a reload, nothing is on its way from this page. */
const RELOAD_OPEN_MS = 5_000

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
    const secret = payment.next?.client_secret
    if (secret === undefined) return decide(paying, payment, payment.failure, steps)
    const result = await form.confirm(secret)
    if (result.kind === 'authorised') return withPayment(paying, payment.payment_id, 'authorised')
    if (result.kind === 'declined') {
      keep(withPayment(paying, payment.payment_id, 'open'))
      return { phase: 'declined', code: result.code }
    }
    return await ask(paying, payment.failure, result.kind === 'closed' ? 0 : LOST_OPEN_MS, steps)
  } catch (error) {
    return interpretStart(error)
  }
}

/** Continues after a reload while the result was unknown. */
export async function resume(checkout: Checkout, steps: Omit<Steps, 'form'>): Promise<Checkout | Attempt> {
  try {
    return await ask(checkout, null, RELOAD_OPEN_MS, steps)
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

async function ask(
  paying: Checkout,
  known: Payment['failure'],
  openMs: number,
  steps: Omit<Steps, 'form'>,
): Promise<Checkout | Attempt> {
  if (paying.payment === undefined) return { phase: 'form' }
  steps.onAsking()
  const payment = await waitForDecision(paying.payment.id, { known, openMs, signal: steps.signal })
  return decide(paying, payment, known, steps)
}

function decide(
  paying: Checkout,
  payment: Payment,
  known: Payment['failure'],
  { keep }: Pick<Steps, 'keep'>,
): Checkout | Attempt {
  const standing = readStanding(payment)
  switch (standing.kind) {
    case 'booked':
      return { ...paying, bookingId: standing.bookingId }
    case 'authorised':
      return withPayment(paying, payment.payment_id, 'authorised')
    case 'open':
      keep(withPayment(paying, payment.payment_id, 'open'))
      return { phase: 'declined', code: findNewFailure(payment.failure, known) }
    case 'ended':
      keep(withoutPayment(paying))
      return { phase: 'declined', code: 'expired' }
  }
}

const findNewFailure = (failure: Payment['failure'], known: Payment['failure']): string =>
  isNewFailure(failure, known) && failure !== null ? failure.code : 'unfinished'

const withPayment = (checkout: Checkout, id: string, state: NonNullable<Checkout['payment']>['state']): Checkout => ({
  ...checkout,
  payment: { id, state },
})

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
