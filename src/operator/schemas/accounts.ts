import { Type } from 'typebox'
import { PASSWORD_LENGTH } from '../../accounts/passwords.ts'
import { BudgetRequest, KeySchema, SessionSchema } from '../../accounts/schemas/api-keys.ts'
import { Reason } from '../../accounts/schemas/audit.ts'
import { ROLES } from '../../domain/access.ts'
import { dataEnvelope, listEnvelope } from '../../http/schemas/answer.ts'
import { nullable, optionalOrNull } from '../../http/schemas/or-null.ts'
import { Count, Moment } from '../../http/schemas/scalars.ts'
import { WebhookSchema } from '../../webhooks/schemas.ts'

const Role = Type.Enum([...ROLES], {
  title: 'Role',
  description:
    '`client`: searches and books for itself. `viewer`: reads its bookings. `operator`: everything, including the operations under `/api/operator`.',
})
const SeeNet = Type.Boolean({ description: 'True if the account sees net prices.' })

const fields = {
  id: Type.String({ pattern: '^acc_' }),
  email: Type.String(),
  name: Type.String(),
  role: Role,
  see_net: SeeNet,
  one_time_codes: Type.Boolean({ description: 'True if signing in also requires a one-time code.' }),
  created_at: Moment,
  last_signed_in_at: nullable(Moment, 'Null if no sign-in has been recorded.'),
  disabled_at: nullable(Moment, 'Time since which sign-ins and API keys are refused.'),
  key_count: { ...Count, description: 'API keys that are not revoked.' },
  booking_count: { ...Count, description: 'Real bookings in any state.' },
}

export const OperatorAccountSchema = Type.Object(fields, { title: 'OperatorAccount' })
export const OperatorAccountList = listEnvelope('OperatorAccountList', OperatorAccountSchema)

/** The rest of the URL may contain secrets of the receiver. */
const AccountWebhook = Type.Object(
  {
    id: WebhookSchema.properties.id,
    origin: Type.String({ description: 'Scheme and host of the URL that receives the events.' }),
    events: WebhookSchema.properties.events,
    status: WebhookSchema.properties.status,
    created_at: Moment,
  },
  { title: 'OperatorAccountWebhook' },
)

export const AccountDetailsSchema = Type.Object(
  {
    ...fields,
    keys: Type.Array(KeySchema, { description: 'Keys that are not revoked, oldest first.' }),
    sessions: Type.Array(SessionSchema, { description: 'Open sessions, the newest 100.' }),
    webhooks: Type.Array(AccountWebhook, { description: 'Oldest first.' }),
  },
  { title: 'OperatorAccountDetail' },
)
export const AccountDetailsResponse = dataEnvelope('OperatorAccountAnswer', AccountDetailsSchema)

const OptionalPassword = optionalOrNull(
  Type.String({ minLength: PASSWORD_LENGTH.min, maxLength: PASSWORD_LENGTH.max }),
  'Generated and returned once if absent.',
)
const GeneratedPassword = nullable(
  Type.String(),
  'The generated password, shown only once; null if the request contained one.',
)

export const NewAccountRequest = Type.Object(
  {
    email: Type.String({ minLength: 3, maxLength: 254 }),
    name: optionalOrNull(Type.String({ maxLength: 100 }), 'Defaults to the part of the e-mail before the @.'),
    role: Type.Optional(nullable(Role, 'Defaults to `client`.')),
    password: OptionalPassword,
    reason: Reason,
  },
  { title: 'NewAccountRequest', additionalProperties: false },
)
export const NewAccountResponse = dataEnvelope(
  'NewAccountAnswer',
  Type.Object({ ...fields, password: GeneratedPassword }, { title: 'NewAccount' }),
)

export const ChangeAccountRequest = Type.Object(
  {
    role: Type.Optional(nullable(Role, 'Takes effect for its tokens and keys within a second.')),
    see_net: optionalOrNull(SeeNet),
    reason: Reason,
  },
  { title: 'ChangeAccountRequest', description: 'Absent fields are not changed.', additionalProperties: false },
)

export const PasswordRequest = Type.Object(
  { password: OptionalPassword, reason: Reason },
  { title: 'PasswordRequest', additionalProperties: false },
)
export const PasswordResponse = dataEnvelope(
  'NewPasswordAnswer',
  Type.Object({ password: GeneratedPassword }, { title: 'NewPassword' }),
)

export const BudgetChangeRequest = Type.Object(
  { budget: nullable(BudgetRequest, 'Null for no limit.'), reason: Reason },
  { title: 'BudgetChangeRequest', additionalProperties: false },
)

export const EndSessionsRequest = Type.Object(
  { session_id: optionalOrNull(Type.String({ maxLength: 100 }), 'All sessions if absent.'), reason: Reason },
  { title: 'EndSessionsRequest', additionalProperties: false },
)

export const AccountParams = Type.Object({ account_id: Type.String({ description: 'Id of the account.' }) })
export const AccountKeyParams = Type.Object({
  account_id: Type.String({ description: 'Id of the account.' }),
  key_id: Type.String({ description: 'Id of one of its keys.' }),
})
