import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import { monotonicMs } from '../../lib/time/clock.ts'

/**
 * When the event loop is a second late on average, accepting more requests only makes everybody wait longer. The average is
 * taken over five seconds: a single long task is no overload, and the library can measure only if the loop makes several turns.
 */
const LIMITS = { sampleMs: 5_000, latenessMaxMs: 1_000 }

/**
 * Refuses requests while the process cannot keep up. The library measures from its registration on, so what it says is
 * ignored until it has taken a whole sample after the start: starting up is no overload.
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
      // Infinity means that nothing was measured, because one task took longer than the sample.
      if (latenessMs === Number.POSITIVE_INFINITY) return
      throw new AppError('overloaded', 'The service is overloaded. This request did nothing. Try again shortly.', {
        retryAfterMs: sampleMs,
      })
    },
  })
}
