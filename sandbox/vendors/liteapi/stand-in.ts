import type { StandInAnswer } from '../../server/answer-under-faults.ts'
import type { Fault } from '../../server/faults.ts'
import { listIn, objectIn } from '../../server/read-json.ts'
import type { Handler, Route, StandIn, StandInParts, StandInRequest } from '../../server/stand-in.ts'
import { createSignedTokens } from '../../server/tokens.ts'
import { COUNTRY_CODES } from '../../world/places/countries.ts'
import { answerBook, type SpentReferences } from './answer-book.ts'
import { answerCodeList, answerHotel, answerHotels } from './answer-content.ts'
import { answerCancel, answerDetail, answerFind, answerList } from './answer-manage.ts'
import { answerPrebook } from './answer-prebook.ts'
import { answerRates } from './answer-rates.ts'
import { changeBooking } from './change-booking.ts'
import { formatHotelId } from './codes.ts'
import type { ShopParts } from './price-offers.ts'
import { LITEAPI_SETTINGS } from './settings.ts'
import { problem } from './vendor-words.ts'

/** Public credentials that are valid on loopback only. Fixed, so that offers survive a restart. */
const API_KEY = 'sand_serai-liteapi'
const VERSION = '/v3.0'

/** LiteAPI: its wire format, its checks and its error codes. One server for both of its hosts. */
export const liteapi = {
  id: 'liteapi',
  salt: 3,
  coverage: [
    [0.25, 0.65],
    [0.85, 1],
  ],
  withoutPhones: true,
  searchAddress: 'POST /v3.0/hotels/rates',
  settings: LITEAPI_SETTINGS,
  propertyId: formatHotelId,
  create: createHandler,
  environment: (origin: string) => ({
    SERAI_LITEAPI_API_KEY: API_KEY,
    SERAI_LITEAPI_SEARCH_ORIGIN: origin,
    SERAI_LITEAPI_BOOK_ORIGIN: origin,
    SERAI_LITEAPI_BUSINESS_PHONE: '+15550100200',
  }),
} as const satisfies StandIn

type Work = (faults: readonly Fault[], now: number) => StandInAnswer

function createHandler(parts: StandInParts): Handler {
  const shop: ShopParts = { ...parts, tokens: createSignedTokens(API_KEY, parts.clock) }
  const spentReferences: SpentReferences = new Set()
  return {
    unavailable: () => problem(500, 5000, 'unable to process the request'),
    change: (lines, change) => changeBooking(parts.world, lines, change),
    throttled: () => problem(429, 429, 'Too many requests. Please try again later.'),
    route(request): Route {
      const [operation, work] = identifyOperation(shop, spentReferences, request)
      const isKnown = request.headers['x-api-key'] === API_KEY
      return { operation, work: (faults, now) => (isKnown ? work(faults, now) : problem(401, 401, 'Unauthorized')) }
    },
  }
}

/** The adapter's name for the requested operation, and its work. */
function identifyOperation(
  shop: ShopParts,
  spentReferences: SpentReferences,
  { method, url, body }: StandInRequest,
): readonly [string, Work] {
  const path = url.pathname.startsWith(`${VERSION}/`) ? url.pathname.slice(VERSION.length) : ''
  switch (`${method} ${path}`) {
    case 'GET /data/hotels':
      return ['content', () => answerHotels(shop, url.searchParams)]
    case 'GET /data/hotel':
      return ['content', () => answerHotel(shop, url.searchParams)]
    case 'POST /hotels/rates':
      return [searchOperation(body), (faults, now) => answerRates(shop, body, faults, now)]
    case 'POST /rates/prebook':
      return ['price_check', (faults, now) => answerPrebook(shop, body, faults, now)]
    case 'POST /rates/book':
      return ['book', (faults, now) => answerBook(shop, spentReferences, body, faults, now)]
    case 'GET /bookings':
      return ['find', (faults, now) => answerFind(shop, url.searchParams, faults, now)]
  }
  if (method === 'GET' && path === '/bookings/') return ['list', (_, now) => answerList(shop, url.searchParams, now)]
  const list = /^\/data\/(\w+)$/.exec(path)?.[1] ?? ''
  const names = method === 'GET' ? answerCodeList(list, COUNTRY_CODES) : undefined
  if (names !== undefined) return ['code_list', () => names]
  const bookingId = decodeURIComponent(/^\/bookings\/([^/]+)$/.exec(path)?.[1] ?? '')
  if (bookingId !== '' && method === 'GET') return ['find', (faults, now) => answerDetail(shop, bookingId, faults, now)]
  if (bookingId !== '' && method === 'PUT') return ['cancel', (_, now) => answerCancel(shop, bookingId, now)]
  return ['unknown', () => problem(404, 404, 'no such address')]
}

/** One path serves both; only the rooms of a single property are requested with room mapping. */
const searchOperation = (body: unknown): string =>
  objectIn(body).roomMapping === true && listIn(body, 'hotelIds').length === 1 ? 'rooms' : 'availability'
