import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { monotonicMs } from '../../lib/time/clock.ts'

/** Longer than any answer takes to begin. */
const SILENCE_MAX_MS = 90_000
const LOOKS = 6
const CLOSE_IDLE_EVERY_MS = 100
/** Less than the time a process has to stop, so that it can still store figures and logs. */
const END_MAX_MS = 13_000

/**
 * Closes connections on which no byte moves: whoever does not fetch an answer would keep it in memory for ever. Looked at now
 * and then, because a timer for each connection would have to be started again with every byte.
 */
export function closeSilentConnections(app: FastifyInstance, silenceMaxMs = SILENCE_MAX_MS): void {
  const connections = new Map<Socket, { bytes: number; since: number }>()
  app.server.on('connection', (socket: Socket) => {
    connections.set(socket, { bytes: 0, since: monotonicMs() })
    socket.once('close', () => connections.delete(socket))
  })
  const look = () => {
    const now = monotonicMs()
    for (const [socket, last] of connections) {
      const bytes = socket.bytesRead + socket.bytesWritten
      if (bytes !== last.bytes) connections.set(socket, { bytes, since: now })
      else if (now - last.since >= silenceMaxMs) socket.destroy()
    }
  }
  const timer = setInterval(look, silenceMaxMs / LOOKS).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

/**
 * Node closes idle connections when the server begins to close. One that is answered after that would be kept alive, and the
 * process with it, until the client hangs up; so would one whose client does not read its answer.
 */
export function closeConnectionsAtEnd(app: FastifyInstance, endMaxMs = END_MAX_MS): void {
  app.addHook('preClose', async () => {
    const idle = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS).unref()
    const rest = setTimeout(() => app.server.closeAllConnections(), endMaxMs).unref()
    app.server.once('close', () => {
      clearInterval(idle)
      clearTimeout(rest)
    })
  })
}
