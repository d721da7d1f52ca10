import type { CallContext } from '../../lib/async/call-context.ts'
import { addDays, daysBetween } from '../../lib/time/plain-date.ts'
import type { BookingLookup, BookOrder, DaySpan, ListedBooking, Receipt } from '../contract.ts'
import type { Caller } from '../transport/caller.ts'
import { toUnknownEffect, VendorError } from '../vendor-error.ts'
import { asRecord, asRecords, asText, readId, type Wire } from '../wire/read.ts'
import { type LiteapiConfig, readEnvironment } from './config.ts'
import {
  decodeCancelFee,
  decodeListed,
  decodeReceipt,
  extractBooking,
  readBookingEnvironment,
  readCharged,
} from './decode-booking.ts'
import { encodeBook, encodeBookingList, encodeCancel, encodeDetail, encodeFind } from './encode.ts'
import { malformed, refusedByVendor, VENDOR } from './failure.ts'
import { decodeRef, encodeParties } from './offer-ref.ts'

type Liteapi = Caller<LiteapiConfig>

/** Sent only once per reference. Booking a prebook twice makes two bookings; only the reference prevents that. */
export async function book(liteapi: Liteapi, order: BookOrder, context: CallContext): Promise<Receipt> {
  const ref = decodeRef(order.ref)
  if (ref === undefined || ref.prebookId === '') throw refusedByVendor('an unknown offer reference')
  if (encodeParties(order.stay).join(' ') !== ref.parties.join(' '))
    throw refusedByVendor('the offer is for another party')
  const { body } = await liteapi
    .request(encodeBook(liteapi.config, order, ref.prebookId), context)
    .catch((error: unknown) => failPayment(liteapi, order, error, context))
  const booking = extractBooking(body)
  if (booking?.clientReference !== order.reference) throw malformed('the response contains another booking', 'unknown')
  const environment = readBookingEnvironment(booking, body)
  if (environment !== undefined && environment !== readEnvironment(liteapi.config)) {
    throw malformed('the response is from the other environment', 'unknown')
  }
  const receipt = decodeReceipt(booking, liteapi.config.processingFeePercent, {
    minor: ref.dueMinor,
    currency: ref.currency,
  })
  if (receipt === undefined) throw malformed('the response has no booking', 'unknown')
  return receipt
}

/**
 * A payment that failed has booked nothing if a look-up right afterwards finds nothing. Otherwise the outcome remains
 * unknown, and the look-ups that follow find the booking.
 */
async function failPayment(liteapi: Liteapi, order: BookOrder, error: unknown, context: CallContext): Promise<never> {
  if (!(error instanceof VendorError) || error.fault !== 'misconfigured') throw error
  const { reference, contact, stay } = order
  const lookup: BookingLookup = { reference, email: contact.email, createdOn: stay.checkIn }
  const isThere = await lookUp(liteapi, lookup, context).then((found) => found !== undefined, toDoubt)
  if (isThere) throw new VendorError(VENDOR, 'unavailable', 'unknown', { detail: error.detail, cause: error })
  throw new VendorError(VENDOR, 'misconfigured', 'none', { detail: `${error.detail}, and no booking was found` })
}

/** A failed look-up proves nothing. */
function toDoubt(error: unknown): true {
  if (!(error instanceof VendorError)) throw error
  return true
}

/** The list has no pages, so short periods keep responses small. */
const SPAN_DAYS = 7

/** The zone of the vendor's days is not documented, so one more is read at each end. */
export async function* listBookings(
  liteapi: Liteapi,
  { from, to }: DaySpan,
  context: CallContext,
): AsyncIterable<readonly ListedBooking[]> {
  const environment = readEnvironment(liteapi.config)
  const end = addDays(to, 1)
  for (let start = addDays(from, -1); start <= end; start = addDays(start, SPAN_DAYS)) {
    const last = addDays(start, Math.min(SPAN_DAYS - 1, daysBetween(start, end)))
    const { body } = await liteapi.request(encodeBookingList({ from: start, to: last }, environment), context)
    const bookings = decodeListed(body, environment)
    if (bookings === undefined) throw malformed('the response has no list of bookings')
    yield bookings
  }
}

