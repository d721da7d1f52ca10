import { readFile } from 'node:fs/promises'
import type { OfferRef, RoomOffer } from '../../domain/offer.ts'
import type { CallContext } from '../../lib/async/call-context.ts'
import { remember } from '../../lib/async/remember.ts'
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
import { noneOfVendor, VendorError } from '../vendor-error.ts'
import { whileThereIsTime } from '../wire/rate-kinds.ts'
import { headersOf } from './authorize.ts'
import { amend, book, cancel, chargedFor, find, knownReference, listCancelled } from './bookings.ts'
import type { HotelbedsConfig } from './config.ts'
import { createCodeLists } from './content/code-lists.ts'
import { readContent } from './content/read.ts'
import { readRemarks } from './content/remarks.ts'
import { type DecodeFrame, hotelsOf, type ListAnswer, readingOf } from './decode-availability.ts'
import { decodeCancelFee, feeInCharge } from './decode-booking.ts'
import { decodePriceCheck, decodeRooms, RATE_KEY_TTL_MS } from './decode-rooms.ts'
import {
  type Cut,
  encodeAvailability,
  encodePreviewCancel,
  encodePriceChecks,
  encodeRooms,
  HOTELBEDS_LANGUAGES,
  summaryCut,
} from './encode.ts'
import { fail, failureOf } from './failure.ts'
import { decodeRef } from './offer-ref.ts'
import { type Party, partiesOf, partyOfKey } from './parties.ts'
import { probe } from './probe.ts'

export { HotelbedsConfig, objectionTo } from './config.ts'
export { holdOffAfter, isRefusal } from './failure.ts'

/** Figures of the vendor's documents, and where they are silent the careful guess that README.md names. */
const CAPABILITIES: Capabilities = {
  roomsMax: 9,
  nightsMax: 30,
  leadDaysMax: 500,
  propertiesPerCallMax: 2000,
  absenceIsFinal: false,
  bookTimeoutMs: 65_000,
  visibilityLagMs: 15 * MINUTE_MS,
  offerTtlMs: RATE_KEY_TTL_MS,
  languages: { content: HOTELBEDS_LANGUAGES, rates: HOTELBEDS_LANGUAGES },
}
/** The names of codes are kept in so many languages. */
const LANGUAGES_MAX = 12

type Hotelbeds = Caller<HotelbedsConfig>

export function createHotelbeds(config: HotelbedsConfig, deps: { send: Send; clock: Clock }): Vendor {
  const hotelbeds = createCaller(config, deps, {
    headersOf: () => headersOf(config, deps.clock),
    failureOf: (call, reply) => failureOf(call, reply, [config.secret, config.apiKey]),
  })
  const codesIn = remember(LANGUAGES_MAX, (language: string) => createCodeLists(hotelbeds, language))
  return {
    id: 'hotelbeds',
    capabilities: { ...CAPABILITIES, ...contentAllowance(config) },
    content: (query, context) => readContent(hotelbeds, codesIn, query, context),
    remarks: (query, context) => readRemarks(hotelbeds, query, context),
    availability: (query, context) => availability(hotelbeds, query, context),
    rooms: (query, context) => rooms(hotelbeds, query, context),
    priceCheck: (ref, context) => priceCheck(hotelbeds, ref, context),
    book: (order, context) => book(hotelbeds, order, context),
    find: (lookup, context) => find(hotelbeds, lookup, context),
    previewCancel: (lookup, context) => previewCancel(hotelbeds, lookup, context),
    listCancelled: (days, context) => listCancelled(hotelbeds, days, context),
    cancel: (lookup, context) => cancel(hotelbeds, lookup, context),
    amend: (lookup, amendment, context) => amend(hotelbeds, lookup, amendment, context),
    probe: (context) => probe(hotelbeds, context),
  }
}

/** An evaluation key has 50 requests a day; some are left for trying things out. */
const EVALUATION_REQUESTS = 40

