import type { FastifyInstance } from 'fastify'
import { AppError } from '../../domain/app-error.ts'
import type { Step } from '../passage.ts'
import { SIMULATIONS, type Simulation } from '../request-context.ts'

/** Reads `x-simulate-return`. A misspelt value is refused: it must never be taken for a real call. */
export function readSimulation(app: FastifyInstance): Step {
  app.decorateRequest('simulation', undefined)
  return (request, _reply, { internal }) => {
    const value = request.headers['x-simulate-return']
    if (value === undefined) return undefined
    const known = SIMULATIONS.find((simulation) => simulation === value)
    if (known === undefined) {
      return new AppError('unknown_simulation', `x-simulate-return must be one of ${SIMULATIONS.join(', ')}.`)
    }
    if (known === 'rate_limited' && internal !== true) {
      return new AppError('rate_limited', 'Simulated: you have used up your allowance.', { retryAfterMs: 1_000 })
    }
    request.simulation = known satisfies Simulation
    return undefined
  }
}
