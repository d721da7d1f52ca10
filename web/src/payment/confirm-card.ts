import type { Payment } from '../api/shapes.ts'
import type { CardForm } from './card-form.ts'
import { isNewFailure, readStanding, type Standing, waitForDecision } from './payment-state.ts'

/** Result of a card. If it was declined, the same payment takes another one. */
export type CardResult =
  | Exclude<Standing, { kind: 'open' }>
  /** `unfinished`: nothing has arrived, and no bank said why. */
  | { readonly kind: 'declined'; readonly code: string }

type Steps = {
  readonly form: CardForm
  readonly signal: AbortSignal
  /** The result is unknown for now. */
  onAsking(): void
}

/** Time for which the provider may report an open payment before the page believes that nothing arrived. */
const LOST_OPEN_MS = 15_000
/** The same if nothing is on its way from this page. */
const DECIDED_OPEN_MS = 5_000

/** Confirms the payment with the card in the form. If the browser does not learn the result, the service is asked. */
export async function confirmCard(payment: Payment, { form, ...steps }: Steps): Promise<CardResult> {
  const { payment_id, next, failure } = payment
  const standing = readStanding(payment)
  if (standing.kind !== 'open') return standing
  // The provider takes no card any more, for example after another tab has paid.
  if (next === null) return ask(payment_id, { ...steps, known: failure, openMs: DECIDED_OPEN_MS })
  const result = await form.confirm(next.client_secret)
  if (result.kind === 'authorised' || result.kind === 'declined') return result
  return ask(payment_id, { ...steps, known: failure, openMs: result.kind === 'closed' ? 0 : LOST_OPEN_MS })
}

/** Finds the result that was unknown before a reload. */
export const findResult = (paymentId: string, steps: Omit<Steps, 'form'>): Promise<CardResult> =>
  ask(paymentId, { ...steps, known: null, openMs: DECIDED_OPEN_MS })

type Question = Omit<Steps, 'form'> & Parameters<typeof waitForDecision>[1]

async function ask(paymentId: string, { onAsking, ...wait }: Question): Promise<CardResult> {
  onAsking()
  return readResult(await waitForDecision(paymentId, wait), wait.known)
}

function readResult(payment: Payment, known: Payment['failure']): CardResult {
  const standing = readStanding(payment)
  if (standing.kind !== 'open') return standing
  const { failure } = payment
  return { kind: 'declined', code: isNewFailure(failure, known) && failure !== null ? failure.code : 'unfinished' }
}
