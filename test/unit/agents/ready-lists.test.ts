import { expect, test, vi } from 'vitest'
import type { Agent } from '../../../src/agents/api.ts'
import { createMcpHttp } from '../../../src/agents/http-handler.ts'
import { createServerFactory } from '../../../src/agents/server.ts'
import { createSessions } from '../../../src/agents/sessions.ts'
import type { Scope } from '../../../src/domain/access.ts'
import { deriveKeyring } from '../../../src/lib/crypto/keyring.ts'

const keyring = deriveKeyring([{ id: 'k1', key: Buffer.alloc(32, 3) }], 'mcp')
const unused = () => expect.fail('not needed for a list')
const deps = {
  handles: {} as Parameters<typeof createServerFactory>[0]['handles'],
  findBookingId: unused,
  sleep: unused,
  publicUrl: 'http://serai.example',
  version: '1',
  stateKeys: keyring,
  underway: new Set<Promise<unknown>>(),
  isClosing: () => false,
  onBug: unused,
}
const ALL: readonly Scope[] = ['search', 'book', 'read', 'cancel']
const EARLIER = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
const CURRENT = { ...EARLIER, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }

type Sent = { headers: Record<string, string>; params?: object; id?: unknown; scopes?: readonly Scope[]; more?: object }

/** Counts the servers that it creates. */
function createEndpoint() {
  const createServer = vi.fn(createServerFactory(deps))
  const handle = createMcpHttp({
    createServer,
    sessions: createSessions(keyring),
    questions: { ask: unused, answer: unused, withdraw: unused },
    hosts: ['127.0.0.1'],
    origins: [],
    closing: new AbortController().signal,
    onError: () => {},
  })
  return {
    createServer,
    async list({ headers, params = {}, id = 1, scopes = ALL, more = {} }: Sent) {
      const agent: Agent = { accountId: 'acc_1', principal: 'acc_1', scopes, call: unused }
      const request = new Request('http://127.0.0.1/mcp', {
        method: 'POST',
        headers: { host: '127.0.0.1', ...headers },
      })
      const answer = await handle(request, agent, { jsonrpc: '2.0', id, method: 'tools/list', params, ...more })
      return { status: answer.status, headers: [...answer.headers], body: await answer.text() }
    },
  }
}

const REVISIONS: readonly Sent[] = [
  { headers: EARLIER },
  { headers: { ...EARLIER, 'mcp-protocol-version': '2025-06-18' } },
  { headers: { ...EARLIER, 'mcp-protocol-version': '2025-11-25' } },
  { headers: CURRENT, params: { _meta: META } },
]

test.each(REVISIONS)('a repeated list is answered from kept bytes, as the first one: %j', async (sent) => {
  const { createServer, list } = createEndpoint()
  const first = await list(sent)
  expect([first.status, first.body.length > 10_000]).toEqual([200, true])
  for (const id of [1, 2, 0, -7, 'seven', '', '"id":1}', 'ž\ud800']) {
    const again = await list({ ...sent, id })
    expect(again, String(id)).toEqual(await createEndpoint().list({ ...sent, id }))
  }
  expect(createServer).toHaveBeenCalledTimes(1)
})

test('the list of other scopes and every refusal are as without kept lists', async () => {
  const warm = createEndpoint()
  for (const sent of REVISIONS) await warm.list(sent)
  const others: readonly Sent[] = REVISIONS.flatMap((sent) => [
    { ...sent, scopes: ['search'] },
    { ...sent, scopes: [] },
    { ...sent, id: 1.5 },
    { ...sent, id: null },
    { ...sent, id: { a: 1 } },
    { ...sent, more: { jsonrpc: '1.0' } },
    { ...sent, params: { ...sent.params, cursor: 7 } },
    { ...sent, params: { ...sent.params, _meta: 'x' } },
    { ...sent, headers: { ...sent.headers, accept: 'text/html' } },
    { ...sent, headers: { ...sent.headers, 'content-type': 'text/plain' } },
    { ...sent, headers: { ...sent.headers, 'mcp-protocol-version': '1999-01-01' } },
    { ...sent, headers: { ...sent.headers, 'mcp-method': 'tools/call' } },
    { ...sent, headers: { ...sent.headers, host: 'evil.example' } },
    { ...sent, headers: { ...sent.headers, origin: 'https://evil.example' } },
    { ...sent, headers: { ...sent.headers, 'mcp-session-id': 'unknown' } },
  ])
  const statuses = new Set<number>()
  for (const sent of others) {
    const expected = await createEndpoint().list(sent)
    expect(await warm.list(sent), JSON.stringify(sent)).toEqual(expected)
    expect(await warm.list(sent), JSON.stringify(sent)).toEqual(expected)
    statuses.add(expected.status)
  }
  expect([...statuses].sort()).toEqual([200, 400, 403, 404, 406, 415])
})
