import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import { explainRefusal, SCOPES } from '../../domain/access.ts'
import { AppError } from '../../domain/errors.ts'
import { requireCaller } from './request-context.ts'

export const refuseUnpermitted: onRequestHookHandler = (request, reply, done) => {
  const { caller } = request
  const { access } = request.routeOptions.config
  const reason = caller && access && explainRefusal(access, caller)
  if (reason === undefined) return done()
  const scope = SCOPES.find((known) => known === access)
  // RFC 6750, section 3.
  const needed = scope === undefined ? '' : `, scope="${scope}"`
  reply.header('www-authenticate', `Bearer realm="serai", error="insufficient_scope"${needed}`)
  done(new AppError('insufficient_scope', reason))
}

/** For operations whose responses contain net prices. */
export async function refuseWithoutNet(
  request: FastifyRequest,
  seesNet: (accountId: string) => Promise<boolean>,
): Promise<void> {
  if (await seesNet(requireCaller(request).accountId)) return
  throw new AppError(
    'insufficient_scope',
    'Your account may not see net prices. An operator can allow it in the console or with: serai api operator.change_account --see_net true.',
  )
}

/** Test keys always use simulated vendors. Only the header asks for samples of what was never issued. */
export const simulateForTestKeys: onRequestHookHandler = (request, _reply, done) => {
  if (request.caller?.key?.mode === 'test') request.simulation ??= 'issued_only'
  done()
}
