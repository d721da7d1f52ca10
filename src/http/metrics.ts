import { hash, timingSafeEqual } from 'node:crypto'
import { BlockList, isIPv6 } from 'node:net'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Fastify, { type FastifyInstance } from 'fastify'
import { collectDefaultMetrics, type Registry } from 'prom-client'
import { Type } from 'typebox'
import { AppError } from '../domain/errors.ts'
import { closeConnectionsOnShutdown } from './limits/connections.ts'
import { addErrorHandler } from './middleware/error-handler.ts'
import { operation } from './operation.ts'

type Deps = {
  readonly registry: Registry
  readonly settings: { readonly metrics: { readonly token: string | undefined; readonly onLoopback: boolean } }
}

const ROUTE = operation('health.metrics', {
  access: 'public',
  internal: true,
  summary: 'Prometheus metrics',
  description:
    'Available if the operator enables it: with `SERAI_METRICS_TOKEN` as bearer token, or on the port `SERAI_METRICS_PORT`. In development, also from the same machine.',
  answers: { 200: { description: 'Text exposition format.', content: { 'text/plain': { schema: Type.String() } } } },
  problems: ['not_found'],
})

const LAG = 'nodejs_eventloop_lag_p99_seconds'

/** Default metrics of Node. The event loop lag is the maximum of all workers, because the mean hides a blocked one. */
export function addProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry })
  for (const metric of registry.getMetricsAsArray()) if (metric.name === LAG) metric.aggregator = 'max'
}

/** Metrics on the port of the API. Callers without permission get a 404. */
export const metricsRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, { registry, settings: { metrics } }) => {
  app.get('/metrics', ROUTE, async (request, reply) => {
    const isAllowed =
      metrics.token === undefined ? metrics.onLoopback && isLocal(request) : hasToken(request, metrics.token)
    if (!isAllowed) throw new AppError('not_found', 'There is nothing at /metrics.')
    return reply.header('content-type', registry.contentType).send(await registry.metrics())
  })
}

/** Serves only the metrics, on a port for the operator's network. */
export function createMetricsServer(registry: Registry): FastifyInstance {
  const app = Fastify({ requestTimeout: 10_000 })
  addErrorHandler(app)
  closeConnectionsOnShutdown(app)
  app.get('/metrics', async (_request, reply) =>
    reply.header('content-type', registry.contentType).send(await registry.metrics()),
  )
  return app
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8)
LOOPBACK.addAddress('::1', 'ipv6')

/** False for requests forwarded by a proxy on this machine. */
export function isLocal({ socket, headers }: FastifyRequest): boolean {
  const address = socket.remoteAddress ?? ''
  return (
    LOOPBACK.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') &&
    headers['x-forwarded-for'] === undefined &&
    headers.forwarded === undefined
  )
}

/** False if a site's own name leads to this machine (DNS rebinding), so that the site could read responses. */
export const isLoopbackHost = ({ hostname }: FastifyRequest): boolean =>
  hostname === 'localhost' || /^(127\.[\d.]+|\[?::1\]?)$/.test(hostname)

/** Compares hashes in constant time. */
function hasToken({ headers }: FastifyRequest, token: string): boolean {
  const sent = /^bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
  return timingSafeEqual(digest(sent), digest(token))
}

const digest = (text: string) => hash('sha256', text, 'buffer')
