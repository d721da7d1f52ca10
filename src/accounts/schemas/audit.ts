import { Type } from 'typebox'
import { ActorSchema } from '../../http/schemas/actor.ts'
import { listOf } from '../../http/schemas/answer.ts'
import { nullable } from '../../http/schemas/or-null.ts'
import { Moment, TextOrNull } from '../../http/schemas/scalars.ts'
import { REASON_MAX } from '../audit.ts'

export const AuditEntrySchema = Type.Object(
  {
    id: Type.String({ pattern: '^aud_' }),
    at: Moment,
    actor: ActorSchema,
    action: Type.String({ description: 'The operation of the API, or the command: `cli.accounts.disable`.' }),
    subject: Type.String({ description: 'What it was done to, as in the path or on the command line.' }),
    outcome: nullable(
      Type.String(),
      '`done`, with the id of what was created, or why it was not; null where the process ended before it was known.',
    ),
    reason: nullable(Type.String(), 'As the operator gave it; null where the operation asks for none.'),
    request_id: TextOrNull,
  },
  { title: 'AuditEntry' },
)
export const AuditList = listOf('AuditList', AuditEntrySchema)

/** What operators are asked for with an action that somebody may want explained later. */
export const Reason = Type.String({
  minLength: 1,
  maxLength: REASON_MAX,
  // Something to read, and no control characters but those of a text.
  pattern: '^(?=[\\s\\S]*\\S)(?:[\\n\\r\\t]|[^\\u0000-\\u001f\\u007f-\\u009f])*$',
  description: 'Why it is done. Kept in the audit log; no personal data of guests, please.',
  'x-errors': { pattern: { message: '{field} must say why.' } },
})
