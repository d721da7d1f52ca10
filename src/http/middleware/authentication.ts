import type { FastifyRequest, onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { LinkHolder, PageHolder } from '../../domain/page-session.ts'
import { countHeader } from './host-and-expect.ts'
import type { PageCallers } from './page-callers.ts'
import type { Caller } from './request-context.ts'

export type Callers = { holder(token: string): Promise<Caller | undefined> }

/** `Bearer TOKEN` (RFC 6750), or `bearer: TOKEN` as in the specification, in any case. */
const HEADER = /^bearer(?::\s*|\s+)(\S+)$/i

/**
 * A route without `access` is a bug and always fails. Callers without a valid token are refused later, after their address was
 * charged, so that guessing tokens is rate-limited.
 */
export const identifyCaller =
  (callers: Callers, pages: Pick<PageCallers, 'identify' | 'identifyLink'>): onRequestAsyncHookHandler =>
  async (request) => {
    const { access } = request.routeOptions.config
    if (access === 'public' || request.is404) return
    if (access === undefined) throw new Error(`route ${request.routeOptions.url} declares no access`)
    // The header takes precedence over the cookies, which browsers send automatically.
    const isBrowser = request.headers.authorization === undefined
    const link = isBrowser ? await pages.identifyLink(request) : undefined
    if (link !== undefined) return setLinkCaller(request, link)
    const page = isBrowser ? await pages.identify(request) : undefined
    if (page !== undefined) return setPageCaller(request, page)
    const token = readToken(request)
    if (token instanceof AppError) request.refusal = token
    else {
      request.caller = await callers.holder(token)
      if (request.caller === undefined)
        request.refusal = unauthenticated('The token or key is unknown, expired or revoked. Get a new one.')
    }
  }

function setPageCaller(request: FastifyRequest, page: PageHolder | AppError): void {
  if (page instanceof AppError) request.refusal = page
  else {
    const { ownerId: accountId, email, name, role, isGuest, sessionHash } = page
    request.caller = { accountId, email, name, role, isGuest, tokenHash: sessionHash, isPage: true }
  }
}

function setLinkCaller(request: FastifyRequest, { accountId }: LinkHolder): void {
  const nobody = { email: '', name: '', role: 'client', tokenHash: '' } as const
  request.caller = { ...nobody, accountId, isGuest: true, isPage: true, isLinked: true }
}

export const refuseUnidentified: onRequestHookHandler = (request, _reply, done) => done(request.refusal)

function readToken(request: FastifyRequest): string | AppError {
  const { authorization } = request.headers
  if (authorization === undefined) return unauthenticated('Send the header "Authorization: Bearer TOKEN".')
  // A proxy may have checked the other one.
  if (countHeader(request.raw, 'authorization') > 1) return unauthenticated('Send the authorization header once.')
  const token = HEADER.exec(authorization.trim())?.[1]
  return token ?? unauthenticated('The authorization header must have the form "Bearer TOKEN".')
}

const unauthenticated = (message: string) => new AppError('unauthenticated', message)
