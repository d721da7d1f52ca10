import type { FastifyReply } from 'fastify'

/** Sends JSON that is written already. Its shape is the route's promise; a test holds it against the schema. */
export function sendJson(reply: FastifyReply, text: string | Buffer, status = 200): FastifyReply {
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(text)
}
