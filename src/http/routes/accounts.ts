import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { SignIn } from '../../accounts/sign-in.ts'
import { emailHash } from '../../accounts/sign-in.ts'
import type { Tokens } from '../../accounts/tokens.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Allowance, Counters } from '../../store/counters.ts'
import { spend } from '../plugins/rate-limits.ts'
import { problems } from '../problem.ts'
import { callerOf } from '../request-context.ts'
import { presentToken, TokenRequest, TokenResponse } from '../schemas/accounts.ts'

type Deps = {
  signIn: SignIn
  tokens: Tokens
  counters: Counters
  clock: Clock
  signInsPerAddress: Allowance
  signInsPerEmail: Allowance
}

export const accountRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, deps) => {
  app.post(
    '/api/accounts/get_token',
    {
      config: { operation: 'accounts.get_token', access: 'public' },
      schema: {
        tags: ['Accounts'],
        summary: 'Get a token',
        description:
          'Exchanges the e-mail and password of an account for a fresh token. Send it as `authorization: bearer: <token>`.',
        body: TokenRequest,
        response: {
          200: TokenResponse,
          ...problems(
            'malformed_request',
            'invalid_credentials',
            'body_too_large',
            'unsupported_media_type',
            'invalid_request',
            'sign_in_locked',
            'rate_limited',
            'overloaded',
          ),
        },
      },
    },
    async (request, reply) => {
      const { email, password } = request.body.user
      await spend(deps.counters, deps.clock, `sign_in_address:${request.ip}`, deps.signInsPerAddress)
      await spend(deps.counters, deps.clock, `sign_in_email:${emailHash(email)}`, deps.signInsPerEmail)
      const signedIn = await deps.signIn(email, password)
      reply.header('cache-control', 'no-store')
      return presentToken(signedIn)
    },
  )

  app.post(
    '/api/accounts/revoke_token',
    {
      config: { operation: 'accounts.revoke_token', access: 'account' },
      schema: {
        tags: ['Accounts'],
        summary: 'Revoke the token',
        description: 'Ends the token it is called with, on every node within a second.',
        security: [{ bearer: [] }],
        response: {
          204: { type: 'null', description: 'The token is no longer valid.' },
          ...problems('unauthenticated', 'rate_limited'),
        },
      },
    },
    async (request, reply) => {
      await deps.tokens.revoke(callerOf(request).tokenHash)
      return reply.code(204).send(null)
    },
  )
}
