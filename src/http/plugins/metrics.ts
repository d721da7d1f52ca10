import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { createDurations } from '../durations.ts'

/** Duration by operation and status; never by raw path, so that the number of series stays bounded. */
export function addMetrics(app: FastifyInstance, registry: Registry): void {
  const observe = createDurations(registry, {
    name: 'http_server_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { operation, internal } = request.routeOptions.config
    const { statusCode: status, elapsedTime: ms } = reply
    observe(operation ?? 'unmatched', status, ms / 1000)
    if (internal !== true) {
      const account = request.caller?.accountId
      request.log.info({ operation, status, ms: Math.round(ms * 10) / 10, account }, 'answered')
    }
    done()
  })
}
