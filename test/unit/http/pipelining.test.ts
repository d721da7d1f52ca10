import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPacedServer } from '../../../src/http/limits/pipelining.ts'
import { sleep } from '../../support/servers/server-process.ts'

let server: Server
let handle: RequestListener
/** Requests that are being handled, at most. */
let openMax = 0
beforeEach(async () => {
  openMax = 0
  let open = 0
  handle = async (request, response) => {
    open += 1
    openMax = Math.max(openMax, open)
    const body = await text(request)
    await sleep(1)
    open -= 1
    response.end(`<${request.url} ${body.length}>`)
  }
  server = createPacedServer({ requireHostHeader: false }, (request, response) => handle(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const open = () => connect((server.address() as AddressInfo).port, '127.0.0.1')
const answered = (received: string) => [...received.matchAll(/<([^>]*)>/g)].map(([, answer]) => answer)

async function readUntil(socket: Socket, end: string): Promise<string> {
  let received = ''
  for await (const chunk of socket) {
    received += chunk
    if (received.includes(end)) break
  }
  return received
}

test('pipelined requests of the usual size are all answered, in order and a few at a time', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `/${index}`)
  const socket = open()
  socket.write(names.map((name) => `GET ${name} HTTP/1.1\r\nuser-agent: ${'x'.repeat(150)}\r\n\r\n`).join(''))
  const received = await readUntil(socket, '</299 0>')
  expect(answered(received)).toEqual(names.map((name) => `${name} 0`))
  expect(openMax).toBeLessThanOrEqual(8)
})

test('of a thousand tiny requests in one packet eight are answered, the ninth is refused and ends the connection', async () => {
  const socket = open()
  socket.write('GET /x HTTP/1.1\r\n\r\n'.repeat(1_000))
  const received = await text(socket)
  expect(answered(received)).toEqual(Array(8).fill('/x 0'))
  expect(received.match(/HTTP\/1.1 \d+/g)).toEqual([...Array(8).fill('HTTP/1.1 200'), 'HTTP/1.1 429'])
  expect(received).toContain('"code":"rate_limited"')
  expect(openMax).toBe(8)
})

test('a connection ends after a thousand requests', async () => {
  handle = (request, response) => void response.end(`<${request.url}>`)
  const socket = open()
  socket.write('GET /x HTTP/1.1\r\n'.concat(`x: ${'x'.repeat(200)}\r\n\r\n`).repeat(1_100))
  expect(answered(await text(socket))).toHaveLength(1_000)
})

test('bodies of many slices arrive, also behind other requests', async () => {
  const socket = open()
  const post = (name: string, size: number) =>
    `POST /${name} HTTP/1.1\r\ncontent-length: ${size}\r\n\r\n${'b'.repeat(size)}`
  socket.write(post('a', 200_000) + post('b', 3) + post('c', 70_000))
  expect(answered(await readUntil(socket, '</c '))).toEqual(['/a 200000', '/b 3', '/c 70000'])
})

test('a body that its handler does not read is not kept in memory', async () => {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
  handle = async (request, response) => {
    await finished
    response.end(`<${(await text(request)).length}>`)
  }
  const size = 20_000_000
  const accepted = once(server, 'connection')
  const socket = open()
  socket.write(`POST / HTTP/1.1\r\ncontent-length: ${size}\r\n\r\n`)
  socket.write(Buffer.alloc(size, 'b'))
  const [peer] = (await accepted) as [Socket]
  await sleep(300)
  expect(peer.bytesRead).toBeLessThan(1_000_000)
  finish()
  expect(answered(await readUntil(socket, '>'))).toEqual([String(size)])
})

test('a large response to a client that does not read it delays the next requests instead of breaking the connection', async () => {
  handle = (request, response) =>
    void response.end(`${'l'.repeat(request.url === '/large' ? 5_000_000 : 0)}<${request.url}>`)
  const socket = open()
  socket.pause()
  socket.write('GET /large HTTP/1.1\r\n\r\nGET /a HTTP/1.1\r\n\r\nPOST /b HTTP/1.1\r\ncontent-length: 2000\r\n\r\n')
  socket.write('b'.repeat(2_000))
  await sleep(200)
  expect(answered(await readUntil(socket, '</b>'))).toEqual(['/large', '/a', '/b'])
})

test('a client that disconnects is noticed while its request is handled', async () => {
  const gone = new Promise((resolve) => {
    handle = (_request, response) => response.once('close', () => resolve(response.writableFinished))
  })
  const socket = open()
  socket.write('GET / HTTP/1.1\r\n\r\n')
  await sleep(50)
  socket.end()
  expect(await gone).toBe(false)
})
