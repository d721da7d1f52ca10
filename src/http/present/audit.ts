import type { Static } from 'typebox'
import type { AuditEntry } from '../../store/audit-log.ts'
import type { AuditEntrySchema } from '../schemas/audit.ts'
import { moment } from './moment.ts'

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
