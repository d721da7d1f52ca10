import type { Static } from 'typebox'
import { moment } from '../../http/present/moment.ts'
import type { AuditEntrySchema } from '../schemas/audit.ts'
import type { AuditEntry } from '../store/audit-log.ts'

/** `names`: names of accounts, keys, bookings and properties by id. */
export const presentAuditEntry = (
  entry: AuditEntry,
  names: ReadonlyMap<string, string>,
): Static<typeof AuditEntrySchema> => ({
  id: entry.id,
  at: moment(entry.at),
  actor: { ...entry.by.actor },
  actor_name: names.get(entry.by.actor.id) ?? null,
  action: entry.action,
  subject: entry.subject,
  objects: entry.subject
    .split(' ')
    .filter((id) => names.has(id))
    .map((id) => ({ id, name: names.get(id) ?? '' })),
  changes: Object.entries(entry.changes ?? {}).map(([field, [before, after]]) => ({
    field,
    before: JSON.stringify(before),
    after: JSON.stringify(after),
  })),
  outcome: entry.outcome ?? null,
  reason: entry.reason ?? null,
  request_id: entry.by.requestId ?? null,
})
