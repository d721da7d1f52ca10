import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Tokens } from '../../accounts/tokens.ts'
import { AppError } from '../../domain/app-error.ts'
import type { Step } from '../passage.ts'

/** `bearer: <token>` as the specification writes it, or `Bearer <token>` as RFC 6750 does; any case. */
const HEADER = /^bearer(?::\s*|\s+)(\S+)$/i

/**
 * Every route says who may call it; one that does not is a bug and answers nobody. A caller without a good token is not
 * refused yet: first the address it calls from is charged, or tokens could be guessed for free.
 */
export function identifyCaller(app: FastifyInstance, tokens: Pick<Tokens, 'believed' | 'holder'>): Step {
  app.decorateRequest('caller', undefined)
  app.decorateRequest('refusal', undefined)

  return (request, _reply, { access }) => {
    if (access === 'public' || request.is404) return undefined
    if (access !== 'account') return new Error(`route ${request.routeOptions.url} declares no access`)
    const token = tokenOf(request)
    if (token instanceof AppError) {
      request.refusal = token
      return undefined
    }
    request.caller = tokens.believed(token)
    return request.caller === undefined ? lookUp(tokens, token, request) : undefined
  }
}

async function lookUp(tokens: Pick<Tokens, 'holder'>, token: string, request: FastifyRequest): Promise<undefined> {
  request.caller = await tokens.holder(token)
  if (request.caller === undefined)
    request.refusal = unauthenticated('The token is unknown, expired or revoked; get a fresh one.')
}

/** Turns away whoever could not be identified, after they were counted. */
export const admitIdentified: Step = (request) => request.refusal

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
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at]
    if (header?.length === name.length && header.toLowerCase() === name) count += 1
  }
  return count
}

const unauthenticated = (words: string) => new AppError('unauthenticated', words)
