import type { TSchema } from 'typebox'
import type { Scope } from '../domain/access.ts'
import type { Agent } from './api.ts'
import type { McpHandles } from './store.ts'

/** Asks the person through the client, where it can. */
export type AskPerson = (question: string, subject: string) => Promise<'agreed' | 'declined' | 'not_asked'>

export type ToolDeps = {
  readonly handles: McpHandles
  /** The booking that a prepared one has become, if it was sent. */
  bookingIdOf(accountId: string, preparedId: string): Promise<string | undefined>
  /** Waits; the tests need not. */
  sleep(ms: number): Promise<void>
}

export type ToolCall = ToolDeps & { readonly agent: Agent; readonly askPerson: AskPerson }

export type Tool = {
  readonly name: string
  readonly title: string
  /** Never holds a word of a vendor: it is the same for every caller. */
  readonly description: string
  /** A key needs all of them to see the tool. The API enforces the scope of each operation that a tool calls. */
  readonly scopes: readonly Scope[]
  readonly input: TSchema
  readonly output: TSchema
  /** `moves`: money may move. `idempotent`: calling it again with the same arguments changes nothing more. */
  readonly effect: { readonly moves: boolean; readonly idempotent: boolean; readonly readsOnly: boolean }
  /** Message of a failure after which it is not known whether money moved: how to find out. Absent if the tool moves none. */
  readonly doubt?: string
  run(args: never, call: ToolCall): Promise<Readonly<Record<string, unknown>>>
}

export const READS = { moves: false, idempotent: true, readsOnly: true }
