import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { PageCallers } from '../../http/middleware/page-callers.ts'
import { requireCaller } from '../../http/middleware/request-context.ts'
import { operation } from '../../http/operation.ts'
import { jsonResponse } from '../../http/schemas/answer.ts'
import type { ManageKeys } from '../manage-keys.ts'
import type { PageSessions } from '../page-sessions.ts'
import { presentToken } from '../present/token.ts'
import { TokenRequest, TokenResponse } from '../schemas/accounts.ts'
import type { SignIn } from '../sign-in.ts'
import type { Tokens } from '../tokens.ts'
import { SIGN_IN_REFUSALS, type SignInLimiters, spendSignIn } from './sign-in-attempt.ts'

type Deps = {
  signIn: SignIn
  pageSessions: Pick<PageSessions, 'end'>
  pageCallers: Pick<PageCallers, 'clearCookie'>
  tokens: Tokens
  manageKeys: Pick<ManageKeys, 'revoke'>
  limiters: SignInLimiters
}

const GET_TOKEN = operation('accounts.get_token', {
  access: 'public',
  // A token that the client never received expires unused.
  safe: 'always',
  summary: 'Get a token',
  description:
    'Exchanges the e-mail and password of an account for a fresh token. Send it as `authorization: Bearer <token>`.',
  body: TokenRequest,
  answers: { 200: jsonResponse('A fresh token.', TokenResponse) },
  problems: SIGN_IN_REFUSALS,
})

const REVOKE_TOKEN = operation('accounts.revoke_token', {
  access: 'account',
  summary: 'Revoke the token',
  description:
    'Revokes the token or API key of the request, on every node within a second. From the page, ends its session in all tabs.',
  answers: { 204: { type: 'null', description: 'The token is no longer valid.' } },
})

export const accountRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, deps) => {
  const { limiters, signIn, tokens, manageKeys, pageSessions, pageCallers } = deps
  app.post('/api/accounts/get_token', GET_TOKEN, async (request) => {
    const { email, password, totp } = request.body.user
    await spendSignIn(limiters, email, request.ip)
    return presentToken(await signIn(email, password, request.ip, totp ?? undefined))
  })

  app.post('/api/accounts/revoke_token', REVOKE_TOKEN, async (request, reply) => {
    const { accountId, tokenHash, key, isPage = false } = requireCaller(request)
    if (key !== undefined) await manageKeys.revoke(accountId, key.id)
    else if (!isPage) await tokens.revoke(tokenHash)
    else {
      await pageSessions.end(tokenHash)
      pageCallers.clearCookie(reply)
    }
    return reply.code(204).send(null)
  })
}
