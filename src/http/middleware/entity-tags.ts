import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'

/** Entity tag of a response, from its text or from everything that determines it. */
export const entityTag = (content: string | Buffer): string => `"${hash('sha1', content, 'base64url')}"`

/** Sets the tag. True if the client already has this version; then `reply` is complete and only has to be returned. */
export function isUnchanged({ headers }: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  reply.header('etag', tag)
  if (!namesTag(headers['if-none-match'], tag)) return false
  reply.code(304)
  // A response without a body needs no policy for it, and pollers get it often.
  for (const name of Object.keys(reply.getHeaders())) if (!KEPT.test(name)) reply.removeHeader(name)
  return true
}

const KEPT = /^(etag|cache-control|vary|x-request-id|retry-after|ratelimit|access-control-.*)$/

/** Throws if the client has read another version. Changes call it with the row locked, so that no other change comes between. */
export function requireMatch({ headers }: FastifyRequest, tag: string): void {
  const { 'if-match': sent } = headers
  if (sent === undefined || namesTag(sent, tag)) return
  throw new AppError(
    'precondition_failed',
    'This has changed since you read it: `if-match` is not its current `etag`. Read it again.',
  )
}

/** Proxies that compress make a tag weak (`W/`), so both forms match. */
function namesTag(header: string | undefined, tag: string): boolean {
  const names = header?.split(',').map((name) => name.trim().replace(/^W\//, '')) ?? []
  return names.includes(tag) || names.includes('*')
}

/** Adds tags to lists and other responses whose version is not known before they are rendered. */
export function addEntityTags(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    const { list, etag } = request.routeOptions.config
    const isTagged = list !== undefined || etag === 'response'
    if (!isTagged || reply.statusCode !== 200 || !['GET', 'HEAD'].includes(request.method)) return payload
    if (reply.hasHeader('etag') || (typeof payload !== 'string' && !Buffer.isBuffer(payload))) return payload
    return isUnchanged(request, reply, entityTag(payload)) ? null : payload
  })
}
