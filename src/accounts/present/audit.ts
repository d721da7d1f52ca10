import type { Static } from 'typebox'
import { moment } from '../../http/present/moment.ts'
import type { AuditEntrySchema } from '../schemas/audit.ts'
import type { AuditEntry } from '../store/audit-log.ts'

export const presentAuditEntry = (entry: AuditEntry): Static<typeof AuditEntrySchema> => ({
  id: entry.id,
  at: moment(entry.at),
  actor: { ...entry.by.actor },
  action: entry.action,
  subject: entry.subject,
  outcome: entry.outcome ?? null,
  reason: entry.reason ?? null,
  request_id: entry.by.requestId ?? null,
})
