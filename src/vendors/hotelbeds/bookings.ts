import type { CallContext } from '../../lib/async/call-context.ts'
import { addDays } from '../../lib/time/plain-date.ts'
import type { Amendment, BookingLookup, BookOrder, DaySpan, ListedBooking, Receipt } from '../contract.ts'
import type { Call } from '../transport/call.ts'
import type { Caller } from '../transport/caller.ts'
import { noneOfVendor, unlessNotFound, VendorError } from '../vendor-error.ts'
import { recordOf, recordsOf } from '../wire/read.ts'
import type { HotelbedsConfig } from './config.ts'
import {
  bookingOf,
  type Charged,
  decodeCancelFee,
  decodeCharged,
  decodeConfirmation,
  decodeFound,
  decodeListed,
  decodeReceipt,
  feeInCharge,
  isSameReference,
} from './decode-booking.ts'
import {
  encodeAmend,
  encodeBook,
  encodeCancel,
  encodeDetail,
  encodeFind,
  encodeListCancelled,
  encodeReconfirmations,
} from './encode.ts'
import { fail } from './failure.ts'
import { leadsOf } from './guests.ts'
import { decodeRef } from './offer-ref.ts'
import { partiesOf } from './parties.ts'

type Hotelbeds = Caller<HotelbedsConfig>

export async function book(hotelbeds: Hotelbeds, order: BookOrder, context: CallContext): Promise<Receipt> {
  const ref = decodeRef(order.ref) ?? fail('refused', 'none', 'an unknown offer reference')
  const parties = partiesOf(order.stay).map((party) => party.key)
  if (parties.join() !== ref.parties.join()) fail('refused', 'none', 'an offer for another party')
  const rateKeys = ref.rates.map((rate) => rate.rateKey)
  const call = encodeBook(order, rateKeys, hotelbeds.config.creationUser)
  const { body } = await hotelbeds.ask(call, context)
  const receipt = receiptIn(hotelbeds, body, call)
  if (!isSameReference(bookingOf(body)?.clientReference, order.reference)) {
    fail('malformed', 'unknown', 'the answer is about another booking')
  }
  return receipt
}

export async function find(
  hotelbeds: Hotelbeds,
  lookup: BookingLookup,
  context: CallContext,
): Promise<Receipt | undefined> {
  const reference = await unlessNotFound(referenceOf(hotelbeds, lookup, context))
  return reference === undefined ? undefined : unlessNotFound(reading(hotelbeds, reference, context))
}

/** The booking with the hotel's own numbers, as far as they can be had: it stands without them as well. */
async function reading(hotelbeds: Hotelbeds, vendorReference: string, context: CallContext): Promise<Receipt> {
  const call = encodeDetail(vendorReference)
  const { body } = await hotelbeds.ask(call, context)
  const receipt = receiptIn(hotelbeds, body, call)
  const booking = bookingOf(body)
  if (receipt.state !== 'confirmed' || booking === undefined) return receipt
  const reply = await hotelbeds.ask(encodeReconfirmations(vendorReference), context).catch(noneOfVendor)
  return { ...receipt, confirmation: decodeConfirmation(booking, reply?.body) }
}

/**
 * Reads the booking first: how a second cancellation is answered is not documented, and a cancelled booking no longer contains its
 * price.
 */
export async function cancel(hotelbeds: Hotelbeds, lookup: BookingLookup, context: CallContext): Promise<Receipt> {
  const { config, clock } = hotelbeds
  const reference = await knownReference(hotelbeds, lookup, context)
  const before = (await hotelbeds.ask(encodeDetail(reference), context).catch(noneOfVendor))?.body
  const standing = decodeReceipt(before, config.pricing, clock.now())
  if (standing?.state === 'cancelled') return standing
  const charged = decodeCharged(before, config.pricing)
  const call = encodeCancel(reference)
  const reply = await hotelbeds.exchange(call, context)
  // Both may mean that the booking is already cancelled; only the booking itself tells.
  if (reply.status === 409 || reply.status === 410) return detail(hotelbeds, reference, context).catch(inDoubt)
  const failure = hotelbeds.failureOf(call, reply)
  if (failure !== undefined) throw failure
  const { cancelFee: _, ...receipt } = receiptIn(hotelbeds, reply.body, call)
  const fee = receipt.state === 'cancelled' ? feeInCharge(decodeCancelFee(reply.body), charged) : undefined
  return { ...receipt, ...(fee && { cancelFee: fee }) }
}

