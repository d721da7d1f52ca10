import { readFile } from 'node:fs/promises'
import type { OfferRef, RoomOffer } from '../../domain/offer.ts'
import type { CallContext } from '../../lib/async/call-context.ts'
import { memoize } from '../../lib/async/memoize.ts'
import { chunk } from '../../lib/chunk.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { MINUTE_MS } from '../../lib/time/durations.ts'
import type { Capabilities } from '../capabilities.ts'
import type {
  AvailabilityAnswer,
  AvailabilityQuery,
  BookingLookup,
  CancelQuote,
  PriceCheck,
  RoomsQuery,
  Vendor,
} from '../contract.ts'
import { readWith, type Send } from '../transport/call.ts'
import { type Caller, createCaller } from '../transport/caller.ts'
import { VendorError } from '../vendor-error.ts'
import { reportRefusedConditions } from '../wire/refused-conditions.ts'
import { buildHeaders } from './authorize.ts'
import { listBoardCodes } from './board.ts'
import { amend, book, cancel, fetchCharged, find, listBookings, requireReference } from './bookings.ts'
import type { HotelbedsConfig } from './config.ts'
import { createCodeLists } from './content/code-lists.ts'
import { readContentPages } from './content/read.ts'
import { readRemarks } from './content/remarks.ts'
import { createReading, type DecodeFrame, readHotels } from './decode-availability.ts'
import { decodeCancelFee, scaleFee } from './decode-booking.ts'
import { decodePriceCheck, decodeRooms, RATE_KEY_TTL_MS } from './decode-rooms.ts'
import {
  encodeAvailability,
  encodePreviewCancel,
  encodePriceChecks,
  encodeRooms,
  HOTELBEDS_LANGUAGES,
} from './encode.ts'
import { fail, readFailure } from './failure.ts'
import { decodeRef } from './offer-ref.ts'
import { groupParties, type Party, parsePartyKey } from './parties.ts'
import { probe } from './probe.ts'

export { HotelbedsConfig, validateConfig as objectionTo } from './config.ts'
export { holdOffAfter, isRefusalReply as isRefusal } from './failure.ts'

/** From the vendor's documentation, or a conservative guess noted in README.md. */
const CAPABILITIES: Omit<Capabilities, 'propertiesPerCallMax'> = {
  roomsMax: 9,
  nightsMax: 30,
  leadDaysMax: 500,
  absenceIsFinal: false,
  bookTimeoutMs: 65_000,
  visibilityLagMs: 15 * MINUTE_MS,
  offerTtlMs: RATE_KEY_TTL_MS,
  languages: { content: HOTELBEDS_LANGUAGES, rates: HOTELBEDS_LANGUAGES },
}
/** Number of languages whose code names are cached. */
const LANGUAGES_MAX = 12

type Hotelbeds = Caller<HotelbedsConfig>

export function createHotelbeds(config: HotelbedsConfig, deps: { send: Send; clock: Clock }): Vendor {
  const hotelbeds = createCaller(config, deps, {
    buildHeaders: () => buildHeaders(config, deps.clock),
    readFailure: (call, reply) => readFailure(call, reply, [config.secret, config.apiKey]),
  })
  const getCodes = memoize(LANGUAGES_MAX, (language: string) => createCodeLists(hotelbeds, language))
  return {
    id: 'hotelbeds',
    capabilities: {
      ...CAPABILITIES,
      propertiesPerCallMax: config.propertiesPerCall,
      ...contentAllowance(config),
    },
    content: (query, context) => readContentPages(hotelbeds, getCodes, query, context),
    remarks: (query, context) => readRemarks(hotelbeds, query, context),
    availability: (query, context) => availability(hotelbeds, query, context),
    supportsConditions: async ({ boards = [] }) => boards.every((board) => listBoardCodes(board).length > 0),
    rooms: (query, context) => rooms(hotelbeds, query, context),
    priceCheck: (ref, context) => priceCheck(hotelbeds, ref, context),
    book: (order, context) => book(hotelbeds, order, context),
    find: (lookup, context) => find(hotelbeds, lookup, context),
    previewCancel: (lookup, context) => previewCancel(hotelbeds, lookup, context),
    listCancelled: (days, context) => listBookings(hotelbeds, 'cancelled', days, context),
    listBookings: (days, context) => listBookings(hotelbeds, 'created', days, context),
    cancel: (lookup, context) => cancel(hotelbeds, lookup, context),
    amend: (lookup, amendment, context) => amend(hotelbeds, lookup, amendment, context),
    probe: (context) => probe(hotelbeds, context),
  }
}

/** An evaluation key has 50 requests a day; ten are reserved for manual tests. */
const EVALUATION_REQUESTS = 40

