import fc, { type Arbitrary } from 'fast-check'
import type { Tool } from '../../src/agents/tool.ts'
import { TOOLS } from '../../src/agents/tools.ts'
import { anyHeaders, brokenBody, type FuzzedRequest, type KnownValues, nearlyValid } from './request.ts'
import { anyJson, type Document, type Schema } from './schema.ts'

export const MCP_PATH = '/mcp'

type Message = { readonly method: string; readonly params: Readonly<Record<string, unknown>> }

/** Messages to the endpoint of agents, of the current revision and of earlier ones: valid, nearly valid, and nonsense. */
export function anyMcpRequest(document: Document, known: KnownValues): Arbitrary<FuzzedRequest> {
  const calls = TOOLS.map((tool) => anyToolCall(document, tool, known.tools[tool.name] ?? []))
  const message = fc.oneof({ weight: 12, arbitrary: fc.oneof(...calls) }, { weight: 4, arbitrary: otherMessage })
  return fc
    .record({ message, isCurrent: fc.boolean(), id: anyId, headers: anyHeaders(known), protocol: protocolHeaders })
    .chain(({ message, isCurrent, id, headers, protocol }) => {
      const { method, params } = isCurrent ? asCurrent(message) : message
      const valid = { jsonrpc: '2.0', ...(id !== undefined && { id }), method, params }
      const sent = {
        ...ACCEPTED,
        ...(isCurrent ? currentHeaders(message) : { 'mcp-session-id': known.session }),
        ...headers,
        ...protocol,
      }
      return anyText(document, valid).map((body) => ({
        method: 'POST',
        path: MCP_PATH,
        url: MCP_PATH,
        headers: sent,
        body,
      }))
    })
}

const ACCEPTED = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const REVISION = '2026-07-28'

const anyToolCall = (document: Document, { name, input }: Tool, good: readonly object[]): Arbitrary<Message> =>
  nearlyValid(document, input as Schema, good).map((args) => ({
    method: 'tools/call',
    params: { name, arguments: args },
  }))

/** Without subscriptions, which never end. Clients that can be asked by `initialize` would wait for a person. */
const otherMessage: Arbitrary<Message> = fc.oneof(
  fc.constantFrom<Message>(
    { method: 'tools/list', params: {} },
    { method: 'tools/list', params: { cursor: 'x' } },
    { method: 'tools/call', params: {} },
    { method: 'tools/call', params: { name: 'toString', arguments: {} } },
    { method: 'tools/call', params: { name: '__proto__' } },
    { method: 'server/discover', params: {} },
    { method: 'ping', params: {} },
    { method: 'notifications/initialized', params: {} },
    { method: 'notifications/cancelled', params: { requestId: 1, reason: 'x' } },
    { method: 'resources/read', params: { uri: 'file:///etc/passwd' } },
    {
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    },
  ),
  fc.record({ method: fc.string({ maxLength: 20 }), params: fc.dictionary(fc.string(), anyJson, { maxKeys: 3 }) }),
)

const anyId = fc.oneof(
  { weight: 8, arbitrary: fc.nat() },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(undefined, null, 1.5, -1, 2 ** 60, {}, []) },
)

const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  // The user is asked in a second request, which never comes.
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
}
const asCurrent = ({ method, params }: Message): Message => ({ method, params: { ...params, _meta: META } })
function currentHeaders({ method, params }: Message): Record<string, string> {
  const name = typeof params.name === 'string' ? { 'mcp-name': params.name } : {}
  return { 'mcp-protocol-version': REVISION, 'mcp-method': method.replace(/[^\x21-\x7e]/g, '?'), ...name }
}

const protocolHeaders: Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 20, arbitrary: fc.constant({}) },
  fc.constantFrom<Record<string, string>>(
    { 'mcp-protocol-version': '1999-01-01' },
    { 'mcp-protocol-version': REVISION },
    { 'mcp-protocol-version': '2025-06-18' },
    { 'mcp-method': 'tools/list' },
    { 'mcp-name': '=?base64?gA==?=' },
    { 'mcp-session-id': 'x' },
    { 'content-type': 'text/plain' },
    { accept: 'application/json' },
    { host: 'evil.example' },
    { origin: 'https://evil.example' },
  ),
)

/** The message, a change of it in one place, a batch, or text that is not a message. */
function anyText(document: Document, valid: object): Arbitrary<string> {
  const json = (value: unknown) => JSON.stringify(value) ?? ''
  return fc.oneof(
    { weight: 20, arbitrary: fc.constant(json(valid)) },
    { weight: 3, arbitrary: nearlyValid(document, undefined, [valid]).map(json) },
    { weight: 1, arbitrary: fc.constantFrom(json([valid]), json([valid, valid]), '[]') },
    { weight: 1, arbitrary: brokenBody },
  )
}
