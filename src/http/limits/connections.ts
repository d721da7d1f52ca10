import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { monotonicMs } from '../../lib/time/clock.ts'

/** Longer than any response takes to start. */
const SILENCE_MAX_MS = 90_000
const CHECKS_PER_PERIOD = 6
const CLOSE_IDLE_EVERY_MS = 100
/** Less than the time limit for stopping, so that counts and logs can still be stored. */
const END_MAX_MS = 13_000

/**
 * Closes connections without traffic: a client that does not read its response would keep it in memory forever. Checks
 * periodically, because a timer for each connection would have to be restarted with every byte.
 */
export function closeSilentConnections(app: FastifyInstance, silenceMaxMs = SILENCE_MAX_MS): void {
  const connections = new Map<Socket, { bytes: number; since: number }>()
  app.server.on('connection', (socket: Socket) => {
    connections.set(socket, { bytes: 0, since: monotonicMs() })
    socket.once('close', () => connections.delete(socket))
  })
  const check = () => {
    const now = monotonicMs()
    for (const [socket, last] of connections) {
      const bytes = socket.bytesRead + socket.bytesWritten
      if (bytes !== last.bytes) connections.set(socket, { bytes, since: now })
      else if (now - last.since >= silenceMaxMs) socket.destroy()
    }
  }
  const timer = setInterval(check, silenceMaxMs / CHECKS_PER_PERIOD).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

/**
 * Node closes idle connections only once, when the server starts to close. Connections that become idle later, or whose clients
 * do not read, would keep the process alive.
 */
export function closeConnectionsOnShutdown(app: FastifyInstance, endMaxMs = END_MAX_MS): void {
  app.addHook('preClose', async () => {
    const idle = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS).unref()
    const rest = setTimeout(() => app.server.closeAllConnections(), endMaxMs).unref()
    app.server.once('close', () => {
      clearInterval(idle)
      clearTimeout(rest)
    })
  })
}
