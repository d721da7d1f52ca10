import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Tokens } from '../../accounts/tokens.ts'
import { AppError } from '../../domain/app-error.ts'

/** `bearer: <token>` as the specification writes it, or `Bearer <token>` as RFC 6750 does; any case. */
const HEADER = /^bearer(?::\s*|\s+)(\S+)$/i

/** Every route says who may call it; one that does not is a bug and answers nobody. */
export function addAuthentication(app: FastifyInstance, tokens: Tokens): void {
  app.decorateRequest('caller', undefined)
  app.addHook('onRequest', async (request) => {
    const { access } = request.routeOptions.config
    if (access === 'public' || request.is404) return
    if (access !== 'account') throw new Error(`route ${request.routeOptions.url} declares no access`)
    const owner = await tokens.owner(tokenOf(request))
    if (owner === undefined) throw unauthenticated('The token is unknown, expired or revoked; get a fresh one.')
    request.caller = { accountId: owner.accountId, email: owner.email, name: owner.name, tokenHash: owner.hash }
  })
}

function tokenOf(request: FastifyRequest): string {
  const header = request.headers.authorization
  if (header === undefined) throw unauthenticated('Send the header authorization: bearer: <token>.')
  if (countOf(request.raw.rawHeaders, 'authorization') > 1) throw unauthenticated('Send the authorization header once.')
  const token = HEADER.exec(header.trim())?.[1]
  if (token === undefined) throw unauthenticated('The authorization header must read bearer: <token>.')
  return token
}

/** Node keeps only the first of two such headers; a proxy in front may have looked at the other one. */
function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === name) count += 1
  return count
}

const unauthenticated = (words: string) => new AppError('unauthenticated', words)
