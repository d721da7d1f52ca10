import type { FastifyReply } from 'fastify'

/** Sends serialized JSON. Tests compare it with the route's schema. */
export function sendJson(reply: FastifyReply, text: string | Buffer, status = 200): FastifyReply {
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(text)
}
