import { toDecimal } from '../../domain/money/money.ts'
import type { CallContext } from '../../lib/async/call-context.ts'
import { addDays } from '../../lib/time/plain-date.ts'
import type { Amendment, BookingLookup, BookOrder, DaySpan, ListedBooking, Receipt } from '../contract.ts'
import type { Call } from '../transport/call.ts'
import type { Caller } from '../transport/caller.ts'
import { ignoreVendorError, toUnknownEffect, unlessNotFound } from '../vendor-error.ts'
import { asRecord, asRecords } from '../wire/read.ts'
import type { HotelbedsConfig } from './config.ts'
import {
  type Charged,
  decodeCancelFee,
  decodeCharged,
  decodeConfirmation,
  decodeFound,
  decodeListed,
  decodeReceipt,
  extractBooking,
  isSameReference,
  scaleFee,
} from './decode-booking.ts'
import {
  type BookingList,
  encodeAmend,
  encodeBook,
  encodeCancel,
  encodeDetail,
  encodeFind,
  encodeList,
  encodeReconfirmations,
  LIST_DAYS_MAX,
} from './encode.ts'
import { fail } from './failure.ts'
import { matchLeads } from './guests.ts'
import { decodeRef } from './offer-ref.ts'
import { groupParties } from './parties.ts'

type Hotelbeds = Caller<HotelbedsConfig>

export async function book(hotelbeds: Hotelbeds, order: BookOrder, context: CallContext): Promise<Receipt> {
  const ref = decodeRef(order.ref) ?? fail('refused', 'none', 'an unknown offer reference')
  const parties = groupParties(order.stay).map((party) => party.key)
  if (parties.join() !== ref.parties.join()) fail('refused', 'none', 'the offer is for another party')
  const rateKeys = ref.rates.map((rate) => rate.rateKey)
  const call = encodeBook(order, rateKeys, hotelbeds.config.creationUser)
  const { body } = await hotelbeds.request(call, context)
  const receipt = readReceipt(hotelbeds, body, call)
  if (!isSameReference(extractBooking(body)?.clientReference, order.reference)) {
    fail('malformed', 'unknown', 'the response contains another booking')
  }
  return receipt
}

export async function find(
  hotelbeds: Hotelbeds,
  lookup: BookingLookup,
  context: CallContext,
): Promise<Receipt | undefined> {
  const reference = await unlessNotFound(findReference(hotelbeds, lookup, context))
  return reference === undefined ? undefined : unlessNotFound(fetchConfirmed(hotelbeds, reference, context))
}

/** Adds the hotel's own confirmation numbers, if available; the booking is valid without them. */
async function fetchConfirmed(hotelbeds: Hotelbeds, vendorReference: string, context: CallContext): Promise<Receipt> {
  const call = encodeDetail(vendorReference)
  const { body } = await hotelbeds.request(call, context)
  const receipt = readReceipt(hotelbeds, body, call)
  const booking = extractBooking(body)
  if (receipt.state !== 'confirmed' || booking === undefined) return receipt
  const reply = await hotelbeds.request(encodeReconfirmations(vendorReference), context).catch(ignoreVendorError)
  return { ...receipt, confirmation: decodeConfirmation(booking, reply?.body) }
}

/**
 * Reads the booking first: the vendor does not document how it answers a second cancellation, and the price is missing
 * from a cancelled booking.
 */
export async function cancel(hotelbeds: Hotelbeds, lookup: BookingLookup, context: CallContext): Promise<Receipt> {
  const { config, clock } = hotelbeds
  const reference = await requireReference(hotelbeds, lookup, context)
  const before = (await hotelbeds.request(encodeDetail(reference), context).catch(ignoreVendorError))?.body
  const current = decodeReceipt(before, config.pricing, clock.now())
  if (current?.state === 'cancelled') return current
  const charged = decodeCharged(before, config.pricing)
  const call = encodeCancel(reference)
  const reply = await hotelbeds.exchange(call, context)
  // Both may mean that the booking is already cancelled, so it must be read.
  if (reply.status === 409 || reply.status === 410)
    return fetchReceipt(hotelbeds, reference, context).catch(toUnknownEffect)
  const failure = hotelbeds.readFailure(call, reply)
  if (failure !== undefined) throw failure
  const { cancelFee: _, ...receipt } = readReceipt(hotelbeds, reply.body, call)
  const fee = receipt.state === 'cancelled' ? scaleFee(decodeCancelFee(reply.body), charged) : undefined
  return { ...receipt, ...(fee && { cancelFee: fee }) }
}

