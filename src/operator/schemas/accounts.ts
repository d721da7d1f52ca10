import { Type } from 'typebox'
import { PASSWORD_LENGTH } from '../../accounts/passwords.ts'
import { BudgetRequest, KeySchema, SessionSchema } from '../../accounts/schemas/api-keys.ts'
import { Reason } from '../../accounts/schemas/audit.ts'
import { ROLES } from '../../domain/access.ts'
import { dataOf, listOf } from '../../http/schemas/answer.ts'
import { nullable, orNull } from '../../http/schemas/or-null.ts'
import { Count, Moment } from '../../http/schemas/scalars.ts'
import { WebhookSchema } from '../../webhooks/schemas.ts'

const Role = Type.Enum([...ROLES], {
  title: 'Role',
  description:
    '`client`: searches and books for itself. `viewer`: reads its bookings. `operator`: everything, and the operations under `/api/operator`.',
})
const SeeNet = Type.Boolean({ description: 'Whether net prices are shown to it.' })

const fields = {
  id: Type.String({ pattern: '^acc_' }),
  email: Type.String(),
  name: Type.String(),
  role: Role,
  see_net: SeeNet,
  one_time_codes: Type.Boolean({ description: 'Whether signing in needs a one-time code beside the password.' }),
  created_at: Moment,
  last_signed_in_at: nullable(Moment, 'Null where nobody has signed in since sign-ins are recorded.'),
  disabled_at: nullable(Moment, 'Since when nobody can sign in to it and its keys do not count.'),
  key_count: { ...Count, description: 'API keys that are not revoked.' },
  booking_count: { ...Count, description: 'Real bookings, in whatever state.' },
}

export const OperatorAccountSchema = Type.Object(fields, { title: 'OperatorAccount' })
export const OperatorAccountList = listOf('OperatorAccountList', OperatorAccountSchema)

/** The rest of the address may hold what only the receiver should know. */
const AccountWebhook = Type.Object(
  {
    id: WebhookSchema.properties.id,
    origin: Type.String({ description: 'Scheme and host of the address that events are sent to.' }),
    events: WebhookSchema.properties.events,
    status: WebhookSchema.properties.status,
    created_at: Moment,
  },
  { title: 'OperatorAccountWebhook' },
)

export const WholeAccountSchema = Type.Object(
  {
    ...fields,
    keys: Type.Array(KeySchema, { description: 'Those that are not revoked, the oldest first.' }),
    sessions: Type.Array(SessionSchema, { description: 'Where somebody is signed in; the newest 100.' }),
    webhooks: Type.Array(AccountWebhook, { description: 'Where its events are sent, the oldest first.' }),
  },
  { title: 'OperatorAccountDetail' },
)
export const WholeAccountResponse = dataOf('OperatorAccountAnswer', WholeAccountSchema)

const PasswordOrNone = orNull(
  Type.String({ minLength: PASSWORD_LENGTH.min, maxLength: PASSWORD_LENGTH.max }),
  'When absent, one is made and returned this once.',
)
const MadePassword = nullable(
  Type.String(),
  'The password that was made, shown this once; null where the request named one.',
)

export const NewAccountRequest = Type.Object(
  {
    email: Type.String({ minLength: 3, maxLength: 254 }),
    name: orNull(Type.String({ maxLength: 100 }), 'The part of the e-mail before the @ when absent.'),
    role: Type.Optional(nullable(Role, '`client` when absent.')),
    password: PasswordOrNone,
    reason: Reason,
  },
  { title: 'NewAccountRequest', additionalProperties: false },
)
export const NewAccountResponse = dataOf(
  'NewAccountAnswer',
  Type.Object({ ...fields, password: MadePassword }, { title: 'NewAccount' }),
)

export const ChangeAccountRequest = Type.Object(
  {
    role: Type.Optional(nullable(Role, 'Holds for its tokens and keys within a second.')),
    see_net: orNull(SeeNet),
    reason: Reason,
  },
  { title: 'ChangeAccountRequest', description: 'What is absent stays as it is.', additionalProperties: false },
)

export const PasswordRequest = Type.Object(
  { password: PasswordOrNone, reason: Reason },
  { title: 'PasswordRequest', additionalProperties: false },
)
export const PasswordResponse = dataOf(
  'NewPasswordAnswer',
  Type.Object({ password: MadePassword }, { title: 'NewPassword' }),
)

export const BudgetChangeRequest = Type.Object(
  {
    budget: nullable(BudgetRequest, 'Null: bookings have no limit.'),
    reason: Reason,
  },
  { title: 'BudgetChangeRequest', additionalProperties: false },
)

export const EndSessionsRequest = Type.Object(
  { session_id: orNull(Type.String({ maxLength: 100 }), 'Only this one; all of them when absent.'), reason: Reason },
  { title: 'EndSessionsRequest', additionalProperties: false },
)

export const AccountParams = Type.Object({ account_id: Type.String({ description: 'Of the account.' }) })
export const AccountKeyParams = Type.Object({
  account_id: Type.String({ description: 'Of the account.' }),
  key_id: Type.String({ description: 'Of one of its keys.' }),
})
