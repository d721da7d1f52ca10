import { type Static, type TSchema, Type } from 'typebox'
import { Reason } from '../accounts/schemas/audit.ts'
import { ActorOrNull } from '../http/schemas/actor.ts'
import { dataEnvelope } from '../http/schemas/answer.ts'
import { nullable, optionalOrNull } from '../http/schemas/or-null.ts'
import { Amount, Count, Currency, Moment } from '../http/schemas/scalars.ts'

const currency = Type.String({ format: 'currency', description: 'ISO 4217.' })
const MoneySchema = Type.Object(
  { amount: Type.Number({ minimum: 0, maximum: 1_000_000 }), currency },
  { title: 'RuleAmount', additionalProperties: false },
)
const ids = (description: string) =>
  optionalOrNull(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 1_000, description }),
  )
const span = <S extends TSchema & { readonly type: string }>(schema: S, title: string, description: string) =>
  optionalOrNull(
    Type.Object(
      { from: optionalOrNull(schema), to: optionalOrNull(schema) },
      { title, description, additionalProperties: false },
    ),
  )
const days = Type.Integer({ minimum: 0, maximum: 1_000 })

const RuleMatchSchema = Type.Object(
  {
    account: ids('Ids of accounts.'),
    vendor: ids('Ids of vendors.'),
    country: ids('Two-letter country codes of the searched destination.'),
    location: ids('Ids of the searched destination.'),
    property: ids('Ids of properties.'),
    stars: span(Type.Number({ minimum: 0, maximum: 5 }), 'StarsSpan', 'Stars of the property.'),
    check_in: span(Type.String({ format: 'date' }), 'CheckInSpan', 'Arrival dates.'),
    lead_days: span(days, 'LeadDaysSpan', 'Days from the search to the arrival.'),
    nights: span(days, 'NightsSpan', 'Nights of the stay.'),
  },
  {
    title: 'SellingRuleMatch',
    description: 'Conditions of the rule. All that are given must hold.',
    additionalProperties: false,
  },
)

export const RuleSchema = Type.Object(
  {
    priority: Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'The lowest number is evaluated first.' }),
    match: optionalOrNull(RuleMatchSchema),
    percent: optionalOrNull(Type.Number({ minimum: 0, maximum: 500, description: 'Percentage of the net price.' })),
    per_night: optionalOrNull(MoneySchema),
    per_stay: optionalOrNull(MoneySchema),
    rounding: optionalOrNull(
      Type.Object(
        {
          step: Type.Number({ exclusiveMinimum: 0, maximum: 10_000, description: 'In major units: 1, 0.5, 5 …' }),
          mode: Type.Enum(['up', 'down', 'nearest']),
          minus: optionalOrNull(Type.Number({ minimum: 0, maximum: 10_000, description: '0.01 makes 99 cents.' })),
        },
        { title: 'SellingRounding', additionalProperties: false },
      ),
    ),
    cancel_buffer_hours: optionalOrNull(
      Type.Integer({ minimum: 0, maximum: 720, description: 'Free cancellation ends this many hours earlier.' }),
    ),
  },
  {
    title: 'SellingRule',
    description: '`per_night` is added for each night of each room, `per_stay` once.',
    additionalProperties: false,
  },
)

export const RulesRequest = Type.Object(
  {
    rules: Type.Array(RuleSchema, { maxItems: 1_000, description: 'All rules. They replace the previous ones.' }),
    based_on: optionalOrNull(
      Type.Integer({ minimum: 0 }),
      'Version that the rules were edited from. If a newer version exists, the request fails with `rules_changed`.',
    ),
    reason: Type.Optional(nullable(Reason, 'Reason, stored in the audit log.')),
  },
  { title: 'SellingRulesRequest', additionalProperties: false },
)

const RuleVersionSchema = Type.Object(
  { version: Count, changed_at: Moment, changed_by: ActorOrNull },
  { title: 'SellingRulesVersion' },
)

