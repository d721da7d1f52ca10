import type { IncomingMessage, Server } from 'node:http'
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import cors from '@fastify/cors'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyInstance,
  LogController,
  type RouteOptions,
} from 'fastify'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { AppError } from '../domain/errors.ts'
import type { GuestAccess } from '../domain/guest-access.ts'
import type { NotedRequest } from '../domain/noted-request.ts'
import type { RateLimiter } from '../lib/async/rate-limiter.ts'
import type { Ids } from '../lib/crypto/ids.ts'
import type { TrustProxy } from '../lib/net/trust-proxy.ts'
import { addJsonBody } from './body/json-body.ts'
import { parseQuery, refuseUnreadableQuery } from './body/list-request.ts'
import { collectParameters } from './body/unused-parameters.ts'
import { compileOnFirstUse } from './body/validation.ts'
import { closeConnectionsOnShutdown, closeSilentConnections } from './limits/connections.ts'
import { shareFairly } from './limits/fair-share.ts'
import { type GuestLimiters, limitGuests } from './limits/guests.ts'
import { addOverloadGuard } from './limits/overload.ts'
import { createPacedServer } from './limits/pipelining.ts'
import { spendAllowance } from './limits/rate-limits.ts'
import { type AuditLog, auditActions } from './middleware/audit-actions.ts'
import { type Callers, identifyCaller, refuseUnidentified } from './middleware/authentication.ts'
import { addEntityTags } from './middleware/entity-tags.ts'
import { addErrorHandler, sendProblem } from './middleware/error-handler.ts'
import { checkHostAndExpect, handleExpect } from './middleware/host-and-expect.ts'
import { addIdempotency, type IdempotentRequests } from './middleware/idempotency.ts'
import { logRequests } from './middleware/log-requests.ts'
import { addMetrics } from './middleware/metrics.ts'
import type { PageCallers } from './middleware/page-callers.ts'
import { refuseUnpermitted, simulateForTestKeys } from './middleware/permissions.ts'
import { addSecurityHeaders, type CardFormHosts } from './middleware/security-headers.ts'
import { readSimulation } from './middleware/simulation.ts'
import { traceRequests } from './middleware/trace-requests.ts'
import type { PresentMembers } from './problem.ts'

export type ServerDeps = {
  readonly log: Logger
  readonly ids: Ids
  readonly registry: Registry
  readonly callers: Callers
  readonly pageCallers: PageCallers
  readonly limiters: Readonly<Record<'account' | 'key' | 'address' | 'page', RateLimiter>>
  readonly guestLimiters: GuestLimiters
  readonly audit: AuditLog
  readonly idempotentRequests: IdempotentRequests
  readonly problemMembers: PresentMembers
  /** Rewrites a URL before routing, so that page links with unusual characters still work. */
  readonly rewriteUrl: (request: IncomingMessage) => string
  /** Called for every API call after its response; undefined if requests are not recorded. */
  readonly noteRequest: ((request: NotedRequest) => void) | undefined
  readonly onRoute: ((route: RouteOptions) => void) | undefined
  readonly settings: {
    readonly publicUrl: string
    readonly trustProxy: TrustProxy
    readonly corsOrigins: readonly string[]
    readonly guests: { readonly access: GuestAccess }
    readonly mapStyleUrl: string | null
    readonly cardForm?: CardFormHosts
  }
}

const CORS = {
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  exposedHeaders: [
    'x-request-id',
    'location',
    'retry-after',
    'ratelimit',
    'ratelimit-policy',
    'idempotent-replayed',
    'etag',
    'link',
  ],
  maxAge: 600,
  // Otherwise the library responds to OPTIONS requests that are not preflights with 400 and plain text.
  strictPreflight: false,
}
/** Properties that middleware and handlers set on a request. */
const REQUEST_PROPERTIES = [
  'caller',
  'refusal',
  'simulation',
  'charge',
  'created',
  'changes',
  'problemCode',
  'failure',
  'about',
]
const BODY_MAX_BYTES = 64 * 1024
/** Timeout for receiving a whole request. */
const ARRIVAL_MAX_MS = 10_000
const CONNECTION = {
  headersTimeout: ARRIVAL_MAX_MS,
  requestTimeout: ARRIVAL_MAX_MS,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
  requireHostHeader: false,
}
/** A token or card number in the wrong header must not end up in the log. */
const SECRET_LIKE = /sr[klpt]_|\d{12}/
const REQUEST_ID = /^[A-Za-z0-9_.:-]{1,100}$/

