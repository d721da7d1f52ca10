import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { NotedRequest } from '../../monitoring/request-log.ts'

/** Files of the page, documents and probes are nobody's call. */
const NOTED = /^\/(api|mcp)(\/|$|\?)/

/** Notes every call of the API when it was answered; writing it down is not on the way of any request. */
export function noteRequests(app: FastifyInstance, note: (request: NotedRequest) => void): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (NOTED.test(request.url)) note(described(request, reply.statusCode, reply.elapsedTime))
    done()
  })
}

function described(request: FastifyRequest, status: number, ms: number): NotedRequest {
  const { caller } = request
  return {
    requestId: request.id,
    operation: request.routeOptions.config.operation ?? 'unmatched',
    method: request.method,
    path: plainPath(request.url),
    status,
    code: request.problemCode,
    ms,
    accountId: caller?.accountId,
    keyId: caller?.key?.id,
    simulated: request.simulation !== undefined,
    searchId: request.about?.searchId ?? idIn(request, 'search_id'),
    bookingId: request.about?.bookingId ?? idIn(request, 'booking_id'),
  }
}

const ID = /^[A-Za-z0-9_-]{1,64}$/

/** From the path, or else from the query. */
function idIn({ params, query }: FastifyRequest, name: string): string | undefined {
  const id: unknown = Object(params)[name] ?? Object(query)[name]
  return typeof id === 'string' && ID.test(id) ? id : undefined
}

const PATH_MAX = 200
/** Tokens, e-mails, numbers of cards, and whatever is too long for an id. */
const NOT_KEPT = /sr[kpt]_|@|%40|\d{12}|.{65}|\p{Cc}/u

/** Without the query, and without parts that could be secrets or personal data. */
export const plainPath = (url: string): string =>
  (url.split('?', 1)[0] ?? '')
    .split('/')
    .map((part) => (NOT_KEPT.test(part) ? '…' : part))
    .join('/')
    .slice(0, PATH_MAX)
