import type { By } from '../../domain/actor.ts'
import type { Database } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'

/** Something that an operator has done. */
export type AuditEntry = {
  readonly id: string
  readonly at: number
  readonly by: By
  /** The operation of the API, or the command. */
  readonly action: string
  /** What it was done to: an id or an e-mail of an account. */
  readonly subject: string
  /** `done` or why it was refused; undefined while that is not known. */
  readonly outcome: string | undefined
  /** As the operator gave it; undefined where none was asked for. */
  readonly reason: string | undefined
}

export type AuditStore = ReturnType<typeof createAuditStore>

/** Entries are added and never changed, but for how the action ended. */
export function createAuditStore(database: Database) {
  return {
    async add(entry: AuditEntry): Promise<void> {
      await database.write((tx) => tx.insertInto('audit_log').values(toRow(entry)).execute())
    },

    async finish(id: string, outcome: string): Promise<void> {
      await database.write((tx) => tx.updateTable('audit_log').set({ outcome }).where('id', '=', id).execute())
    },

    /** A query for all entries, to be ordered and paged by the caller. */
    listing: () => ({ dialect: database.dialect, query: database.read.selectFrom('audit_log').selectAll() }),
  }
}

const toRow = ({ id, at, by, action, subject, outcome, reason }: AuditEntry): Tables['audit_log'] => ({
  id,
  at,
  actor_kind: by.actor.kind,
  actor_id: by.actor.id,
  action,
  subject,
  request_id: by.requestId ?? null,
  outcome: outcome ?? null,
  reason: reason ?? null,
})

export const fromRow = (row: Tables['audit_log']): AuditEntry => ({
  id: row.id,
  at: row.at,
  by: {
    actor: { kind: row.actor_kind, id: row.actor_id },
    ...(row.request_id === null ? {} : { requestId: row.request_id }),
  },
  action: row.action,
  subject: row.subject,
  outcome: row.outcome ?? undefined,
  reason: row.reason ?? undefined,
})
