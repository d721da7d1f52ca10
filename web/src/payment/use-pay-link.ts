import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiProblem, SignInDeclined } from '../api/problem.ts'
import type { Payment, PaymentStatus } from '../api/shapes.ts'
import { useReloadWhenRestored } from '../browser/use-reload-when-restored.ts'
import { useUnmountSignal } from '../browser/use-unmount-signal.ts'
import type { Attempt } from '../checkout/checkout.ts'
import { requireAccount } from '../session/session.ts'
import type { CardForm } from './card-form.ts'
import { type CardResult, confirmCard, findResult } from './confirm-card.ts'
import { fetchPayment } from './payment-calls.ts'

/** A payment without the provider's secret, which is read anew when it is needed. */
export type LinkedPayment = Omit<Payment, 'next'> & { readonly takesCard: boolean }

const POLL_MS = 2_000
const POLLS = 30
const MOVING: readonly PaymentStatus[] = ['authorised', 'held', 'capturing', 'voiding']

/** The assistant, the provider or the service moves on from here without the guest. */
const isMoving = ({ status, takesCard }: LinkedPayment): boolean =>
  MOVING.includes(status) || (status === 'requires_payment' && !takesCard)

/** One payment by its link: its state, and paying it with a card. Another card pays the same payment. */
export function usePayLink(id: string) {
  const query = useLinkedPayment(id)
  const [attempt, setAttempt] = useState<Attempt>({ phase: isConfirming(id) ? 'asking' : 'form' })
  const [isAuthorised, setAuthorised] = useState(false)
  const signal = useUnmountSignal()

  const settle = (result: CardResult) => {
    setConfirming(id, false)
    if (result.kind === 'authorised') setAuthorised(true)
    setAttempt(result.kind === 'declined' ? { phase: 'declined', code: result.code } : { phase: 'form' })
    if (result.kind !== 'declined') void query.refetch()
  }
  const steps = () => ({ signal: signal(), onAsking: () => setAttempt({ phase: 'asking' }) })

  const pay = async (form: CardForm | undefined) => {
    if (form === undefined) return setAttempt({ phase: 'card_needed' })
    setAttempt({ phase: 'paying' })
    if (!(await form.check())) return setAttempt({ phase: 'form' })
    try {
      const payment = await fetchPayment(id)
      setConfirming(id, true)
      settle(await confirmCard(payment, { ...steps(), form }))
    } catch (error) {
      setAttempt(interpretStart(error))
    }
  }

  useReloadWhenRestored(attempt.phase === 'paying' || attempt.phase === 'asking')

  // Runs once: finds the result of a card that was confirmed before a reload.
  const hasAsked = useRef(false)
  const isLoaded = query.data !== undefined
  useEffect(() => {
    if (!isLoaded || hasAsked.current) return
    hasAsked.current = true
    if (isConfirming(id)) findResult(id, steps()).then(settle, (error: unknown) => setAttempt(interpretStart(error)))
  })

  return { query, payment: withResult(query.data, isAuthorised), attempt, pay }
}

function useLinkedPayment(id: string) {
  return useQuery({
    queryKey: ['payment', id],
    queryFn: async (): Promise<LinkedPayment> => {
      await requireAccount()
      const { next, ...payment } = await fetchPayment(id)
      return { ...payment, takesCard: next !== null }
    },
    staleTime: 0,
    // The assistant may have booked in the meantime.
    refetchOnWindowFocus: ({ state }) => !(state.error instanceof SignInDeclined),
    refetchInterval: ({ state: { data, dataUpdateCount, error } }) =>
      data !== undefined && isMoving(data) && error === null && dataUpdateCount < POLLS && POLL_MS,
  })
}

/** The browser may know that the card is authorised before the service does. */
const withResult = (payment: LinkedPayment | undefined, isAuthorised: boolean): LinkedPayment | undefined =>
  isAuthorised && payment?.status === 'requires_payment' ? { ...payment, status: 'authorised' } : payment

/** Nothing can be reserved before the card is confirmed. */
function interpretStart(error: unknown): Attempt {
  if (error instanceof ApiProblem) return { phase: 'unpaid', problem: error }
  if (error instanceof SignInDeclined) return { phase: 'form' }
  throw error
}

const keyOf = (id: string) => `serai.paying.${id}`

/** True from confirming a card until its result is known, even after a reload of this tab. */
function isConfirming(id: string): boolean {
  try {
    return sessionStorage.getItem(keyOf(id)) !== null
  } catch {
    return false
  }
}

function setConfirming(id: string, isOpen: boolean): void {
  try {
    if (isOpen) sessionStorage.setItem(keyOf(id), 'yes')
    else sessionStorage.removeItem(keyOf(id))
  } catch {
    // Storage may be full or blocked; after a reload the page then shows the service's answer at once.
  }
}
