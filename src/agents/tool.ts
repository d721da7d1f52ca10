import type { TSchema } from 'typebox'
import type { Scope } from '../domain/access.ts'
import type { Agent } from './api.ts'
import type { McpHandles } from './store.ts'

/** Asks the user if the client supports it. */
export type AskPerson = (question: string, subject: string) => Promise<'agreed' | 'declined' | 'not_asked'>

export type ToolDeps = {
  readonly handles: McpHandles
  /** Id of the booking made from a prepared one, if it was sent. */
  findBookingId(accountId: string, preparedId: string): Promise<string | undefined>
  sleep(ms: number): Promise<void>
  /** Address of the page. */
  readonly publicUrl: string
}

export type ToolCall = ToolDeps & { readonly agent: Agent; readonly askPerson: AskPerson }

export type Tool = {
  readonly name: string
  readonly title: string
  /** Contains no text of vendors: it is the same for every caller. */
  readonly description: string
  /** A key needs all of these to see the tool. The API enforces the scope of each operation. */
  readonly scopes: readonly Scope[]
  readonly input: TSchema
  readonly output: TSchema
  /** `moves`: money may move. `idempotent`: repeating the call changes nothing. */
  readonly effect: { readonly moves: boolean; readonly idempotent: boolean; readonly readsOnly: boolean }
  /** Message if it is unknown whether money moved: how to find out. Absent if the tool moves none. */
  readonly doubt?: string
  run(args: never, call: ToolCall): Promise<Readonly<Record<string, unknown>>>
}

export const READS = { moves: false, idempotent: true, readsOnly: true }
