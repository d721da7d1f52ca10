import { Type } from 'typebox'
import { listOf } from './answer.ts'
import { ActorSchema } from './bookings.ts'
import { Moment, TextOrNull } from './scalars.ts'

export const AuditEntrySchema = Type.Object(
  {
    id: Type.String({ pattern: '^aud_' }),
    at: Moment,
    actor: ActorSchema,
    action: Type.String({ description: 'The operation of the API, or the command: `cli.accounts.disable`.' }),
    subject: Type.String({ description: 'What it was done to, as in the path or on the command line.' }),
    outcome: Type.Union([Type.String(), Type.Null()], {
      description: '`done`, or why it was not; null where the process ended before it was known.',
    }),
    request_id: TextOrNull,
  },
  { title: 'AuditEntry' },
)
export const AuditList = listOf('AuditList', AuditEntrySchema)
