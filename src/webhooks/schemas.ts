import { Type } from 'typebox'
import { BookingStatusSchema, ConfirmationSchema, DiscrepancySchema } from '../booking/schemas/bookings.ts'
import { DELIVERY_STATUSES, NO_ANSWER, TEST_EVENT, WEBHOOK_EVENTS, WEBHOOK_STATUSES } from '../domain/webhook.ts'
import { ActorOrNull } from '../http/schemas/actor.ts'
import { dataOf, listOf } from '../http/schemas/answer.ts'
import { nullable, orNull } from '../http/schemas/or-null.ts'
import { Amount, Count, Currency, Day, Moment, TextOrNull } from '../http/schemas/scalars.ts'

const WebhookEventSchema = Type.Enum([...WEBHOOK_EVENTS], { title: 'WebhookEvent' })
const EventList = (description: string) =>
  Type.Array(WebhookEventSchema, { minItems: 1, maxItems: WEBHOOK_EVENTS.length, description })

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'Where events are posted to: an https address that the internet can reach.',
})
const Description = Type.String({ maxLength: 200 })

export const WebhookRequest = Type.Object(
  {
    url: Url,
    events: orNull(EventList('All of them when absent.')),
    description: orNull(Description, 'For yourself.'),
  },
  { title: 'WebhookRequest' },
)

export const WebhookUpdate = Type.Object(
  {
    url: orNull(Url),
    events: orNull(EventList('What it is told of from now on.')),
    description: orNull(Description, 'For yourself.'),
    enabled: orNull(Type.Boolean(), 'False: nothing is sent. True: switched on again, whatever failed before.'),
  },
  { title: 'WebhookUpdate', description: 'What is absent stays as it is.' },
)

const fields = {
  id: Type.String({ pattern: '^whk_' }),
  url: Type.String(),
  events: EventList('What it is told of.'),
  description: Description,
  status: Type.Enum([...WEBHOOK_STATUSES], {
    title: 'WebhookStatus',
    description:
      '`failing`: the last attempt went wrong. `disabled`: the receiver answered 410, or it was switched off; nothing is sent.',
  }),
  created_at: Moment,
  earlier_secret_until: nullable(Moment, 'Until when deliveries are also signed with the secret before.'),
}

export const WebhookSchema = Type.Object(fields, { title: 'Webhook' })
export const WebhookResponse = dataOf('WebhookAnswer', WebhookSchema)

const WebhookWithSecret = Type.Object(
  {
    ...fields,
    secret: Type.String({ pattern: '^whsec_', description: 'What signatures are checked with. Shown this once.' }),
  },
  { title: 'WebhookWithSecret' },
)
export const WebhookSecretResponse = dataOf('WebhookSecretAnswer', WebhookWithSecret)

export const WebhookList = listOf('WebhookList', WebhookSchema)

/** What receivers get. Who travels is not in it: a receiver that needs to know asks the API. */
export const WebhookMessage = Type.Object(
  {
    type: WebhookEventSchema,
    timestamp: Moment,
    data: Type.Object(
      {
        booking_id: Type.String(),
        status: BookingStatusSchema,
        client_reference: TextOrNull,
        vendor_id: Type.String(),
        vendor_reference: TextOrNull,
        check_in: Day,
        check_out: Day,
        total_price: Amount,
        currency: Currency,
        sequence: Type.Integer({ minimum: 1, description: 'Grows with every event of the booking, with gaps.' }),
        simulated: Type.Boolean(),
        actor: ActorOrNull,
        discrepancies: Type.Optional(
          Type.Array(DiscrepancySchema, { description: 'With `booking.discrepancy`: what differs.' }),
        ),
        confirmation: Type.Optional(ConfirmationSchema),
      },
      { title: 'WebhookMessageData' },
    ),
  },
  { title: 'WebhookMessage' },
)

export const TestMessage = Type.Object(
  {
    type: Type.Literal(TEST_EVENT),
    timestamp: Moment,
    data: Type.Object({ webhook_id: Type.String() }, { title: 'WebhookTestData' }),
  },
  { title: 'WebhookTestMessage' },
)

const AttemptSchema = Type.Object(
  {
    attempt: Type.Integer({ minimum: 1 }),
    at: Moment,
    took_ms: Count,
    status: nullable(
      Type.Integer({ minimum: 100, maximum: 999 }),
      'What the receiver answered; null where it did not.',
    ),
    error: nullable(
      Type.Enum([...NO_ANSWER]),
      'Why there was no answer. `refused`: the address is one that is not called.',
    ),
    answer: Type.String({ description: 'The beginning of the answer’s body.' }),
  },
  { title: 'WebhookAttempt' },
)

export const DeliverySchema = Type.Object(
  {
    id: Type.String({ pattern: '^evt_', description: 'The `webhook-id` it is sent with.' }),
    webhook_id: Type.String(),
    booking_id: nullable(Type.String(), 'Null for a test event.'),
    sequence: Type.Integer({ minimum: 1 }),
    status: Type.Enum([...DELIVERY_STATUSES], {
      title: 'WebhookDeliveryStatus',
      description: '`failed`: given up after 24 hours. `gone`: the receiver answered 410.',
    }),
    created_at: Moment,
    next_attempt_at: nullable(Moment),
    attempts: Type.Array(AttemptSchema),
    body: Type.Union([WebhookMessage, TestMessage], { description: 'What is sent.' }),
  },
  { title: 'WebhookDelivery' },
)
export const DeliveryResponse = dataOf('WebhookDeliveryAnswer', DeliverySchema)
export const DeliveryList = listOf('WebhookDeliveryList', DeliverySchema)
