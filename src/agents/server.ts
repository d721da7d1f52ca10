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
  /** They sign what a client carries between our question to its user and their answer. */
  readonly stateKeys: Keyring
  /** Calls of tools that are not answered yet: the process waits for them before it closes. */
  readonly underway: Set<Promise<unknown>>
  /** True once it does: then no further call is begun. */
  isClosing(): boolean
  onBug(error: unknown, tool: string): void
}

/** TypeBox schemas are JSON Schemas; what TypeBox keeps beside them is not for clients. */
const schemaOf = (schema: TSchema) => fromJsonSchema<Record<string, unknown>>(JSON.parse(JSON.stringify(schema)))

const register = (tool: Tool) => ({ tool, input: schemaOf(tool.input), output: schemaOf(tool.output) })
let registered: ReturnType<typeof register>[] | undefined
/** Made once, because a server object lives for one request only; and late, because it takes a tenth of the start. */
const allTools = () => {
  registered ??= TOOLS.map(register)
  return registered
}

const LIST_TTL_MS = 300_000
const ASK_TTL_SECONDS = 600

/** Signs with the current key and accepts all: while secrets are rotated, processes differ in which one is the current. */
export function createStateCodec({ current, all }: Keyring): RequestStateCodec<string> {
  const codecOf = ({ key }: Keyring['current']) =>
    createRequestStateCodec<string>({
      key,
      ttlSeconds: ASK_TTL_SECONDS,
      bind: ({ mcpReq, http }) => `${mcpReq.method} ${http?.authInfo?.clientId ?? ''}`,
    })
  const codecs = all.map(codecOf)
  return {
    mint: codecOf(current).mint,
    verify: (state, context) => Promise.any(codecs.map(({ verify }) => verify(state, context))),
  }
}

/** Returns what makes a server for one agent; of its tools those that its key has all scopes for. */
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
        { title, description, inputSchema: input, outputSchema: output, annotations: annotationsOf(tool) },
        async (args, context) => {
          if (deps.isClosing())
            return failure('overloaded', 'The service is shutting down. This call did nothing. Call the tool again.')
          const run = runTool(deps, tool, args, agent, personBehind(server, context, codec.mint))
          deps.underway.add(run)
          return run.finally(() => deps.underway.delete(run))
        },
      )
    }
    return server
  }
}

const isAllowed = (agent: Agent, { scopes }: Tool) => scopes.every((scope) => agent.scopes.includes(scope))

const annotationsOf = ({ title, effect }: Tool) => ({
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
    if (question !== undefined && error instanceof PersonIsAsked) return question
    if (error instanceof ToolError) return refusal(tool, error)
    // The tools themselves only read: the API does everything else, and reports its own failures.
    const lost = withoutEffect(error)
    if (lost instanceof AppError) return failure(lost.code, lost.message)
    deps.onBug(error, tool.name)
    return refusal(tool, new ToolError('internal', 'An unexpected error.', { effect: 'unknown' }))
  }
}

/** A tool that moves no money has no effect that the user must know of. */
function refusal({ doubt }: Tool, { code, message, facts }: ToolError): CallToolResult {
  if (facts.effect !== 'unknown') return failure(code, message, facts)
  return doubt === undefined
    ? failure(code, 'An unexpected error. Nothing was booked or cancelled. Try again later.', {
        ...facts,
        effect: 'none',
      })
    : failure(code, doubt, facts)
}

const failure = (code: string, message: string, facts: Readonly<Record<string, unknown>> = {}): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text: JSON.stringify({ code, message, effect: 'none', ...facts }) }],
})

/** Ends a run whose question must be answered by a person first; the client then calls the tool again. */
class PersonIsAsked extends Error {
  override readonly name = 'PersonIsAsked'
}

const QUESTION = 'confirm'

/**
 * The person behind the client. Where the client can ask, the tool's first run ends with the question; the second carries the
 * answer, and a state that we have signed for this caller, subject and time.
 */
function personBehind(
  server: McpServer,
  context: ServerContext,
  mint: (subject: string, context: ServerContext) => Promise<string>,
): Person {
  let question: InputRequiredResult | undefined
  const { mcpReq } = context
  // Its type names no key, because a client may send any of them.
  const envelope = mcpReq.envelope as Partial<Record<string, ClientCapabilities>> | undefined
  const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities()
  return {
    question: () => question,
    async ask(message, subject) {
      const { elicitation } = capabilities ?? {}
      // `{}` is how clients say "forms" that know no other mode.
      if (elicitation === undefined || ('url' in elicitation && !('form' in elicitation))) return 'not_asked'
      const answer = inputResponse(mcpReq.inputResponses, QUESTION)
      if (answer.kind === 'elicit' && mcpReq.requestState<string>() === subject)
        return answer.action === 'accept' && answer.content?.[QUESTION] === true ? 'agreed' : 'declined'
      question = inputRequired({
        inputRequests: { [QUESTION]: inputRequired.elicit({ message, requestedSchema: YES_OR_NO }) },
        requestState: await mint(subject, context),
      })
      throw new PersonIsAsked()
    },
  }
}

const YES_OR_NO = {
  type: 'object' as const,
  properties: { [QUESTION]: { type: 'boolean' as const, title: 'Yes, do this' } },
  required: [QUESTION],
} satisfies ElicitInputParams['requestedSchema']
