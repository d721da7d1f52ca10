import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Fastify, { type FastifyInstance, type FastifyPluginAsync, type RouteOptions } from 'fastify'
import { accountProblemMembers } from '../accounts/present/api-key.ts'
import { accountRoutes } from '../accounts/routes/accounts.ts'
import { apiKeyRoutes } from '../accounts/routes/api-keys.ts'
import { openSessionRoutes } from '../accounts/routes/open-sessions.ts'
import { ACCOUNT_PROBLEM_MEMBERS } from '../accounts/schemas/api-keys.ts'
import { type McpRouteDeps, mcpRoutes } from '../agents/routes.ts'
import { bookingProblemMembers } from '../booking/present/problem-members.ts'
import { afterBookingRoutes } from '../booking/routes/after-booking.ts'
import { bookingRoutes } from '../booking/routes/bookings.ts'
import { priceCheckRoutes } from '../booking/routes/price-check.ts'
import { BOOKING_PROBLEM_MEMBERS } from '../booking/schemas/problem-members.ts'
import type { AppError } from '../domain/errors.ts'
import { docsRoutes } from '../http/docs/docs.ts'
import { healthRoutes } from '../http/health.ts'
import { metricsRoutes } from '../http/metrics.ts'
import { createPageCallers } from '../http/middleware/page-callers.ts'
import { addErrorsPage, addOpenApi } from '../http/openapi/openapi.ts'
import { addReferencePage } from '../http/openapi/reference-page.ts'
import { createServer, type ServerDeps } from '../http/server.ts'
import { locationRoutes } from '../locations/routes.ts'
import { type DevMailDeps, devMailRoutes } from '../mail/routes.ts'
import { operatorAccountRoutes } from '../operator/routes/accounts.ts'
import { attentionRoutes } from '../operator/routes/attention.ts'
import { auditRoutes } from '../operator/routes/audit.ts'
import { operatorBookingRoutes } from '../operator/routes/bookings.ts'
import { exchangeRateRoutes } from '../operator/routes/exchange-rates.ts'
import { findRoutes } from '../operator/routes/find.ts'
import { operatorKeyRoutes } from '../operator/routes/keys.ts'
import { operatorMatchRoutes } from '../operator/routes/matches.ts'
import { numbersRoutes } from '../operator/routes/numbers.ts'
import { operatorPaymentRoutes } from '../operator/routes/payments.ts'
import { reconciliationRoutes } from '../operator/routes/reconciliation.ts'
import { operatorRequestRoutes } from '../operator/routes/requests.ts'
import { statementRoutes } from '../operator/routes/statements.ts'
import { operatorVendorRoutes } from '../operator/routes/vendors.ts'
import { bookingLinkRoutes } from '../page/routes/booking-links.ts'
import { mapRoutes } from '../page/routes/map.ts'
import { type PageRouteDeps, pageRoutes, routablePath } from '../page/routes/page.ts'
import { type PageSettings, pageConfigRoutes } from '../page/routes/page-config.ts'
import { plainResultsRoutes } from '../page/routes/plain-results.ts'
import { sessionRoutes } from '../page/routes/session.ts'
import { paymentProblemMembers } from '../payments/present.ts'
import { paymentNotificationRoutes } from '../payments/routes/notifications.ts'
import { paymentRoutes } from '../payments/routes/payments.ts'
import { PAYMENT_PROBLEM_MEMBERS } from '../payments/schemas.ts'
import { searchProblemMembers } from '../search/present/problem-members.ts'
import { accommodationRoutes } from '../search/routes/property-detail.ts'
import { searchRoutes } from '../search/routes/searches.ts'
import { SEARCH_PROBLEM_MEMBERS } from '../search/schemas/problem-members.ts'
import { sellingRoutes } from '../selling/routes/selling.ts'
import { receiptRoutes } from '../voucher/routes/receipt.ts'
import { voucherRoutes } from '../voucher/routes/voucher.ts'
import { webhookEvents } from '../webhooks/describe-events.ts'
import { deliveryRoutes, eventRoutes, webhookRoutes } from '../webhooks/routes.ts'

