import { hasFault } from '../../server/fault-plan.ts'
import type { Fault } from '../../server/faults.ts'
import { type Json, listIn, objectIn } from '../../server/read-json.ts'
import type { StandInRequest } from '../../server/stand-in.ts'
import { answerAvailability } from './answer-availability.ts'
import { answerBook, type BookingDeps } from './answer-bookings.ts'
import { answerCheckRates } from './answer-checkrates.ts'
import type { ContentAnswers } from './answer-content.ts'
import { answerCodeList } from './answer-lists.ts'
import { answerAmend, answerCancel, answerFind, answerRead, answerReconfirmations } from './answer-manage.ts'
import type { CommentAnswers } from './comments.ts'
import { type Reply, success } from './vendor-words.ts'

/** The requested operation and its work; the reply is not yet serialised. */
type HotelbedsRoute = { readonly operation: string; work(faults: readonly Fault[], now: number): Reply }

const BOOKING = '/hotel-api/1.0'
const CONTENT = '/hotel-content-api/1.0'

export type ContentParts = { readonly content: ContentAnswers; readonly comments: CommentAnswers }

export function findRoute(
  deps: BookingDeps,
  content: ContentParts,
  request: StandInRequest,
): HotelbedsRoute | undefined {
  const { pathname } = request.url
  if (pathname.startsWith(`${BOOKING}/`)) return bookingRoute(deps, pathname.slice(BOOKING.length), request)
  if (pathname.startsWith(`${CONTENT}/`) && request.method === 'GET') {
    return contentRoute(content, pathname.slice(CONTENT.length), request.url.searchParams)
  }
  return undefined
}

function bookingRoute(
  deps: BookingDeps,
  path: string,
  { method, url, body: sent }: StandInRequest,
): HotelbedsRoute | undefined {
  const body = objectIn(sent)
  switch (`${method} ${path}`) {
    case 'GET /status':
      return { operation: 'probe', work: () => success({ status: 'OK' }) }
    case 'POST /hotels':
      return {
        operation: searchOperation(body),
        work: (faults, now) => answerAvailability(deps, body, now, hasFault(faults, 'sold_out')),
      }
    case 'POST /checkrates':
      return { operation: 'price_check', work: (faults, now) => answerCheckRates(deps, body, faults, now) }
    case 'POST /bookings':
      return { operation: 'book', work: (faults, now) => answerBook(deps, body, faults, now) }
    case 'GET /bookings':
      return {
        operation: url.searchParams.has('clientReference') ? 'find' : 'list',
        work: (faults, now) => answerFind(deps, url.searchParams, faults, now),
      }
  }
  if (method === 'GET' && path === '/bookings/reconfirmations') {
    return { operation: 'reconfirmations', work: (_, now) => answerReconfirmations(deps, url.searchParams, now) }
  }
  const reference = /^\/bookings\/([^/]+)$/.exec(path)?.[1]
  if (reference === undefined) return undefined
  const bookingReference = decodeURIComponent(reference)
  if (method === 'GET')
    return { operation: 'find', work: (faults, now) => answerRead(deps, bookingReference, faults, now) }
  if (method === 'PUT') return { operation: 'amend', work: (_, now) => answerAmend(deps, bookingReference, body, now) }
  if (method !== 'DELETE') return undefined
  const flag = url.searchParams.get('cancellationFlag') ?? 'CANCELLATION'
  const operation = flag === 'SIMULATION' ? 'preview_cancel' : 'cancel'
  return { operation, work: (_, now) => answerCancel(deps, bookingReference, flag, now) }
}

/** One path serves three purposes; the adapter's requests for them have different fields. */
function searchOperation(body: Json): string {
  if (body.geolocation !== undefined) return 'discover'
  const codes = listIn(objectIn(body, 'hotels'), 'hotel')
  return codes.length === 1 && body.filter === undefined ? 'rooms' : 'availability'
}

function contentRoute(
  { content, comments }: ContentParts,
  path: string,
  query: URLSearchParams,
): HotelbedsRoute | undefined {
  if (path === '/hotels') return { operation: 'content', work: () => content.hotels(query) }
  const codes = /^\/hotels\/([^/]+)\/details$/.exec(path)?.[1]
  if (codes !== undefined) return { operation: 'content', work: () => content.details(decodeURIComponent(codes)) }
  if (path === '/types/ratecomments') return { operation: 'code_list', work: () => comments.list(query) }
  if (path === '/types/ratecommentdetails') return { operation: 'rate_comments', work: () => comments.details(query) }
  const reply = answerCodeList(path.slice(1), query)
  return reply && { operation: 'code_list', work: () => reply }
}
