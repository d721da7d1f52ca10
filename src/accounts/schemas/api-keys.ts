import { Type } from 'typebox'
import { KEY_MODES, SCOPES } from '../../domain/access.ts'
import { BUDGET_PERIODS } from '../../domain/money/budget.ts'
import { dataEnvelope, listEnvelope } from '../../http/schemas/answer.ts'
import { nullable, optionalOrNull } from '../../http/schemas/or-null.ts'
import { Amount, Currency, Moment } from '../../http/schemas/scalars.ts'
import { SESSION_KINDS } from '../open-sessions.ts'
import { Reason } from './audit.ts'

const PER_MINUTE_MAX = 100_000

const ScopeSchema = Type.Enum([...SCOPES], {
  // Without a type, the validator checks `uniqueItems` in quadratic time.
  type: 'string',
  title: 'Scope',
  description:
    '`search`: find properties and check prices. `book`: book and change bookings. `cancel`: cancel. `read`: read bookings. `admin`: manage webhooks, and with the role `operator` the service.',
})
const KeyModeSchema = Type.Enum([...KEY_MODES], {
  title: 'KeyMode',
  description: 'With a `test` key everything is simulated, and only simulated bookings can be seen.',
})
const PeriodSchema = Type.Enum([...BUDGET_PERIODS], { title: 'BudgetPeriod', description: 'A calendar period in UTC.' })

const BudgetCurrency = Type.String({
  ...Currency,
  'x-errors': { pattern: { message: '{field} must be an ISO 4217 code in capitals, such as EUR.' } },
})

export const BudgetRequest = Type.Object(
  { amount: Amount, currency: BudgetCurrency, per: PeriodSchema },
  { title: 'BudgetRequest', description: 'Maximum total of bookings with the key.' },
)

export const BudgetSchema = Type.Object(
  {
    amount: Amount,
    currency: Currency,
    per: PeriodSchema,
    left: nullable(Amount, 'Null if a booking was made in a currency without an exchange rate.'),
    renews_at: Moment,
  },
  { title: 'Budget', description: 'Maximum total of bookings with a key, and the remainder.' },
)

const Scopes = (description: string) =>
  Type.Array(ScopeSchema, { minItems: 1, maxItems: SCOPES.length, uniqueItems: true, description })
const description = 'Your own note about the purpose of the key.'
const Name = Type.String({ minLength: 1, maxLength: 100, description })
const NameRequest = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description,
  'x-errors': { pattern: { message: '{field} must not be blank.' } },
})
const PerMinute = Type.Integer({ minimum: 1, maximum: PER_MINUTE_MAX })

const keyFields = {
  name: NameRequest,
  mode: KeyModeSchema,
  scopes: Scopes('Permitted operations, at most those that the role of the account permits.'),
  per_minute: optionalOrNull(
    PerMinute,
    'Rate limit of the key in units per minute, within that of the account. If absent, only the limit of the account applies.',
  ),
  budget: Type.Optional(nullable(BudgetRequest, 'If absent, bookings have no limit.')),
}

export const KeyRequest = Type.Object(keyFields, { title: 'KeyRequest' })
export const OperatorKeyRequest = Type.Object({ ...keyFields, reason: Reason }, { title: 'OperatorKeyRequest' })

const fields = {
  id: Type.String({ pattern: '^key_' }),
  hint: Type.String({ description: 'Prefix and last characters of the key.' }),
  name: Name,
  mode: KeyModeSchema,
  scopes: Scopes('Permitted operations.'),
  per_minute: nullable(PerMinute),
  budget: nullable(BudgetSchema),
  created_at: Moment,
  last_used_at: nullable(Moment, 'Accurate to five minutes.'),
}

export const KeySchema = Type.Object(fields, { title: 'ApiKey' })
export const KeyList = listEnvelope('ApiKeyList', KeySchema)

const KeyWithSecret = Type.Object(
  { ...fields, key: Type.String({ pattern: '^srk_(live|test)_', description: 'Shown once. Send it like a token.' }) },
  { title: 'NewApiKey' },
)
export const KeyResponse = dataEnvelope('ApiKeyAnswer', KeySchema)
export const NewKeyResponse = dataEnvelope('NewApiKeyAnswer', KeyWithSecret)

export const SessionSchema = Type.Object(
  {
    id: Type.String({ pattern: '^ses_' }),
    kind: Type.Enum([...SESSION_KINDS], { description: '`token`: a program. `page`: a browser.' }),
    created_at: Moment,
    expires_at: Moment,
    current: Type.Boolean({ description: 'True for the session of this request.' }),
  },
  { title: 'Session' },
)
export const SessionList = listEnvelope('SessionList', SessionSchema)

export const ACCOUNT_PROBLEM_MEMBERS = { budget: Type.Optional(BudgetSchema) }
