import type { FastifyInstance } from 'fastify'
import { Histogram, type Registry } from 'prom-client'

/** By operation instead of path, so that the number of series is bounded. */
export function addMetrics(app: FastifyInstance, registry: Registry): void {
  const durations = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its response.',
    labelNames: ['operation', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
    registers: [registry],
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { operation = 'unmatched', internal } = request.routeOptions.config
    const { statusCode: status, elapsedTime: ms } = reply
    durations.observe({ operation, status }, ms / 1000)
    if (internal !== true) {
      const account = request.caller?.accountId
      request.log.info({ operation, status, ms: Math.round(ms * 10) / 10, account }, 'answered')
    }
    done()
  })
}