export async function find(
  liteapi: Liteapi,
  lookup: BookingLookup,
  context: CallContext,
): Promise<Receipt | undefined> {
  const booking = await lookUp(liteapi, lookup, context)
  return booking && readReceipt(liteapi, booking)
}

/** Reads the booking first: the vendor does not document how it answers a second cancellation. */
export async function cancel(liteapi: Liteapi, lookup: BookingLookup, context: CallContext): Promise<Receipt> {
  const before = await lookUp(liteapi, lookup, context)
  if (before === undefined)
    throw new VendorError(VENDOR, 'not_found', 'none', { detail: 'no booking under our reference' })
  const current = readReceipt(liteapi, before)
  if (current.state === 'cancelled') return current
  const { vendorReference } = current
  const call = encodeCancel(vendorReference)
  const reply = await liteapi.exchange(call, context)
  const answer = extractBooking(reply.body)
  if (reply.status === 200 && answer !== undefined) {
    const {
      total: _,
      charged: __,
      ...receipt
    } = { ...current, ...decodeReceipt(answer, liteapi.config.processingFeePercent) }
    const cancelFee = decodeCancelFee(answer, readCharged(before))
    return { ...receipt, vendorReference, ...(cancelFee && { cancelFee }) }
  }
  const failure = liteapi.readFailure(call, reply)
  if (reply.status !== 304 && reply.status !== 204) throw failure ?? malformed('the response has no booking', 'unknown')
  const after = await lookUp(liteapi, { ...lookup, vendorReference }, context).catch(toUnknownEffect)
  const receipt = after && readReceipt(liteapi, after)
  if (receipt === undefined) throw malformed('the booking is missing after the cancellation', 'unknown')
  if (receipt.state === 'confirmed') throw refusedByVendor('the booking cannot be cancelled')
  return receipt
}

function readReceipt({ config }: Liteapi, booking: Wire): Receipt {
  const receipt = decodeReceipt(booking, config.processingFeePercent)
  if (receipt === undefined) throw malformed('the booking is unreadable')
  return receipt
}

/**
 * Our booking by the vendor's reference or ours; undefined if it does not exist. Look-ups return bookings of both
 * environments; those of the other one are never ours.
 */
async function lookUp(liteapi: Liteapi, lookup: BookingLookup, context: CallContext): Promise<Wire | undefined> {
  if (lookup.vendorReference !== undefined) return fetchBooking(liteapi, lookup.vendorReference, lookup, context)
  const { body } = await liteapi.request(encodeFind(lookup.reference), context)
  const data = asRecord(body)?.data
  if (!Array.isArray(data)) throw malformed('the response has no list of bookings')
  const ours = readEnvironment(liteapi.config)
  const found: Wire[] = []
  for (const listed of asRecords(data)) {
    const environment = readBookingEnvironment(listed, body)
    if ((environment !== undefined && environment !== ours) || isDifferent(listed.clientReference, lookup.reference))
      continue
    const booking = await fetchBooking(liteapi, readId(listed.bookingId), lookup, context)
    if (booking !== undefined) found.push(booking)
  }
  // A confirmed booking takes precedence, because it costs money.
  return found.find(({ status }) => status === 'CONFIRMED') ?? found[0]
}

/** The list may omit the reference; if present, it must be ours. */
const isDifferent = (theirs: unknown, reference: string): boolean => asText(theirs) !== '' && theirs !== reference

async function fetchBooking(
  liteapi: Liteapi,
  bookingId: string,
  { reference }: BookingLookup,
  context: CallContext,
): Promise<Wire | undefined> {
  if (bookingId === '') throw malformed('the booking has no id')
  const reply = await liteapi.request(encodeDetail(bookingId), context)
  if (reply.status === 204) return undefined
  const booking = extractBooking(reply.body)
  if (booking === undefined) throw malformed('the response has no booking')
  const environment = readBookingEnvironment(booking, reply.body)
  if (environment === undefined) throw malformed('the booking has no environment')
  if (environment !== readEnvironment(liteapi.config)) return undefined
  if (readId(booking.bookingId) !== bookingId || booking.clientReference !== reference) {
    throw malformed('the response contains another booking')
  }
  return booking
}
