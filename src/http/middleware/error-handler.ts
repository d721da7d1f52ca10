import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, invalidRequest } from '../../domain/errors.ts'
import { monotonicMs } from '../../lib/time/clock.ts'
import { addClientErrorHandler } from '../body/client-errors.ts'
import { toFieldErrors } from '../body/field-errors.ts'
import { type PresentMembers, toProblem, withoutEffect } from '../problem.ts'

/** Sends every error as problem+json, including those of the framework. Bugs are logged here, once, with their stack. */
export function addErrorHandler(app: FastifyInstance, members?: PresentMembers): void {
  const listMethods = collectMethods(app)
  const reportOutage = createOutageReporter()
  addClientErrorHandler(app)
  trackEffect(app)

  app.setErrorHandler<FastifyError>((error, request, reply) => {
    // A QUERY without a body. No route has this method.
    if (error.code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE') return sendUnmatched(request, reply)
    const known = request.mayHaveActed ? toAppError(error) : withoutEffect(toAppError(error))
    if (known === undefined) request.log.error({ err: error }, 'unexpected error')
    reportOutage(request, error)
    return sendProblem(request, reply, known ?? error, members)
  })

  app.setNotFoundHandler(sendUnmatched)

  function sendUnmatched(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const path = request.url.split('?', 1)[0] ?? ''
    const methods = listMethods(path.replace(/(?<=.)\/$/, ''))
    // If the method is known, the route itself reported the 404, such as a missing file of the page.
    if (methods.length === 0 || methods.includes(request.method))
      return sendProblem(request, reply, new AppError('not_found', `There is nothing at ${path}.`))
    reply.header('allow', methods.join(', '))
    const message = `${path} supports ${methods.join(', ')}, not ${request.method}.`
    return sendProblem(request, reply, new AppError('method_not_allowed', message))
  }
}

export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  members?: PresentMembers,
): FastifyReply {
  const { status, body, retryAfterSeconds } = toProblem(error, request.id, members)
  request.problemCode = String(body.code)
  if (error instanceof AppError) request.failure = error
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="serai"')
  return reply
    .code(status)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(body)
}

/** Converts errors of the framework; undefined for a bug. */
function toAppError(error: FastifyError | AppError): AppError | undefined {
  if (error instanceof AppError) return error
  if (error.validation !== undefined)
    return invalidRequest(toFieldErrors(error.validation, error.validationContext ?? 'body'))
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('body_too_large', 'The body is larger than 64 KiB.')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('unsupported_media_type', 'Send the body as JSON with content-type: application/json.')
    case 'FST_CP_ERR_INVALID_CONTENT_ENCODING':
      return new AppError(
        'unsupported_media_type',
        'Send the body uncompressed, or with content-encoding: gzip, br or deflate.',
      )
    case 'FST_CP_ERR_INVALID_CONTENT':
      return new AppError('malformed_request', 'The body does not match its content-encoding, or is incomplete.')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_BAD_URL':
      return new AppError('malformed_request', 'The request could not be read.')
    default:
      return error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
        ? new AppError('malformed_request', 'The request could not be read.', { cause: error })
        : undefined
  }
}

const OUTAGE_EVERY_MS = 60_000

/** Logs at most once a minute that the database is unavailable: every request fails meanwhile. */
function createOutageReporter() {
  let reportedAt = Number.NEGATIVE_INFINITY
  return (request: FastifyRequest, error: unknown): void => {
    if (!(error instanceof AppError) || error.code !== 'store_unavailable') return
    if (monotonicMs() - reportedAt < OUTAGE_EVERY_MS) return
    reportedAt = monotonicMs()
    request.log.error({ cause: String(error.cause) }, 'the database cannot be used')
  }
}

/** A request changes nothing before its handler runs, and a safe one never does. */
function trackEffect(app: FastifyInstance): void {
  app.decorateRequest('mayHaveActed', false)
  app.addHook('preHandler', (request, _reply, done) => {
    request.mayHaveActed = !isSafe(request)
    done()
  })
}

function isSafe({ method, query, routeOptions: { config } }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD' || config.safe === 'always') return true
  return config.safe === 'preview' && String(Object(query).preview) === 'true'
}

/** For `405` and its `allow` header. */
function collectMethods(app: FastifyInstance): (path: string) => string[] {
  const routes: { pattern: RegExp; methods: string[] }[] = []
  app.addHook('onRoute', (route) => {
    const escaped = route.url.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    const pattern = new RegExp(`^${escaped.replace(/:[^/]+/g, '[^/]+').replace(/\*$/, '.*')}$`)
    routes.push({ pattern, methods: [route.method].flat() })
  })
  return (path) => [
    ...new Set(routes.filter((r) => r.pattern.source !== '^.*$' && r.pattern.test(path)).flatMap((r) => r.methods)),
  ]
}
