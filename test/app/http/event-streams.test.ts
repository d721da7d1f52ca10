import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { addErrorHandler } from '../../../src/http/middleware/error-handler.ts'
import { createEventStreams } from '../../../src/http/streams/event-stream.ts'

const EVENT_BYTES = 400_000
/** More than the kernel buffers on both sides of a connection. */
const EVENTS = 60

let app: FastifyInstance
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await app.close()
})

type Limits = { perAccount: number; perProcess: number; slowMs?: number }

/** Streams 24 MB of events to each reader. */
async function openServer({ slowMs = 60_000, ...limits }: Limits) {
  app = Fastify()
  addErrorHandler(app)
  const open = createEventStreams(limits, slowMs)
  const counts = { opened: 0, events: 0, closed: 0 }
  app.get<{ Params: { account: string } }>('/stream/:account', async (request, reply) => {
    const stream = open(reply, request.params.account)
    counts.opened += 1
    reply.raw.once('close', () => {
      counts.closed += 1
    })
    for (let event = 0; event < EVENTS; event += 1)
      stream.send('properties', () => {
        counts.events += 1
        return Buffer.alloc(EVENT_BYTES, 'x')
      })
    stream.send('done', () => '{"order":[]}')
    stream.end()
    return reply
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return counts
}

async function connectReader(account: string, reads: boolean): Promise<Socket> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  if (!reads) socket.pause()
  socket.write(`GET /stream/${account} HTTP/1.1\r\nhost: x\r\n\r\n`)
  return socket
}

const memoryUsedMb = () => {
  globalThis.gc?.()
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return (arrayBuffers + heapUsed) / 2 ** 20
}

test('a reader gets every event in order and to the end', async () => {
  await openServer({ perAccount: 1, perProcess: 1 })
  const socket = await connectReader('a', true)
  let bytes = 0
  let tail = ''
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    tail = (tail + chunk.toString('latin1')).slice(-200)
  })
  await expect.poll(() => tail, { timeout: 10_000 }).toContain('event: done\ndata: {"order":[]}\n\n')
  expect(bytes).toBeGreaterThan(EVENTS * EVENT_BYTES)
})

test('a stream that is not read buffers hardly more than one event', async () => {
  const counts = await openServer({ perAccount: 100, perProcess: 100 })
  const before = memoryUsedMb()
  await Promise.all(Array.from({ length: 40 }, () => connectReader('a', false)))
  await new Promise((later) => setTimeout(later, 1_500))
  // Everything would be 960 MB. Only what the kernel accepted plus one event each is created, and some of it is not yet
  // collected.
  expect(memoryUsedMb() - before).toBeLessThan(240)
  expect(counts.events).toBeLessThan((40 * EVENTS) / 2)
})

test('a reader that reads nothing is disconnected after a while, and its place is free again', async () => {
  const counts = await openServer({ perAccount: 2, perProcess: 100, slowMs: 300 })
  await Promise.all([connectReader('a', false), connectReader('a', false)])
  await expect.poll(() => counts.closed, { timeout: 5_000 }).toBe(2)
  const socket = await connectReader('a', true)
  const [chunk] = await once(socket, 'data')
  expect(String(chunk).slice(0, 15)).toBe('HTTP/1.1 200 OK')
})

test('streams beyond the limit of an account get 429, beyond that of the process 503, with retry-after', async () => {
  const counts = await openServer({ perAccount: 2, perProcess: 3 })
  await Promise.all([connectReader('a', false), connectReader('a', false)])
  await expect.poll(() => counts.opened, { timeout: 10_000 }).toBe(2)
  const third = await app.inject('/stream/a')
  expect([third.statusCode, third.json().code, third.headers['retry-after']]).toEqual([429, 'rate_limited', '1'])
  await connectReader('b', false)
  await expect.poll(() => counts.opened, { timeout: 10_000 }).toBe(3)
  const other = await app.inject('/stream/c')
  expect([other.statusCode, other.json().code, other.headers['retry-after']]).toEqual([503, 'overloaded', '2'])
})

test('an exception while sending ends its stream, but neither the process nor other streams', async () => {
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