/** Longer spans and pages are refused; where the limits are is not documented. */
const SPAN_DAYS = 30
const LISTED = 25
const PAGES_MAX = 200

export async function* listCancelled(
  hotelbeds: Hotelbeds,
  { from, to }: DaySpan,
  context: CallContext,
): AsyncIterable<readonly ListedBooking[]> {
  for (let start = from; start <= to; start = addDays(start, SPAN_DAYS)) {
    const last = addDays(start, SPAN_DAYS - 1)
    const span = { from: start, to: last < to ? last : to }
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const { body } = await hotelbeds.ask(encodeListCancelled(span, page * LISTED + 1, (page + 1) * LISTED), context)
      const listed = decodeListed(body) ?? fail('malformed', 'none', 'no list of bookings')
      yield listed
      if (listed.length < LISTED) break
    }
  }
}

/** The vendor takes the whole booking, with what is to change. Changing the same twice does no harm. */
export async function amend(
  hotelbeds: Hotelbeds,
  lookup: BookingLookup,
  amendment: Amendment,
  context: CallContext,
): Promise<void> {
  const reference = await knownReference(hotelbeds, lookup, context)
  const { body } = await hotelbeds.ask(encodeDetail(reference), context)
  const booking = bookingOf(body) ?? fail('malformed', 'none', 'no booking in the answer')
  const policies = recordOf(booking.modificationPolicies)
  if (booking.status !== 'CONFIRMED' || policies?.modification === false)
    fail('refused', 'none', 'this booking cannot be modified')
  const entries = recordsOf(recordOf(booking.hotel)?.rooms)
  const leads =
    leadsOf(entries, amendment.stay, amendment.guests) ?? fail('refused', 'none', 'other parties than were booked')
  await hotelbeds.ask(encodeAmend(reference, booking, amendment, leads), context)
}

/** What a booking that stands was sold for; undefined where it cannot be read. */
export async function chargedFor(
  hotelbeds: Hotelbeds,
  vendorReference: string,
  context: CallContext,
): Promise<Charged | undefined> {
  const { body } = await hotelbeds.ask(encodeDetail(vendorReference), context)
  return decodeCharged(body, hotelbeds.config.pricing)
}

export const knownReference = async (
  hotelbeds: Hotelbeds,
  lookup: BookingLookup,
  context: CallContext,
): Promise<string> =>
  (await referenceOf(hotelbeds, lookup, context)) ?? fail('not_found', 'none', 'no booking under our reference')

/** The vendor's reference, found by ours where its answer never came. */
async function referenceOf(hotelbeds: Hotelbeds, lookup: BookingLookup, context: CallContext) {
  if (lookup.vendorReference !== undefined) return lookup.vendorReference
  const { body } = await hotelbeds.ask(encodeFind(lookup), context)
  const found = decodeFound(body, lookup.reference)
  return found === 'unreadable' ? fail('malformed', 'none', 'no list of bookings') : found
}

async function detail(hotelbeds: Hotelbeds, vendorReference: string, context: CallContext): Promise<Receipt> {
  const call = encodeDetail(vendorReference)
  return receiptIn(hotelbeds, (await hotelbeds.ask(call, context)).body, call)
}

const receiptIn = ({ config, clock }: Hotelbeds, body: unknown, call: Call): Receipt =>
  decodeReceipt(body, config.pricing, clock.now()) ?? fail('malformed', call.ifLost, 'no booking in the answer')

/** Reading a booking changes nothing, but when that fails after a cancellation its outcome stays unknown. */
function inDoubt(error: unknown): never {
  if (!(error instanceof VendorError)) throw error
  throw new VendorError(error.vendor, error.fault, 'unknown', {
    detail: 'the state after a cancellation',
    cause: error,
  })
}
