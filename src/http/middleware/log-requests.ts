import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { NotedRequest } from '../../domain/noted-request.ts'
import { memoize } from '../../lib/async/memoize.ts'
import { isUuid } from '../../lib/crypto/ids.ts'

/** Requests for page files, documents and probes are not logged. */
const NOTED = /^\/(api|mcp)(\/|$|\?)/
const ROUTES_MAX = 1_000

/** Logs API calls after the response, so that no request waits for it. */
export function logRequests(app: FastifyInstance, note: (request: NotedRequest) => void): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (NOTED.test(request.url)) note(describeRequest(request, reply.statusCode, reply.elapsedTime))
    done()
  })
}

function describeRequest(request: FastifyRequest, status: number, ms: number): NotedRequest {
  const { caller } = request
  const { url = '', config } = request.routeOptions
  return {
    requestId: request.id,
    operation: config.operation ?? 'unmatched',
    method: request.method,
    path: config.operation === undefined ? 'no such path' : documentedPath(url),
    status,
    code: request.problemCode,
    ms,
    accountId: caller?.accountId,
    keyId: caller?.key?.id,
    simulated: request.simulation !== undefined,
    searchId: request.about?.searchId ?? readId(request, 'search_id', isUuid),
    bookingId: request.about?.bookingId ?? readId(request, 'booking_id', isBookingId),
  }
}

/** From the path or the query. Ignores values that do not look like our ids, which may be personal data. */
function readId({ params, query }: FastifyRequest, name: string, isId: (text: string) => boolean): string | undefined {
  const id: unknown = Object(params)[name] ?? Object(query)[name]
  return typeof id === 'string' && isId(id) ? id : undefined
}

const isBookingId = (text: string) => /^bkg_[0-9a-z]{20}$/.test(text)

/** `/api/accommodation/bookings/{booking_id}`, without the value, which may be personal data. */
const documentedPath = memoize(ROUTES_MAX, (url: string): string => url.replaceAll(/:(\w+)/g, '{$1}'))
