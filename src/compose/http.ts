import type { Server } from 'node:http'
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
import type { Audit } from '../accounts/audit.ts'
import type { ManageKeys } from '../accounts/manage-keys.ts'
import type { OpenSessions } from '../accounts/open-sessions.ts'
import type { OperatorAccounts } from '../accounts/operator-accounts.ts'
import type { PageSessions } from '../accounts/page-sessions.ts'
import { accountRoutes } from '../accounts/routes/accounts.ts'
import { apiKeyRoutes } from '../accounts/routes/api-keys.ts'
import { openSessionRoutes } from '../accounts/routes/open-sessions.ts'
import type { CheckPassword, SignIn } from '../accounts/sign-in.ts'
import type { Tokens } from '../accounts/tokens.ts'
import { type McpRouteDeps, mcpRoutes } from '../agents/routes.ts'
import { type AfterBookingDeps, afterBookingRoutes } from '../booking/routes/after-booking.ts'
import { type BookingRouteDeps, bookingRoutes } from '../booking/routes/bookings.ts'
import { type PriceCheckRouteDeps, priceCheckRoutes } from '../booking/routes/price-check.ts'
import { AppError } from '../domain/errors.ts'
import type { GuestAccess } from '../domain/guest-access.ts'
import { addJsonBody } from '../http/body/json-body.ts'
import { parseQuery, refuseUnreadableQuery } from '../http/body/list-request.ts'
import { compileOnFirstUse } from '../http/body/validation.ts'
import { docsRoutes } from '../http/docs/docs.ts'
import { healthRoutes, type ReadinessCheck } from '../http/health.ts'
import { closeConnectionsAtEnd, closeSilentConnections } from '../http/limits/connections.ts'
import { shareFairly } from '../http/limits/fair-share.ts'
import { type GuestLimiters, limitGuests } from '../http/limits/guests.ts'
import { addOverloadGuard } from '../http/limits/overload.ts'
import { spendAllowance } from '../http/limits/rate-limits.ts'
import { metricsRoutes } from '../http/metrics.ts'
import { auditActions } from '../http/middleware/audit-actions.ts'
import { type Callers, identifyCaller, refuseUnidentified } from '../http/middleware/authentication.ts'
import { addErrorHandler, sendProblem } from '../http/middleware/error-handler.ts'
import { refuseOddHeaders, takeOverExpect } from '../http/middleware/host-and-expect.ts'
import { addMetrics } from '../http/middleware/metrics.ts'
import { noteRequests } from '../http/middleware/note-requests.ts'
import { createPageCallers, type PageCallers } from '../http/middleware/page-callers.ts'
import { refuseUnpermitted, simulateForTestKeys } from '../http/middleware/permissions.ts'
import { addSecurityHeaders } from '../http/middleware/security-headers.ts'
import { readSimulation } from '../http/middleware/simulation.ts'
import { addErrorsPage, addOpenApi } from '../http/openapi/openapi.ts'
import { addReferencePage } from '../http/openapi/reference-page.ts'
import type { Ids } from '../lib/crypto/ids.ts'
import type { TrustProxy } from '../lib/net/trust-proxy.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { CursorCodec } from '../lists/cursor.ts'
import { locationRoutes } from '../locations/routes.ts'
import { type DevMailDeps, devMailRoutes } from '../mail/routes.ts'
import type { NotedRequest } from '../operator/request-log.ts'
import { operatorAccountRoutes } from '../operator/routes/accounts.ts'
import { type AttentionRouteDeps, attentionRoutes } from '../operator/routes/attention.ts'
import { operatorRoutes } from '../operator/routes/audit.ts'
import { type OperatorBookingRouteDeps, operatorBookingRoutes } from '../operator/routes/bookings.ts'
import { operatorKeyRoutes } from '../operator/routes/keys.ts'
import { type OperatorMatchDeps, operatorMatchRoutes } from '../operator/routes/matches.ts'
import { type OperatorRequestDeps, operatorRequestRoutes } from '../operator/routes/requests.ts'
import { type StatementRouteDeps, statementRoutes } from '../operator/routes/statements.ts'
import { type OperatorVendorDeps, operatorVendorRoutes } from '../operator/routes/vendors.ts'
import type { TileArchive } from '../page/map/tile-archive.ts'
import { mapRoutes } from '../page/routes/map.ts'
import { type PageSettings, pageRoutes, readableAddress } from '../page/routes/page.ts'
import { sessionRoutes } from '../page/routes/session.ts'
import { type AccommodationRouteDeps, accommodationRoutes } from '../search/routes/property-detail.ts'
import { type SearchRouteDeps, searchRoutes } from '../search/routes/searches.ts'
import { type SellingRouteDeps, sellingRoutes } from '../selling/routes/selling.ts'
import type { RateLimiter } from '../store/rate-limiters.ts'
import { voucherRoutes } from '../voucher/routes.ts'
import type { ManageDeliveries } from '../webhooks/manage-deliveries.ts'
import type { ManageWebhooks } from '../webhooks/manage-webhooks.ts'
import { webhookDeliveryRoutes } from '../webhooks/routes/deliveries.ts'
import { webhookRoutes } from '../webhooks/routes/webhooks.ts'

