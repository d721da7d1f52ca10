import {
  type CallToolResult,
  createRequestStateCodec,
  type InputRequiredResult,
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type RequestStateCodec,
  type Result,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { AppError } from '../domain/errors.ts'
import { checkBody } from '../http/body/check-body.ts'
import { withoutEffect } from '../http/problem.ts'
import type { Keyring } from '../lib/crypto/keyring.ts'
import { type Agent, ToolError } from './api.ts'
import { createAskPerson, QuestionPending, type SessionClient } from './ask-person.ts'
import { outlineOutput } from './outline-schema.ts'
import { ASK_MS } from './questions.ts'
import type { AskPerson, Tool, ToolDeps } from './tool.ts'
import { INSTRUCTIONS, TOOLS } from './tools.ts'

type McpServerDeps = ToolDeps & {
  readonly version: string
  /** Sign the state that a client carries between our question and the user's answer. */
  readonly stateKeys: Keyring
  /** Running tool calls; shutdown waits for them. */
  readonly underway: Set<Promise<unknown>>
  /** True during shutdown, when no further call starts. */
  isClosing(): boolean
  onBug(error: unknown, tool: string): void
}

const LIST_CACHE = { ttlMs: 300_000, cacheScope: 'private' } as const

const describeTool = ({ name, title, description, input, output, effect }: Tool) => ({
  name,
  title,
  description,
  // Drops the internal properties of TypeBox.
  inputSchema: JSON.parse(JSON.stringify(input)),
  outputSchema: outlineOutput(output),
  annotations: {
    readOnlyHint: effect.readsOnly,
    destructiveHint: effect.moves,
    idempotentHint: effect.idempotent,
    openWorldHint: true,
  },
})

/** A server exists per request. */
const LISTED = TOOLS.map((tool) => ({ tool, description: describeTool(tool) }))

const listTools = (agent: Agent) => ({
  tools: LISTED.filter(({ tool }) => isAllowed(agent, tool)).map(({ description }) => description),
})

const isAllowed = (agent: Agent, { scopes }: Tool) => scopes.every((scope) => agent.scopes.includes(scope))

/** Signs with the current key and accepts all, because processes differ during a rotation of secrets. */
export function createStateCodec({ current, all }: Keyring): RequestStateCodec<string> {
  const createCodec = ({ key }: Keyring['current']) =>
    createRequestStateCodec<string>({
      key,
      ttlSeconds: ASK_MS / 1_000,
      bind: ({ mcpReq, http }) => `${mcpReq.method} ${http?.authInfo?.clientId ?? ''}`,
    })
  const codecs = all.map(createCodec)
  return {
    mint: createCodec(current).mint,
    verify: (state, context) => Promise.any(codecs.map(({ verify }) => verify(state, context))),
  }
}

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>

/**
 * Reports invalid parameters of the protocol's own methods as client errors. The SDK throws a plain error for them,
 * which becomes an internal error (modelcontextprotocol/typescript-sdk#2284); our handlers throw none.
 */
class AgentServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const answer = super._wrapHandler(method, handler)
    return async (request, context) => {
      try {
        return await answer(request, context)
      } catch (error) {
        if (!(error instanceof Error) || error.constructor !== Error) throw error
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Invalid parameters of ${method}: ${error.message}`)
      }
    }
  }
}

/** Creates a server per agent, with the tools that its scopes permit. */
export function createServerFactory(deps: McpServerDeps) {
  const { mint, verify } = createStateCodec(deps.stateKeys)
  return function createServer(agent: Agent, client?: SessionClient): Server {
    const server = new AgentServer(
      { name: 'serai', title: 'Serai', version: deps.version },
      {
        // Otherwise subscriptions would end at once, and clients would try again.
        capabilities: { tools: { listChanged: true } },
        instructions: INSTRUCTIONS,
        cacheHints: { 'tools/list': LIST_CACHE, 'server/discover': LIST_CACHE },
        requestState: { verify },
      },
    )
    server.setRequestHandler('tools/list', () => listTools(agent))
    server.setRequestHandler('tools/call', async ({ params }, context) => {
      const tool = TOOLS.find(({ name }) => name === params.name)
      if (tool === undefined || !isAllowed(agent, tool))
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}. Call tools/list.`)
      if (deps.isClosing())
        return failure('overloaded', 'The service is shutting down. This call did nothing. Call the tool again.')
      const run = runTool(deps, tool, params.arguments ?? {}, agent, {
        ask: createAskPerson({ server, context, agent, client, mint }),
      })
      deps.underway.add(run)
      return run.finally(() => deps.underway.delete(run))
    })
    return server
  }
}

async function runTool(
  deps: McpServerDeps,
  tool: Tool,
  args: unknown,
  agent: Agent,
  person: { readonly ask: AskPerson },
): Promise<CallToolResult | InputRequiredResult> {
  try {
    const answer = await tool.run(checkBody(tool.input, args) as never, { ...deps, agent, askPerson: person.ask })
    return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: { ...answer } }
  } catch (error) {
    if (error instanceof QuestionPending) return error.question
    if (error instanceof ToolError) return refusal(tool, error)
    // The tools only read; the API reports failures of everything else.
    const lost = withoutEffect(error)
    if (lost instanceof AppError)
      return failure(lost.code, lost.message, lost.errors.length > 0 ? { errors: lost.errors } : {})
    deps.onBug(error, tool.name)
    return refusal(tool, new ToolError('internal', 'An unexpected error occurred.', { effect: 'unknown' }))
  }
}

/** A tool that moves no money cannot leave its effect unknown. */
function refusal({ doubt }: Tool, { code, message, facts }: ToolError): CallToolResult {
  if (facts.effect !== 'unknown') return failure(code, message, facts)
  return doubt === undefined
    ? failure(code, 'An unexpected error occurred. Nothing was booked or cancelled. Try again later.', {
        ...facts,
        effect: 'none',
      })
    : failure(code, doubt, facts)
}

const failure = (code: string, message: string, facts: Readonly<Record<string, unknown>> = {}): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text: JSON.stringify({ code, message, effect: 'none', ...facts }) }],
})
