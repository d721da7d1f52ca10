import type { Static } from 'typebox'
import type { AuditEntry } from '../../store/audit-log.ts'
import type { AuditEntrySchema } from '../schemas/audit.ts'

export const presentAuditEntry = (entry: AuditEntry): Static<typeof AuditEntrySchema> => ({
  id: entry.id,
  at: new Date(entry.at).toISOString(),
  actor: { ...entry.by.actor },
  action: entry.action,
  subject: entry.subject,
  outcome: entry.outcome ?? null,
  reason: entry.reason ?? null,
  request_id: entry.by.requestId ?? null,
})