type RouteDeps = SearchRouteDeps &
  AccommodationRouteDeps &
  BookingRouteDeps &
  PriceCheckRouteDeps &
  AttentionRouteDeps &
  OperatorBookingRouteDeps &
  Omit<AfterBookingDeps, 'settings'> &
  Omit<SellingRouteDeps, 'settings'> &
  Omit<StatementRouteDeps, 'settings'> &
  OperatorMatchDeps &
  OperatorVendorDeps &
  OperatorRequestDeps

type HttpDeps = RouteDeps & {
  log: Logger
  clock: Clock
  ids: Ids
  registry: Registry
  limiters: {
    account: RateLimiter
    key: RateLimiter
    address: RateLimiter
    signInsPerAddress: RateLimiter
    signInsPerPair: RateLimiter
  }
  guestLimiters: GuestLimiters
  signIn: SignIn
  checkPassword: CheckPassword
  pageSessions: PageSessions
  tokens: Tokens
  callers: Callers
  manageKeys: ManageKeys
  openSessions: OpenSessions
  operatorAccounts: OperatorAccounts
  audit: Audit
  readiness: readonly ReadinessCheck[]
  cursors: CursorCodec
  manageWebhooks: ManageWebhooks
  manageDeliveries: ManageDeliveries
  page: { folder: string; settings: PageSettings; picture: ((path: string) => string | undefined) | undefined }
  map: { readonly land: TileArchive; readonly places: TileArchive }
  /** Mails shown at `/dev/mail`; undefined outside development. */
  devMail: DevMailDeps['mails'] | undefined
  /** Serves agents at `/mcp`; undefined where that is switched off. */
  handleMcp: McpRouteDeps['handleMcp'] | undefined
  closeMcp: McpRouteDeps['closeMcp']
  isDraining(): boolean
  /** Told of every call of the API once it was answered; undefined where none are kept. */
  noteRequest: ((request: NotedRequest) => void) | undefined
  /** Told of every route as it is added; the tests walk them. */
  onRoute: ((route: RouteOptions) => void) | undefined
  settings: {
    publicUrl: string
    mode: string
    trustProxy: TrustProxy
    corsOrigins: readonly string[]
    guests: { access: GuestAccess }
    mapStyleUrl: string | null
    metrics: { token: string | undefined; onLoopback: boolean }
  }
}

/** What a page of another origin may send, and which of our headers it may read. */
const CORS = {
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  exposedHeaders: ['x-request-id', 'location', 'retry-after', 'ratelimit', 'ratelimit-policy', 'idempotent-replayed'],
  maxAge: 600,
  // Otherwise the library answers an OPTIONS that is no preflight with 400 and plain text.
  strictPreflight: false,
}
const BODY_MAX_BYTES = 64 * 1024
/** For a whole request to arrive; a slower one only holds a connection open. */
const ARRIVAL_MAX_MS = 10_000
/** A token or a long number in the wrong header must not end up in the log. */
const SECRET_LIKE = /sr[kpt]_|\d{12}/
const REQUEST_ID = /^[A-Za-z0-9_.:-]{1,100}$/

export async function buildHttp(deps: HttpDeps): Promise<FastifyInstance> {
  const app = Fastify(serverOptions(deps))
  if (deps.onRoute !== undefined) app.addHook('onRoute', deps.onRoute)
  const pageCallers = createPageCallers(deps.pageSessions, deps.settings.publicUrl)
  await addFrame(app, deps, pageCallers)
  await addRoutes(app, { ...deps, pageCallers })
  return app
}

