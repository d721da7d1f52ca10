import type { FastifyInstance } from 'fastify'
import { Histogram, type Registry } from 'prom-client'
import { monotonicMs } from '../../lib/clock.ts'

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** Duration by operation and status; never by raw path, so that the number of series stays bounded. */
export function addMetrics(app: FastifyInstance, registry: Registry): void {
  const duration = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
    labelNames: ['operation', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  })
  app.decorateRequest('startedAt', 0)
  app.addHook('onRequest', (request, _reply, done) => {
    request.startedAt = monotonicMs()
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { operation, internal } = request.routeOptions.config
    const ms = monotonicMs() - request.startedAt
    duration.observe({ operation: operation ?? 'unmatched', status: reply.statusCode }, ms / 1000)
    if (internal !== true) {
      const { caller } = request
      request.log.info(
        { operation, status: reply.statusCode, ms: Math.round(ms * 10) / 10, account: caller?.accountId },
        'answered',
      )
    }
    done()
  })
}
