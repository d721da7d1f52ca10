import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ElicitInputParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { type Agent, ToolError } from './api.ts'
import { ASK_MS, type Questions } from './questions.ts'
import { canAskPerson, type Session } from './sessions.ts'
import type { AskPerson } from './tool.ts'

/** Client of an earlier revision over HTTP. */
export type SessionClient = { readonly session: Session | undefined; readonly questions: Questions }

type Asked = {
  readonly server: Server
  readonly context: ServerContext
  readonly agent: Agent
  /** Undefined over stdio, and for clients of the current revision. */
  readonly client: SessionClient | undefined
  mint(subject: string, context: ServerContext): Promise<string>
}

const QUESTION = 'confirm'
const YES_OR_NO = {
  type: 'object' as const,
  properties: { [QUESTION]: { type: 'boolean' as const, title: 'Yes, do this' } },
  required: [QUESTION],
} satisfies ElicitInputParams['requestedSchema']

/** Ends a run of a tool until the user has answered; the client then calls the tool again. */
export class QuestionPending extends Error {
  override readonly name = 'QuestionPending'
  readonly question: InputRequiredResult

  constructor(question: InputRequiredResult) {
    super('The user has not answered yet.')
    this.question = question
  }
}

/** Each revision and transport has its own way to reach the user. */
export function createAskPerson(asked: Asked): AskPerson {
  // Untyped, because a client may send any key.
  const envelope = asked.context.mcpReq.envelope as Partial<Record<string, ClientCapabilities>> | undefined
  if (envelope !== undefined) return askByRetry(asked, envelope[CLIENT_CAPABILITIES_META_KEY])
  return asked.client === undefined ? askByConnection(asked) : askBySession(asked, asked.client)
}

/** The first run ends with the question; the second carries the answer and a state signed by us. */
function askByRetry({ context, mint }: Asked, capabilities: ClientCapabilities | undefined): AskPerson {
  return async (message, subject) => {
    if (!canAskPerson(capabilities)) return 'not_asked'
    const { mcpReq } = context
    const answer = inputResponse(mcpReq.inputResponses, QUESTION)
    if (answer.kind === 'elicit' && mcpReq.requestState<string>() === subject)
      return toDecision(answer.action, answer.content)
    const inputRequests = { [QUESTION]: inputRequired.elicit({ message, requestedSchema: YES_OR_NO }) }
    throw new QuestionPending(inputRequired({ inputRequests, requestState: await mint(subject, context) }))
  }
}

/** Earlier revisions over stdio. */
function askByConnection({ server, context }: Asked): AskPerson {
  return async (message) => {
    if (!canAskPerson(server.getClientCapabilities())) return 'not_asked'
    const options = { timeout: ASK_MS, signal: context.mcpReq.signal }
    const answer = await server.elicitInput({ message, requestedSchema: YES_OR_NO }, options).catch(() => undefined)
    if (answer === undefined) throw notAnswered()
    return toDecision(answer.action, answer.content)
  }
}

/** Earlier revisions over HTTP: the question is sent on the stream of the call, the answer arrives as a new request. */
function askBySession({ server, context, agent }: Asked, { session, questions }: SessionClient): AskPerson {
  return async (message) => {
    if (session === undefined)
      throw new ToolError(
        'session_required',
        'Nothing was booked or cancelled. Send initialize first and repeat its Mcp-Session-Id in every request, so that we know if your user can be asked.',
      )
    if (!session.canAsk) return 'not_asked'
    const { id: requestId, signal } = context.mcpReq
    const reply = await questions.ask(agent.accountId, { sessionId: session.id, requestId, signal }, async (id) =>
      server.transport?.send(
        { jsonrpc: '2.0', id, method: 'elicitation/create', params: { message, requestedSchema: YES_OR_NO } },
        { relatedRequestId: requestId },
      ),
    )
    if (reply === undefined) throw notAnswered()
    return toDecision(reply.action, { [QUESTION]: reply.confirmed })
  }
}

const notAnswered = () =>
  new ToolError('not_answered', 'The user was asked and did not answer. Nothing was booked or cancelled.')

const toDecision = (action: string, content: Readonly<Record<string, unknown>> | undefined) =>
  action === 'accept' && content?.[QUESTION] === true ? 'agreed' : 'declined'

/** Reads the response of a client to a question. */
export const readReply = (response: object) => {
  const { action, content } = Object(Object(response).result)
  return { action: typeof action === 'string' ? action : 'error', confirmed: Object(content)[QUESTION] === true }
}
