import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { closeConnectionsOnShutdown, closeSilentConnections } from '../../../src/http/limits/connections.ts'

let app: FastifyInstance | undefined
afterEach(() => app?.close())

async function openServer(silenceMaxMs: number, endMaxMs?: number): Promise<FastifyInstance> {
  app = Fastify()
  closeSilentConnections(app, silenceMaxMs)
  closeConnectionsOnShutdown(app, endMaxMs)
  app.get('/large', async () => 'x'.repeat(16 * 2 ** 20))
  app.get('/slow', async () => {
    await new Promise((later) => setTimeout(later, silenceMaxMs / 2))
    return 'done'
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app
}

const openConnections = (server: FastifyInstance) =>
  new Promise<number>((done) => server.server.getConnections((_error, count) => done(count)))

test('unread responses are dropped, and idle connections are closed', async () => {
  const server = await openServer(1_500)
  const { port } = server.server.address() as AddressInfo
  let opened = 0
  server.server.on('connection', () => {
    opened += 1
  })
  const sockets = Array.from({ length: 8 }, () => connect(port, '127.0.0.1'))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  for (const [index, socket] of sockets.entries()) {
    socket.on('error', () => undefined)
    socket.pause()
    if (index % 2 === 0) socket.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n')
  }
  await expect.poll(() => opened, { timeout: 8_000 }).toBe(8)
  await expect.poll(() => openConnections(server), { timeout: 8_000 }).toBe(0)
  for (const socket of sockets) socket.destroy()
})

test('a slow response is not interrupted', async () => {
  const server = await openServer(1_000)
  const { port } = server.server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}/slow`)
  expect([answer.status, await answer.text()]).toEqual([200, 'done'])
})

test('a closing server completes running requests and does not wait for the client to disconnect', async () => {
  const server = await openServer(1_000)
  const { port } = server.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.write('GET /slow HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(socket, 'connect')
  await new Promise((later) => setTimeout(later, 100))
  await Promise.all([server.close(), once(socket, 'close')])
  expect(text).toContain('done')
})

test('a closing server does not wait forever for a client that reads nothing', async () => {
  const server = await openServer(60_000, 300)
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.pause()
  socket.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n')
  await expect.poll(() => openConnections(server), { timeout: 5_000 }).toBe(1)
  await new Promise((later) => setTimeout(later, 200))
  const late = new Promise((later) => setTimeout(() => later('still open'), 5_000).unref())
  expect(await Promise.race([server.close().then(() => 'closed'), late])).toBe('closed')
  socket.destroy()
})
