import { expect, test } from 'vitest'
import { createJudge, type JudgedAnswer } from '../../../chaos/fuzz/judge.ts'
import { createMcpJudge } from '../../../chaos/fuzz/judge-mcp.ts'
import type { FuzzedRequest } from '../../../chaos/fuzz/request.ts'
import type { Document } from '../../../chaos/fuzz/schema.ts'

const json = { content: { 'application/json': { schema: { type: 'object', required: ['ok'] } } } }
const document: Document = {
  paths: { '/x': { get: { responses: { 200: json, 500: json, 502: json, 504: json } } } },
  components: { schemas: { Problem: { type: 'object', required: ['code'] } } },
}
const TOKEN = `srt_${'x'.repeat(43)}`

const judge = createJudge(document)
const judgeApi = (answer: Partial<JudgedAnswer>, headers: Readonly<Record<string, string>> = {}) =>
  judge(
    { method: 'GET', path: '/x', url: '/x', headers: { authorization: `bearer: ${TOKEN}`, ...headers }, body: '' },
    { status: 200, headers: { 'content-type': 'application/json' }, body: '{"ok":1}', ms: 1, ...answer },
  )

test('a 502 is accepted only from a request that simulates a failure of a vendor, and no other 5xx ever', () => {
  expect(judgeApi({ status: 502 }, { 'x-simulate-return': 'vendor_error' })).toEqual([])
  expect(judgeApi({ status: 502 }, { 'x-simulate-return': 'partial' })).toEqual([])
  for (const simulation of ['success', 'sold_out', 'constructor'])
    expect(judgeApi({ status: 502 }, { 'x-simulate-return': simulation })).toHaveLength(1)
  expect(judgeApi({ status: 502 })).toHaveLength(1)
  for (const status of [500, 504])
    expect(judgeApi({ status }, { 'x-simulate-return': 'vendor_error' })).toEqual([
      expect.stringContaining(`answered ${status}`),
    ])
})

test('an answer that breaks its schema, is slow, or shows a stack or the token is a violation', () => {
  expect(judgeApi({})).toEqual([])
  expect(judgeApi({ body: '{}' })).toHaveLength(1)
  expect(judgeApi({ ms: 2_000 })).toHaveLength(1)
  for (const text of ['at run (/app/src/run.ts:12:7)', 'node:internal/process/task_queues:95:5', TOKEN])
    expect(judgeApi({ body: JSON.stringify({ ok: text }) }), text).toHaveLength(1)
})

const judgeAgent = createMcpJudge(document)
const judgeMcp = (message: object, sent: object, answer: Partial<JudgedAnswer> = {}) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message })
  const request: FuzzedRequest = {
    method: 'POST',
    path: '/mcp',
    url: '/mcp',
    headers: {},
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...sent }),
  }
  return judgeAgent(request, { status: 200, headers: { 'content-type': 'application/json' }, body, ms: 1, ...answer })
}
const call = { method: 'tools/call', params: { name: 'search_places', arguments: {} } }
const answered = (content: object, more: object = {}) => ({
  result: { content: [{ type: 'text', text: JSON.stringify(content) }], structuredContent: content, ...more },
})

test('a result of a tool must match its output schema, and its text must be the same', () => {
  const places = { places: [], untrusted_fields: [] }
  expect(judgeMcp(answered(places), call)).toEqual([])
  expect(judgeMcp(answered({ places: [{}], untrusted_fields: [] }), call)).toHaveLength(1)
  expect(judgeMcp(answered(places, { structuredContent: {} }), call)).toHaveLength(1)
  const failure = { code: 'invalid_request', message: 'No.', effect: 'none' }
  expect(judgeMcp(answered(failure, { isError: true }), call)).toEqual([])
  for (const wrong of [{ code: 'internal' }, { message: '' }, { effect: 'some' }])
    expect(judgeMcp(answered({ ...failure, ...wrong }, { isError: true }), call)).toHaveLength(1)
})

test('an answer to an agent must be one JSON-RPC message with the id of the request', () => {
  const ping = { method: 'ping' }
  expect(judgeMcp({ result: {} }, ping)).toEqual([])
  expect(judgeMcp({ error: { code: -32_600, message: 'No.' }, id: null }, ping)).toEqual([])
  const wrong = [
    {},
    { result: {}, id: 2 },
    { result: {}, id: null },
    { result: {}, jsonrpc: '1.0' },
    { result: {}, error: { code: -32_600, message: 'No.' } },
    { error: { code: -32_603, message: 'Internal error' } },
    { error: { code: 'x', message: 'No.' } },
  ]
  for (const message of wrong) expect(judgeMcp(message, ping), JSON.stringify(message)).toHaveLength(1)
  const event = `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} })}\n\n`
  const stream = { headers: { 'content-type': 'text/event-stream' } }
  expect(judgeMcp({}, ping, { ...stream, body: event })).toEqual([])
  expect(judgeMcp({}, ping, { ...stream, body: event + event })).toHaveLength(1)
  expect(judgeMcp({}, ping, { status: 504, body: '{"code":"x"}', headers: PROBLEM }).length).toBeGreaterThan(0)
  expect(judgeMcp({}, ping, { status: 429, body: '{"code":"x"}', headers: PROBLEM })).toEqual([])
  expect(judgeMcp({}, ping, { status: 429, body: '{}', headers: PROBLEM })).toHaveLength(1)
})
const PROBLEM = { 'content-type': 'application/problem+json' }
