import type { CallContext } from '../../lib/call-context.ts'
import type { Clock } from '../../lib/clock.ts'
import { type Call, type Reply, readWith, type Send } from '../call.ts'
import type { AvailabilityAnswer, Capabilities, Vendor } from '../contract.ts'
import { authorize, headersOf } from './authorize.ts'
import { ExpediaRapidConfig } from './config.ts'
import { decodePriceCheck, decodeRooms, OFFER_TTL_MS, propertiesOf } from './decode.ts'
import { encodeAvailability, encodePriceCheck } from './encode.ts'
import { failureOf, holdOff, malformed, RAPID } from './failure.ts'
import { apiPath } from './link.ts'
import { createManageBookings } from './manage-bookings.ts'
import { createProbe } from './probe.ts'
import { readingOf } from './read-availability.ts'
import { createReadContent, IDS_MAX } from './read-content.ts'

export { authorize, ExpediaRapidConfig, holdOff }

const CAPABILITIES: Capabilities = {
  roomsMax: 8,
  nightsMax: 28,
  leadDaysMax: 365,
  propertiesPerCallMax: IDS_MAX,
  currencies: 'any',
  // A repeated affiliate_reference_id is refused with duplicate_itinerary.
  bookIsIdempotent: true,
  absenceIsFinal: true,
  bookTimeoutMs: 120_000,
  visibilityLagMs: 30 * 60_000,
  offerTtlMs: OFFER_TTL_MS,
}

/** One rate a property is all a result list shows. */
const RATES_IN_SEARCH = 1
/** Rapid's upper bound: all of them, in practice. */
const RATES_IN_DETAIL = 250

type Deps = { readonly send: Send; readonly clock: Clock }

export function createExpediaRapid(config: ExpediaRapidConfig, { send, clock }: Deps): Vendor {
  const exchange = (call: Call, context: CallContext): Promise<Reply> =>
    send({ ...call, headers: { ...headersOf(config, clock, context), ...call.headers } }, context)

  async function ask(call: Call, context: CallContext): Promise<Reply> {
    const reply = await exchange(call, context)
    const failure = failureOf(call, reply, clock.now())
    if (failure !== undefined) throw failure
    return reply
  }

  return {
    id: RAPID,
    capabilities: CAPABILITIES,
    content: createReadContent(config, ask),
    async availability(query, context) {
      const { vendorPropertyIds: ids, stay, market } = query
      if (ids.length === 0) return { offers: [], dropped: 0 }
      const call = encodeAvailability(config, {
        ids,
        stay,
        market,
        ratesMax: RATES_IN_SEARCH,
        operation: 'availability',
      })
      const reading = readingOf({ query, now: clock.now() })
      return readWith(reading, await ask({ ...call, reading }, context)) as AvailabilityAnswer
    },
    async rooms(query, context) {
      const { vendorPropertyId, stay, market } = query
      const which = { ids: [vendorPropertyId], stay, market, ratesMax: RATES_IN_DETAIL, operation: 'rooms' }
      const reply = await ask(encodeAvailability(config, which), context)
      return decodeRooms(propertiesOf(reply), query, config.baseUrl, clock.now())
    },
    async priceCheck(ref, context) {
      const path = apiPath(ref.check, config.baseUrl)
      if (path === undefined) throw malformed('an offer reference of another make')
      const reply = await ask(encodePriceCheck(path), context)
      return decodePriceCheck(reply.body, ref, config.baseUrl, clock.now())
    },
    ...createManageBookings(config, clock, exchange),
    probe: createProbe(config, clock, exchange),
  }
}
