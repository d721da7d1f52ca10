import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import { monotonicMs } from '../../lib/time/clock.ts'

/** Averaged over five seconds, because a single long task is not an overload. */
const LIMITS = { sampleMs: 5_000, latenessMaxMs: 1_000 }

/**
 * Refuses requests while the event loop is a second late on average. Ignores the library's measurements until it has taken a
 * whole sample after the start.
 */
export async function addOverloadGuard(app: FastifyInstance, { sampleMs, latenessMaxMs } = LIMITS): Promise<void> {
  let measuredFrom = Number.POSITIVE_INFINITY
  app.addHook('onListen', async () => {
    measuredFrom = monotonicMs() + 2 * sampleMs
  })
  await app.register(underPressure, {
    maxEventLoopDelay: latenessMaxMs,
    sampleInterval: sampleMs,
    pressureHandler: async (request, _reply, _type, latenessMs) => {
      if (request.routeOptions.config.internal === true || monotonicMs() < measuredFrom) return
      // Infinity: nothing was measured, because one task took longer than the sample.
      if (latenessMs === Number.POSITIVE_INFINITY) return
      throw new AppError('overloaded', 'The service is overloaded. This request did nothing. Try again shortly.', {
        retryAfterMs: sampleMs,
      })
    },
  })
}
