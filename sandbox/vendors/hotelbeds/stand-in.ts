import type { Handler, Route, StandIn, StandInParts } from '../../server/stand-in.ts'
import type { BookingDeps } from './answer-bookings.ts'
import { createContentAnswers } from './answer-content.ts'
import { changeBooking } from './change-booking.ts'
import { refuseCaller } from './check-caller.ts'
import { createCommentAnswers } from './comments.ts'
import { createRateKeys } from './rate-key.ts'
import { findRoute } from './route.ts'
import { HOTELBEDS_SETTINGS } from './settings.ts'
import { createAuditData, gatewayError, type Reply, refusal, requestError, writeReply } from './vendor-words.ts'

/** Public credentials that are valid on loopback only. Fixed, so that offers survive a restart. */
const CALLER = { apiKey: 'sandbox-hotelbeds', secret: 'sandbox-hotelbeds-secret' } as const
/** Billing currency of the account; a caller cannot request another one. */
const ACCOUNT_CURRENCY = 'EUR'

/** Hotelbeds: its wire format, its checks and its error texts. */
export const hotelbeds = {
  id: 'hotelbeds',
  salt: 2,
  coverage: [
    [0, 0.55],
    [0.75, 0.95],
  ],
  searchAddress: 'POST /hotel-api/1.0/hotels',
  settings: HOTELBEDS_SETTINGS,
  create: createHandler,
  environment: (origin: string, pictureBase: string) => ({
    SERAI_HOTELBEDS_API_KEY: CALLER.apiKey,
    SERAI_HOTELBEDS_SECRET: CALLER.secret,
    SERAI_HOTELBEDS_BOOKING_ORIGIN: origin,
    SERAI_HOTELBEDS_CONTENT_ORIGIN: origin,
    SERAI_HOTELBEDS_PHOTO_BASE: `${pictureBase}/`,
    SERAI_HOTELBEDS_CURRENCIES: ACCOUNT_CURRENCY,
  }),
} as const satisfies StandIn

function createHandler(parts: StandInParts): Handler {
  const deps: BookingDeps = { ...parts, keys: createRateKeys(CALLER.secret), currency: ACCOUNT_CURRENCY }
  const content = {
    content: createContentAnswers(parts.world),
    comments: createCommentAnswers(parts.world, parts.settings),
  }
  let callCount = 0
  const write = (reply: Reply, now: number) => {
    callCount += 1
    return writeReply(reply, createAuditData(now, callCount))
  }
  return {
    unavailable: (now) => write(refusal(500, 'SYSTEM_ERROR', 'Internal server error'), now),
    throttled: () => gatewayError(429, 'Rate limit exceeded'),
    change: (lines, change) => changeBooking(parts.world, lines, change),
    route(request): Route {
      const { method, headers, body } = request
      const route = findRoute(deps, content, request)
      return {
        operation: route?.operation ?? 'unknown',
        work(faults, now) {
          const refused = refuseCaller(headers, method, CALLER, now)
          if (refused !== undefined) return refused
          if (route === undefined) return gatewayError(596, 'Service Not Found')
          if ((method === 'POST' || method === 'PUT') && body === undefined)
            return write(requestError('Unrecognized token'), now)
          return write(route.work(faults, now), now)
        },
      }
    },
  }
}
