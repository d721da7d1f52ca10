import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Agent } from '../agents/api.ts'
import { describeCaller, type McpCaller } from '../agents/routes.ts'
import { createMcpHandles, type McpHandles } from '../agents/store.ts'
import { namespacedKey } from '../booking/replay-answer.ts'
import type { BookingStore } from '../booking/store/bookings.ts'
import type { Callers } from '../http/middleware/authentication.ts'
import { deriveKeyring } from '../lib/crypto/keyring.ts'
import { VERSION } from '../lib/version.ts'
import type { Core } from './core.ts'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

type Parts = {
  readonly bookings: Pick<BookingStore, 'earlier'>
  readonly callers: Callers
  /** The tools call its operations; built after this. */
  http(): FastifyInstance
}

/** Tools for agents: over HTTP, and for one agent on this machine over stdio. */
export function composeMcp(core: Core, { bookings, callers, http }: Parts) {
  const { config, clock, ids, database } = core
  const handles = createMcpHandles(database, deriveKeyring(config.secrets, 'mcp'), { clock, ids })
  const closing = new AbortController()
  const tools = { underway: new Set<Promise<unknown>>(), isClosing: false }
  let loading: ReturnType<typeof load> | undefined
  const loadOnce = () => {
    loading ??= load(core, handles, bookings, closing.signal, tools)
    return loading
  }
  const createAgent = (caller: McpCaller, signal?: AbortSignal): Agent => ({
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
      ? async (request: Request, caller: McpCaller, body: unknown) =>
          (await loadOnce()).handle(request, createAgent(caller, request.signal), body)
      : undefined,
    /** Returns a factory of servers for the token's account; undefined if the token is not valid. */
    async serverFor(token: string) {
      const holder = await callers.holder(token)
      if (holder === undefined) return undefined
      const headers = { authorization: `Bearer ${token}`, 'user-agent': 'serai mcp' }
      const caller = { ...describeCaller(holder), headers, address: '127.0.0.1' }
      const { createServer } = await loadOnce()
      return () => createServer(createAgent({ ...caller, requestId: ids.prefixed('mcp') }))
    },
    forgetHandles: () => handles.deleteExpired(),
    closeMcp: () => closing.abort(),
    /** Waits for running tools: they cannot call operations once the service is closed. */
    async quiet(): Promise<void> {
      tools.isClosing = true
      closing.abort()
      await Promise.allSettled(tools.underway)
    },
  }
}

/** Runs when the first agent connects, so that processes without agents start faster. */
async function load(
  { config, clock, log }: Core,
  handles: McpHandles,
  bookings: Parts['bookings'],
  closing: AbortSignal,
  tools: { readonly underway: Set<Promise<unknown>>; readonly isClosing: boolean },
) {
  const { createMcpHttp } = await import('../agents/http-handler.ts')
  const { createQuestions } = await import('../agents/questions.ts')
  const { createServerFactory } = await import('../agents/server.ts')
  const { createSessions } = await import('../agents/sessions.ts')
  const createServer = createServerFactory({
    handles,
    async findBookingId(accountId, preparedId) {
      const find = (simulated: boolean) =>
        bookings.earlier(accountId, namespacedKey(preparedId, simulated), '', clock.now())
      return ((await find(false)) ?? (await find(true)))?.booking.bookingId
    },
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    publicUrl: config.publicUrl,
    version: VERSION,
    stateKeys: deriveKeyring(config.secrets, 'mcp-state'),
    underway: tools.underway,
    isClosing: () => tools.isClosing,
    onBug: (error, tool) => log.error({ err: error, tool }, 'unexpected error in a tool'),
  })
  const hosts = [...new Set([...LOOPBACK, parseHost(config.publicUrl), config.host])]
  const handle = createMcpHttp({
    createServer,
    sessions: createSessions(deriveKeyring(config.secrets, 'mcp-session')),
    questions: createQuestions({ handles, now: clock.now, closing }),
    hosts,
    origins: [...hosts, ...config.corsOrigins.map(parseHost)],
    closing,
    onError: (error) => log.debug({ err: error }, 'mcp request'),
  })
  return { createServer, handle }
}

const parseHost = (url: string): string => new URL(url).hostname

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
