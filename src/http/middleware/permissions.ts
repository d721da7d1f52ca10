import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import { refusalOf, SCOPES } from '../../domain/access.ts'
import { AppError } from '../../domain/errors.ts'
import { callerOf } from './request-context.ts'

/** Refuses what the role of the account or the scopes of the key do not permit. */
export const refuseUnpermitted: onRequestHookHandler = (request, reply, done) => {
  const { caller } = request
  const { access } = request.routeOptions.config
  const why = caller && access && refusalOf(access, caller)
  if (why === undefined) return done()
  const scope = SCOPES.find((one) => one === access)
  // As RFC 6750 has it.
  const needed = scope === undefined ? '' : `, scope="${scope}"`
  reply.header('www-authenticate', `Bearer realm="serai", error="insufficient_scope"${needed}`)
  done(new AppError('insufficient_scope', why))
}

/** For answers that make no sense without net prices: only for accounts that may see them. */
export async function refuseWithoutNet(
  request: FastifyRequest,
  seesNet: (accountId: string) => Promise<boolean>,
): Promise<void> {
  if (await seesNet(callerOf(request).accountId)) return
  throw new AppError(
    'insufficient_scope',
    'This shows net prices, which your account may not see. An operator can permit it, in the console at the account or with: serai api operator.change_account --see_net true.',
  )
}

/** Whatever is asked with a test key happens in the simulated world, also without the header. */
export const simulateForTestKeys: onRequestHookHandler = (request, _reply, done) => {
  if (request.caller?.key?.mode === 'test') request.simulation ??= 'success'
  done()
}
