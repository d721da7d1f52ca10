import type { FastifyInstance } from 'fastify'
import { Histogram, type Registry } from 'prom-client'
import { ERRORS } from '../../domain/error-table.ts'
import type { AppError } from '../../domain/errors.ts'

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
      const failure = request.failure && describeFailure(request.failure)
      request.log.info({ operation, status, ms: Math.round(ms * 10) / 10, account, ...failure }, 'answered')
    }
    done()
  })
}

function describeFailure({ code, cause, failedVendors }: AppError) {
  const vendors = failedVendors.map(({ vendorId, status, reason }) => ({ vendor: vendorId, status, reason }))
  return {
    code,
    effect: ERRORS[code].effect,
    ...(cause !== undefined && { cause: String(cause) }),
    ...(vendors.length > 0 && { vendors }),
  }
}
