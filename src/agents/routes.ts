import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { Type } from 'typebox'
import { explainRefusal, SCOPES, type Scope } from '../domain/access.ts'
import { AppError } from '../domain/errors.ts'
import { type Caller, disconnectSignal, requireCaller } from '../http/middleware/request-context.ts'
import { createStreamCounter } from '../http/streams/stream-counter.ts'

/** The caller, on whose behalf our own operations are called. */
export type McpCaller = {
  readonly accountId: string
  /** Id of the key, or of the account. */
  readonly principal: string
  readonly scopes: readonly Scope[]
  /** Credentials and simulation headers of the request. */
  readonly headers: Readonly<Record<string, string>>
  readonly address: string
  readonly requestId: string
}

export type McpRouteDeps = {
  handleMcp(request: Request, caller: McpCaller, body: unknown): Promise<Response>
  /** Ends open subscriptions. */
  closeMcp(): void
}

/** Clients may subscribe to changes of the tool list, which never change; each holds a connection. */
export const LISTENERS_MAX = { perAccount: 8, perProcess: 50 }
export const isListening = (body: unknown): boolean => Object(body).method === 'subscriptions/listen'

const FORWARDED_HEADERS = ['authorization', 'x-simulate-return', 'user-agent'] as const

/** Model Context Protocol endpoint; see docs/agents.md. */
export const mcpRoutes: FastifyPluginAsyncTypebox<McpRouteDeps> = async (app, { handleMcp, closeMcp }) => {
  app.addHook('preClose', async () => closeMcp())
  // The handler charges all other requests; unreadable bodies never reach it.
  app.setErrorHandler(async (error, request) => {
    if (request.caller !== undefined && !request.mayHaveActed) await request.charge?.(1)
    throw error
  })
  const countListener = createStreamCounter(LISTENERS_MAX)
  app.post('/mcp', MCP, async (request, reply) => {
    const caller = toMcpCaller(request)
    const refusal = await chargeCall(request)
    if (refusal !== undefined) return reply.send(refusal)
    if (Array.isArray(request.body)) return reply.code(400).send(NO_BATCHES)
    if (isListening(request.body)) countListener(reply.raw, caller.accountId)
    return reply.send(await handleMcp(webRequest(request, reply), caller, request.body))
  })
}

/** Protocol revisions since 2025-06-18 have no batches. */
const NO_BATCHES = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32600, message: 'Batches are not supported. Send each message on its own.' },
}

/** A rate limit is a tool error, so that the model reads it; clients hide an HTTP status from it. */
async function chargeCall(request: FastifyRequest): Promise<object | undefined> {
  try {
    await request.charge?.(1)
    return undefined
  } catch (error) {
    if (!(error instanceof AppError) || !isToolCall(request.body)) throw error
    const { code, message, retryAfterMs = 0 } = error
    const facts = { code, message, effect: 'none', retry_after_seconds: Math.ceil(retryAfterMs / 1_000) }
    const content = [{ type: 'text', text: JSON.stringify(facts) }]
    return { jsonrpc: '2.0', id: request.body.id, result: { resultType: 'complete', isError: true, content } }
  }
}

const isToolCall = (body: unknown): body is { readonly id: string | number } => {
  const { method, id } = Object(body)
  return method === 'tools/call' && (typeof id === 'string' || typeof id === 'number')
}

function toMcpCaller(request: FastifyRequest): McpCaller {
  const forwarded = FORWARDED_HEADERS.map((name) => [name, request.headers[name]])
  const headers = Object.fromEntries(forwarded.filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
  return { ...describeCaller(requireCaller(request)), headers, address: request.ip, requestId: request.id }
}

/** Identity of the caller and the scopes permitted by role and key. */
export const describeCaller = (caller: Caller) => ({
  accountId: caller.accountId,
  principal: caller.key?.id ?? caller.accountId,
  scopes: SCOPES.filter((scope) => explainRefusal(scope, caller) === undefined),
})

/** Fastify has already read the body within its limits. */
function webRequest(request: FastifyRequest, reply: FastifyReply): Request {
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  return withSignal(
    new Request(new URL('/mcp', 'http://localhost'), { method: 'POST', headers }),
    disconnectSignal(reply),
  )
}

/** A signal given to the constructor stops working once the request is garbage-collected. */
export const withSignal = (request: Request, signal: AbortSignal): Request =>
  Object.defineProperty(request, 'signal', { value: signal, configurable: true })

const MCP = {
  config: {
    operation: 'mcp',
    access: 'account',
    isChargedByHandler: true,
    // Tools call operations, which are shared themselves: bookings never wait.
    isShared: ({ body }) => !isToolCall(body),
  },
  schema: {
    hide: true,
    response: {
      200: { description: 'The protocol response.', content: { 'application/json': { schema: Type.Unknown() } } },
      400: { description: 'A batch.', content: { 'application/json': { schema: Type.Unknown() } } },
    },
  },
} satisfies RouteShorthandOptions
