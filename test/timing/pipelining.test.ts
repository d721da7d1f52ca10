import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectHealthDuring } from '../support/servers/measure-health.ts'
import { freePort } from '../support/servers/postgres.ts'
import { openDataFolder, type ServerProcess, sleep, startServer } from '../support/servers/server-process.ts'

const CONNECTIONS = 8
const REQUESTS = 100_000

let folder: ReturnType<typeof openDataFolder>
let server: ServerProcess
beforeAll(async () => {
  folder = openDataFolder('pipelining')
  const env = { SERAI_SANDBOX: 'false', SERAI_LOG_LEVEL: 'error', SERAI_RATE_LIMIT_PER_MINUTE: '1200' }
  server = await startServer({ dataDir: folder.dataDir, port: await freePort(), env })
}, 120_000)
afterAll(async () => {
  await server?.kill()
  folder?.close()
})

/** In a thread, so that it does not delay the measurement. Connects again whenever it is disconnected, until a message. */
const FLOOD = `
const { connect } = require('node:net')
const { parentPort, workerData: { port, path, requests, connections } } = require('node:worker_threads')
let isOver = false
const bytes = Buffer.from(('GET ' + path + ' HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n').repeat(requests))
let opened = 0
function open() {
  opened += 1
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined).resume()
  socket.on('close', () => isOver || setImmediate(open))
  socket.write(bytes)
}
for (let n = 0; n < connections; n += 1) open()
parentPort.once('message', () => { isOver = true; parentPort.postMessage(opened); process.exit() })
`

test.each(['/assets/x', '/api/locations/search?starts_with=par', '/x'])(
  'eight connections that pipeline %s without end do not delay other requests',
  async (path) => {
    const port = Number(new URL(server.url).port)
    const workerData = { port, path, requests: REQUESTS, connections: CONNECTIONS }
    let opened = 0
    const attack = async (isOver: () => boolean) => {
      const flood = new Worker(FLOOD, { eval: true, workerData })
      const counted = once(flood, 'message')
      while (!isOver()) await sleep(20)
      flood.postMessage('stop')
      ;[opened] = await counted
    }
    await expectHealthDuring(path, server, 6_000, attack)
    expect(opened).toBeGreaterThanOrEqual(CONNECTIONS)
  },
  60_000,
)
