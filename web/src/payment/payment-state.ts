import { SignInDeclined } from '../api/problem.ts'
import type { Payment } from '../api/shapes.ts'
import { fetchPayment } from './payment-calls.ts'

/** A payment as the checkout needs it. */
export type Standing =
  | { readonly kind: 'open' }
  | { readonly kind: 'authorised' }
  | { readonly kind: 'booked'; readonly bookingId: string }
  /** Released, expired or failed: another payment is needed. */
  | { readonly kind: 'ended' }

export function readStanding({ status, booking_id }: Payment): Standing {
  if (booking_id !== null) return { kind: 'booked', bookingId: booking_id }
  if (status === 'requires_payment') return { kind: 'open' }
  return status === 'authorised' ? { kind: 'authorised' } : { kind: 'ended' }
}

const POLL_MS = 1_500

type Wait = {
  /** Failure of an earlier card, which is not the result of this one. */
  readonly known: Payment['failure']
  /** Time for which the provider may answer that nothing has arrived before that counts as the result. */
  readonly openMs: number
  readonly signal: AbortSignal
}

/**
 * Asks until the provider has decided. Only its answers count: while the connection is lost, the wait goes on. If the
 * signal aborts, the promise stays pending, because its page is gone.
 */
export async function waitForDecision(paymentId: string, { known, openMs, signal }: Wait): Promise<Payment> {
  let openSince: number | undefined
  while (!signal.aborted) {
    const payment = await fetchPayment(paymentId).catch(ignoreLostConnection)
    if (payment !== undefined) {
      if (readStanding(payment).kind !== 'open' || isNewFailure(payment.failure, known)) return payment
      openSince ??= performance.now()
      if (performance.now() - openSince >= openMs) return payment
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return new Promise(() => undefined)
}

function ignoreLostConnection(error: unknown): undefined {
  if (error instanceof SignInDeclined) throw error
}

export const isNewFailure = (failure: Payment['failure'], known: Payment['failure']): boolean =>
  failure !== null && failure.code !== known?.code
