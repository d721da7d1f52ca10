import { createMcpHandler, hostHeaderValidationResponse, originValidationResponse } from '@modelcontextprotocol/server'
import type { Agent } from './api.ts'
import { isListening, LISTENERS_MAX, withSignal } from './routes.ts'
import type { createServerFactory } from './server.ts'

type Deps = {
  readonly createServer: ReturnType<typeof createServerFactory>
  /** Names under which we may be called: a page on the user's machine must not reach us through a name of its own. */
  readonly hosts: readonly string[]
  /** Hosts whose pages may call us. */
  readonly origins: readonly string[]
  /** Aborted at shutdown: ends subscriptions, which stay open otherwise. Running calls are still answered. */
  readonly closing: AbortSignal
  onError(error: Error): void
}

const AGENT = 'agent'

/** Streamable HTTP without sessions: every request stands alone, so any process may answer it. Older clients are served too. */
export function createMcpHttp({ createServer, hosts, origins, closing, onError }: Deps) {
  const { fetch: handle } = createMcpHandler(({ authInfo }) => createServer(authInfo?.extra?.[AGENT] as Agent), {
    legacy: 'stateless',
    maxSubscriptions: LISTENERS_MAX.perProcess,
    onerror: onError,
  })
  return async (request: Request, agent: Agent, body: unknown): Promise<Response> => {
    const refused = hostHeaderValidationResponse(request, [...hosts]) ?? originValidationResponse(request, [...origins])
    if (refused !== undefined) return refused
    // The caller was authenticated before this; the token is not passed on.
    const authInfo = { token: '', clientId: agent.principal, scopes: [...agent.scopes], extra: { [AGENT]: agent } }
    return handle(isListening(body) ? endingWith(request, closing) : request, { authInfo, parsedBody: body })
  }
}

const endingWith = (request: Request, signal: AbortSignal): Request =>
  withSignal(request, AbortSignal.any([request.signal, signal]))
