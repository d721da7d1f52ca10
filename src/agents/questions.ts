import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { monotonicMs } from '../lib/time/clock.ts'
import { ToolError } from './api.ts'
import type { McpHandles } from './store.ts'

/** Time for the user to answer. */
export const ASK_MS = 600_000
const READ_EVERY_MS = 250
/** Each open question holds a connection. */
const OPEN_MAX = 8

type Reply = { readonly action: string; readonly confirmed: boolean }
type Question = { readonly nonce: string; readonly reply?: Reply }
export type Questions = ReturnType<typeof createQuestions>

type Deps = {
  readonly handles: Pick<McpHandles, 'change' | 'put' | 'read'>
  readonly now: () => number
  readonly closing: AbortSignal
  readonly askMs?: number
}

/**
 * Questions to clients of earlier revisions over HTTP. Such a client answers in a request of its own, which may reach another
 * process: the answer is stored, and the process that asked reads it there.
 */
export function createQuestions({ handles, now, closing, askMs = ASK_MS }: Deps) {
  const open = new Map<string, number>()

  async function read(accountId: string, handle: string, signal: AbortSignal): Promise<Reply | undefined> {
    const until = monotonicMs() + askMs
    while (!signal.aborted && !closing.aborted && monotonicMs() < until) {
      const question = await handles.read<Question>(accountId, 'ask', handle)
      if (question?.content.reply !== undefined) return question.content.reply
      await wait(READ_EVERY_MS)
    }
    return undefined
  }

  return {
    /** Calls `send` with the id of the question, and returns the user's answer; undefined if there is none in time. */
    async ask(
      accountId: string,
      call: { readonly sessionId: string; readonly requestId: unknown; readonly signal: AbortSignal },
      send: (id: string) => Promise<void>,
    ): Promise<Reply | undefined> {
      const before = open.get(accountId) ?? 0
      if (before >= OPEN_MAX)
        throw new ToolError('rate_limited', `The user already has ${before} open questions. Wait for an answer.`)
      open.set(accountId, before + 1)
      try {
        const handle = toHandle(call.sessionId, call.requestId)
        const nonce = randomBytes(12).toString('hex')
        await handles.put(accountId, handle, { content: { nonce } satisfies Question, expiresAt: now() + askMs })
        await send(`${handle}.${nonce}`)
        return await read(accountId, handle, call.signal)
      } finally {
        const left = (open.get(accountId) ?? 1) - 1
        if (left > 0) open.set(accountId, left)
        else open.delete(accountId)
      }
    },

    /** Ignores answers to questions that are not open. */
    answer(accountId: string, id: string, reply: Reply): Promise<void> {
      const [handle = '', nonce] = id.split('.')
      return handles.change<Question>(accountId, 'ask', handle, (question) =>
        question.nonce === nonce && question.reply === undefined ? { ...question, reply } : undefined,
      )
    },

    /** The client has given up this call, so a late answer must not book. */
    withdraw(accountId: string, sessionId: string, requestId: unknown): Promise<void> {
      const reply = { action: 'cancel', confirmed: false }
      return handles.change<Question>(accountId, 'ask', toHandle(sessionId, requestId), ({ nonce }) => ({
        nonce,
        reply,
      }))
    },
  }
}

const toHandle = (sessionId: string, requestId: unknown): string =>
  `ask_${createHash('sha256')
    .update(`${sessionId} ${JSON.stringify(requestId)}`)
    .digest('hex')
    .slice(0, 40)}`
