import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Tokens } from '../../accounts/tokens.ts'
import { AppError } from '../../domain/app-error.ts'
import type { Caller } from '../request-context.ts'

/** `bearer: <token>` as the specification writes it, or `Bearer <token>` as RFC 6750 does; any case. */
const HEADER = /^bearer(?::\s*|\s+)(\S+)$/i

/** Every route says who may call it; one that does not is a bug and answers nobody. */
export function addAuthentication(app: FastifyInstance, tokens: Tokens): void {
  app.decorateRequest('caller', undefined)
  // Callbacks, not promises: a token that is believed already is let through without a turn of waiting.
  app.addHook('onRequest', (request, _reply, done) => {
    const { access } = request.routeOptions.config
    if (access === 'public' || request.is404) return done()
    if (access !== 'account') return done(new Error(`route ${request.routeOptions.url} declares no access`))
    const token = tokenOf(request)
    if (token instanceof AppError) return done(token)
    const believed = tokens.believed(token)
    if (believed !== undefined) {
      request.caller = callerOf(believed)
      return done()
    }
    tokens.owner(token).then((owner) => {
      if (owner === undefined)
        return done(unauthenticated('The token is unknown, expired or revoked; get a fresh one.'))
      request.caller = callerOf(owner)
      done()
    }, done)
  })
}

const callerOf = (owner: { accountId: string; email: string; name: string; hash: string }): Caller => ({
  accountId: owner.accountId,
  email: owner.email,
  name: owner.name,
  tokenHash: owner.hash,
})

function tokenOf(request: FastifyRequest): string | AppError {
  const header = request.headers.authorization
  if (header === undefined) return unauthenticated('Send the header authorization: bearer: <token>.')
  if (countOf(request.raw.rawHeaders, 'authorization') > 1)
    return unauthenticated('Send the authorization header once.')
  const token = HEADER.exec(header.trim())?.[1]
  if (token === undefined) return unauthenticated('The authorization header must read bearer: <token>.')
  return token
}

/** Node keeps only the first of two such headers; a proxy in front may have looked at the other one. */
function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === name) count += 1
  return count
}

const unauthenticated = (words: string) => new AppError('unauthenticated', words)