/** The vendor refuses larger pages; it does not document the limit. */
const PAGE_SIZE = 25
const PAGES_MAX = 200

export async function* listBookings(
  hotelbeds: Hotelbeds,
  list: BookingList,
  { from, to }: DaySpan,
  context: CallContext,
): AsyncIterable<readonly ListedBooking[]> {
  for (let start = from; start <= to; start = addDays(start, LIST_DAYS_MAX)) {
    const last = addDays(start, LIST_DAYS_MAX - 1)
    const span = { from: start, to: last < to ? last : to }
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const { body } = await hotelbeds.request(
        encodeList(list, span, page * PAGE_SIZE + 1, (page + 1) * PAGE_SIZE),
        context,
      )
      const bookings = decodeListed(body) ?? fail('malformed', 'none', 'the response has no list of bookings')
      yield bookings
      if (bookings.length < PAGE_SIZE) break
    }
  }
}

/**
 * The vendor expects the whole booking with the changes. It is simulated first, so that no change alters the price
 * without consent. The change is idempotent.
 */
export async function amend(
  hotelbeds: Hotelbeds,
  lookup: BookingLookup,
  amendment: Amendment,
  context: CallContext,
): Promise<void> {
  const reference = await requireReference(hotelbeds, lookup, context)
  const { body } = await hotelbeds.request(encodeDetail(reference), context)
  const booking = extractBooking(body) ?? fail('malformed', 'none', 'the response has no booking')
  const policies = asRecord(booking.modificationPolicies)
  if (booking.status !== 'CONFIRMED' || policies?.modification === false)
    fail('refused', 'none', 'the booking cannot be modified')
  const entries = asRecords(asRecord(booking.hotel)?.rooms)
  const leadGuests =
    matchLeads(entries, amendment.stay, amendment.guests) ??
    fail('refused', 'none', 'the rooms do not match the booking')
  const send = async (mode: 'SIMULATION' | 'UPDATE') => {
    const call = encodeAmend(mode, reference, booking, amendment, leadGuests)
    return readReceipt(hotelbeds, (await hotelbeds.request(call, context)).body, call)
  }
  const before = readReceipt(hotelbeds, body, encodeDetail(reference))
  const after = await send('SIMULATION')
  const [now, then] = [readBill(before), readBill(after)]
  if (!amendment.acceptsPrice(before, after))
    fail('price_changed', 'none', `the change alters the total from ${now} to ${then}`)
  const changed = await send('UPDATE')
  if (changed.state !== 'confirmed' || readBill(changed) !== then)
    fail('malformed', 'unknown', 'the changed booking differs from the simulated one')
}

const readBill = ({ total, charged }: Receipt): string => {
  const bill = total ?? charged
  return bill === undefined ? 'unknown' : `${toDecimal(bill)} ${bill.currency}`
}

/** Price of a confirmed booking; undefined if it cannot be read. */
export async function fetchCharged(
  hotelbeds: Hotelbeds,
  vendorReference: string,
  context: CallContext,
): Promise<Charged | undefined> {
  const { body } = await hotelbeds.request(encodeDetail(vendorReference), context)
  return decodeCharged(body, hotelbeds.config.pricing)
}

export const requireReference = async (
  hotelbeds: Hotelbeds,
  lookup: BookingLookup,
  context: CallContext,
): Promise<string> =>
  (await findReference(hotelbeds, lookup, context)) ?? fail('not_found', 'none', 'no booking under our reference')

/** Vendor's reference; looked up by ours if the response to the booking was lost. */
async function findReference(hotelbeds: Hotelbeds, lookup: BookingLookup, context: CallContext) {
  if (lookup.vendorReference !== undefined) return lookup.vendorReference
  const { body } = await hotelbeds.request(encodeFind(lookup), context)
  const found = decodeFound(body, lookup.reference)
  return found === 'unreadable' ? fail('malformed', 'none', 'the response has no list of bookings') : found
}

async function fetchReceipt(hotelbeds: Hotelbeds, vendorReference: string, context: CallContext): Promise<Receipt> {
  const call = encodeDetail(vendorReference)
  return readReceipt(hotelbeds, (await hotelbeds.request(call, context)).body, call)
}

const readReceipt = ({ config, clock }: Hotelbeds, body: unknown, call: Call): Receipt =>
  decodeReceipt(body, config.pricing, clock.now()) ?? fail('malformed', call.ifLost, 'the response has no booking')
