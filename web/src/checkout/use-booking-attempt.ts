import { useCallback, useEffect, useRef, useState } from 'react'
import { randomId } from '../../../packages/client/src/random-id.ts'
import { sendBooking } from '../api/operations.ts'
import { ApiProblem } from '../api/problem.ts'
import { navigate } from '../browser/router.ts'
import { useReloadWhenRestored } from '../browser/use-reload-when-restored.ts'
import { useUnmountSignal } from '../browser/use-unmount-signal.ts'
import { authorise, findPaidBooking, resume } from '../payment/authorise.ts'
import type { CardForm } from '../payment/card-form.ts'
import { releasePayment } from '../payment/payment-calls.ts'
import { checkPriceOf } from './check-price-of.ts'
import {
  type Attempt,
  buildBookBody,
  type Checkout,
  findEarlierBooking,
  interpretFailure,
  saveCheckout,
  saveLastGuest,
} from './checkout.ts'

export type { Attempt } from './checkout.ts'

const MAX_BUSY_TRIES = 40
const BUSY_WAIT_MS = 1_500

/**
 * Checks the price when the checkout opens, then pays if the service asks for a card, then books with the checkout's
 * key. The body is kept until its result is known: a reload repeats the same request, so nothing is booked twice.
 */
export function useBookingAttempt(
  checkout: Checkout,
  onCheckout: (checkout: Checkout) => void,
  getCardForm: () => CardForm | undefined,
) {
  const [attempt, setAttempt] = useState<Attempt>(() => firstAttempt(checkout))
  const latest = useRef(checkout)
  latest.current = checkout
  const signal = useUnmountSignal()
  const keep = useCallback(
    (next: Checkout) => {
      saveCheckout(next)
      onCheckout(next)
    },
    [onCheckout],
  )

  useOtherTabs(latest, keep)

  const book = useCallback(
    (paid: Checkout | Attempt, isRepeated = false) => bookPaid(paid, isRepeated, keep, setAttempt),
    [keep],
  )

  const send = useCallback(
    async (from: Checkout) => {
      setAttempt({ phase: 'sending' })
      if (from.sent !== undefined) return book(from, true)
      const ready = await checkPriceOf(from, true)
      if ('phase' in ready || ready.charge === undefined) return book(ready)
      keep(ready)
      setAttempt({ phase: 'paying' })
      const onAsking = () => setAttempt({ phase: 'asking' })
      await book(await authorise(ready, { form: getCardForm(), signal: signal(), keep, onAsking }))
    },
    [keep, book, getCardForm, signal],
  )

  useReloadWhenRestored(attempt.phase === 'paying' || attempt.phase === 'asking')

  // Runs once: continues an attempt that had no result before a reload, or checks the offer.
  const hasStarted = useRef(false)
  useEffect(() => {
    if (hasStarted.current) return
    hasStarted.current = true
    const from = latest.current
    if (from.sent !== undefined) void send(from)
    else if (from.payment?.state === 'confirming')
      void resume(from, { signal: signal(), keep, onAsking: () => undefined }).then((paid) => book(paid))
    else void checkOnOpen(from, () => latest.current, keep, setAttempt)
  }, [send, book, keep, signal])

  return { attempt, send, change: keep, reset: () => setAttempt({ phase: 'form' }) }
}

/** Books unless paying or checking ended otherwise. */
async function bookPaid(
  paid: Checkout | Attempt,
  isRepeated: boolean,
  keep: (checkout: Checkout) => void,
  setAttempt: (attempt: Attempt) => void,
): Promise<void> {
  if ('phase' in paid) return setAttempt(paid)
  if (paid.bookingId !== undefined) return showBooking(paid.bookingId, paid, keep)
  setAttempt({ phase: 'sending' })
  const sent: Checkout = { ...paid, sent: paid.sent ?? buildBookBody(paid) }
  keep(sent)
  try {
    const booking = await bookWithRetry(sent)
    showBooking(booking.booking_id, sent, keep)
  } catch (error) {
    const earlier = findEarlierBooking(error) ?? (await findPaidBooking(error, sent))
    if (earlier !== undefined) return showEarlierBooking(earlier, sent, keep)
    const next = interpretFailure(error, isRepeated)
    if (next.phase !== 'unsure') keep(reopen(sent, next))
    setAttempt(withReleased(next, sent))
  }
}

