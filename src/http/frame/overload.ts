import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../domain/app-error.ts'
import { monotonicMs } from '../../lib/clock.ts'

const SAMPLE_MS = 1_000
/** When the loop is this late on average, answering new requests only makes everybody wait longer. */
const DELAY_MAX_MS = 1_000

/**
 * Refuses requests while the process cannot keep up. The library measures from its registration on, so what it says is
 * ignored until it has taken a whole sample after the start: starting up is no overload.
 */
export async function addOverloadGuard(app: FastifyInstance): Promise<void> {
  let measuredFrom = Number.POSITIVE_INFINITY
  app.addHook('onListen', async () => {
    measuredFrom = monotonicMs() + 2 * SAMPLE_MS
  })
  await app.register(underPressure, {
    maxEventLoopDelay: DELAY_MAX_MS,
    sampleInterval: SAMPLE_MS,
    pressureHandler: async (request, _reply, _type, delayMs) => {
      if (request.routeOptions.config.internal === true || monotonicMs() < measuredFrom) return
      // Infinity means that the last sample holds no measurement: one long task, which is not yet overload.
      if (delayMs === Number.POSITIVE_INFINITY) return
      throw new AppError('overloaded', 'Too much is going on; try again shortly.', { retryAfterMs: 2_000 })
    },
  })
}
