import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccounts, fetchToken } from '../../chaos/crash/api-client.ts'
import { freePort } from '../support/servers/postgres.ts'
import { openStage, type ServerProcess, type Stage, sleep, startServer } from '../support/servers/server-process.ts'
import { measure } from '../support/time/measure.ts'

let stage: Stage
let server: ServerProcess
beforeAll(async () => {
  stage = await openStage('mcp-batches')
  const env = {
    SERAI_DATA_DIR: stage.dataDir,
    SERAI_SANDBOX: 'false',
    SERAI_LOG_LEVEL: 'error',
    SERAI_RATE_LIMIT_PER_MINUTE: '100000',
  }
  await addAccounts(env)
  server = await startServer({ dataDir: stage.dataDir, port: await freePort(), env })
}, 120_000)
afterAll(async () => {
  await server?.kill()
  await stage?.close()
})

test('batches of MCP messages on eight connections do not delay other requests', async () => {
  const token = await fetchToken(server.url)
  const batch = JSON.stringify(
    Array.from({ length: 100 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list', params: {} })),
  )
  const headers = {
    authorization: `bearer: ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const send = () => fetch(`${server.url}/mcp`, { method: 'POST', headers, body: batch })
  let isOver = false
  const statuses = new Set<number>()
  let bytes = 0
  const attack = Array.from({ length: 8 }, async () => {
    while (!isOver) {
      const answer = await send()
      statuses.add(answer.status)
      bytes = Math.max(bytes, (await answer.arrayBuffer()).byteLength)
    }
  })
  const times: number[] = []
  for (const until = performance.now() + 3_000; performance.now() < until; ) {
    const { ms } = await measure(async () => (await fetch(`${server.url}/healthz`)).text(), server.pid)
    times.push(ms)
    await sleep(5)
  }
  isOver = true
  await Promise.all(attack)
  times.sort((a, b) => a - b)
  const p99 = times[Math.floor(times.length * 0.99)] ?? Number.POSITIVE_INFINITY
  console.log(`MCP batches: /healthz p99 ${p99.toFixed(1)} ms of ${times.length}, largest answer ${bytes} bytes`)
  expect([...statuses]).toEqual([400])
  expect(bytes).toBeLessThan(1_000)
  expect(p99).toBeLessThanOrEqual(50)
}, 60_000)