export const RulesResponse = dataEnvelope(
  'SellingRulesAnswer',
  Type.Object(
    {
      version: Type.Integer({ minimum: 0, description: '0 if there are no rules.' }),
      rules: Type.Array(RuleSchema, { description: 'In the order in which they are tried.' }),
      exchange_margin_percent: Type.Number({ description: 'SERAI_EXCHANGE_MARGIN_PERCENT.' }),
      versions: Type.Array(RuleVersionSchema, { description: 'The latest changes, newest first.' }),
    },
    { title: 'SellingRules' },
  ),
)

export const OneVersionResponse = dataEnvelope(
  'SellingRulesVersionAnswer',
  Type.Object(
    {
      version: Count,
      changed_at: Moment,
      changed_by: ActorOrNull,
      rules: Type.Array(RuleSchema, { description: 'In the order in which they are tried.' }),
    },
    { title: 'SellingRulesOfVersion' },
  ),
)
export const VersionParams = Type.Object({
  version: Type.String({ pattern: '^[1-9][0-9]{0,8}$', description: 'A whole number, from 1.' }),
})

export type TryBody = Static<typeof TryRequest>
export const TryRequest = Type.Object(
  {
    account_id: optionalOrNull(Type.String({ maxLength: 100 })),
    vendor_id: Type.String({ minLength: 1, maxLength: 100 }),
    property_id: optionalOrNull(Type.String({ maxLength: 100 })),
    stars: optionalOrNull(Type.Number({ minimum: 0, maximum: 5 })),
    country_code: optionalOrNull(Type.String({ format: 'country-code' })),
    destination_id: optionalOrNull(Type.String({ maxLength: 100 })),
    asked_on: optionalOrNull(Type.String({ format: 'date', description: 'The day of the search; defaults to today.' })),
    check_in: Type.String({ format: 'date' }),
    check_out: Type.String({ format: 'date' }),
    rooms: optionalOrNull(Type.Integer({ minimum: 1, maximum: 8 })),
    net: MoneySchema,
    currency: optionalOrNull({ ...currency, description: 'Requested currency; defaults to the vendor’s.' }),
    bounds: optionalOrNull(
      Type.Object(
        { min: optionalOrNull(Amount), max: optionalOrNull(Amount), fixed: optionalOrNull(Amount) },
        { title: 'TrialBounds', description: 'The vendor’s limits, in its currency.' },
      ),
    ),
    rules: optionalOrNull(
      Type.Array(RuleSchema, { maxItems: 1_000, description: 'Rules to try without storing them.' }),
    ),
  },
  { title: 'SellingTrialRequest' },
)

const Part = (description: string) => Type.Number({ description })
const sumFields = {
  version: Count,
  rule: nullable(RuleSchema, 'The rule that matched; null if none did.'),
  currency: Currency,
  net: Amount,
  exchange: Part('The margin for the exchange rate.'),
  percent: Part('The rule’s share of both.'),
  per_night: Part('For all nights and rooms.'),
  per_stay: Part('For the stay.'),
  rounding: Part('Amount added or removed by rounding.'),
  bounds: Part('Amount added or removed by limits: the vendor’s, and that nothing is sold below net.'),
  selling: { ...Amount, description: 'The sum of all parts.' },
}
export const TryResponse = dataEnvelope('SellingTrialAnswer', Type.Object(sumFields, { title: 'SellingTrial' }))

export const BookingSaleResponse = dataEnvelope(
  'BookingSaleAnswer',
  Type.Object(
    {
      booking_id: Type.String(),
      simulated: Type.Boolean(),
      trial: TryRequest,
      sold: Type.Object(
        {
          ...sumFields,
          bounds: Part('Amount added or removed by limits, and by changes of exchange rates since.'),
        },
        { title: 'BookingSaleSum' },
      ),
    },
    {
      title: 'BookingSale',
      description:
        '`trial` is the offer as it can be tried with other rules. It has no destination, which is not stored with a booking.',
    },
  ),
)

export const Month = Type.String({
  pattern: '^2\\d{3}-(0[1-9]|1[0-2])$',
  description: 'Such as `2027-03`.',
  'x-errors': { pattern: { message: '{field} must be a month such as 2027-03.' } },
})
