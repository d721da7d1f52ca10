import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { shareFairly } from '../../../src/http/limits/fair-share.ts'
import { addErrorHandler } from '../../../src/http/middleware/error-handler.ts'
import { disconnectSignal } from '../../../src/http/middleware/request-context.ts'
import { createEventStreams } from '../../../src/http/streams/event-stream.ts'

let app: FastifyInstance
afterEach(() => app.close())

/** Waits until the client disconnects or 50 ms pass, as a database query might. */
const waitForClose = (closed: { readonly promise: Promise<void> }) =>
  Promise.race([closed.promise, new Promise((later) => setTimeout(later, 50))])

/** Opens a server whose first hook waits before the hooks under test run. */
async function openServer(): Promise<{ readonly signals: AbortSignal[] }> {
  app = Fastify()
  addErrorHandler(app)
  const signals: AbortSignal[] = []
  const open = createEventStreams({ perAccount: 2, perProcess: 2 })
  app.addHook('onRequest', async (request, reply) => {
    request.caller = { accountId: 'acc_1', email: '', name: '', tokenHash: '', role: 'client' }
    const closed = Promise.withResolvers<void>()
    reply.raw.once('close', closed.resolve)
    await waitForClose(closed)
  })
  app.addHook('onRequest', shareFairly(app))
  app.get('/search', { config: { operation: 'search.create', access: 'search' } }, async (_request, reply) => {
    signals.push(disconnectSignal(reply))
    return 'found'
  })
  app.get('/stream', { config: { operation: 'locations.search', access: 'account' } }, async (_request, reply) => {
    open(reply, 'acc_1').end()
    return reply
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { signals }
}

async function hangUp(path: string): Promise<void> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
  await new Promise((later) => setTimeout(later, 5))
  socket.destroy()
}

const fetchStatus = async (path: string) =>
  (await fetch(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}${path}`)).status

test('clients that disconnect early do not take a place from later searches', async () => {
  const { signals } = await openServer()
  await Promise.all(Array.from({ length: 60 }, () => hangUp('/search')))
  await expect.poll(() => fetchStatus('/search')).toBe(200)
  await expect.poll(() => signals.filter(({ aborted }) => aborted).length).toBeGreaterThan(0)
})

test('clients that disconnect before their stream opens leave its place free', async () => {
  await openServer()
  await Promise.all(Array.from({ length: 5 }, () => hangUp('/stream')))
  await expect.poll(() => fetchStatus('/stream')).toBe(200)
})