const OPERATOR_ROUTES = [
  auditRoutes,
  operatorAccountRoutes,
  operatorKeyRoutes,
  findRoutes,
  numbersRoutes,
  operatorMatchRoutes,
  operatorVendorRoutes,
  exchangeRateRoutes,
  operatorRequestRoutes,
  attentionRoutes,
  operatorBookingRoutes,
  operatorPaymentRoutes,
  reconciliationRoutes,
] as const
const SELLING_ROUTES = [sellingRoutes, statementRoutes] as const

/** Routes of the API, in the order of its description. */
const ROUTES = [
  healthRoutes,
  metricsRoutes,
  accountRoutes,
  sessionRoutes,
  bookingLinkRoutes,
  apiKeyRoutes,
  openSessionRoutes,
  ...OPERATOR_ROUTES,
  locationRoutes,
  searchRoutes,
  accommodationRoutes,
  bookingRoutes,
  afterBookingRoutes,
  voucherRoutes,
  receiptRoutes,
  priceCheckRoutes,
  paymentRoutes,
  paymentNotificationRoutes,
  webhookRoutes,
  deliveryRoutes,
  eventRoutes,
  ...SELLING_ROUTES,
  mapRoutes,
] as const

type Intersection<Union> = (Union extends unknown ? (part: Union) => void : never) extends (part: infer All) => void
  ? All
  : never
type RouteDeps = Intersection<Parameters<(typeof ROUTES)[number]>[1]>

type HttpDeps = Omit<ServerDeps, 'pageCallers' | 'problemMembers' | 'rewriteUrl'> &
  Omit<RouteDeps, 'pageCallers'> & {
    readonly page: PageRouteDeps & { readonly settings: PageSettings }
    /** Mails shown at `/dev/mail`; undefined outside development. */
    readonly devMail: DevMailDeps['mails'] | undefined
    /** Serves agents at `/mcp`; undefined if switched off. */
    readonly handleMcp: McpRouteDeps['handleMcp'] | undefined
    readonly closeMcp: McpRouteDeps['closeMcp']
  }

const FEATURE_SCHEMAS = {
  problemMembers: {
    ...ACCOUNT_PROBLEM_MEMBERS,
    ...SEARCH_PROBLEM_MEMBERS,
    ...BOOKING_PROBLEM_MEMBERS,
    ...PAYMENT_PROBLEM_MEMBERS,
  },
  webhooks: webhookEvents(),
}

const problemMembers = (error: AppError) => ({
  ...accountProblemMembers(error),
  ...searchProblemMembers(error),
  ...bookingProblemMembers(error),
  ...paymentProblemMembers(error),
})

/** Returns the declarations of the operators' routes; the routes have no dependencies and cannot run. */
export async function listOperatorRoutes(): Promise<RouteOptions[]> {
  const found: RouteOptions[] = []
  const app = Fastify({ exposeHeadRoutes: false })
  app.addHook('onRoute', (route) => void found.push(route))
  const plugins: readonly FastifyPluginAsync[] = [...OPERATOR_ROUTES, ...SELLING_ROUTES] as never
  for (const routes of plugins) await app.register(routes)
  return found
}

export async function buildHttp(parts: HttpDeps): Promise<FastifyInstance> {
  const { publicUrl } = parts.settings
  const pageCallers = createPageCallers(parts.pageSessions, parts.bookingLinks, publicUrl)
  const deps = { ...parts, pageCallers, problemMembers, rewriteUrl: routablePath }
  const app = await createServer(deps)
  await addOpenApi(app, publicUrl, FEATURE_SCHEMAS)
  addErrorsPage(app)
  addReferencePage(app)
  await app.register(docsRoutes, { publicUrl })
  const plugins: readonly FastifyPluginAsyncTypebox<RouteDeps>[] = ROUTES
  // Called, not registered: none has hooks of its own, and thirty plugins take longer to register than all their routes.
  for (const routes of plugins) await routes(app, deps)
  const { handleMcp, closeMcp, devMail, page } = parts
  if (handleMcp !== undefined) await app.register(mcpRoutes, { handleMcp, closeMcp })
  if (devMail !== undefined) await app.register(devMailRoutes, { mails: devMail })
  await app.register(pageConfigRoutes, { ...deps, settings: page.settings })
  await app.register(pageRoutes, page)
  await app.register(plainResultsRoutes)
  return app
}
