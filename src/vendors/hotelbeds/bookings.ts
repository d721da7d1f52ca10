import type { CallContext } from '../../lib/call-context.ts'
import type { Call, Reply } from '../call.ts'
import type { BookingLookup, Receipt, Vendor } from '../contract.ts'
import { VendorError } from '../vendor-error.ts'
import type { HotelbedsConfig } from './config.ts'
import { bookingOf, decodeCancelFee, decodeFound, decodeReceipt, isSameReference } from './decode-booking.ts'
import { encodeBook, encodeCancel, encodeDetail, encodeFind, encodePreviewCancel } from './encode.ts'
import { fail } from './failure.ts'
import { decodeRef } from './offer-ref.ts'
import { partiesOf } from './parties.ts'

type Deps = {
  config: HotelbedsConfig
  ask(call: Call, context: CallContext): Promise<unknown>
  /** The answer as it came, refusals included. */
  exchange(call: Call, context: CallContext): Promise<Reply>
  failureOf(call: Call, reply: Reply): VendorError | undefined
}

export function createBookings(deps: Deps): Pick<Vendor, 'book' | 'find' | 'previewCancel' | 'cancel'> {
  const { config, ask } = deps
  const readReceipt = (body: unknown, call: Call): Receipt =>
    decodeReceipt(body, config.pricing) ?? fail('malformed', call.ifLost, 'no booking in the answer')

  async function detail(vendorReference: string, context: CallContext): Promise<Receipt> {
    const call = encodeDetail(vendorReference)
    return readReceipt(await ask(call, context), call)
  }

  /** The vendor's reference, looked for by ours where we never heard it. */
  async function referenceOf(lookup: BookingLookup, context: CallContext): Promise<string | undefined> {
    if (lookup.vendorReference !== undefined) return lookup.vendorReference
    const found = decodeFound(await ask(encodeFind(lookup), context), lookup.reference)
    return found === 'unreadable' ? fail('malformed', 'none', 'no list of bookings') : found
  }
  const knownReference = async (lookup: BookingLookup, context: CallContext): Promise<string> =>
    (await referenceOf(lookup, context)) ?? fail('not_found', 'none', 'no booking under our reference')

  return {
    async book(order, context) {
      const ref = decodeRef(order.ref) ?? fail('refused', 'none', 'an offer of another make')
      const parties = partiesOf(order.stay).map((party) => party.key)
      if (parties.join() !== ref.parties.join()) fail('refused', 'none', 'an offer for another party')
      const rateKeys = ref.rates.map((rate) => rate.rateKey)
      const call = encodeBook(order, rateKeys, config.creationUser)
      const body = await ask(call, context)
      const receipt = readReceipt(body, call)
      if (!isSameReference(bookingOf(body)?.clientReference, order.reference)) {
        fail('malformed', 'unknown', 'the answer is about another booking')
      }
      return receipt
    },

    async find(lookup, context) {
      try {
        const reference = await referenceOf(lookup, context)
        return reference === undefined ? undefined : await detail(reference, context)
      } catch (error) {
        if (error instanceof VendorError && error.fault === 'not_found') return undefined
        throw error
      }
    },

    async previewCancel(lookup, context) {
      const fee = decodeCancelFee(await ask(encodePreviewCancel(await knownReference(lookup, context)), context))
      return fee && { fee }
    },

    async cancel(lookup, context) {
      const reference = await knownReference(lookup, context)
      const call = encodeCancel(reference)
      const reply = await deps.exchange(call, context)
      // Both are said of a booking that is cancelled already; only the booking itself tells.
      if (reply.status === 409 || reply.status === 410) return detail(reference, context).catch(inDoubt)
      const failure = deps.failureOf(call, reply)
      if (failure !== undefined) throw failure
      return readReceipt(reply.body, call)
    },
  }
}

/** A failed look is harmless in itself, but after a cancellation it leaves open what that did. */
function inDoubt(error: unknown): never {
  if (!(error instanceof VendorError)) throw error
  throw new VendorError(error.vendor, error.fault, 'unknown', {
    detail: 'the state after a cancellation',
    cause: error,
  })
}
