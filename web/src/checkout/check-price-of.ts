import { checkPrice } from '../api/operations.ts'
import { ApiProblem, SignInDeclined } from '../api/problem.ts'
import type { PriceCheck, Room, TermChange } from '../api/shapes.ts'
import type { Attempt, Charge, Checkout } from './checkout.ts'

/** Returns the checkout with the current room, or the reason why it cannot be booked. A lower price is accepted silently. */
export async function checkPriceOf(from: Checkout, wasSent: boolean): Promise<Checkout | Attempt> {
  if (from.termsDigest !== undefined) return from
  try {
    const { status, room, changes, terms_digest, payment } = await checkPrice(from.room.booking_info.price_check_uri)
    if (status === 'sold_out' || room === null) return { phase: 'sold_out', alternatives: [] }
    const termsDigest = terms_digest ?? undefined
    const charge = readCharge(payment)
    const isAcceptable = status === 'matched' || (status === 'price_changed' && isCheaper(changes))
    const unseen = wasSent ? findUnseenNotices(from.room, room) : []
    if (isAcceptable && unseen.length === 0) return { ...from, room: { ...from.room, ...room }, termsDigest, charge }
    const noticeChanges: TermChange[] = unseen.length === 0 ? [] : [{ what: 'notices', shown: [], now: unseen }]
    return { phase: 'changed', room, termsDigest, charge, changes: [...changes, ...noticeChanges], wasSent }
  } catch (error) {
    if (error instanceof SignInDeclined) return { phase: 'form' }
    if (!(error instanceof ApiProblem)) throw error
    return error.status === 410 ? { phase: 'offer_expired' } : { phase: 'refused', problem: error }
  }
}

function readCharge(payment: PriceCheck['payment']): Charge | undefined {
  if (payment?.required !== true) return undefined
  return { amount: payment.amount, currency: payment.currency, isPayable: payment.create !== null }
}

/** Notices that must be read before booking and were not yet shown. */
const findUnseenNotices = (shown: Room, now: Room) =>
  now.notices.filter(
    ({ text, required_at }) =>
      required_at.includes('checkout') && !shown.notices?.some((notice) => notice.text === text),
  )

const isCheaper = (changes: readonly TermChange[]) =>
  changes.every((change) => change.what === 'total_price' && change.now.amount < change.shown.amount)
