import type { OfferRef, RoomOffer } from '../../domain/offer.ts'
import type { CallContext } from '../../lib/async/call-context.ts'
import { MINUTE_MS } from '../../lib/time/durations.ts'
import type { Capabilities } from '../capabilities.ts'
import type { AvailabilityAnswer, AvailabilityQuery, PriceCheck, RoomsQuery, Vendor } from '../contract.ts'
import { type Call, readWith, type Send } from '../transport/call.ts'
import { type Caller, createCaller } from '../transport/caller.ts'
import { VendorError } from '../vendor-error.ts'
import type { AdapterDeps } from '../vendor-kind.ts'
import { asRecord } from '../wire/read.ts'
import { reportRefusedConditions } from '../wire/refused-conditions.ts'
import { buildHeaders } from './authorize.ts'
import { book, cancel, find, listBookings } from './bookings.ts'
import type { LiteapiConfig } from './config.ts'
import { createCodeLists } from './content/code-lists.ts'
import { readContentPages } from './content/read.ts'
import { createReading, readProperties } from './decode-availability.ts'
import { decodePriceCheck, decodeRooms, OFFER_TTL_MS } from './decode-rooms.ts'
import { encodeAvailability, encodePriceCheck, encodeRooms, LITEAPI_LANGUAGES } from './encode.ts'
import { readFailure, refusedByVendor, VENDOR } from './failure.ts'
import { decodeRef } from './offer-ref.ts'
import { probe } from './probe.ts'
import { isLiteapiId } from './wire.ts'

export { isSandboxKey, LiteapiConfig, liteapiLimits, liteapiOrigins, validateConfig as objectionTo } from './config.ts'
export { holdOff } from './failure.ts'

/** From the vendor's documentation, or a conservative guess noted in README.md. */
const CAPABILITIES: Capabilities = {
  roomsMax: 8,
  nightsMax: 28,
  leadDaysMax: 365,
  // The vendor accepts 5000 and recommends about 200, with several calls at once.
  propertiesPerCallMax: 200,
  absenceIsFinal: false,
  // A prebook may take up to two minutes.
  priceCheckTimeoutMs: 125_000,
  // The vendor's own timeout is set to 110 seconds.
  bookTimeoutMs: 125_000,
  visibilityLagMs: 30 * MINUTE_MS,
  offerTtlMs: OFFER_TTL_MS,
  // Rates are in English only: the operation has no language parameter.
  languages: { content: LITEAPI_LANGUAGES, rates: new Set() },
}

/** Searches of one customer have one session id. */
const withSession = (call: Call, { sessionId }: CallContext): Call =>
  call.class === 'search' && sessionId !== undefined ? { ...call, body: { ...asRecord(call.body), sessionId } } : call

/** `rates` converts fees that properties collect in their own currency. */
type Liteapi = Caller<LiteapiConfig> & Pick<AdapterDeps, 'rates'>

export function createLiteapi(config: LiteapiConfig, deps: AdapterDeps): Vendor {
  const send: Send = (call, context) => deps.send(config.sendSessionId ? withSession(call, context) : call, context)
  const caller = createCaller(
    config,
    { ...deps, send },
    {
      buildHeaders: () => buildHeaders(config),
      readFailure: (call, reply) => readFailure(call, reply, config.apiKey),
    },
  )
  const liteapi: Liteapi = { ...caller, rates: deps.rates }
  const codes = createCodeLists(caller)
  return {
    id: VENDOR,
    capabilities: {
      ...CAPABILITIES,
      contentRequestsPerDay: config.contentRequestsPerDay,
      readsDetailsOnDemand: config.contentDetails === 'yes',
    },
    content: (query, context) => readContentPages(liteapi, codes, query, context),
    availability: (query, context) => availability(liteapi, query, context),
    rooms: (query, context) => rooms(liteapi, query, context),
    priceCheck: (ref, context) => priceCheck(liteapi, ref, context),
    book: (order, context) => book(liteapi, order, context),
    find: (lookup, context) => find(liteapi, lookup, context),
    listBookings: (days, context) => listBookings(liteapi, days, context),
    // The vendor does not have this operation; the fee follows from the terms of the booking.
    previewCancel: async () => undefined,
    cancel: (lookup, context) => cancel(liteapi, lookup, context),
    probe: (context) => probe(liteapi, context),
  }
}

async function availability(
  liteapi: Liteapi,
  query: AvailabilityQuery,
  context: CallContext,
): Promise<AvailabilityAnswer> {
  const ids = query.vendorPropertyIds.filter(isLiteapiId)
  if (ids.length === 0) return { offers: [], dropped: 0 }
  const { conditions, timezone: zone } = query
  const reading = createReading({
    ...buildFrame(liteapi, query.stay.occupancies.length),
    ...(zone !== undefined && { zone }),
    ...(conditions !== undefined && { conditions }),
  })
  const call = { ...encodeAvailability(liteapi.config, { ...query, vendorPropertyIds: ids }), reading }
  const reply = await reportRefusedConditions(conditions, /board|refundable/i, liteapi.request(call, context))
  return reply.status === 204 ? { offers: [], dropped: 0 } : readWith(reading, reply)
}

async function rooms(liteapi: Liteapi, query: RoomsQuery, context: CallContext): Promise<readonly RoomOffer[]> {
  if (!isLiteapiId(query.vendorPropertyId)) return []
  const reply = await liteapi.request(encodeRooms(liteapi.config, query), context)
  const properties = reply.status === 204 ? [] : readProperties(reply.body)
  return decodeRooms(properties, query, buildFrame(liteapi, query.stay.occupancies.length))
}

async function priceCheck(liteapi: Liteapi, offerRef: OfferRef, context: CallContext): Promise<PriceCheck> {
  const ref = decodeRef(offerRef)
  if (ref === undefined) throw refusedByVendor('an unknown offer reference')
  try {
    const { body } = await liteapi.request(encodePriceCheck(ref), context)
    return decodePriceCheck(body, ref, buildFrame(liteapi, ref.parties.length), liteapi.config.payment)
  } catch (error) {
    if (error instanceof VendorError && error.fault === 'sold_out') return { status: 'sold_out' }
    throw error
  }
}

const buildFrame = ({ clock, rates }: Liteapi, rooms: number) => ({ rooms, now: clock.now(), exchange: rates() })
