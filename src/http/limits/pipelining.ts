import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../../domain/errors.ts'
import { PROBLEM_MEDIA, toProblem } from '../problem.ts'

/** Parsed at once. Node would parse a whole packet, with thousands of pipelined requests, in one turn of the event loop. */
const SLICE_BYTES = 1_024
/** Requests of a connection that are handled at once. More fit into a slice only if they have hardly any headers. */
const OPEN_MAX = 8
/** Then the client connects again. */
const REQUESTS_MAX = 1_000

type Connection = {
  open: number
  last?: IncomingMessage
  /** No further request is answered. */
  isOver: boolean
}

/** Reads a connection in slices, each after the requests of the one before are answered, so that none fills the event loop. */
export function createPacedServer(options: ServerOptions, handle: RequestListener): Server {
  const connections = new WeakMap<Socket, Connection>()
  const server = createServer(options, (request, response) => {
    const { socket } = request
    const connection = connections.get(socket)
    if (connection === undefined) return handle(request, response)
    if (connection.isOver) return
    connection.last = request
    if (connection.open === OPEN_MAX) {
      connection.isOver = true
      const { status, body } = toProblem(tooMany(), '-')
      response.writeHead(status, { 'content-type': PROBLEM_MEDIA, connection: 'close' }).end(JSON.stringify(body))
      return
    }
    connection.open += 1
    response.once('close', () => {
      connection.open -= 1
      // In a later turn, so that other connections are served in between.
      if (socket.readableLength > 0) setImmediate(readSlices, socket, connection)
    })
    handle(request, response)
  })
  server.maxRequestsPerSocket = REQUESTS_MAX
  server.on('connection', (socket: Socket) => {
    const connection: Connection = { open: 0, isOver: false }
    connections.set(socket, connection)
    // With this listener, Node's parser gets what `read` returns. Node resumes the socket when a handler reads the body.
    for (const event of ['readable', 'resume']) socket.on(event, () => readSlices(socket, connection))
  })
  return server
}

function readSlices(socket: Socket, connection: Connection): void {
  while (socket.readableLength > 0 && mayRead(connection) && !socket.destroyed)
    socket.read(Math.min(SLICE_BYTES, socket.readableLength))
  // Reports the end of the connection.
  if (socket.readableLength === 0) socket.read(0)
}

/** Only the body of the last open request, unless its handler is behind. */
function mayRead({ open, last, isOver }: Connection): boolean {
  if (isOver || last === undefined || open === 0) return !isOver
  return open === 1 && !last.complete && last.readableLength < last.readableHighWaterMark
}

const tooMany = () => new AppError('rate_limited', 'Wait for responses before you send more requests on a connection.')