/** Creates a server with all middleware and no routes. */
export async function createServer(deps: ServerDeps): Promise<FastifyInstance> {
  const app = Fastify(serverOptions(deps))
  if (deps.onRoute !== undefined) app.addHook('onRoute', deps.onRoute)
  await addMiddleware(app, deps)
  return app
}

/** In the order in which requests pass it. */
async function addMiddleware(app: FastifyInstance, deps: ServerDeps): Promise<void> {
  const { settings, registry, callers, pageCallers, limiters, guestLimiters, audit } = deps
  app.setValidatorCompiler(compileOnFirstUse)
  // Response schemas are only documentation: routes build responses field by field, and tests compare them with the schemas.
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer))
  for (const name of REQUEST_PROPERTIES) app.decorateRequest(name, undefined)

  traceRequests(app)
  addMetrics(app, registry)
  if (deps.noteRequest !== undefined) logRequests(app, deps.noteRequest)
  addErrorHandler(app, deps.problemMembers)
  closeSilentConnections(app)
  closeConnectionsOnShutdown(app)
  handleExpect(app)
  const { mapStyleUrl, cardForm } = settings
  addSecurityHeaders(app, { isSecure: settings.publicUrl.startsWith('https:'), mapStyleUrl, cardForm })
  // CORS is off unless the operator configures origins.
  if (settings.corsOrigins.length > 0) await app.register(cors, { ...CORS, origin: [...settings.corsOrigins] })
  await app.register(compress, {
    threshold: 2_048,
    encodings: ['br', 'gzip'],
    // Low levels: responses are compressed for a single use, so thorough compression would cost more than it saves.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } },
    zlibOptions: { level: 3 },
    customTypes: /^(application\/(.+\+)?json|text\/(?!event-stream)|image\/svg)/,
  })
  await addOverloadGuard(app)
  app.addHook('onRequest', checkHostAndExpect)
  app.addHook('onRequest', readSimulation)
  app.addHook('onRequest', identifyCaller(callers, pageCallers))
  app.addHook('onRequest', spendAllowance({ ...limiters, guest: guestLimiters.guest }))
  app.addHook('onRequest', refuseUnidentified)
  app.addHook('onRequest', limitGuests(guestLimiters, settings.guests.access))
  app.addHook('onRequest', refuseUnpermitted)
  app.addHook('onRequest', simulateForTestKeys)
  app.addHook('onRequest', shareFairly(app))
  app.addHook('onRequest', refuseUnreadableQuery)
  addJsonBody(app)
  addIdempotency(app, deps.idempotentRequests)
  addEntityTags(app)
  collectParameters(app)
  auditActions(app, audit)
}

function serverOptions({ log, ids, settings, rewriteUrl }: ServerDeps): FastifyHttpOptions<Server, FastifyBaseLogger> {
  const requestIds = createRequestIds(ids)
  return {
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_MAX_BYTES,
    trustProxy: trusted(settings.trustProxy),
    serverFactory: (handle) => createPacedServer(CONNECTION, handle),
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200, querystringParser: parseQuery },
    genReqId: (raw) => {
      const sent = raw.headers['x-request-id']
      return typeof sent === 'string' && REQUEST_ID.test(sent) && !SECRET_LIKE.test(sent) ? sent : requestIds()
    },
    rewriteUrl(raw) {
      removePorts(raw)
      return rewriteUrl(raw)
    },
    // Malformed URLs are rejected before any hook runs.
    frameworkErrors: (_error, request, reply) => {
      reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
      sendProblem(request, reply, new AppError('malformed_request', 'The URL is malformed.'))
    },
  }
}

/** Trusts the last N hops. Addresses further left are supplied by the client. */
function trusted(proxies: TrustProxy): NonNullable<FastifyHttpOptions<Server>['trustProxy']> {
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies
  return proxies === false ? false : [...proxies]
}

/** Some proxies add the client's port, which must not make it another address. Must run before Fastify reads the header. */
function removePorts({ headers }: IncomingMessage): void {
  const forwarded = headers['x-forwarded-for']
  if (typeof forwarded !== 'string' || !forwarded.includes(':')) return
  const withoutPort = (address: string) => address.trim().replace(/^(?:\[(.+)\]|([\d.]+))(?::\d+)?$/, '$1$2')
  headers['x-forwarded-for'] = forwarded.split(',').map(withoutPort).join(', ')
}

/** A random prefix for this process and a counter: unique, not secret. */
function createRequestIds(ids: Ids): () => string {
  const prefix = ids.prefixed('req')
  let count = 0
  return () => {
    count += 1
    return `${prefix}${count.toString(36)}`
  }
}