function firstAttempt({ sent, payment }: Checkout): Attempt {
  if (sent !== undefined) return { phase: 'sending' }
  return { phase: payment?.state === 'confirming' ? 'asking' : 'form' }
}

/** The checkout after a refusal; the next attempt needs a new key. */
function reopen({ payment, ...refused }: Checkout, attempt: Attempt): Checkout {
  const open = { ...refused, sent: undefined, attemptKey: randomId('key') }
  if (payment === undefined || endsPayment(attempt)) return open
  return { ...open, payment: attempt.phase === 'declined' ? { ...payment, state: 'open' } : payment }
}

/** The payment cannot be used any more, in most cases because its offer is gone. */
const endsPayment = (attempt: Attempt): boolean =>
  ['changed', 'sold_out', 'offer_expired'].includes(attempt.phase) ||
  (attempt.phase === 'declined' && attempt.code === 'expired') ||
  (attempt.phase === 'refused' && attempt.problem.code === 'idempotency_mismatch')

/** Frees the amount at once, so that it does not count against the card's limit. */
function withReleased(attempt: Attempt, { payment, charge }: Checkout): Attempt {
  if (payment === undefined || !endsPayment(attempt)) return attempt
  releasePayment(payment.id)
  return { ...attempt, released: charge }
}

const BOOKED_CHANNEL = 'serai.booked'

/** Follows a booking of the same checkout in another tab, so that it is not paid again here. */
function useOtherTabs(latest: { readonly current: Checkout }, keep: (checkout: Checkout) => void): void {
  useEffect(() => {
    const otherTabs = new BroadcastChannel(BOOKED_CHANNEL)
    otherTabs.onmessage = ({ data }) => {
      if (data.id === latest.current.id) keep({ ...latest.current, sent: undefined, bookingId: data.bookingId })
    }
    return () => otherTabs.close()
  }, [latest, keep])
}

function tellOtherTabs(id: string, bookingId: string): void {
  const otherTabs = new BroadcastChannel(BOOKED_CHANNEL)
  otherTabs.postMessage({ id, bookingId })
  otherTabs.close()
}

/** The service keeps the payment if this booking has claimed it. */
function showEarlierBooking(bookingId: string, sent: Checkout, keep: (checkout: Checkout) => void): void {
  if (sent.payment !== undefined) releasePayment(sent.payment.id)
  showBooking(bookingId, sent, keep)
}

function showBooking(bookingId: string, sent: Checkout, keep: (checkout: Checkout) => void): void {
  keep({ ...sent, sent: undefined, bookingId })
  saveLastGuest(sent.guests[0], sent.contact)
  tellOtherTabs(sent.id, bookingId)
  navigate(`/bookings/${bookingId}?from=${sent.id}`, { replace: true })
  scrollTo(0, 0)
}

/** A failed check does not block the form; the offer is checked again before booking. */
async function checkOnOpen(
  from: Checkout,
  latest: () => Checkout,
  keep: (checkout: Checkout) => void,
  setAttempt: (attempt: Attempt) => void,
): Promise<void> {
  const ready = await checkPriceOf(from, false)
  // The guest has submitted the form or changed the room in the meantime.
  if (latest().room.booking_info !== from.room.booking_info || latest().sent !== undefined) return
  if (!('phase' in ready)) keep({ ...latest(), room: ready.room, termsDigest: ready.termsDigest, charge: ready.charge })
  else if (ready.phase !== 'refused' && ready.phase !== 'form') setAttempt(ready)
}

/** Waits for the first request if it is still running. */
async function bookWithRetry(checkout: Checkout) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await sendBooking(checkout.sent ?? buildBookBody(checkout), checkout.attemptKey)
    } catch (error) {
      const isBusy = error instanceof ApiProblem && error.code === 'request_in_progress' && tries < MAX_BUSY_TRIES
      if (!isBusy) throw error
      await new Promise((resolve) => setTimeout(resolve, error.retryAfterMs || BUSY_WAIT_MS))
    }
  }
}
