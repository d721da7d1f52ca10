import type { StandInAnswer } from '../../server/answer-under-faults.ts'
import type { Fault } from '../../server/faults.ts'
import type { Handler, Route, StandIn, StandInParts, StandInRequest } from '../../server/stand-in.ts'
import { createSignedTokens } from '../../server/tokens.ts'
import { answerContent, type ContentDeps } from './answer-content.ts'
import { answerGeography } from './answer-geography.ts'
import { answerAvailability, answerPriceCheck } from './answer-shop.ts'
import { changeBooking } from './change-booking.ts'
import { refuseCaller, refuseTest } from './check-caller.ts'
import {
  answerBook,
  answerCancel,
  answerChange,
  answerFind,
  answerRetrieve,
  type ItineraryDeps,
} from './itineraries.ts'
import { listRateAmenities } from './meals.ts'
import { RAPID_SETTINGS } from './settings.ts'
import { flatError, internalError, json, throttled } from './vendor-words.ts'

/** Public credentials that are valid on loopback only. Fixed, so that offers survive a restart. */
const CALLER = { apiKey: 'sandbox-rapid', sharedSecret: 'sandbox-rapid-secret' } as const

/** Expedia Rapid: its wire format, its checks and its error texts. */
export const expediaRapid = {
  id: 'expedia_rapid',
  salt: 1,
  coverage: [[0, 0.75]],
  searchAddress: 'GET /v3/properties/availability',
  settings: RAPID_SETTINGS,
  create: createHandler,
  environment: (origin: string) => ({
    SERAI_EXPEDIA_RAPID_API_KEY: CALLER.apiKey,
    SERAI_EXPEDIA_RAPID_SHARED_SECRET: CALLER.sharedSecret,
    SERAI_EXPEDIA_RAPID_BASE_URL: origin,
    SERAI_EXPEDIA_RAPID_BILLING_CONTACT_GIVEN_NAME: 'Sandbox',
    SERAI_EXPEDIA_RAPID_BILLING_CONTACT_FAMILY_NAME: 'Agency',
    SERAI_EXPEDIA_RAPID_BILLING_CONTACT_COUNTRY_CODE: 'NL',
    SERAI_EXPEDIA_RAPID_BUSINESS_PHONE: '+31201234567',
    // Bookings are visible at once, so a refusal can be trusted soon.
    SERAI_EXPEDIA_RAPID_LOOK_AFTER_REFUSAL_MS: '50',
    SERAI_EXPEDIA_RAPID_NOTIFICATIONS: 'true',
  }),
} as const satisfies StandIn

type Deps = ContentDeps & ItineraryDeps

function createHandler(parts: StandInParts): Handler {
  const tokens = createSignedTokens(CALLER.sharedSecret, parts.clock)
  const deps = { ...parts, tokens }
  return {
    unavailable: () => internalError,
    throttled,
    change: (lines, change) => lines.map((line) => changeBooking(deps.world, line, change)),
    route(request): Route {
      const requested = identifyOperation(request)
      if (requested === undefined) {
        return { operation: 'unknown', work: () => flatError(404, 'resource_not_found', 'No such resource.') }
      }
      return {
        operation: requested.operation,
        work(faults, now) {
          const { operation, needsCustomerIp } = requested
          const refusal =
            refuseCaller(request.headers, CALLER, now, needsCustomerIp) ?? refuseTest(request.headers, operation)
          const shown = refusal ?? answer(deps, requested, request, faults)
          return withQuota(request.headers.test === undefined ? shown : asSample(shown, operation), now)
        },
      }
    },
  }
}

function answer(
  deps: Deps,
  requested: RequestedOperation,
  { url, headers, body }: StandInRequest,
  faults: readonly Fault[],
) {
  const test = String(headers.test ?? '')
  const query = url.searchParams
  switch (requested.operation) {
    case 'availability':
    case 'rooms':
      return answerAvailability(deps, query, test, faults)
    case 'price_check':
      return answerPriceCheck(deps, query, test, faults)
    case 'book':
      return answerBook(deps, query, body, test, faults)
    case 'find':
      return answerFind(deps, query, test, faults)
    case 'retrieve':
      return answerRetrieve(deps, requested.id, query, test, faults)
    case 'cancel':
      return answerCancel(deps, query, test)
    case 'change':
      return answerChange(deps, query, body, test)
    case 'content':
      return answerContent(deps, url, faults)
    case 'rate_amenities':
      return json(200, listRateAmenities(deps.settings))
    case 'geography':
      return answerGeography(deps.world, query, body)
  }
}

const SAMPLED: readonly Operation[] = ['availability', 'rooms', 'price_check']
const SAMPLE_PROPERTY = '900000001'

/** With a `Test` header, shopping and price checks return samples: another property, and links that are invalid. */
function asSample(answer: StandInAnswer, operation: Operation): StandInAnswer {
  if (!SAMPLED.includes(operation)) return answer
  const body = answer.body
    .replaceAll(/"property_id":"\d+"/g, `"property_id":"${SAMPLE_PROPERTY}"`)
    .replaceAll(/token=[^"]+/g, 'token=sample')
  return { ...answer, body }
}

/** Adds rate-limit headers to every response that does not set its own. */
function withQuota(answer: StandInAnswer, now: number): StandInAnswer {
  const headers = {
    'rate-limit-minute-remaining': '98',
    'rate-limit-minute-reset': String(now - (now % 60_000) + 60_000),
    'rate-limit-day-remaining': '97',
    region: 'us-west-2',
  }
  return { ...answer, headers: { ...headers, ...answer.headers } }
}

type Operation =
  | 'availability'
  | 'rooms'
  | 'price_check'
  | 'book'
  | 'find'
  | 'retrieve'
  | 'cancel'
  | 'change'
  | 'content'
  | 'geography'
  | 'rate_amenities'
type RequestedOperation = { readonly operation: Operation; readonly id: string; readonly needsCustomerIp: boolean }

function identifyOperation({
  method,
  url: { pathname, searchParams },
}: StandInRequest): RequestedOperation | undefined {
  const [version, kind, id = '', third, , fifth] = pathname.slice(1).split('/')
  const depth = pathname.slice(1).split('/').length
  const requested = (operation: Operation, needsCustomerIp = false): RequestedOperation => ({
    operation,
    id,
    needsCustomerIp,
  })
  if (version !== 'v3') return undefined
  if (kind === 'properties' && id === 'geography' && method === 'POST' && depth === 3) return requested('geography')
  if (kind === 'references' && id === 'rate-amenities' && method === 'GET') return requested('rate_amenities')
  if (kind === 'properties' && method === 'GET') {
    if (id === 'content' && depth === 3) return requested('content')
    if (id === 'availability' && depth === 3) return requested(isDetail(searchParams) ? 'rooms' : 'availability')
    return third === 'rooms' && fifth === 'rates' && depth === 7 ? requested('price_check') : undefined
  }
  if (kind !== 'itineraries') return undefined
  if (depth === 2 && (method === 'GET' || method === 'POST')) return requested(method === 'GET' ? 'find' : 'book', true)
  if (depth === 3 && method === 'GET') return requested('retrieve', true)
  if (depth !== 5 || third !== 'rooms') return undefined
  if (method === 'PUT') return requested('change', true)
  return method === 'DELETE' ? requested('cancel', true) : undefined
}

/** Rapid has one path for both: showing the rooms of one property requests many of its rates. */
const isDetail = (query: URLSearchParams): boolean =>
  query.getAll('property_id').length === 1 && Number(query.get('rate_plan_count')) > 100
