import { hasFault } from '../fault-plan.ts'
import type { Fault } from '../faults.ts'
import { answerAvailability } from './answer-availability.ts'
import { answerBook, type Desk } from './answer-bookings.ts'
import { answerCheckRates } from './answer-checkrates.ts'
import type { Library } from './answer-content.ts'
import { answerList } from './answer-lists.ts'
import { answerCancel, answerFind, answerRead } from './answer-manage.ts'
import { type Json, listIn, objectIn } from './read-request.ts'
import { ok, type Said } from './vendor-words.ts'

/** What a request asks for, under the name the adapter has for it. */
export type Route = { readonly operation: string; work(faults: readonly Fault[], now: number): Said }
export type Request = { readonly method: string; readonly url: URL; readonly body: Json }

const BOOKING = '/hotel-api/1.0'
const CONTENT = '/hotel-content-api/1.0'

export function routeOf(desk: Desk, library: Library, request: Request): Route | undefined {
  const { pathname } = request.url
  if (pathname.startsWith(`${BOOKING}/`)) return bookingRoute(desk, pathname.slice(BOOKING.length), request)
  if (pathname.startsWith(`${CONTENT}/`) && request.method === 'GET') {
    return contentRoute(library, pathname.slice(CONTENT.length), request.url.searchParams)
  }
  return undefined
}

function bookingRoute(desk: Desk, path: string, { method, url, body }: Request): Route | undefined {
  switch (`${method} ${path}`) {
    case 'GET /status':
      return { operation: 'probe', work: () => ok({ status: 'OK' }) }
    case 'POST /hotels':
      return {
        operation: searchOperation(body),
        work: (faults, now) => answerAvailability(desk, body, now, hasFault(faults, 'sold_out')),
      }
    case 'POST /checkrates':
      return { operation: 'price_check', work: (faults, now) => answerCheckRates(desk, body, faults, now) }
    case 'POST /bookings':
      return { operation: 'book', work: (faults, now) => answerBook(desk, body, faults, now) }
    case 'GET /bookings':
      return { operation: 'find', work: (_, now) => answerFind(desk, url.searchParams, now) }
  }
  const reference = /^\/bookings\/([^/]+)$/.exec(path)?.[1]
  if (reference === undefined) return undefined
  const known = decodeURIComponent(reference)
  if (method === 'GET') return { operation: 'find', work: (_, now) => answerRead(desk, known, now) }
  if (method !== 'DELETE') return undefined
  const flag = url.searchParams.get('cancellationFlag') ?? 'CANCELLATION'
  const operation = flag === 'SIMULATION' ? 'preview_cancel' : 'cancel'
  return { operation, work: (_, now) => answerCancel(desk, known, flag, now) }
}

/** One address serves three purposes; the adapter's requests for them differ in what they name. */
function searchOperation(body: Json): string {
  if (body.geolocation !== undefined) return 'discover'
  const codes = listIn(objectIn(body, 'hotels'), 'hotel')
  return codes.length === 1 && body.filter === undefined ? 'rooms' : 'availability'
}

function contentRoute(library: Library, path: string, query: URLSearchParams): Route | undefined {
  if (path === '/hotels') return { operation: 'content', work: () => library.hotels(query) }
  const codes = /^\/hotels\/([^/]+)\/details$/.exec(path)?.[1]
  if (codes !== undefined) return { operation: 'content', work: () => library.details(decodeURIComponent(codes)) }
  const said = answerList(path.slice(1), query)
  return said && { operation: 'code_list', work: () => said }
}
