import type { FastifyRequest } from 'fastify'
import { AppError } from '../../domain/app-error.ts'
import { callerOf } from './request-context.ts'

/** Refuses a caller who is not an operator. To anybody else the operation does not exist. */
export function requireOperator(request: FastifyRequest, operators: readonly string[]): void {
  const { email } = callerOf(request)
  if (operators.includes(email.toLowerCase())) return
  throw new AppError('not_found', 'Only operators have this operation.')
}
