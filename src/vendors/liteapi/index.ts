import type { OfferRef, RoomOffer } from '../../domain/offer.ts'
import type { CallContext } from '../../lib/async/call-context.ts'
import { MINUTE_MS } from '../../lib/time/durations.ts'
import type { Capabilities } from '../capabilities.ts'
import type { AvailabilityAnswer, AvailabilityQuery, PriceCheck, RoomsQuery, Vendor } from '../contract.ts'
import { readWith } from '../transport/call.ts'
import { type Caller, createCaller } from '../transport/caller.ts'
import { noneOfVendor, VendorError } from '../vendor-error.ts'
import type { AdapterDeps } from '../vendor-kind.ts'
import { askKinds, RATE_KINDS, type RateKind, whileThereIsTime } from '../wire/rate-kinds.ts'
import { headersOf } from './authorize.ts'
import { book, cancel, find } from './bookings.ts'
import type { LiteapiConfig } from './config.ts'
import { createCodeLists } from './content/code-lists.ts'
import { readContent } from './content/read.ts'
import { type ListAnswer, propertiesOf, readingOf } from './decode-availability.ts'
import { decodePriceCheck, decodeRooms, OFFER_TTL_MS } from './decode-rooms.ts'
import {
  encodeAvailability,
  encodePriceCheck,
  encodeRooms,
  LITEAPI_LANGUAGES,
  ratesOfHidden,
  ratesOfList,
} from './encode.ts'
import { failureOf, refused, VENDOR } from './failure.ts'
import { decodeRef } from './offer-ref.ts'
import { probe } from './probe.ts'
import { isPropertyId } from './wire.ts'

export { isSandboxKey, LiteapiConfig, liteapiOrigins, objectionTo } from './config.ts'
export { holdOff } from './failure.ts'

/** Facts of the vendor's documents; where those are silent, the careful guess, which README.md names. */
const CAPABILITIES: Capabilities = {
  roomsMax: 8,
  nightsMax: 28,
  leadDaysMax: 365,
  // The vendor takes 5000 and advises about 200, several calls at once.
  propertiesPerCallMax: 200,
  absenceIsFinal: false,
  // The vendor is given 110 seconds, and waited for a little longer.
  bookTimeoutMs: 125_000,
  visibilityLagMs: 30 * MINUTE_MS,
  offerTtlMs: OFFER_TTL_MS,
  // Rates come in English only: their operation has no such parameter.
  languages: { content: LITEAPI_LANGUAGES, rates: new Set() },
}

/** The vendor's calls, and the exchange rates for what properties collect in their own currency. */
type Liteapi = Caller<LiteapiConfig> & Pick<AdapterDeps, 'rates'>

export function createLiteapi(config: LiteapiConfig, deps: AdapterDeps): Vendor {
  const caller = createCaller(config, deps, {
    headersOf: () => headersOf(config),
    failureOf: (call, reply) => failureOf(call, reply, config.apiKey),
  })
  const liteapi: Liteapi = { ...caller, rates: deps.rates }
  const codes = createCodeLists(caller)
  return {
    id: VENDOR,
    capabilities: CAPABILITIES,
    content: (query, context) => readContent(liteapi, codes, query, context),
    availability: (query, context) => availability(liteapi, query, context),
    rooms: (query, context) => rooms(liteapi, query, context),
    priceCheck: (ref, context) => priceCheck(liteapi, ref, context),
    book: (order, context) => book(liteapi, order, context),
    find: (lookup, context) => find(liteapi, lookup, context),
    // There is no such operation; the terms of the booking tell.
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
  const ids = query.vendorPropertyIds.filter(isPropertyId)
  if (ids.length === 0) return { offers: [], dropped: 0 }
  const kinds = liteapi.config.listRates === 'cheapest' ? (['cheapest'] as const) : RATE_KINDS
  const asked = { ...query, vendorPropertyIds: ids }
  return askKinds(kinds, context, (kind, within) => ofKind(liteapi, asked, kind, within))
}

/** Properties that seem to have nothing but package rates are asked for once more, with more of their rates. */
async function ofKind(
  liteapi: Liteapi,
  query: AvailabilityQuery,
  kind: RateKind,
  context: CallContext,
): Promise<AvailabilityAnswer> {
  const rooms = query.stay.occupancies.length
  const { offers, dropped, hidden } = await list(liteapi, query, { kind, ratesMax: ratesOfList(rooms, kind) }, context)
  if (hidden.length === 0) return { offers, dropped }
  const again = { ...query, vendorPropertyIds: hidden }
  const rates = { kind, ratesMax: ratesOfHidden(rooms, kind) }
  const rest = await list(liteapi, again, rates, whileThereIsTime(context)).catch(noneOfVendor)
  if (rest === undefined) return { offers, dropped, isIncomplete: true }
  return { offers: [...offers, ...rest.offers], dropped: dropped + rest.dropped }
}

async function list(
  liteapi: Liteapi,
  query: AvailabilityQuery,
  { kind, ratesMax }: { readonly kind: RateKind; readonly ratesMax: number },
  context: CallContext,
): Promise<ListAnswer> {
  const frame = frameOf(liteapi, query.stay.occupancies.length)
  const zone = query.timezone === undefined ? {} : { zone: query.timezone }
  const reading = readingOf({ ...frame, ...zone, ratesMax })
  const reply = await liteapi.ask({ ...encodeAvailability(liteapi.config, query, ratesMax, kind), reading }, context)
  return reply.status === 204 ? { offers: [], dropped: 0, hidden: [] } : readWith(reading, reply)
}

async function rooms(liteapi: Liteapi, query: RoomsQuery, context: CallContext): Promise<readonly RoomOffer[]> {
  if (!isPropertyId(query.vendorPropertyId)) return []
  const reply = await liteapi.ask(encodeRooms(liteapi.config, query), context)
  const properties = reply.status === 204 ? [] : propertiesOf(reply.body)
  return decodeRooms(properties, query, frameOf(liteapi, query.stay.occupancies.length))
}

async function priceCheck(liteapi: Liteapi, offerRef: OfferRef, context: CallContext): Promise<PriceCheck> {
  const ref = decodeRef(offerRef)
  if (ref === undefined) throw refused('an unknown offer reference')
  try {
    const { body } = await liteapi.ask(encodePriceCheck(ref), context)
    return decodePriceCheck(body, ref, frameOf(liteapi, ref.parties.length), liteapi.config.payment)
  } catch (error) {
    if (error instanceof VendorError && error.fault === 'sold_out') return { status: 'sold_out' }
    throw error
  }
}

const frameOf = ({ clock, rates }: Liteapi, rooms: number) => ({ rooms, now: clock.now(), exchange: rates() })
