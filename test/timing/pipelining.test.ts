import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../support/servers/postgres.ts'
import { openStage, type ServerProcess, type Stage, sleep, startServer } from '../support/servers/server-process.ts'
import { measure } from '../support/time/measure.ts'

const HEALTH_P99_MAX_MS = 50
const CONNECTIONS = 8
const REQUESTS = 100_000

let stage: Stage
let server: ServerProcess
beforeAll(async () => {
  stage = await openStage('pipelining')
  const env = { SERAI_SANDBOX: 'false', SERAI_LOG_LEVEL: 'error', SERAI_RATE_LIMIT_PER_MINUTE: '1200' }
  server = await startServer({ dataDir: stage.dataDir, port: await freePort(), env })
}, 120_000)
afterAll(async () => {
  await server?.kill()
  await stage?.close()
})

/** In a thread, so that it does not delay the measurement. Connects again whenever it is disconnected. */
const FLOOD = `
const { connect } = require('node:net')
const { parentPort, workerData: { port, path, requests, connections, ms } } = require('node:worker_threads')
const until = performance.now() + ms
const bytes = Buffer.from(('GET ' + path + ' HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n').repeat(requests))
let opened = 0
function open() {
  opened += 1
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined).resume()
  socket.on('close', () => performance.now() < until && setImmediate(open))
  socket.write(bytes)
}
for (let n = 0; n < connections; n += 1) open()
setTimeout(() => { parentPort.postMessage(opened); process.exit() }, ms)
`

test.each(['/assets/x', '/api/locations/search?starts_with=par', '/x'])(
  'eight connections that pipeline %s without end do not delay other requests',
  async (path) => {
    const until = performance.now() + 6_000
    const port = Number(new URL(server.url).port)
    const workerData = { port, path, requests: REQUESTS, connections: CONNECTIONS, ms: 6_000 }
    const opened = once(new Worker(FLOOD, { eval: true, workerData }), 'message')
    const times: number[] = []
    while (performance.now() < until) {
      const { value, ms } = await measure(async () => (await fetch(`${server.url}/healthz`)).text(), server.pid)
      expect(value).toContain('ok')
      times.push(ms)
      await sleep(5)
    }
    times.sort((a, b) => a - b)
    const p99 = times[Math.floor(times.length * 0.99)] ?? Number.POSITIVE_INFINITY
    const [connections] = await opened
    const figures = `p50 ${times[times.length >> 1]?.toFixed(1)} p99 ${p99.toFixed(1)} ms of ${times.length}`
    console.log(`${path}, ${connections} connections: /healthz ${figures}`)
    expect(connections).toBeGreaterThanOrEqual(CONNECTIONS)
    expect(p99).toBeLessThanOrEqual(HEALTH_P99_MAX_MS)
  },
  30_000,
)
