import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'

type Json = Record<string, unknown>

let app: TestApp
let token: string
beforeAll(async () => {
  app = await testApp()
  token = await app.signIn()
})
afterAll(() => app.close())

const post = (payload: unknown, { as = token, headers = {}, from = app } = {}) =>
  from.as(as, {
    method: 'POST',
    url: '/mcp',
    headers: { host: '127.0.0.1', accept: 'application/json, text/event-stream', ...headers },
    payload: payload as Json,
  })
const message = (method: string, params: Json = {}, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params })
const readMessage = (body: string) => JSON.parse(/\{.*\}/.exec(body)?.[0] ?? 'null')
const leftOf = (headers: Json) => Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1])

test('a batch of messages is refused as a whole and costs one unit', async () => {
  const before = leftOf((await post(message('tools/list'))).headers)
  const batch = Array.from({ length: 100 }, (_, id) => message('tools/list', {}, id))
  const refused = await post(batch)
  expect(refused.statusCode).toBe(400)
  expect(refused.json()).toMatchObject({ error: { code: -32600, message: expect.stringContaining('Batches') } })
  expect(refused.body.length).toBeLessThan(200)
  expect(leftOf((await post(message('tools/list'))).headers)).toBe(before - 2)
  expect((await post([])).statusCode).toBe(400)
})

test('the tool list is at most half of what it was, about 4,300 tokens', async () => {
  const { tools } = readMessage((await post(message('tools/list'))).body).result
  const text = JSON.stringify(tools)
  // It had 36,000 characters, most of them in output schemas.
  expect(text.length).toBeLessThan(16_500)
  for (const { outputSchema, name } of tools) {
    expect(outputSchema.required, name).toContain(Object.keys(outputSchema.properties)[0])
    expect(JSON.stringify(outputSchema).length, name).toBeLessThan(2_200)
  }
})

test('a rate limit is a tool error with code and message, and other messages get the status 429', async () => {
  const limited = await testApp({
    allowances: { ...readConfig({}).allowances, account: { quota: 3, windowMs: 60_000 } },
  })
  const own = await limited.signIn()
  const call = () =>
    post(message('tools/call', { name: 'search_places', arguments: { query: 'Paris' } }, 'seven'), {
      as: own,
      from: limited,
    })
  for (let calls = 0; calls < 3; calls += 1) await call()
  const refused = await call()
  expect(refused.statusCode).toBe(200)
  const { id, result } = refused.json()
  expect([id, result.isError]).toEqual(['seven', true])
  expect(JSON.parse(result.content[0].text)).toEqual({
    code: 'rate_limited',
    message: expect.any(String),
    effect: 'none',
    retry_after_seconds: expect.any(Number),
  })
  const list = await post(message('tools/list'), { as: own, from: limited })
  expect([list.statusCode, list.headers['retry-after']]).toEqual([429, expect.any(String)])
  await limited.close()
})

test('bodies that cannot be read count towards the rate limit', async () => {
  const limited = await testApp({
    allowances: { ...readConfig({}).allowances, account: { quota: 3, windowMs: 60_000 } },
  })
  const own = await limited.signIn()
  const statuses: number[] = []
  for (const type of ['application/json', 'text/plain', 'application/json', 'application/json']) {
    const unreadable = { payload: '{"jsonrpc":', headers: { 'content-type': type } }
    statuses.push((await limited.as(own, { method: 'POST', url: '/mcp', ...unreadable })).statusCode)
  }
  expect(statuses).toEqual([400, 415, 400, 429])
  await limited.close()
})

const initialize = (capabilities: Json, as = token) =>
  post(
    message('initialize', {
      protocolVersion: '2025-06-18',
      capabilities,
      clientInfo: { name: 'raw', version: '1' },
    }),
    { as },
  )

test.each([
  ['initialize', { protocolVersion: 7 }],
  ['tools/list', { cursor: 7 }],
  ['tools/call', { name: 7 }],
])('invalid parameters of %s are reported as such, not as an internal error', async (method, params) => {
  const { error } = readMessage((await post(message(method, params))).body)
  expect(error).toEqual({ code: -32602, message: expect.stringContaining(method) })
})

const confirm = { name: 'confirm_booking', arguments: { prepared_id: 'prp_1', terms_digest: 'x' } }

test('a session belongs to the key or account that started it, and another one must initialize again', async () => {
  const started = await initialize({})
  const id = String(started.headers['mcp-session-id'])
  expect(id).toMatch(/^[\x21-\x7e]{20,300}$/)
  expect((await post(message('tools/list'), { headers: { 'mcp-session-id': id } })).statusCode).toBe(200)
  const { data } = (
    await app.as(token, {
      method: 'POST',
      url: '/api/accounts/keys',
      payload: { name: 'agent', mode: 'live', scopes: ['search', 'book'] },
    })
  ).json()
  const other = await post(message('tools/list'), { as: data.key, headers: { 'mcp-session-id': id } })
  expect(other.statusCode).toBe(404)
  expect(other.json()).toMatchObject({ error: { message: expect.stringContaining('initialize') } })
  const altered = await post(message('tools/call', confirm), { headers: { 'mcp-session-id': `${id.slice(0, -2)}AA` } })
  expect(altered.statusCode).toBe(404)
})

test('an answer to a question that is not open is accepted and ignored', async () => {
  const id = String((await initialize({ elicitation: {} })).headers['mcp-session-id'])
  for (const question of ['ask_0.1', 'x', `ask_${'0'.repeat(40)}.${'0'.repeat(24)}`, `off_${'x'.repeat(90)}`]) {
    const answer = { jsonrpc: '2.0', id: question, result: { action: 'accept', content: { confirm: true } } }
    expect((await post(answer, { headers: { 'mcp-session-id': id } })).statusCode).toBe(202)
  }
  const failed = { jsonrpc: '2.0', id: 'ask_0.1', error: { code: -32601, message: 'no' } }
  expect((await post(failed, { headers: { 'mcp-session-id': id } })).statusCode).toBe(202)
})
