import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { addErrorHandler } from '../../../src/http/middleware/error-handler.ts'
import { createEventStreams } from '../../../src/http/streams/event-stream.ts'

const EVENT_BYTES = 400_000
/** More than the buffers of the kernel take on both sides of a connection. */
const EVENTS = 60

let app: FastifyInstance
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await app.close()
})

type Limits = { perAccount: number; perProcess: number; slowMs?: number }

/** Streams 24 megabytes to each reader, in events. */
async function openServer({ slowMs = 60_000, ...most }: Limits) {
  app = Fastify()
  addErrorHandler(app)
  const open = createEventStreams(most, slowMs)
  const made = { opened: 0, events: 0, closed: 0 }
  app.get<{ Params: { account: string } }>('/stream/:account', async (request, reply) => {
    const stream = open(reply, request.params.account)
    made.opened += 1
    reply.raw.once('close', () => {
      made.closed += 1
    })
    for (let event = 0; event < EVENTS; event += 1)
      stream.send('properties', () => {
        made.events += 1
        return Buffer.alloc(EVENT_BYTES, 'x')
      })
    stream.send('done', () => '{"order":[]}')
    stream.end()
    return reply
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return made
}

async function reader(account: string, reads: boolean): Promise<Socket> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  if (!reads) socket.pause()
  socket.write(`GET /stream/${account} HTTP/1.1\r\nhost: x\r\n\r\n`)
  return socket
}

const held = () => {
  globalThis.gc?.()
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return (arrayBuffers + heapUsed) / 2 ** 20
}

test('whoever reads gets everything, in order and to the end', async () => {
  await openServer({ perAccount: 1, perProcess: 1 })
  const socket = await reader('a', true)
  let bytes = 0
  let tail = ''
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    tail = (tail + chunk.toString('latin1')).slice(-200)
  })
  await expect.poll(() => tail, { timeout: 10_000 }).toContain('event: done\ndata: {"order":[]}\n\n')
  expect(bytes).toBeGreaterThan(EVENTS * EVENT_BYTES)
})

test('streams that nobody reads hold hardly more than one event each, not all that they would send', async () => {
  const made = await openServer({ perAccount: 100, perProcess: 100 })
  const before = held()
  await Promise.all(Array.from({ length: 40 }, () => reader('a', false)))
  await new Promise((later) => setTimeout(later, 1_500))
  // All of it would be 960 MB. What is made is what the kernel took, and one more; not everything of it is collected yet.
  expect(held() - before).toBeLessThan(240)
  expect(made.events).toBeLessThan((40 * EVENTS) / 2)
})

test('a reader that fetches nothing is closed after a while, and its place is free again', async () => {
  const made = await openServer({ perAccount: 2, perProcess: 100, slowMs: 300 })
  await Promise.all([reader('a', false), reader('a', false)])
  await expect.poll(() => made.closed, { timeout: 5_000 }).toBe(2)
  const socket = await reader('a', true)
  const [chunk] = await once(socket, 'data')
  expect(String(chunk).slice(0, 15)).toBe('HTTP/1.1 200 OK')
})

test('an account has a few streams, the process some more; beyond, 429 and 503 say when to come back', async () => {
  const made = await openServer({ perAccount: 2, perProcess: 3 })
  await Promise.all([reader('a', false), reader('a', false)])
  await expect.poll(() => made.opened, { timeout: 10_000 }).toBe(2)
  const third = await app.inject('/stream/a')
  expect([third.statusCode, third.json().code, third.headers['retry-after']]).toEqual([429, 'rate_limited', '1'])
  await reader('b', false)
  await expect.poll(() => made.opened, { timeout: 10_000 }).toBe(3)
  const other = await app.inject('/stream/c')
  expect([other.statusCode, other.json().code, other.headers['retry-after']]).toEqual([503, 'overloaded', '2'])
})

test('a bug in what is sent ends its stream, and neither the process nor other streams', async () => {
  const logged: string[] = []
  app = Fastify({ logger: { level: 'error', stream: { write: (line: string) => void logged.push(line) } } })
  const open = createEventStreams({ perAccount: 2, perProcess: 2 })
  app.get('/bug', async (_request, reply) => {
    const stream = open(reply, 'acc_1')
    stream.send('vendor', () => '{"vendor_id":"one"}')
    stream.send('properties', () => {
      throw new RangeError('Invalid time value')
    })
    stream.end()
    return reply
  })
  const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/bug`
  for (let time = 0; time < 3; time += 1) await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow()
  expect(logged.map((line) => JSON.parse(line).err.message)).toEqual(Array(3).fill('Invalid time value'))
})
