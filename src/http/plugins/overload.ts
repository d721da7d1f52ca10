import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../domain/app-error.ts'
import type { Step } from '../passage.ts'

const SAMPLE_MS = 1_000
/** When the loop is this late on average, answering new requests only makes everybody wait longer. */
const DELAY_MAX_MS = 1_000

/** Turns requests away while the process cannot keep up. Measured from the first request on: starting up is no overload. */
export function guardOverload(app: FastifyInstance): Step {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  let overloaded = false
  let timer: NodeJS.Timeout | undefined

  app.addHook('onListen', (done) => {
    delay.enable()
    timer = setInterval(() => {
      overloaded = delay.mean / 1e6 > DELAY_MAX_MS
      delay.reset()
    }, SAMPLE_MS).unref()
    done()
  })
  app.addHook('onClose', (_instance, done) => {
    clearInterval(timer)
    delay.disable()
    done()
  })
  return (_request, _reply, { internal }) =>
    overloaded && internal !== true
      ? new AppError('overloaded', 'Too much is going on; try again shortly.', { retryAfterMs: 2_000 })
      : undefined
}