function contentAllowance({ contentOrigin, contentRequestsPerDay }: HotelbedsConfig) {
  const isEvaluation = new URL(contentOrigin).hostname === 'api.test.hotelbeds.com'
  const allowed = contentRequestsPerDay ?? (isEvaluation ? EVALUATION_REQUESTS : undefined)
  return allowed === undefined ? {} : { contentRequestsPerDay: allowed }
}

const isCode = (id: string) => /^\d{1,10}$/.test(id)

/** Responses grow with hotels and parties, and those above 16 MiB are refused. */
const HOTELS_BY_PARTIES_MAX = 2_000

async function availability(
  hotelbeds: Hotelbeds,
  query: AvailabilityQuery,
  context: CallContext,
): Promise<AvailabilityAnswer> {
  const parties = groupParties(query.stay)
  const ids = query.vendorPropertyIds.filter(isCode)
  const parts = chunk(ids, Math.floor(HOTELS_BY_PARTIES_MAX / parties.length))
  const answers = await Promise.all(
    parts.map((part) => askForRates(hotelbeds, { ...query, vendorPropertyIds: part }, parties, context)),
  )
  const dropped = answers.reduce((sum, answer) => sum + answer.dropped, 0)
  return { offers: answers.flatMap(({ offers }) => offers), dropped }
}

async function askForRates(
  hotelbeds: Hotelbeds,
  query: AvailabilityQuery,
  parties: readonly Party[],
  context: CallContext,
): Promise<AvailabilityAnswer> {
  const { conditions } = query
  const frame = buildFrame(hotelbeds, parties)
  const reading = createReading({ ...frame, ...(conditions !== undefined && { conditions }) })
  const call = { ...encodeAvailability(hotelbeds.config, query), reading }
  return readWith(reading, await reportRefusedConditions(conditions, /board/i, hotelbeds.request(call, context)))
}

async function rooms(hotelbeds: Hotelbeds, query: RoomsQuery, context: CallContext): Promise<readonly RoomOffer[]> {
  if (!isCode(query.vendorPropertyId)) return []
  const frame = buildFrame(hotelbeds, groupParties(query.stay), query.timezone)
  const reply = await hotelbeds.request(encodeRooms(query), context)
  return decodeRooms(readHotels(reply.body), query.vendorPropertyId, frame, query.market.language)
}

async function priceCheck(hotelbeds: Hotelbeds, offerRef: OfferRef, context: CallContext): Promise<PriceCheck> {
  const ref = decodeRef(offerRef) ?? fail('refused', 'none', 'an unknown offer reference')
  try {
    const bodies: unknown[] = []
    for (const call of encodePriceChecks(ref)) bodies.push((await hotelbeds.request(call, context)).body)
    return decodePriceCheck(bodies, ref, buildFrame(hotelbeds, ref.parties.map(parsePartyKey), ref.zone))
  } catch (error) {
    if (error instanceof VendorError && error.fault === 'sold_out') return { status: 'sold_out' }
    throw error
  }
}

async function previewCancel(
  hotelbeds: Hotelbeds,
  lookup: BookingLookup,
  context: CallContext,
): Promise<CancelQuote | undefined> {
  const reference = await requireReference(hotelbeds, lookup, context)
  const reply = await hotelbeds.request(encodePreviewCancel(reference), context)
  const net = decodeCancelFee(reply.body)
  const charged = net && net.minor > 0 ? await fetchCharged(hotelbeds, reference, context) : undefined
  const fee = scaleFee(net, charged)
  return fee && { fee }
}

const buildFrame = ({ config, clock }: Hotelbeds, parties: readonly Party[], zone?: string): DecodeFrame => ({
  parties,
  pricing: config.pricing,
  now: clock.now(),
  ...(zone !== undefined && { zone }),
  ...(config.currencies !== undefined && { currencies: config.currencies }),
})

/** The first is the default. */
export const readOrigins = (config: HotelbedsConfig): Readonly<Record<string, string>> => ({
  booking: config.bookingOrigin,
  content: config.contentOrigin,
})

/** Undefined if the account needs no client certificate. */
export async function loadTls({
  certificatePath,
  certificateKeyPath,
  certificatePassphrase: passphrase,
  certificateAuthorityPath,
}: HotelbedsConfig) {
  if (certificatePath === undefined || certificateKeyPath === undefined) return undefined
  const [cert, key] = await Promise.all([readFile(certificatePath, 'utf8'), readFile(certificateKeyPath, 'utf8')])
  const ca = certificateAuthorityPath === undefined ? undefined : await readFile(certificateAuthorityPath, 'utf8')
  return { cert, key, ...(passphrase !== undefined && { passphrase }), ...(ca !== undefined && { ca }) }
}
