import { createMcpHandler, hostHeaderValidationResponse, originValidationResponse } from '@modelcontextprotocol/server'
import type { Agent } from './api.ts'
import { isListening, LISTENERS_MAX, withSignal } from './routes.ts'
import type { createServerFactory } from './server.ts'

type Deps = {
  readonly createServer: ReturnType<typeof createServerFactory>
  /** Permitted host names; protects against DNS rebinding by a page on the user's machine. */
  readonly hosts: readonly string[]
  /** Origins whose pages may call us. */
  readonly origins: readonly string[]
  /** Aborted at shutdown to end subscriptions. Running calls are still answered. */
  readonly closing: AbortSignal
  onError(error: Error): void
}

const AGENT = 'agent'

/** Streamable HTTP without sessions, so that any process can answer. Also serves older clients. */
export function createMcpHttp({ createServer, hosts, origins, closing, onError }: Deps) {
  const { fetch: handle } = createMcpHandler(({ authInfo }) => createServer(authInfo?.extra?.[AGENT] as Agent), {
    legacy: 'stateless',
    maxSubscriptions: LISTENERS_MAX.perProcess,
    onerror: onError,
  })
  return async (request: Request, agent: Agent, body: unknown): Promise<Response> => {
    const refusal = hostHeaderValidationResponse(request, [...hosts]) ?? originValidationResponse(request, [...origins])
    if (refusal !== undefined) return refusal
    // Already authenticated; the token is not passed on.
    const authInfo = { token: '', clientId: agent.principal, scopes: [...agent.scopes], extra: { [AGENT]: agent } }
    const ending = isListening(body) && withSignal(request, AbortSignal.any([request.signal, closing]))
    return handle(ending || request, { authInfo, parsedBody: body })
  }
}
