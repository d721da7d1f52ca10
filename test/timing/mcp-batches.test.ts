import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccounts, fetchToken } from '../../chaos/crash/api-client.ts'
import { expectHealthDuring } from '../support/servers/measure-health.ts'
import { freePort } from '../support/servers/postgres.ts'
import { openDataFolder, type ServerProcess, startServer } from '../support/servers/server-process.ts'

let folder: ReturnType<typeof openDataFolder>
let server: ServerProcess
beforeAll(async () => {
  folder = openDataFolder('mcp-batches')
  const env = {
    SERAI_DATA_DIR: folder.dataDir,
    SERAI_SANDBOX: 'false',
    SERAI_LOG_LEVEL: 'error',
    SERAI_RATE_LIMIT_PER_MINUTE: '100000',
  }
  await addAccounts(env)
  server = await startServer({ dataDir: folder.dataDir, port: await freePort(), env })
}, 120_000)
afterAll(async () => {
  await server?.kill()
  folder?.close()
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
  const statuses = new Set<number>()
  let bytes = 0
  const attack = (isOver: () => boolean) =>
    Promise.all(
      Array.from({ length: 8 }, async () => {
        while (!isOver()) {
          const answer = await send()
          statuses.add(answer.status)
          bytes = Math.max(bytes, (await answer.arrayBuffer()).byteLength)
        }
      }),
    )
  await expectHealthDuring('MCP batches', server, 6_000, attack)
  expect([...statuses]).toEqual([400])
  expect(bytes).toBeLessThan(1_000)
}, 60_000)
