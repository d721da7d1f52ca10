import { AppError } from '../domain/app-error.ts'
import { defineList } from '../lists/definition.ts'
import type { ListPage } from '../lists/meta.ts'
import type { ListPlan } from '../lists/plan.ts'
import { runInMemory } from '../lists/run-in-memory.ts'
import { type Session, sessionIdOf } from '../store/tokens.ts'
import type { Tokens } from './tokens.ts'

export const SESSION_LIST = defineList({
  fields: {
    id: { type: 'string', filterable: true, nullable: false },
    created_at: { type: 'datetime', sortable: true, filterable: true, nullable: false },
    expires_at: { type: 'datetime', sortable: true, filterable: true, nullable: false },
  },
  tiebreaker: 'id',
  defaultOrder: { orderBy: ['created_at'], orderDirections: ['desc'] },
})

export type OpenSession = Session & { readonly isCurrent: boolean }

export type OpenSessions = ReturnType<typeof createOpenSessions>

/** With which tokens somebody is signed in to an account. */
export function createOpenSessions(tokens: Pick<Tokens, 'sessions' | 'endSession'>) {
  return {
    async list(accountId: string, tokenHash: string, plan: ListPlan): Promise<ListPage<OpenSession>> {
      const current = sessionIdOf(tokenHash)
      const all = (await tokens.sessions(accountId)).map((one) => ({ ...one, isCurrent: one.id === current }))
      return runInMemory(plan, all, fieldOf)
    },

    async end(accountId: string, id: string): Promise<void> {
      if (!(await tokens.endSession(accountId, id)))
        throw new AppError('session_not_found', 'There is no such session; use the id of one of yours.')
    },
  }
}

function fieldOf(session: Session, field: string): string {
  if (field === 'id') return session.id
  return new Date(field === 'created_at' ? session.createdAt : session.expiresAt).toISOString()
}
