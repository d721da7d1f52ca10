import { useCallback, useEffect, useRef, useState } from 'react'
import { book } from '../api/operations.ts'
import { ApiProblem, SignInDeclined } from '../api/problem.ts'
import type { Room, Summary } from '../api/shapes.ts'
import { bookBodyOf, type Checkout, keepCheckout, keepLastGuest } from './checkout.ts'
import { navigate } from './router.ts'

/** How the attempt stands. `unsure` alone means that we do not know whether something was booked. */
export type Attempt =
  | { readonly phase: 'form' }
  | { readonly phase: 'sending' }
  | { readonly phase: 'unsure' }
  | { readonly phase: 'refused'; readonly problem: ApiProblem }
  | {
      readonly phase: 'price_changed'
      readonly room: Room
      readonly oldTotal: number
      readonly newTotal: number
      readonly currency: string
    }
  | { readonly phase: 'sold_out'; readonly alternatives: readonly Summary[] }
  | { readonly phase: 'offer_expired' }

const BUSY_TRIES = 40
const BUSY_MS = 1_500

/**
 * Books under the checkout's key. What was sent is kept until its outcome is known, so a reload sends the same again
 * under the same key and gets the first outcome; nothing can be booked twice.
 */
export function useBookingAttempt(checkout: Checkout, onCheckout: (checkout: Checkout) => void) {
  const [attempt, setAttempt] = useState<Attempt>(
    checkout.sent === undefined ? { phase: 'form' } : { phase: 'sending' },
  )
  const keep = useCallback(
    (next: Checkout) => {
      keepCheckout(next)
      onCheckout(next)
    },
    [onCheckout],
  )

  const send = useCallback(
    async (from: Checkout) => {
      const sent: Checkout = { ...from, sent: from.sent ?? bookBodyOf(from) }
      keep(sent)
      setAttempt({ phase: 'sending' })
      try {
        const booking = await bookPatiently(sent)
        keep({ ...sent, sent: undefined, bookingId: booking.booking_id })
        keepLastGuest(sent.guests[0], sent.contact)
        navigate(`/bookings/${booking.booking_id}?from=${sent.id}`, { replace: true })
        scrollTo(0, 0)
      } catch (error) {
        const next = outcomeOf(error)
        // A refusal is final: whatever is sent next is another attempt and needs another key.
        if (next.phase !== 'unsure') keep({ ...sent, sent: undefined, attemptKey: crypto.randomUUID() })
        setAttempt(next)
      }
    },
    [keep],
  )

  // Only what a former life of this page left unanswered is taken up again, once; never an attempt of this one.
  const leftOver = useRef(checkout.sent === undefined ? undefined : checkout)
  useEffect(() => {
    const from = leftOver.current
    leftOver.current = undefined
    if (from !== undefined) void send(from)
  }, [send])

  return { attempt, send, reset: () => setAttempt({ phase: 'form' }) }
}

/** Where the first request is still running its answer is waited for. */
async function bookPatiently(checkout: Checkout) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await book(checkout.sent ?? bookBodyOf(checkout), checkout.attemptKey)
    } catch (error) {
      const isBusy = error instanceof ApiProblem && error.code === 'request_in_progress' && tries < BUSY_TRIES
      if (!isBusy) throw error
      await new Promise((resolve) => setTimeout(resolve, error.retryAfterMs || BUSY_MS))
    }
  }
}

function outcomeOf(error: unknown): Attempt {
  if (error instanceof SignInDeclined) return { phase: 'form' }
  if (!(error instanceof ApiProblem)) return { phase: 'unsure' }
  const { code, status, body } = error
  if (code === 'price_changed' && typeof body.room === 'object' && body.room !== null) {
    const room = body.room as Room
    return {
      phase: 'price_changed',
      room,
      oldTotal: Number(body.old_total),
      newTotal: Number(body.new_total ?? room.total_inclusive),
      currency: String(body.currency ?? room.currency),
    }
  }
  if (code === 'sold_out')
    return { phase: 'sold_out', alternatives: Array.isArray(body.alternatives) ? (body.alternatives as Summary[]) : [] }
  if (status === 410) return { phase: 'offer_expired' }
  return status === 0 || status >= 500 || code === 'request_in_progress'
    ? { phase: 'unsure' }
    : { phase: 'refused', problem: error }
}
