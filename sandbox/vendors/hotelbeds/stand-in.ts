import type { Handler, Route, StandIn, StandInParts } from '../../server/stand-in.ts'
import type { BookingDeps } from './answer-bookings.ts'
import { createContentAnswers } from './answer-content.ts'
import { changeBooking } from './change-booking.ts'
import { refuseCaller } from './check-caller.ts'
import { createCommentAnswers } from './comments.ts'
import { createRateKeys } from './rate-key.ts'
import { routeOf } from './route.ts'
import { HOTELBEDS_SETTINGS } from './settings.ts'
import { auditOf, gatewayError, invalidRequest, refusal, type Said, writeDown } from './vendor-words.ts'

/** Known to everybody and valid on loopback only. Fixed, so that offers outlive a restart. */
const CALLER = { apiKey: 'sandbox-hotelbeds', secret: 'sandbox-hotelbeds-secret' } as const
/** What the account is billed in; a caller cannot ask for another currency. */
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
  let answered = 0
  const write = (said: Said, now: number) => {
    answered += 1
    return writeDown(said, auditOf(now, answered))
  }
  return {
    unavailable: (now) => write(refusal(500, 'SYSTEM_ERROR', 'Internal server error'), now),
    throttled: () => gatewayError(429, 'Rate limit exceeded'),
    change: (lines, change) => changeBooking(parts.world, lines, change),
    route(request): Route {
      const { method, headers, body } = request
      const asked = routeOf(deps, content, request)
      return {
        operation: asked?.operation ?? 'unknown',
        work(faults, now) {
          const refused = refuseCaller(headers, method, CALLER, now)
          if (refused !== undefined) return refused
          if (asked === undefined) return gatewayError(596, 'Service Not Found')
          if ((method === 'POST' || method === 'PUT') && body === undefined)
            return write(invalidRequest('Unrecognized token'), now)
          return write(asked.work(faults, now), now)
        },
      }
    },
  }
}
