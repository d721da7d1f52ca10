import { ACTOR_KINDS, type By } from '../domain/actor.ts'
import { AppError } from '../domain/errors.ts'
import type { Ids } from '../lib/crypto/ids.ts'
import type { Clock } from '../lib/time/clock.ts'
import { defineList } from '../lists/definition.ts'
import type { ListPage } from '../lists/meta.ts'
import type { ListPlan } from '../lists/plan.ts'
import { runOnSql } from '../lists/sql/run.ts'
import type { Charge } from '../lists/work.ts'
import { type AuditChanges, type AuditEntry, type AuditStore, toAuditEntry } from './store/audit-log.ts'

export const AUDIT_LIST = defineList({
  fields: {
    id: { type: 'string', filterable: true, nullable: false },
    at: { type: 'datetime', sortable: true, filterable: true, nullable: false },
    actor_kind: { type: 'enum', values: ACTOR_KINDS, filterable: true, nullable: false },
    actor_id: { type: 'string', sortable: true, filterable: true, nullable: false },
    action: { type: 'string', sortable: true, filterable: true, nullable: false },
    subject: { type: 'string', sortable: true, filterable: true, nullable: false },
    outcome: { type: 'string', filterable: true },
    reason: { type: 'string', filterable: true },
  },
  tiebreaker: 'id',
  defaultOrder: { orderBy: ['at'], orderDirections: ['desc'] },
})

type Action = {
  readonly by: By
  readonly action: string
  readonly subject: string
  readonly reason?: string | undefined
}

const TEXT_MAX = 200
export const REASON_MAX = 500
/** Paths are written by callers, and PostgreSQL rejects a NUL. */
const CONTROL = /\p{Cc}/gu
const sanitize = (text: string, max = TEXT_MAX) => text.replaceAll(CONTROL, '�').slice(0, max)

export type Audit = ReturnType<typeof createAudit>

/** Log of operator actions. An entry is written before the action, so that a crash cannot hide it. */
export function createAudit(deps: { readonly store: AuditStore; readonly clock: Clock; readonly ids: Ids }) {
  const { store, clock, ids } = deps

  async function begin({ by, action, subject, reason }: Action): Promise<string> {
    const id = ids.prefixed('aud')
    const why = reason === undefined ? undefined : sanitize(reason.trim(), REASON_MAX)
    await store.add({
      id,
      at: clock.now(),
      by,
      action,
      subject: sanitize(subject),
      outcome: undefined,
      reason: why,
      changes: undefined,
    })
    return id
  }
  const finish = (id: string, outcome: string, changes?: AuditChanges): Promise<void> =>
    store.finish(id, sanitize(outcome), changes)

  return {
    begin,
    finish,

    /** Runs the work and records its outcome; `describe` names the result, `done` by default. */
    async during<T>(
      action: Action,
      work: () => Promise<T>,
      describe: (result: T) => string = () => 'done',
    ): Promise<T> {
      const id = await begin(action)
      try {
        const result = await work()
        await finish(id, describe(result))
        return result
      } catch (error) {
        const outcome = error instanceof AppError ? `refused with ${error.code}` : 'failed'
        await finish(id, outcome).catch(() => undefined)
        throw error
      }
    },

    async list(plan: ListPlan, charge: Charge): Promise<ListPage<AuditEntry>> {
      const page = await runOnSql(plan, store.listing(), charge)
      return { ...page, data: page.data.map(toAuditEntry) }
    },
  }
}
