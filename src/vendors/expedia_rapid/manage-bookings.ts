import type { CallContext } from '../../lib/call-context.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Call, Reply } from '../call.ts'
import type { BookingLookup, BookOrder, CancelQuote, Receipt } from '../contract.ts'
import { VendorError } from '../vendor-error.ts'
import type { ExpediaRapidConfig } from './config.ts'
import {
  cancelFeeOf,
  type Itinerary,
  pickItinerary,
  readCreated,
  readItinerary,
  receiptOf,
} from './decode-itinerary.ts'
import { encodeBook, encodeCancel, encodeFind, encodeFollow, encodeRetrieve } from './encode.ts'
import { errorTypes, failureOf, malformed, RAPID } from './failure.ts'
import { apiPath } from './link.ts'

/** Signs and sends; the answer may still be a refusal. */
type Exchange = (call: Call, context: CallContext) => Promise<Reply>

export function createManageBookings(config: ExpediaRapidConfig, clock: Clock, exchange: Exchange) {
  const origin = config.baseUrl

  async function ask(call: Call, context: CallContext): Promise<Reply> {
    const reply = await exchange(call, context)
    const failure = failureOf(call, reply, clock.now())
    if (failure !== undefined) throw failure
    return reply
  }

  /**
   * The only call that costs money. A number in the body means that the booking exists, whatever the status beside it;
   * a 201 is the vendor's confirmation even when the details cannot be read afterwards.
   */
  async function book(order: BookOrder, context: CallContext): Promise<Receipt> {
    const path = apiPath(order.ref.book, origin)
    if (path === undefined) throw malformed('a booking without a checked price')
    const call = encodeBook(config, order, path)
    const reply = await exchange(call, context)
    const created = readCreated(reply.body, origin)
    if (created.id === '') throw failureOf(call, reply, clock.now()) ?? malformed('booked without a number', 'unknown')
    if (created.isChallenged) return { state: 'pending', vendorReference: created.id }
    const details = await detailsOf(created, order.contact.email, context)
    if (details !== undefined && details.rooms.length > 0) return receiptOf(details)
    return { state: reply.status === 201 ? 'confirmed' : 'pending', vendorReference: created.id }
  }

  async function detailsOf(
    created: ReturnType<typeof readCreated>,
    email: string,
    context: CallContext,
  ): Promise<Itinerary | undefined> {
    try {
      const { id, retrievePath } = created
      const reply = await ask(
        retrievePath === undefined ? encodeRetrieve(id, email) : encodeFollow(retrievePath),
        context,
      )
      const details = readItinerary(reply.body, origin, clock.now())
      return details?.id === id ? details : undefined
    } catch (error) {
      if (error instanceof VendorError) return undefined
      throw error
    }
  }

  /** By our reference; by the vendor's own number too, once it is known. */
  async function look(lookup: BookingLookup, context: CallContext): Promise<Itinerary | undefined> {
    const call = encodeFind(lookup)
    const reply = await exchange(call, context)
    const failure = reply.status === 404 ? undefined : failureOf(call, reply, clock.now())
    if (failure !== undefined) throw failure
    const found = reply.status === 404 ? undefined : pickItinerary(reply.body, lookup.reference, origin, clock.now())
    if (found !== undefined || lookup.vendorReference === undefined) return found
    return lookByNumber(lookup.vendorReference, lookup.email, context)
  }

  async function lookByNumber(id: string, email: string, context: CallContext): Promise<Itinerary | undefined> {
    const call = encodeRetrieve(id, email)
    const reply = await exchange(call, context)
    if (reply.status === 404) return undefined
    const failure = failureOf(call, reply, clock.now())
    if (failure !== undefined) throw failure
    return pickItinerary(reply.body, '', origin, clock.now())
  }

  async function standing(lookup: BookingLookup, context: CallContext): Promise<Itinerary> {
    const itinerary = await look(lookup, context)
    if (itinerary === undefined) throw new VendorError(RAPID, 'not_found', 'none', { detail: 'no such itinerary' })
    return itinerary
  }

  /** Room by room, as Rapid wants it; what is already cancelled counts as done. */
  async function cancel(lookup: BookingLookup, context: CallContext): Promise<Receipt> {
    const itinerary = await standing(lookup, context)
    const fee = cancelFeeOf(itinerary)
    const open = itinerary.rooms.filter((room) => !room.isCancelled)
    const paths = itinerary.rooms.length === 0 ? [itinerary.cancelPath] : open.map((room) => room.cancelPath)
    let done = 0
    let accepted = 0
    for (const path of paths) {
      try {
        if ((await cancelOne(path, context)) === 'accepted') accepted += 1
        done += 1
      } catch (error) {
        throw done === 0 ? error : halfDone(error, done, paths.length)
      }
    }
    if (accepted > 0) await assertCancelled(lookup, context)
    return { state: 'cancelled', vendorReference: itinerary.id, ...(fee === undefined ? {} : { cancelFee: fee }) }
  }

  /** `accepted` is a 202: taken in, outcome not known. */
  async function cancelOne(path: string | undefined, context: CallContext): Promise<'cancelled' | 'accepted'> {
    if (path === undefined)
      throw new VendorError(RAPID, 'refused', 'none', { detail: 'this booking has no way to cancel' })
    const call = encodeCancel(path)
    const reply = await exchange(call, context)
    if (errorTypes(reply.body).includes('room_already_cancelled')) return 'cancelled'
    const failure = failureOf(call, reply, clock.now())
    if (failure !== undefined) throw failure
    return reply.status === 204 ? 'cancelled' : 'accepted'
  }

  async function assertCancelled(lookup: BookingLookup, context: CallContext): Promise<void> {
    const unsure = (cause?: unknown) =>
      new VendorError(RAPID, 'unavailable', 'unknown', { detail: 'cancellation taken in, outcome not known', cause })
    const now = await look(lookup, context).catch((error: unknown) => {
      throw error instanceof VendorError ? unsure(error) : error
    })
    if (now === undefined || receiptOf(now).state !== 'cancelled') throw unsure()
  }

  return {
    book,
    cancel,
    async find(lookup: BookingLookup, context: CallContext): Promise<Receipt | undefined> {
      const itinerary = await look(lookup, context)
      return itinerary === undefined ? undefined : receiptOf(itinerary)
    },
    async previewCancel(lookup: BookingLookup, context: CallContext): Promise<CancelQuote | undefined> {
      const fee = cancelFeeOf(await standing(lookup, context))
      return fee === undefined ? undefined : { fee }
    },
  }
}

/** Some rooms are gone and some are not: whatever stopped us, the booking has changed. */
function halfDone(error: unknown, done: number, of: number): unknown {
  if (!(error instanceof VendorError)) return error
  const detail = `${done} of ${of} rooms cancelled, then ${error.fault}`
  return new VendorError(RAPID, error.fault, 'unknown', { detail, cause: error })
}
