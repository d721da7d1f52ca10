import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isJSONRPCResponse,
  isLegacyRequest,
  originValidationResponse,
} from '@modelcontextprotocol/server'
import type { Agent } from './api.ts'
import { readReply, type SessionClient } from './ask-person.ts'
import type { Questions } from './questions.ts'
import { createReadyLists } from './ready-lists.ts'
import { isListening, LISTENERS_MAX, withSignal } from './routes.ts'
import type { createServerFactory } from './server.ts'
import type { createSessions } from './sessions.ts'

type Deps = {
  readonly createServer: ReturnType<typeof createServerFactory>
  readonly sessions: ReturnType<typeof createSessions>
  readonly questions: Questions
  /** Permitted host names; protects against DNS rebinding by a page on the user's machine. */
  readonly hosts: readonly string[]
  /** Origins whose pages may call us. */
  readonly origins: readonly string[]
  /** Aborted at shutdown to end subscriptions. Running calls are still answered. */
  readonly closing: AbortSignal
  onError(error: Error): void
}

const SESSION_HEADER = 'mcp-session-id'

/** Streamable HTTP without sessions in memory, so that any process can answer. Also serves earlier revisions. */
export function createMcpHttp({ createServer, sessions, questions, hosts, origins, closing, onError }: Deps) {
  const { fetch: handle } = createMcpHandler(
    ({ authInfo }) => {
      const { agent, client } = (authInfo?.extra ?? {}) as { agent: Agent; client?: SessionClient }
      return createServer(agent, client)
    },
    { legacy: 'stateless', maxSubscriptions: LISTENERS_MAX.perProcess, onerror: onError },
  )
  const answerList = createReadyLists()
  // Already authenticated; the token is not passed on.
  const serve = (request: Request, agent: Agent, body: unknown, client?: SessionClient) => {
    const authInfo = { token: '', clientId: agent.principal, scopes: [...agent.scopes], extra: { agent, client } }
    return answerList(request, agent, body, () => handle(request, { authInfo, parsedBody: body }))
  }

  async function serveEarlier(request: Request, agent: Agent, body: unknown): Promise<Response> {
    const { method, params } = Object(body)
    if (method === 'initialize') {
      const { status, headers, body: stream } = await serve(request, agent, body)
      headers.set(SESSION_HEADER, sessions.start(agent.principal, Object(params).capabilities))
      return new Response(stream, { status, headers })
    }
    const id = request.headers.get(SESSION_HEADER)
    const session = id === null ? undefined : sessions.read(agent.principal, id)
    if (id !== null && session === undefined) return refuse(404, -32001, 'There is no such session. Send initialize.')
    if (isJSONRPCResponse(body)) {
      await questions.answer(agent.accountId, String(body.id), readReply(body))
      return new Response(null, { status: 202 })
    }
    if (method === 'notifications/cancelled' && session !== undefined)
      await questions.withdraw(agent.accountId, session.id, Object(params).requestId)
    return serve(request, agent, body, { session, questions })
  }

  return async (request: Request, agent: Agent, body: unknown): Promise<Response> => {
    const refusal = hostHeaderValidationResponse(request, [...hosts]) ?? originValidationResponse(request, [...origins])
    if (refusal !== undefined) return refusal
    if (await isLegacyRequest(request, body)) return serveEarlier(request, agent, body)
    const ending = isListening(body) && withSignal(request, AbortSignal.any([request.signal, closing]))
    return serve(ending || request, agent, body)
  }
}

const refuse = (status: number, code: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status })
