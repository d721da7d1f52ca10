import type { OfferRef, RoomOffer } from '../../domain/offer.ts'
import type { CallContext } from '../../lib/async/call-context.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { MINUTE_MS } from '../../lib/time/durations.ts'
import type { Capabilities } from '../capabilities.ts'
import type {
  AvailabilityAnswer,
  AvailabilityQuery,
  BookingLookup,
  CancelQuote,
  PriceCheck,
  Receipt,
  RoomsQuery,
  Vendor,
  VendorMessage,
} from '../contract.ts'
import { readWith, type Send } from '../transport/call.ts'
import { type Caller, createCaller } from '../transport/caller.ts'
import { reportRefusedConditions } from '../wire/refused-conditions.ts'
import { buildHeaders } from './authorize.ts'
import { amend, BOOK_CALL_MS, book, cancel, findItinerary, requireItinerary } from './bookings.ts'
import { ExpediaRapidConfig, validateConfig } from './config.ts'
import { IDS_MAX, readContentPages } from './content/read.ts'
import { createReading, readProperties } from './decode-availability.ts'
import { sumCancelFees, toReceipt } from './decode-booking.ts'
import { decodePriceCheck, decodeRooms, OFFER_TTL_MS } from './decode-rooms.ts'
import { encodeAvailability, encodePriceCheck, encodeRooms, RAPID_LANGUAGES, toSupportedMarket } from './encode.ts'
import { holdOff, malformed, RAPID, readFailure } from './failure.ts'
import { createMealCategories } from './meal-categories.ts'
import { readNotification } from './notification.ts'
import { probe } from './probe.ts'
import { apiPath } from './wire.ts'

export { ExpediaRapidConfig, holdOff, validateConfig as objectionTo }

const CAPABILITIES: Capabilities = {
  roomsMax: 8,
  adultsMax: 8,
  nightsMax: 28,
  leadDaysMax: 365,
  propertiesPerCallMax: IDS_MAX,
  // Expedia requires a call to its support instead.
  absenceIsFinal: false,
  // Rapid's own limit, the wait after a refusal, and the look-up.
  bookTimeoutMs: BOOK_CALL_MS + 90_000 + 10_000,
  visibilityLagMs: 30 * MINUTE_MS,
  offerTtlMs: OFFER_TTL_MS,
  languages: { content: RAPID_LANGUAGES, rates: RAPID_LANGUAGES },
}

type Rapid = Caller<ExpediaRapidConfig>

export function createExpediaRapid(config: ExpediaRapidConfig, deps: { send: Send; clock: Clock }): Vendor {
  const rapid = createCaller(config, deps, {
    buildHeaders: (context, call) => buildHeaders(config, deps.clock, context, call.operation),
    readFailure: (call, reply) => readFailure(call, reply, deps.clock.now()),
  })
  const readCategories = createMealCategories(rapid)
  return {
    id: RAPID,
    capabilities: CAPABILITIES,
    content: (query, context) => readContentPages(rapid, query, context),
    availability: (query, context) =>
      availability(rapid, readCategories, { ...query, market: toSupportedMarket(query.market) }, context),
    supportsConditions: async ({ boards }, context) => {
      if (boards === undefined) return true
      const categories = await readCategories(context)
      return boards.every((board) => categories.has(board))
    },
    rooms: (query, context) => rooms(rapid, { ...query, market: toSupportedMarket(query.market) }, context),
    priceCheck: (ref, context) => priceCheck(rapid, ref, context),
    book: (order, context) => book(rapid, order, context),
    find: (lookup, context) => find(rapid, lookup, context),
    previewCancel: (lookup, context) => previewCancel(rapid, lookup, context),
    cancel: (lookup, context) => cancel(rapid, lookup, context),
    amend: (lookup, amendment, context) => amend(rapid, lookup, amendment, context),
    ...(config.notifications && {
      readNotification: (message: VendorMessage) => readNotification(config, deps.clock, message),
    }),
    probe: (context) => probe(rapid, context),
  }
}

async function availability(
  rapid: Rapid,
  readCategories: ReturnType<typeof createMealCategories>,
  query: AvailabilityQuery,
  context: CallContext,
): Promise<AvailabilityAnswer> {
  if (query.vendorPropertyIds.length === 0) return { offers: [], dropped: 0 }
  const reading = createReading({ query, now: rapid.clock.now() })
  const { conditions } = query
  const categories = conditions?.boards?.length === 1 ? await readCategories(context) : undefined
  const call = { ...encodeAvailability(rapid.config, query, categories), reading }
  const reply = await reportRefusedConditions(conditions, /amenity_category|filter/, rapid.request(call, context))
  return readWith(reading, reply)
}

async function rooms(rapid: Rapid, query: RoomsQuery, context: CallContext): Promise<readonly RoomOffer[]> {
  const reply = await rapid.request(encodeRooms(rapid.config, query), context)
  const { baseUrl: origin, termsUrl, taxesText } = rapid.config
  return decodeRooms(readProperties(reply.body), { query, origin, termsUrl, taxesText, now: rapid.clock.now() })
}

async function priceCheck(rapid: Rapid, ref: OfferRef, context: CallContext): Promise<PriceCheck> {
  const path = apiPath(ref.check, rapid.config.baseUrl)
  if (path === undefined) throw malformed('an unknown offer reference')
  const reply = await rapid.request(encodePriceCheck(path), context)
  return decodePriceCheck(reply.body, ref, rapid.config.baseUrl, rapid.clock.now())
}

async function find(rapid: Rapid, lookup: BookingLookup, context: CallContext): Promise<Receipt | undefined> {
  const itinerary = await findItinerary(rapid, lookup, context)
  return itinerary === undefined ? undefined : toReceipt(itinerary)
}

async function previewCancel(
  rapid: Rapid,
  lookup: BookingLookup,
  context: CallContext,
): Promise<CancelQuote | undefined> {
  const fee = sumCancelFees(await requireItinerary(rapid, lookup, context))
  return fee === undefined ? undefined : { fee }
}
