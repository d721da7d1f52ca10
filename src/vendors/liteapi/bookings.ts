import type { CallContext } from '../../lib/async/call-context.ts'
import type { BookingLookup, BookOrder, Receipt } from '../contract.ts'
import type { Caller } from '../transport/caller.ts'
import { VendorError } from '../vendor-error.ts'
import { idOf, recordOf, recordsOf, textOf, type Wire } from '../wire/read.ts'
import { environmentOf, type LiteapiConfig } from './config.ts'
import { bookingOf, chargedOf, decodeCancelFee, decodeReceipt, environmentIn } from './decode-booking.ts'
import { encodeBook, encodeCancel, encodeDetail, encodeFind } from './encode.ts'
import { malformed, refused, VENDOR } from './failure.ts'
import { decodeRef, partiesOf } from './offer-ref.ts'

type Liteapi = Caller<LiteapiConfig>

/** Sent once under one reference. One prebook booked twice makes two bookings, so the reference alone protects. */
export async function book(liteapi: Liteapi, order: BookOrder, context: CallContext): Promise<Receipt> {
  const ref = decodeRef(order.ref)
  if (ref === undefined || ref.prebookId === '') throw refused('an unknown offer reference')
  if (partiesOf(order.stay).join(' ') !== ref.parties.join(' ')) throw refused('an offer for another party')
  const { body } = await liteapi.ask(encodeBook(liteapi.config, order, ref.prebookId), context)
  const booking = bookingOf(body)
  if (booking?.clientReference !== order.reference) throw malformed('the answer is about another booking', 'unknown')
  const told = environmentIn(booking, body)
  if (told !== undefined && told !== environmentOf(liteapi.config)) {
    throw malformed('the answer is of the other environment', 'unknown')
  }
  const receipt = decodeReceipt(booking, { minor: ref.dueMinor, currency: ref.currency })
  if (receipt === undefined) throw malformed('no booking in the answer', 'unknown')
  return receipt
}

export async function find(
  liteapi: Liteapi,
  lookup: BookingLookup,
  context: CallContext,
): Promise<Receipt | undefined> {
  const booking = await lookUp(liteapi, lookup, context)
  return booking && readReceipt(booking)
}

/** The booking itself is read first: what a second cancellation answers is not documented. */
export async function cancel(liteapi: Liteapi, lookup: BookingLookup, context: CallContext): Promise<Receipt> {
  const before = await lookUp(liteapi, lookup, context)
  if (before === undefined)
    throw new VendorError(VENDOR, 'not_found', 'none', { detail: 'no booking under our reference' })
  const standing = readReceipt(before)
  if (standing.state === 'cancelled') return standing
  const { vendorReference } = standing
  const call = encodeCancel(vendorReference)
  const reply = await liteapi.exchange(call, context)
  const answer = bookingOf(reply.body)
  if (reply.status === 200 && answer !== undefined) {
    const { total: _, charged: __, ...receipt } = { ...standing, ...decodeReceipt(answer) }
    const cancelFee = decodeCancelFee(answer, chargedOf(before))
    return { ...receipt, vendorReference, ...(cancelFee && { cancelFee }) }
  }
  const failure = liteapi.failureOf(call, reply)
  if (reply.status !== 304 && reply.status !== 204) throw failure ?? malformed('no booking in the answer', 'unknown')
  const after = await lookUp(liteapi, { ...lookup, vendorReference }, context).catch(inDoubt)
  const receipt = after && readReceipt(after)
  if (receipt === undefined) throw malformed('a booking that is gone after a cancellation', 'unknown')
  if (receipt.state === 'confirmed') throw refused('unable to cancel')
  return receipt
}

function readReceipt(booking: Wire): Receipt {
  const receipt = decodeReceipt(booking)
  if (receipt === undefined) throw malformed('a booking that cannot be read')
  return receipt
}

/**
 * Our booking in full, by the vendor's reference or found by ours; undefined where the vendor says there is none. Look-ups
 * show bookings of both environments, and one of the other is never ours.
 */
async function lookUp(liteapi: Liteapi, lookup: BookingLookup, context: CallContext): Promise<Wire | undefined> {
  if (lookup.vendorReference !== undefined) return detail(liteapi, lookup.vendorReference, lookup, context)
  const { body } = await liteapi.ask(encodeFind(lookup.reference), context)
  const data = recordOf(body)?.data
  if (!Array.isArray(data)) throw malformed('no list of bookings')
  const ours = environmentOf(liteapi.config)
  const found: Wire[] = []
  for (const listed of recordsOf(data)) {
    const told = environmentIn(listed, body)
    if ((told !== undefined && told !== ours) || isOther(listed.clientReference, lookup.reference)) continue
    const booking = await detail(liteapi, idOf(listed.bookingId), lookup, context)
    if (booking !== undefined) found.push(booking)
  }
  // Should there ever be several, the confirmed one counts: it is the one that costs money.
  return found.find(({ status }) => status === 'CONFIRMED') ?? found[0]
}

/** The list may leave the reference out; one that is there must be ours. */
const isOther = (told: unknown, reference: string): boolean => textOf(told) !== '' && told !== reference

async function detail(
  liteapi: Liteapi,
  bookingId: string,
  { reference }: BookingLookup,
  context: CallContext,
): Promise<Wire | undefined> {
  if (bookingId === '') throw malformed('a booking without an id')
  const reply = await liteapi.ask(encodeDetail(bookingId), context)
  if (reply.status === 204) return undefined
  const booking = bookingOf(reply.body)
  if (booking === undefined) throw malformed('no booking in the answer')
  const told = environmentIn(booking, reply.body)
  if (told === undefined) throw malformed('a booking that does not say of which environment it is')
  if (told !== environmentOf(liteapi.config)) return undefined
  if (idOf(booking.bookingId) !== bookingId || booking.clientReference !== reference) {
    throw malformed('the answer is about another booking')
  }
  return booking
}

/** Reading a booking changes nothing, but when that fails after a cancellation its outcome stays unknown. */
function inDoubt(error: unknown): never {
  if (!(error instanceof VendorError)) throw error
  throw new VendorError(VENDOR, error.fault, 'unknown', { detail: 'the state after a cancellation', cause: error })
}
