import { useCallback, useEffect, useRef, useState } from 'react'
import { randomId } from '../../../packages/client/src/random-id.ts'
import { book, checkPrice } from '../api/operations.ts'
import { ApiProblem, SignInDeclined } from '../api/problem.ts'
import type { Room, TermChange } from '../api/shapes.ts'
import { navigate } from '../browser/router.ts'
import {
  type Attempt,
  bookBodyOf,
  type Checkout,
  earlierBooking,
  keepCheckout,
  keepLastGuest,
  outcomeOf,
} from './checkout.ts'

export type { Attempt } from './checkout.ts'

const BUSY_TRIES = 40
const BUSY_MS = 1_500

/**
 * Checks the price when the checkout opens, and books what was checked with the checkout's key. The body is kept until its
 * result is known, so a reload sends the same body with the same key and gets the first result; nothing can be booked twice.
 */
export function useBookingAttempt(checkout: Checkout, onCheckout: (checkout: Checkout) => void) {
  const [attempt, setAttempt] = useState<Attempt>(
    checkout.sent === undefined ? { phase: 'form' } : { phase: 'sending' },
  )
  const latest = useRef(checkout)
  latest.current = checkout
  const keep = useCallback(
    (next: Checkout) => {
      keepCheckout(next)
      onCheckout(next)
    },
    [onCheckout],
  )

  const send = useCallback(
    async (from: Checkout) => {
      setAttempt({ phase: 'sending' })
      const ready = from.sent === undefined ? await checked(from, true) : from
      if ('phase' in ready) return setAttempt(ready)
      const sent: Checkout = { ...ready, sent: ready.sent ?? bookBodyOf(ready) }
      keep(sent)
      try {
        const booking = await bookPatiently(sent)
        showBooking(booking.booking_id, sent, keep)
      } catch (error) {
        const earlier = earlierBooking(error)
        if (earlier !== undefined) return showBooking(earlier, sent, keep)
        const next = outcomeOf(error, from.sent !== undefined)
        // A refusal is final: the next attempt needs a new key.
        if (next.phase !== 'unsure') keep({ ...sent, sent: undefined, attemptKey: randomId('key') })
        setAttempt(next)
      }
    },
    [keep],
  )

  // Once: continues an attempt that was left unanswered before a reload, or checks what is about to be booked.
  const isBegun = useRef(false)
  useEffect(() => {
    if (isBegun.current) return
    isBegun.current = true
    const from = latest.current
    if (from.sent !== undefined) void send(from)
    else void checkEarly(from, () => latest.current, keep, setAttempt)
  }, [send, keep])

  return { attempt, send, reset: () => setAttempt({ phase: 'form' }) }
}

function showBooking(bookingId: string, sent: Checkout, keep: (checkout: Checkout) => void): void {
  keep({ ...sent, sent: undefined, bookingId })
  keepLastGuest(sent.guests[0], sent.contact)
  navigate(`/bookings/${bookingId}?from=${sent.id}`, { replace: true })
  scrollTo(0, 0)
}

/** A check that fails is no reason to stop anybody from filling in the form: it is made again before booking. */
async function checkEarly(
  from: Checkout,
  latest: () => Checkout,
  keep: (checkout: Checkout) => void,
  setAttempt: (attempt: Attempt) => void,
): Promise<void> {
  const ready = await checked(from, false)
  // Somebody who was faster than the check has had another one made.
  if (latest().room.booking_info !== from.room.booking_info || latest().sent !== undefined) return
  if (!('phase' in ready)) keep({ ...latest(), room: ready.room, termsDigest: ready.termsDigest })
  else if (ready.phase !== 'refused' && ready.phase !== 'form') setAttempt(ready)
}

/** The checkout with the room as the vendor has it now, or what stands in the way. A lower price needs no question. */
async function checked(from: Checkout, wasSent: boolean): Promise<Checkout | Attempt> {
  if (from.termsDigest !== undefined) return from
  try {
    const { status, room, changes, terms_digest } = await checkPrice(from.room.booking_info.price_check_uri)
    if (status === 'sold_out' || room === null) return { phase: 'sold_out', alternatives: [] }
    const termsDigest = terms_digest ?? undefined
    const isFine = status === 'matched' || (status === 'price_changed' && isCheaper(changes))
    const unseen = wasSent ? unseenNotices(from.room, room) : []
    if (isFine && unseen.length === 0) return { ...from, room: { ...from.room, ...room }, termsDigest }
    const told: TermChange[] = unseen.length === 0 ? [] : [{ what: 'notices', shown: [], now: unseen }]
    return { phase: 'changed', room, termsDigest, changes: [...changes, ...told], wasSent }
  } catch (error) {
    if (error instanceof SignInDeclined) return { phase: 'form' }
    if (!(error instanceof ApiProblem)) throw error
    return error.status === 410 ? { phase: 'offer_expired' } : { phase: 'refused', problem: error }
  }
}

/** What has to be read before booking and was not on the page when the guest asked to book. */
const unseenNotices = (shown: Room, now: Room) =>
  now.notices.filter(
    ({ text, required_at }) => required_at.includes('checkout') && !shown.notices?.some((one) => one.text === text),
  )

const isCheaper = (changes: readonly TermChange[]) =>
  changes.every((change) => change.what === 'total_price' && change.now.amount < change.shown.amount)

/** If the first request is still running, waits for its answer. */
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