function contentAllowance({ contentOrigin, contentRequestsPerDay }: HotelbedsConfig) {
  const isEvaluation = new URL(contentOrigin).hostname === 'api.test.hotelbeds.com'
  const allowed = contentRequestsPerDay ?? (isEvaluation ? EVALUATION_REQUESTS : undefined)
  return allowed === undefined ? {} : { contentRequestsPerDay: allowed }
}

const isCode = (id: string) => /^\d{1,10}$/.test(id)

async function availability(
  hotelbeds: Hotelbeds,
  query: AvailabilityQuery,
  context: CallContext,
): Promise<AvailabilityAnswer> {
  const ids = query.vendorPropertyIds.filter(isCode)
  if (ids.length === 0) return { offers: [], dropped: 0 }
  const first = await list(
    hotelbeds,
    { ...query, vendorPropertyIds: ids },
    context,
    summaryCut(partiesOf(query.stay).length),
  )
  const { offers, dropped } = first
  if (first.hidden.length === 0) return { offers, dropped }
  const again = { ...query, vendorPropertyIds: first.hidden }
  const rest = await list(hotelbeds, again, whileThereIsTime(context)).catch(noneOfVendor)
  if (rest === undefined) return { offers, dropped, isIncomplete: true }
  return { offers: [...offers, ...rest.offers], dropped: dropped + rest.dropped }
}

async function list(
  hotelbeds: Hotelbeds,
  query: AvailabilityQuery,
  context: CallContext,
  cut?: Cut,
): Promise<ListAnswer> {
  const reading = readingOf({ ...frameOf(hotelbeds, partiesOf(query.stay)), ...(cut && { cut }) })
  return readWith(reading, await hotelbeds.ask({ ...encodeAvailability(query, cut), reading }, context))
}

async function rooms(hotelbeds: Hotelbeds, query: RoomsQuery, context: CallContext): Promise<readonly RoomOffer[]> {
  if (!isCode(query.vendorPropertyId)) return []
  const frame = frameOf(hotelbeds, partiesOf(query.stay), query.timezone)
  const reply = await hotelbeds.ask(encodeRooms(query), context)
  return decodeRooms(hotelsOf(reply.body), query.vendorPropertyId, frame)
}

async function priceCheck(hotelbeds: Hotelbeds, offerRef: OfferRef, context: CallContext): Promise<PriceCheck> {
  const ref = decodeRef(offerRef) ?? fail('refused', 'none', 'an unknown offer reference')
  try {
    const bodies: unknown[] = []
    for (const call of encodePriceChecks(ref.rates)) bodies.push((await hotelbeds.ask(call, context)).body)
    return decodePriceCheck(bodies, ref, frameOf(hotelbeds, ref.parties.map(partyOfKey), ref.zone))
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
  const reference = await knownReference(hotelbeds, lookup, context)
  const reply = await hotelbeds.ask(encodePreviewCancel(reference), context)
  const net = decodeCancelFee(reply.body)
  const charged = net && net.minor > 0 ? await chargedFor(hotelbeds, reference, context) : undefined
  const fee = feeInCharge(net, charged)
  return fee && { fee }
}

const frameOf = ({ config, clock }: Hotelbeds, parties: readonly Party[], zone?: string): DecodeFrame => ({
  parties,
  pricing: config.pricing,
  now: clock.now(),
  ...(zone !== undefined && { zone }),
  ...(config.currencies !== undefined && { currencies: config.currencies }),
})

/** Names of the origins that calls go to, for the http client; the first is the default. */
export const originsOf = (config: HotelbedsConfig): Readonly<Record<string, string>> => ({
  booking: config.bookingOrigin,
  content: config.contentOrigin,
})

/** The client certificate for the http client; undefined where the account needs none. */
export async function tlsOf({
  certificatePath,
  certificateKeyPath,
  certificatePassphrase: passphrase,
}: HotelbedsConfig) {
  if (certificatePath === undefined || certificateKeyPath === undefined) return undefined
  const [cert, key] = await Promise.all([readFile(certificatePath, 'utf8'), readFile(certificateKeyPath, 'utf8')])
  return { cert, key, ...(passphrase !== undefined && { passphrase }) }
}
