import { AppError } from '../domain/errors.ts'
import type { Clock } from '../lib/time/clock.ts'
import { defineList } from '../lists/definition.ts'
import type { ListPage } from '../lists/meta.ts'
import type { ListPlan } from '../lists/plan.ts'
import { runInMemory } from '../lists/run-in-memory.ts'
import type { PageSessions } from './page-sessions.ts'
import type { PageSessionStore } from './store/page-sessions.ts'
import { isSessionId, type Session, toSessionId } from './store/tokens.ts'
import { SESSIONS_MAX } from './tokens.ts'

/** `token`: a program. `page`: a browser. */
export const SESSION_KINDS = ['token', 'page'] as const
type Kind = (typeof SESSION_KINDS)[number]

export const SESSION_LIST = defineList({
  fields: {
    id: { type: 'string', filterable: true, nullable: false },
    kind: { type: 'enum', values: SESSION_KINDS, sortable: true, filterable: true, nullable: false },
    created_at: { type: 'datetime', sortable: true, filterable: true, nullable: false },
    expires_at: { type: 'datetime', sortable: true, filterable: true, nullable: false },
  },
  tiebreaker: 'id',
  defaultOrder: { orderBy: ['created_at'], orderDirections: ['desc'] },
})

export type OpenSession = Session & { readonly kind: Kind; readonly isCurrent: boolean }

type Source = {
  sessions(accountId: string): Promise<Session[]>
  endSession(accountId: string, id: string): Promise<boolean>
}

export type OpenSessions = ReturnType<typeof createOpenSessions>

/** Browser sessions. */
export const pageSource = (store: PageSessionStore, pages: Pick<PageSessions, 'end'>, clock: Clock): Source => ({
  sessions: (accountId) => store.sessions(accountId, clock.now(), SESSIONS_MAX),
  async endSession(accountId, id) {
    const hash = isSessionId(id) ? await store.endSession(accountId, id) : undefined
    // Also ends the session cached in this process.
    if (hash !== undefined) await pages.end(hash)
    return hash !== undefined
  },
})

export function createOpenSessions(sources: Readonly<Record<Kind, Source>>) {
  async function all(accountId: string, current: string): Promise<OpenSession[]> {
    const lists = SESSION_KINDS.map(async (kind) =>
      (await sources[kind].sessions(accountId)).map((open) => ({ ...open, kind, isCurrent: open.id === current })),
    )
    return (await Promise.all(lists)).flat()
  }

  return {
    async list(accountId: string, tokenHash: string, plan: ListPlan): Promise<ListPage<OpenSession>> {
      return runInMemory(plan, await all(accountId, toSessionId(tokenHash)), readField)
    },

    /** Newest first. */
    newest: async (accountId: string, limit: number): Promise<OpenSession[]> =>
      (await all(accountId, '')).toSorted((a, b) => b.createdAt - a.createdAt).slice(0, limit),

    async end(accountId: string, id: string): Promise<void> {
      const ended = await Promise.all(SESSION_KINDS.map((kind) => sources[kind].endSession(accountId, id)))
      if (!ended.includes(true))
        throw new AppError('session_not_found', 'There is no such session. Use the id of one of your sessions.')
    },
  }
}

function readField(session: OpenSession, field: string): string {
  if (field === 'id' || field === 'kind') return session[field]
  return new Date(field === 'created_at' ? session.createdAt : session.expiresAt).toISOString()
}