/** What every request passes, in the order of the lines. */
async function addFrame(app: FastifyInstance, deps: HttpDeps, pageCallers: PageCallers): Promise<void> {
  const { settings, registry, callers, limiters, guestLimiters, audit } = deps
  app.setValidatorCompiler(compileOnFirstUse)
  // The routes present their answers field by field; their schemas document them, and tests hold one against the other.
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer))
  app.decorateRequest('caller', undefined)
  app.decorateRequest('refusal', undefined)
  app.decorateRequest('simulation', undefined)
  app.decorateRequest('charge', undefined)
  app.decorateRequest('created', undefined)
  app.decorateRequest('problemCode', undefined)
  app.decorateRequest('about', undefined)

  addMetrics(app, registry)
  if (deps.noteRequest !== undefined) noteRequests(app, deps.noteRequest)
  addErrorHandler(app)
  closeSilentConnections(app)
  closeConnectionsAtEnd(app)
  takeOverExpect(app)
  addSecurityHeaders(app, { isSecure: settings.publicUrl.startsWith('https:'), mapStyleUrl: settings.mapStyleUrl })
  // Without origins named by an operator, no answer has CORS headers.
  if (settings.corsOrigins.length > 0) await app.register(cors, { ...CORS, origin: [...settings.corsOrigins] })
  await app.register(compress, {
    threshold: 2_048,
    encodings: ['br', 'gzip'],
    // Answers are made once and read once: quick compression costs less than it saves, thorough compression does not.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } },
    zlibOptions: { level: 3 },
    customTypes: /^(application\/(.+\+)?json|text\/(?!event-stream)|image\/svg)/,
  })
  await addOverloadGuard(app)
  app.addHook('onRequest', refuseOddHeaders)
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
  auditActions(app, audit)
}

async function addRoutes(app: FastifyInstance, deps: HttpDeps & { pageCallers: PageCallers }): Promise<void> {
  await addOpenApi(app, deps.settings.publicUrl)
  addErrorsPage(app)
  addReferencePage(app)
  await app.register(docsRoutes, { publicUrl: deps.settings.publicUrl })
  await app.register(healthRoutes, deps)
  await app.register(metricsRoutes, deps)
  await app.register(accountRoutes, deps)
  await app.register(sessionRoutes, deps)
  await app.register(apiKeyRoutes, deps)
  await app.register(openSessionRoutes, deps)
  await app.register(operatorRoutes, deps)
  await app.register(operatorAccountRoutes, deps)
  await app.register(operatorKeyRoutes, deps)
  await app.register(operatorMatchRoutes, deps)
  await app.register(operatorVendorRoutes, deps)
  await app.register(operatorRequestRoutes, deps)
  await app.register(attentionRoutes, deps)
  await app.register(operatorBookingRoutes, deps)
  await app.register(locationRoutes, deps)
  await app.register(searchRoutes, deps)
  await app.register(accommodationRoutes, deps)
  await app.register(bookingRoutes, deps)
  await app.register(afterBookingRoutes, deps)
  await app.register(voucherRoutes, deps)
  await app.register(priceCheckRoutes, deps)
  await app.register(webhookRoutes, deps)
  await app.register(webhookDeliveryRoutes, deps)
  await app.register(sellingRoutes, deps)
  await app.register(statementRoutes, deps)
  const { handleMcp, closeMcp } = deps
  if (handleMcp !== undefined) await app.register(mcpRoutes, { handleMcp, closeMcp })
  if (deps.devMail !== undefined) await app.register(devMailRoutes, { mails: deps.devMail })
  await app.register(mapRoutes, deps)
  await app.register(pageRoutes, { ...deps.page, pageCallers: deps.pageCallers })
}

function serverOptions({ log, ids, settings }: HttpDeps): FastifyHttpOptions<Server, FastifyBaseLogger> {
  const requestIds = createRequestIds(ids)
  return {
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_MAX_BYTES,
    trustProxy: trusted(settings.trustProxy),
    requestTimeout: ARRIVAL_MAX_MS,
    http: {
      headersTimeout: ARRIVAL_MAX_MS,
      requestTimeout: ARRIVAL_MAX_MS,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false,
    },
    keepAliveTimeout: 65_000,
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200, querystringParser: parseQuery },
    genReqId: (raw) => {
      const sent = raw.headers['x-request-id']
      return typeof sent === 'string' && REQUEST_ID.test(sent) && !SECRET_LIKE.test(sent) ? sent : requestIds()
    },
    rewriteUrl: readableAddress,
    // An address the router cannot read is answered before any hook has run.
    frameworkErrors: (_error, request, reply) => {
      reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
      sendProblem(request, reply, new AppError('malformed_request', 'The address could not be read.'))
    },
  }
}

/** Counted from this machine outwards: what a client writes itself stands beyond the proxies that are believed. */
function trusted(proxies: TrustProxy): NonNullable<FastifyHttpOptions<Server>['trustProxy']> {
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies
  return proxies === false ? false : [...proxies]
}

/** Unique, not secret: a random beginning for this process and a count behind it. */
function createRequestIds(ids: Ids): () => string {
  const process = ids.prefixed('req')
  let count = 0
  return () => {
    count += 1
    return `${process}${count.toString(36)}`
  }
}
