import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import { randomIds } from '../../lib/crypto/ids.ts'
import { toProblem } from '../problem.ts'

type ConnectionError = Error & { readonly code?: string }

/** Keeps the socket open for a moment, so that a client that is still sending receives the response. */
const LINGER_MS = 1_000

/** Sends the usual problem document for requests rejected before Fastify sees them. */
export function addClientErrorHandler(app: FastifyInstance): void {
  app.server.removeAllListeners('clientError')
  app.server.on('clientError', (error: ConnectionError, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    // Data that arrives after the response fails to parse as well.
    if (socket.writableEnded) return
    socket.end(formatResponse(error))
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  })
}

function formatResponse(error: ConnectionError): string {
  const requestId = randomIds.prefixed('req')
  const { status, body } = toProblem(toAppError(error), requestId)
  const text = JSON.stringify(body)
  return [
    `HTTP/1.1 ${status} ${STATUS_TEXTS[status] ?? 'Bad Request'}`,
    'content-type: application/problem+json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    `x-request-id: ${requestId}`,
    'connection: close',
    '',
    text,
  ].join('\r\n')
}

const STATUS_TEXTS: Record<number, string> = {
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}

function toAppError({ code }: ConnectionError): AppError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new AppError('headers_too_large', 'The URL and the headers together are larger than 16 KiB.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new AppError('request_timeout', 'The request did not arrive completely in time.')
  return new AppError('malformed_request', 'This is not a valid HTTP request.')
}
