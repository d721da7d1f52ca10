import type { OfferRef, RoomOffer } from '../../domain/offer.ts'
import type { CallContext } from '../../lib/async/call-context.ts'
import { MINUTE_MS } from '../../lib/time/durations.ts'
import type { Capabilities } from '../capabilities.ts'
import type { AvailabilityAnswer, AvailabilityQuery, PriceCheck, RoomsQuery, Vendor } from '../contract.ts'
import { readWith } from '../transport/call.ts'
import { type Caller, createCaller } from '../transport/caller.ts'
import { ignoreVendorError, VendorError } from '../vendor-error.ts'
import type { AdapterDeps } from '../vendor-kind.ts'
import { RATE_KINDS, type RateKind, requestKinds, withAnswerDeadline } from '../wire/rate-kinds.ts'
import { buildHeaders } from './authorize.ts'
import { book, cancel, find } from './bookings.ts'
import type { LiteapiConfig } from './config.ts'
import { createCodeLists } from './content/code-lists.ts'
import { readContentPages } from './content/read.ts'
import { createReading, type ListAnswer, readProperties } from './decode-availability.ts'
import { decodePriceCheck, decodeRooms, OFFER_TTL_MS } from './decode-rooms.ts'
import {
  encodeAvailability,
  encodePriceCheck,
  encodeRooms,
  hiddenRatesMax,
  LITEAPI_LANGUAGES,
  listRatesMax,
} from './encode.ts'
import { readFailure, refusedByVendor, VENDOR } from './failure.ts'
import { decodeRef } from './offer-ref.ts'
import { probe } from './probe.ts'
import { isLiteapiId } from './wire.ts'

export { isSandboxKey, LiteapiConfig, liteapiOrigins, validateConfig as objectionTo } from './config.ts'
export { holdOff } from './failure.ts'

/** From the vendor's documentation, or a conservative guess noted in README.md. */
const CAPABILITIES: Capabilities = {
  roomsMax: 8,
  nightsMax: 28,
  leadDaysMax: 365,
  // The vendor accepts 5000 and recommends about 200, with several calls at once.
  propertiesPerCallMax: 200,
  absenceIsFinal: false,
  // The vendor's own timeout is set to 110 seconds.
  bookTimeoutMs: 125_000,
  visibilityLagMs: 30 * MINUTE_MS,
  offerTtlMs: OFFER_TTL_MS,
  // Rates are in English only: the operation has no language parameter.
  languages: { content: LITEAPI_LANGUAGES, rates: new Set() },
}

/** `rates` converts fees that properties collect in their own currency. */
type Liteapi = Caller<LiteapiConfig> & Pick<AdapterDeps, 'rates'>

export function createLiteapi(config: LiteapiConfig, deps: AdapterDeps): Vendor {
  const caller = createCaller(config, deps, {
    buildHeaders: () => buildHeaders(config),
    readFailure: (call, reply) => readFailure(call, reply, config.apiKey),
  })
  const liteapi: Liteapi = { ...caller, rates: deps.rates }
  const codes = createCodeLists(caller)
  return {
    id: VENDOR,
    capabilities: CAPABILITIES,
    content: (query, context) => readContentPages(liteapi, codes, query, context),
    availability: (query, context) => availability(liteapi, query, context),
    rooms: (query, context) => rooms(liteapi, query, context),
    priceCheck: (ref, context) => priceCheck(liteapi, ref, context),
    book: (order, context) => book(liteapi, order, context),
    find: (lookup, context) => find(liteapi, lookup, context),
    // The vendor has no such operation; the fee follows from the terms of the booking.
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
  const kinds = liteapi.config.listRates === 'cheapest' ? (['cheapest'] as const) : RATE_KINDS
  const supported = { ...query, vendorPropertyIds: ids }
  return requestKinds(kinds, context, (kind, kindContext) => requestKind(liteapi, supported, kind, kindContext))
}

/** Requests properties that seem to have only package rates again, with more rates. */
async function requestKind(
  liteapi: Liteapi,
  query: AvailabilityQuery,
  kind: RateKind,
  context: CallContext,
): Promise<AvailabilityAnswer> {
  const rooms = query.stay.occupancies.length
  const { offers, dropped, hidden } = await requestList(
    liteapi,
    query,
    { kind, ratesMax: listRatesMax(rooms, kind) },
    context,
  )
  if (hidden.length === 0) return { offers, dropped }
  const again = { ...query, vendorPropertyIds: hidden }
  const rates = { kind, ratesMax: hiddenRatesMax(rooms, kind) }
  const rest = await requestList(liteapi, again, rates, withAnswerDeadline(context)).catch(ignoreVendorError)
  if (rest === undefined) return { offers, dropped, isIncomplete: true }
  return { offers: [...offers, ...rest.offers], dropped: dropped + rest.dropped }
}

async function requestList(
  liteapi: Liteapi,
  query: AvailabilityQuery,
  { kind, ratesMax }: { readonly kind: RateKind; readonly ratesMax: number },
  context: CallContext,
): Promise<ListAnswer> {
  const frame = buildFrame(liteapi, query.stay.occupancies.length)
  const zone = query.timezone === undefined ? {} : { zone: query.timezone }
  const reading = createReading({ ...frame, ...zone, ratesMax })
  const reply = await liteapi.request(
    { ...encodeAvailability(liteapi.config, query, ratesMax, kind), reading },
    context,
  )
  return reply.status === 204 ? { offers: [], dropped: 0, hidden: [] } : readWith(reading, reply)
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
