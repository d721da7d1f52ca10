import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import cors from '@fastify/cors'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RouteOptions,
} from 'fastify'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { SignIn } from '../accounts/sign-in.ts'
import type { Tokens } from '../accounts/tokens.ts'
import type { BookingDesk } from '../booking/booking-desk.ts'
import type { ReadBookings } from '../booking/list-bookings.ts'
import { AppError, type FieldError } from '../domain/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { Ids } from '../lib/ids.ts'
import type { CursorCodec } from '../lists/cursor.ts'
import type { LocationIndex } from '../locations/location-index.ts'
import type { SearchDesk } from '../search/search-desk.ts'
import type { Allowance, Counters } from '../store/counters.ts'
import type { SearchStore } from '../store/searches.ts'
import type { WebhookStore } from '../store/webhooks.ts'
import { requestLog } from './log.ts'
import { addPassage } from './passage.ts'
import { admitIdentified, identifyCaller } from './plugins/authentication.ts'
import { shareFairly } from './plugins/fair-share.ts'
import { addJsonBody } from './plugins/json-body.ts'
import { addMetrics } from './plugins/metrics.ts'
import { addErrorsPage, addOpenApi } from './plugins/openapi.ts'
import { guardOverload } from './plugins/overload.ts'
import { addProblems, sendProblem } from './plugins/problems.ts'
import { spendAllowance } from './plugins/rate-limits.ts'
import { addReferencePage } from './plugins/reference-page.ts'
import { securityHeaders } from './plugins/security-headers.ts'
import { closeSilentConnections } from './plugins/silent-connections.ts'
import { readSimulation } from './plugins/simulation.ts'
import type { Simulation } from './request-context.ts'
import { accommodationRoutes } from './routes/accommodation.ts'
import { accountRoutes } from './routes/accounts.ts'
import { bookingRoutes } from './routes/bookings.ts'
import { healthRoutes, type ReadinessCheck } from './routes/health.ts'
import { locationRoutes } from './routes/locations.ts'
import { type PageSettings, pageRoutes } from './routes/page.ts'
import { searchRoutes } from './routes/searches.ts'
import { webhookRoutes } from './routes/webhooks.ts'

export type HttpDeps = {
  log: Logger
  clock: Clock
  ids: Ids
  registry: Registry
  counters: Counters
  signIn: SignIn
  tokens: Tokens
  readiness: readonly ReadinessCheck[]
  locations: LocationIndex
  cursors: CursorCodec
  desk: SearchDesk
  searches: SearchStore
  bookingsFor(simulation: Simulation | undefined): BookingDesk
  listBookings: ReadBookings['list']
  webhooks: WebhookStore
  checkWebhookTarget(url: string): Promise<FieldError | undefined>
  page: { folder: string; settings: PageSettings; picture: ((path: string) => string | undefined) | undefined }
  isDraining(): boolean
  /** Told of every route as it is added; the tests walk them. */
  onRoute: ((route: RouteOptions) => void) | undefined
  settings: {
    publicUrl: string
    trustProxy: boolean
    corsOrigins: readonly string[]
    allowances: { account: Allowance; address: Allowance; signInsPerAddress: Allowance; signInsPerEmail: Allowance }
  }
}

const BODY_MAX_BYTES = 64 * 1024
/** For a whole request to arrive; whoever is slower only holds a connection open. */
const ARRIVAL_MAX_MS = 10_000
/** A token or a long number in the wrong header must not end up in the log. */
const SECRET_LIKE = /srt_|\d{12}/
const NO_QUERY = Object.freeze({})
const REQUEST_ID = /^[A-Za-z0-9_.:-]{1,100}$/

/** The frame around every operation. The order of the lines is the order in which a request passes them. */
export async function buildHttp(deps: HttpDeps): Promise<FastifyInstance> {
  const requestIds = createRequestIds(deps.ids)
  const headersOf = securityHeaders({ isSecure: deps.settings.publicUrl.startsWith('https:') })
  /** What every answer carries, whoever gives it. */
  const dress = (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('x-request-id', request.id).headers(headersOf(request.url))
    return undefined
  }
  const app = Fastify({
    loggerInstance: requestLog(deps.log),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_MAX_BYTES,
    trustProxy: deps.settings.trustProxy,
    requestTimeout: ARRIVAL_MAX_MS,
    http: { headersTimeout: ARRIVAL_MAX_MS, requestTimeout: ARRIVAL_MAX_MS, connectionsCheckingInterval: 1_000 },
    keepAliveTimeout: 65_000,
    return503OnClosing: false,
    // Routes read their queries in the lists' own notation; nobody needs the framework's reading of it.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200, querystringParser: () => NO_QUERY },
    genReqId: (raw) => {
      const sent = raw.headers['x-request-id']
      return typeof sent === 'string' && REQUEST_ID.test(sent) && !SECRET_LIKE.test(sent) ? sent : requestIds()
    },
    frameworkErrors: (_error, request, reply) => {
      dress(request, reply)
      sendProblem(request, reply, new AppError('malformed_request', 'The address could not be read.'))
    },
    ajv: { customOptions: { allErrors: true, removeAdditional: false, coerceTypes: false, useDefaults: true } },
  })

  if (deps.onRoute !== undefined) app.addHook('onRoute', deps.onRoute)
  addMetrics(app, deps.registry)
  addProblems(app)
  closeSilentConnections(app)
  addJsonBody(app)
  // Off unless an operator names origins: then no answer carries a word about others.
  if (deps.settings.corsOrigins.length > 0) {
    // It answers some requests itself.
    addPassage(app, [dress])
    await app.register(cors, { origin: [...deps.settings.corsOrigins] })
  }
  await app.register(compress, {
    threshold: 2_048,
    encodings: ['br', 'gzip'],
    // Answers are made once and read once: a quick packing costs less than it saves, a thorough one does not.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } },
    zlibOptions: { level: 3 },
    customTypes: /^(application\/(.+\+)?json|text\/(?!event-stream)|image\/svg)/,
  })
  addPassage(app, [
    dress,
    guardOverload(app),
    readSimulation(app),
    identifyCaller(app, deps.tokens),
    spendAllowance({ ...deps, ...deps.settings.allowances }),
    admitIdentified,
    shareFairly(app),
  ])
  await addOpenApi(app, deps.settings.publicUrl)
  addErrorsPage(app)
  await addReferencePage(app)

  await app.register(healthRoutes, deps)
  await app.register(accountRoutes, { ...deps, ...deps.settings.allowances })
  await app.register(locationRoutes, deps)
  await app.register(searchRoutes, deps)
  await app.register(accommodationRoutes, deps)
  await app.register(bookingRoutes, deps)
  await app.register(webhookRoutes, deps)
  await app.register(pageRoutes, deps.page)
  return app
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
