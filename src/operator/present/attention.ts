import type { Static } from 'typebox'
import { moment, momentOrNull } from '../../http/present/moment.ts'
import type { OverdueTasks } from '../../store/tasks.ts'
import type { AttentionEntry } from '../attention/attention.ts'
import type { AttentionEntrySchema, TaskCountSchema } from '../schemas/attention.ts'

export const presentAttention = (entry: AttentionEntry): Static<typeof AttentionEntrySchema> => ({
  id: entry.id,
  kind: entry.kind,
  since: moment(entry.since),
  title: entry.title,
  what_happened: entry.whatHappened,
  what_to_do: entry.whatToDo,
  action: entry.action,
  booking_id: entry.bookingId ?? null,
  vendor_id: entry.vendorId ?? null,
  account_id: entry.accountId ?? null,
  webhook_id: entry.webhookId ?? null,
  mail_sequence: entry.mailSequence ?? null,
})

export const presentTaskCount = (count: OverdueTasks): Static<typeof TaskCountSchema> => ({
  kind: count.kind,
  overdue: count.overdue,
  overdue_since: momentOrNull(count.overdueSince),
  failing: count.failing,
  failing_since: momentOrNull(count.failingSince),
})
