import type { FastifyRequest, onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { PageHolder } from '../../domain/page-session.ts'
import { timesSent } from './host-and-expect.ts'
import type { PageCallers } from './page-callers.ts'
import type { Caller } from './request-context.ts'

/** Who holds a token or a key. */
export type Callers = { holder(token: string): Promise<Caller | undefined> }

/** `bearer: <token>` as the specification writes it, or `Bearer <token>` as RFC 6750 does; any case. */
const HEADER = /^bearer(?::\s*|\s+)(\S+)$/i

/**
 * Every route says who may call it; one that does not is a bug and answers nobody. A caller without a good token is not
 * refused yet: first the address it calls from is charged, or tokens could be guessed for free.
 */
export const identifyCaller =
  (callers: Callers, pages: Pick<PageCallers, 'of'>): onRequestAsyncHookHandler =>
  async (request) => {
    const { access } = request.routeOptions.config
    if (access === 'public' || request.is404) return
    if (access === undefined) throw new Error(`route ${request.routeOptions.url} declares no access`)
    // The header counts before the cookie: browsers send cookies by themselves.
    const page = request.headers.authorization === undefined ? await pages.of(request) : undefined
    if (page !== undefined) return isCaller(request, page)
    const token = tokenOf(request)
    if (token instanceof AppError) request.refusal = token
    else {
      request.caller = await callers.holder(token)
      if (request.caller === undefined)
        request.refusal = unauthenticated('The token or key is unknown, expired or revoked; get a fresh one.')
    }
  }

function isCaller(request: FastifyRequest, page: PageHolder | AppError): void {
  if (page instanceof AppError) request.refusal = page
  else {
    const { ownerId: accountId, email, name, role, isGuest, sessionHash } = page
    request.caller = { accountId, email, name, role, isGuest, tokenHash: sessionHash, isPage: true }
  }
}

/** Refuses callers that could not be identified, after they were counted. */
export const refuseUnidentified: onRequestHookHandler = (request, _reply, done) => done(request.refusal)

function tokenOf(request: FastifyRequest): string | AppError {
  const { authorization } = request.headers
  if (authorization === undefined) return unauthenticated('Send the header authorization: bearer: <token>.')
  // A proxy in front may have looked at the other one.
  if (timesSent(request.raw, 'authorization') > 1) return unauthenticated('Send the authorization header once.')
  const token = HEADER.exec(authorization.trim())?.[1]
  return token ?? unauthenticated('The authorization header must read bearer: <token>.')
}

const unauthenticated = (words: string) => new AppError('unauthenticated', words)
