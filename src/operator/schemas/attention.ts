import { type Static, Type } from 'typebox'
import { Reason } from '../../accounts/schemas/audit.ts'
import { dataEnvelope, listEnvelope } from '../../http/schemas/answer.ts'
import { nullable } from '../../http/schemas/or-null.ts'
import { Count, Moment, TextOrNull } from '../../http/schemas/scalars.ts'
import { TASK_KINDS } from '../../store/tasks.ts'
import { ATTENTION_ACTIONS, ATTENTION_KINDS } from '../attention/attention.ts'

export const AttentionEntrySchema = Type.Object(
  {
    id: Type.String({ description: 'Stable for the same subject.' }),
    kind: Type.Enum([...ATTENTION_KINDS], { title: 'AttentionKind' }),
    since: Moment,
    title: Type.String(),
    what_happened: Type.String(),
    what_to_do: Type.String(),
    action: Type.Enum([...ATTENTION_ACTIONS], {
      title: 'AttentionAction',
      description: 'The recommended operation for this entry.',
    }),
    booking_id: TextOrNull,
    vendor_id: TextOrNull,
    account_id: TextOrNull,
    webhook_id: TextOrNull,
    mail_sequence: nullable(Type.Integer(), 'Sequence of the mail; negative for the operator.'),
  },
  { title: 'AttentionEntry' },
)
export const AttentionList = listEnvelope('AttentionList', AttentionEntrySchema)
export const AttentionResponse = dataEnvelope('AttentionAnswer', AttentionEntrySchema)

export const TaskCountSchema = Type.Object(
  {
    kind: Type.Enum([...TASK_KINDS], { title: 'TaskKind' }),
    overdue: { ...Count, description: 'Tasks that are due and not claimed by a process.' },
    overdue_since: nullable(Moment, 'When the oldest of them was due; null if none is overdue.'),
    failing: { ...Count, description: 'Tasks whose last attempt failed, due or not.' },
    failing_since: nullable(Moment, 'When the oldest of them was first due; null if none is failing.'),
  },
  { title: 'TaskCount' },
)
export const TaskCountsResponse = dataEnvelope('TaskCountsAnswer', Type.Array(TaskCountSchema))

export type ReasonBody = Static<typeof ReasonRequest>
export const ReasonRequest = Type.Object({ reason: Reason }, { title: 'ReasonRequest' })
