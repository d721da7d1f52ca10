import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type ElicitInputParams,
  fromJsonSchema,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  McpServer,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { TSchema } from 'typebox'
import { AppError } from '../domain/errors.ts'
import { withoutEffect } from '../http/problem.ts'
import type { Keyring } from '../lib/crypto/keyring.ts'
import { type Agent, ToolError } from './api.ts'
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

/** Drops the internal properties of TypeBox. */
const toJsonSchema = (schema: TSchema) => fromJsonSchema<Record<string, unknown>>(JSON.parse(JSON.stringify(schema)))

const register = (tool: Tool) => ({ tool, input: toJsonSchema(tool.input), output: toJsonSchema(tool.output) })
let registered: ReturnType<typeof register>[] | undefined
/** Created once, because a server exists per request, and lazily, because it takes a tenth of the startup time. */
const allTools = () => {
  registered ??= TOOLS.map(register)
  return registered
}

const LIST_TTL_MS = 300_000
const ASK_TTL_SECONDS = 600

/** Signs with the current key and accepts all, because processes differ during a rotation of secrets. */
export function createStateCodec({ current, all }: Keyring): RequestStateCodec<string> {
  const createCodec = ({ key }: Keyring['current']) =>
    createRequestStateCodec<string>({
      key,
      ttlSeconds: ASK_TTL_SECONDS,
      bind: ({ mcpReq, http }) => `${mcpReq.method} ${http?.authInfo?.clientId ?? ''}`,
    })
  const codecs = all.map(createCodec)
  return {
    mint: createCodec(current).mint,
    verify: (state, context) => Promise.any(codecs.map(({ verify }) => verify(state, context))),
  }
}

/** Creates a server per agent, with the tools that its scopes permit. */
export function createServerFactory(deps: McpServerDeps) {
  const codec = createStateCodec(deps.stateKeys)
  return function createServer(agent: Agent): McpServer {
    const server = new McpServer(
      { name: 'serai', title: 'Serai', version: deps.version },
      {
        capabilities: { tools: {} },
        instructions: INSTRUCTIONS,
        cacheHints: {
          'tools/list': { ttlMs: LIST_TTL_MS, cacheScope: 'private' },
          'server/discover': { ttlMs: LIST_TTL_MS, cacheScope: 'private' },
        },
        requestState: { verify: codec.verify },
      },
    )
    for (const { tool, input, output } of allTools().filter(({ tool }) => isAllowed(agent, tool))) {
      const { name, title, description } = tool
      server.registerTool(
        name,
        { title, description, inputSchema: input, outputSchema: output, annotations: toAnnotations(tool) },
        async (args, context) => {
          if (deps.isClosing())
            return failure('overloaded', 'The service is shutting down. This call did nothing. Call the tool again.')
          const run = runTool(deps, tool, args, agent, createPerson(server, context, codec.mint))
          deps.underway.add(run)
          return run.finally(() => deps.underway.delete(run))
        },
      )
    }
    return server
  }
}

const isAllowed = (agent: Agent, { scopes }: Tool) => scopes.every((scope) => agent.scopes.includes(scope))

const toAnnotations = ({ title, effect }: Tool) => ({
  title,
  readOnlyHint: effect.readsOnly,
  destructiveHint: effect.moves,
  idempotentHint: effect.idempotent,
  openWorldHint: true,
})

type Person = { readonly ask: AskPerson; readonly question: () => InputRequiredResult | undefined }

async function runTool(
  deps: McpServerDeps,
  tool: Tool,
  args: unknown,
  agent: Agent,
  person: Person,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    const answer = await tool.run(args as never, { ...deps, agent, askPerson: person.ask })
    return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: { ...answer } }
  } catch (error) {
    const question = person.question()
    if (question !== undefined && error instanceof QuestionPending) return question
    if (error instanceof ToolError) return refusal(tool, error)
    // The tools only read; the API reports failures of everything else.
    const lost = withoutEffect(error)
    if (lost instanceof AppError) return failure(lost.code, lost.message)
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

/** Ends a run until the user has answered; the client then calls the tool again. */
class QuestionPending extends Error {
  override readonly name = 'QuestionPending'
}

const QUESTION = 'confirm'

/** The first run ends with the question; the second carries the answer and a state signed by us. */
function createPerson(
  server: McpServer,
  context: ServerContext,
  mint: (subject: string, context: ServerContext) => Promise<string>,
): Person {
  let question: InputRequiredResult | undefined
  const { mcpReq } = context
  // Untyped, because a client may send any key.
  const envelope = mcpReq.envelope as Partial<Record<string, ClientCapabilities>> | undefined
  const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities()
  return {
    question: () => question,
    async ask(message, subject) {
      const { elicitation } = capabilities ?? {}
      // Clients that only support forms send `{}`.
      if (elicitation === undefined || ('url' in elicitation && !('form' in elicitation))) return 'not_asked'
      const answer = inputResponse(mcpReq.inputResponses, QUESTION)
      if (answer.kind === 'elicit' && mcpReq.requestState<string>() === subject)
        return answer.action === 'accept' && answer.content?.[QUESTION] === true ? 'agreed' : 'declined'
      question = inputRequired({
        inputRequests: { [QUESTION]: inputRequired.elicit({ message, requestedSchema: YES_OR_NO }) },
        requestState: await mint(subject, context),
      })
      throw new QuestionPending()
    },
  }
}

const YES_OR_NO = {
  type: 'object' as const,
  properties: { [QUESTION]: { type: 'boolean' as const, title: 'Yes, do this' } },
  required: [QUESTION],
} satisfies ElicitInputParams['requestedSchema']
