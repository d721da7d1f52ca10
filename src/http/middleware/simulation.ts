import type { onRequestHookHandler } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import { SIMULATIONS } from './request-context.ts'

/** Refuses a misspelt `x-simulate-return`, which must never cause a real call. */
export const readSimulation: onRequestHookHandler = (request, _reply, done) => {
  const value = request.headers['x-simulate-return']
  if (value === undefined) return done()
  const known = SIMULATIONS.find((simulation) => simulation === value)
  if (known === undefined) {
    throw new AppError('unknown_simulation', `x-simulate-return must be one of ${SIMULATIONS.join(', ')}.`)
  }
  if (known !== 'rate_limited') request.simulation = known
  else if (request.routeOptions.config.internal !== true)
    throw new AppError('rate_limited', 'Simulated: you have reached your rate limit.', { retryAfterMs: 1_000 })
  done()
}
