import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { Type } from 'typebox'
import { refusalOf, SCOPES, type Scope } from '../domain/access.ts'
import { type Caller, callerOf, hangUpSignal } from '../http/middleware/request-context.ts'
import { createOpenStreams } from '../http/streams/open-streams.ts'

/** The sender of a request, for calls of our own operations in their name. */
export type McpCaller = {
  readonly accountId: string
  /** The key, or the account itself. */
  readonly principal: string
  readonly scopes: readonly Scope[]
  /** What identifies them and marks a simulation, as it came. */
  readonly headers: Readonly<Record<string, string>>
  readonly address: string
  readonly requestId: string
}

export type McpRouteDeps = {
  handleMcp(request: Request, caller: McpCaller, body: unknown): Promise<Response>
  /** Ends answers that would never end by themselves. */
  closeMcp(): void
}

/** Clients may wait for changes of the list of tools, which never come; each of them holds a connection open. */
export const LISTENERS_MAX = { perAccount: 8, perProcess: 50 }
export const isListening = (body: unknown): boolean => Object(body).method === 'subscriptions/listen'

const CARRIED = ['authorization', 'x-simulate-return', 'user-agent'] as const

/** The Model Context Protocol: tools for agents over the same operations. See docs/agents.md. */
export const mcpRoutes: FastifyPluginAsyncTypebox<McpRouteDeps> = async (app, { handleMcp, closeMcp }) => {
  app.addHook('preClose', async () => closeMcp())
  const countListener = createOpenStreams(LISTENERS_MAX)
  app.post('/mcp', MCP, async (request, reply) => {
    const caller = mcpCallerOf(request)
    if (isListening(request.body)) countListener(reply.raw, caller.accountId)
    return reply.send(await handleMcp(webRequest(request, reply), caller, request.body))
  })
}

function mcpCallerOf(request: FastifyRequest): McpCaller {
  const carried = CARRIED.map((name) => [name, request.headers[name]])
  const headers = Object.fromEntries(carried.filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
  return { ...permittedTo(callerOf(request)), headers, address: request.ip, requestId: request.id }
}

/** Who it is, and what they may do by their role and key. */
export const permittedTo = (caller: Caller) => ({
  accountId: caller.accountId,
  principal: caller.key?.id ?? caller.accountId,
  scopes: SCOPES.filter((scope) => refusalOf(scope, caller) === undefined),
})

/** The body has been read already, within the limits of every request. */
function webRequest(request: FastifyRequest, reply: FastifyReply): Request {
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  return withSignal(new Request(new URL('/mcp', 'http://localhost'), { method: 'POST', headers }), hangUpSignal(reply))
}

/** A signal that is given to the constructor has no effect any more once the request itself is garbage, while its answer still runs. */
export const withSignal = (request: Request, signal: AbortSignal): Request =>
  Object.defineProperty(request, 'signal', { value: signal, configurable: true })

const MCP = {
  config: { operation: 'mcp', access: 'account' },
  schema: {
    hide: true,
    response: {
      200: { description: 'The answer of the protocol.', content: { 'application/json': { schema: Type.Unknown() } } },
    },
  },
} satisfies RouteShorthandOptions
