import { useCallback, useEffect, useRef, useState } from 'react'
import { randomId } from '../../../packages/client/src/random-id.ts'
import { checkPrice, sendBooking } from '../api/operations.ts'
import { ApiProblem, SignInDeclined } from '../api/problem.ts'
import type { Room, TermChange } from '../api/shapes.ts'
import { navigate } from '../browser/router.ts'
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
 * Checks the price when the checkout opens, then books with the checkout's key. The body is kept until its result is
 * known: a reload repeats the same request, so nothing is booked twice.
 */
export function useBookingAttempt(checkout: Checkout, onCheckout: (checkout: Checkout) => void) {
  const [attempt, setAttempt] = useState<Attempt>(
    checkout.sent === undefined ? { phase: 'form' } : { phase: 'sending' },
  )
  const latest = useRef(checkout)
  latest.current = checkout
  const keep = useCallback(
    (next: Checkout) => {
      saveCheckout(next)
      onCheckout(next)
    },
    [onCheckout],
  )

  const send = useCallback(
    async (from: Checkout) => {
      setAttempt({ phase: 'sending' })
      const ready = from.sent === undefined ? await checkOffer(from, true) : from
      if ('phase' in ready) return setAttempt(ready)
      const sent: Checkout = { ...ready, sent: ready.sent ?? buildBookBody(ready) }
      keep(sent)
      try {
        const booking = await bookWithRetry(sent)
        showBooking(booking.booking_id, sent, keep)
      } catch (error) {
        const earlier = findEarlierBooking(error)
        if (earlier !== undefined) return showBooking(earlier, sent, keep)
        const next = interpretFailure(error, from.sent !== undefined)
        // After a refusal, the next attempt needs a new key.
        if (next.phase !== 'unsure') keep({ ...sent, sent: undefined, attemptKey: randomId('key') })
        setAttempt(next)
      }
    },
    [keep],
  )

  // Runs once: continues an attempt that had no result before a reload, or checks the offer.
  const hasStarted = useRef(false)
  useEffect(() => {
    if (hasStarted.current) return
    hasStarted.current = true
    const from = latest.current
    if (from.sent !== undefined) void send(from)
    else void checkOnOpen(from, () => latest.current, keep, setAttempt)
  }, [send, keep])

  return { attempt, send, reset: () => setAttempt({ phase: 'form' }) }
}

function showBooking(bookingId: string, sent: Checkout, keep: (checkout: Checkout) => void): void {
  keep({ ...sent, sent: undefined, bookingId })
  saveLastGuest(sent.guests[0], sent.contact)
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
  const ready = await checkOffer(from, false)
  // The guest has submitted the form or changed the room in the meantime.
  if (latest().room.booking_info !== from.room.booking_info || latest().sent !== undefined) return
  if (!('phase' in ready)) keep({ ...latest(), room: ready.room, termsDigest: ready.termsDigest })
  else if (ready.phase !== 'refused' && ready.phase !== 'form') setAttempt(ready)
}

/** Returns the checkout with the current room, or the reason why it cannot be booked. A lower price is accepted silently. */
async function checkOffer(from: Checkout, wasSent: boolean): Promise<Checkout | Attempt> {
  if (from.termsDigest !== undefined) return from
  try {
    const { status, room, changes, terms_digest } = await checkPrice(from.room.booking_info.price_check_uri)
    if (status === 'sold_out' || room === null) return { phase: 'sold_out', alternatives: [] }
    const termsDigest = terms_digest ?? undefined
    const isAcceptable = status === 'matched' || (status === 'price_changed' && isCheaper(changes))
    const unseen = wasSent ? findUnseenNotices(from.room, room) : []
    if (isAcceptable && unseen.length === 0) return { ...from, room: { ...from.room, ...room }, termsDigest }
    const noticeChanges: TermChange[] = unseen.length === 0 ? [] : [{ what: 'notices', shown: [], now: unseen }]
    return { phase: 'changed', room, termsDigest, changes: [...changes, ...noticeChanges], wasSent }
  } catch (error) {
    if (error instanceof SignInDeclined) return { phase: 'form' }
    if (!(error instanceof ApiProblem)) throw error
    return error.status === 410 ? { phase: 'offer_expired' } : { phase: 'refused', problem: error }
  }
}

/** Notices that must be read before booking and were not yet shown. */
const findUnseenNotices = (shown: Room, now: Room) =>
  now.notices.filter(
    ({ text, required_at }) =>
      required_at.includes('checkout') && !shown.notices?.some((notice) => notice.text === text),
  )

const isCheaper = (changes: readonly TermChange[]) =>
  changes.every((change) => change.what === 'total_price' && change.now.amount < change.shown.amount)

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
