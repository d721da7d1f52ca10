import type { By } from '../../domain/actor.ts'
import type { Database } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'

/** Values before and after an action, by field. */
export type AuditChanges = Readonly<Record<string, readonly [before: unknown, after: unknown]>>

/** An action of an operator. */
export type AuditEntry = {
  readonly id: string
  readonly at: number
  readonly by: By
  /** API operation or command. */
  readonly action: string
  /** Id, or e-mail of an account. */
  readonly subject: string
  /** `done` or the reason of a refusal; undefined until known. */
  readonly outcome: string | undefined
  /** Undefined if the operation does not require one. */
  readonly reason: string | undefined
  /** Undefined if the operation does not report them. */
  readonly changes: AuditChanges | undefined
}

export type AuditStore = ReturnType<typeof createAuditStore>

/** Entries are append-only except for the outcome. */
export function createAuditStore(database: Database) {
  return {
    async add(entry: AuditEntry): Promise<void> {
      await database.write((tx) => tx.insertInto('audit_log').values(toRow(entry)).execute())
    },

    async finish(id: string, outcome: string, changes?: AuditChanges): Promise<void> {
      const result = { outcome, changes: changes === undefined ? null : JSON.stringify(changes) }
      await database.write((tx) => tx.updateTable('audit_log').set(result).where('id', '=', id).execute())
    },

    /** Query for all entries; the caller adds order and paging. */
    listing: () => ({ dialect: database.dialect, query: database.read.selectFrom('audit_log').selectAll() }),
  }
}

const toRow = ({ id, at, by, action, subject, outcome, reason, changes }: AuditEntry): Tables['audit_log'] => ({
  id,
  at,
  actor_kind: by.actor.kind,
  actor_id: by.actor.id,
  action,
  subject,
  request_id: by.requestId ?? null,
  outcome: outcome ?? null,
  reason: reason ?? null,
  changes: changes === undefined ? null : JSON.stringify(changes),
})

export const toAuditEntry = (row: Tables['audit_log']): AuditEntry => ({
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
  changes: row.changes === null ? undefined : JSON.parse(row.changes),
})
