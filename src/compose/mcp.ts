import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Callers } from '../http/frame/authentication.ts'
import { type McpCaller, permittedTo } from '../http/routes/mcp.ts'
import { deriveKeyring } from '../lib/keyring.ts'
import type { Agent } from '../mcp/api.ts'
import { createMcpHttp } from '../mcp/http-handler.ts'
import { createServerFactory } from '../mcp/server.ts'
import type { BookingStore } from '../store/bookings.ts'
import { createMcpHandles } from '../store/mcp-handles.ts'
import type { Core } from './core.ts'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

type Parts = {
  readonly bookings: Pick<BookingStore, 'earlier'>
  readonly callers: Callers
  /** Built after this; its operations are what the tools call. */
  http(): FastifyInstance
}

/** Tools for agents: over HTTP, and for one agent on this machine over stdio. */
export function composeMcp({ config, clock, ids, log, database }: Core, { bookings, callers, http }: Parts) {
  const handles = createMcpHandles(database, deriveKeyring(config.secrets, 'mcp'), { clock, ids })
  const createServer = createServerFactory({
    handles,
    bookingIdOf: async (accountId, preparedId) =>
      (await bookings.earlier(accountId, preparedId, '', clock.now()))?.booking.bookingId,
    sleep: (ms) => new Promise((later) => setTimeout(later, ms)),
    version: '1',
    stateKey: deriveKeyring(config.secrets, 'mcp-state').current.key,
    onBug: (error, tool) => log.error({ err: error, tool }, 'unexpected error in a tool'),
  })
  const hosts = [...new Set([...LOOPBACK, hostOf(config.publicUrl), config.host])]
  const overHttp = createMcpHttp({
    createServer,
    hosts,
    origins: [...hosts, ...config.corsOrigins.map(hostOf)],
    onError: (error) => log.debug({ err: error }, 'mcp request'),
  })
  const agentOf = (caller: McpCaller, signal?: AbortSignal): Agent => ({
    accountId: caller.accountId,
    principal: caller.principal,
    scopes: caller.scopes,
    async call({ method, url, body, idempotencyKey, outlivesClient }) {
      const headers = {
        ...caller.headers,
        'x-request-id': caller.requestId,
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      }
      const payload = body as InjectOptions['payload']
      const answer = await http().inject({
        method,
        url,
        headers,
        remoteAddress: caller.address,
        ...(payload !== undefined && { payload }),
        ...(signal && outlivesClient !== true && { signal }),
      })
      return { status: answer.statusCode, body: readJson(answer.body) }
    },
  })
  return {
    handleMcp: config.mcp.isServed
      ? (request: Request, caller: McpCaller, body: unknown) =>
          overHttp.handle(request, agentOf(caller, request.signal), body)
      : undefined,
    /** A server for whoever the token belongs to; undefined where it is no good. */
    async serverFor(token: string) {
      const holder = await callers.holder(token)
      if (holder === undefined) return undefined
      const headers = { authorization: `Bearer ${token}`, 'user-agent': 'serai mcp' }
      const caller = { ...permittedTo(holder), headers, address: '127.0.0.1' }
      return () => createServer(agentOf({ ...caller, requestId: ids.prefixed('mcp') }))
    },
    forgetHandles: () => handles.deleteExpired(),
    closeMcp: overHttp.close,
  }
}

const hostOf = (url: string): string => new URL(url).hostname

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
