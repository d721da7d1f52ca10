import { Type } from 'typebox'
import { ActorSchema } from '../../http/schemas/actor.ts'
import { listEnvelope } from '../../http/schemas/answer.ts'
import { nullable } from '../../http/schemas/or-null.ts'
import { Moment, TextOrNull } from '../../http/schemas/scalars.ts'
import { REASON_MAX } from '../audit.ts'

export const AuditEntrySchema = Type.Object(
  {
    id: Type.String({ pattern: '^aud_' }),
    at: Moment,
    actor: ActorSchema,
    actor_name: nullable(Type.String(), 'E-mail of the account or name of the key; null if it does not exist.'),
    action: Type.String({ description: 'The API operation, or the command such as `cli.accounts.disable`.' }),
    subject: Type.String({ description: 'Subject of the action, as in the path or on the command line.' }),
    objects: Type.Array(
      Type.Object(
        { id: Type.String(), name: Type.String({ description: 'E-mail, reference or name.' }) },
        { title: 'AuditObject' },
      ),
      { description: 'Accounts, keys, bookings and properties of the subject.' },
    ),
    changes: Type.Array(
      Type.Object(
        {
          field: Type.String(),
          before: Type.String({ description: 'As JSON.' }),
          after: Type.String({ description: 'As JSON.' }),
        },
        { title: 'AuditChange' },
      ),
      { description: 'Changed fields; empty if the operation does not report them.' },
    ),
    outcome: nullable(
      Type.String(),
      '`done`, with the id of a created object, or the reason of a failure; null if the process ended before that.',
    ),
    reason: nullable(Type.String(), 'Reason given by the operator; null if the operation does not require one.'),
    request_id: TextOrNull,
  },
  { title: 'AuditEntry' },
)
export const AuditList = listEnvelope('AuditList', AuditEntrySchema)

export const Reason = Type.String({
  minLength: 1,
  maxLength: REASON_MAX,
  // Not blank, and no control characters except line breaks and tabs.
  pattern: '^(?=[\\s\\S]*\\S)(?:[\\n\\r\\t]|[^\\u0000-\\u001f\\u007f-\\u009f])*$',
  description: 'Reason of the action. It is kept in the audit log, so do not include personal data of guests.',
  'x-errors': { pattern: { message: '{field} must not be blank or contain control characters.' } },
})
