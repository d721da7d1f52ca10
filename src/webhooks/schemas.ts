import { Type } from 'typebox'
import {
  BookingSchema,
  BookingStatusSchema,
  ConfirmationSchema,
  DiscrepancySchema,
} from '../booking/schemas/bookings.ts'
import { DELIVERY_ERRORS, DELIVERY_STATUSES, TEST_EVENT, WEBHOOK_EVENTS, WEBHOOK_STATUSES } from '../domain/webhook.ts'
import { ActorOrNull } from '../http/schemas/actor.ts'
import { dataEnvelope, listEnvelope } from '../http/schemas/answer.ts'
import { nullable, optionalOrNull } from '../http/schemas/or-null.ts'
import { Amount, Count, Currency, Day, Moment, TextOrNull } from '../http/schemas/scalars.ts'

const WebhookEventSchema = Type.Enum([...WEBHOOK_EVENTS], { title: 'WebhookEvent' })
const EventTypes = (description: string) =>
  Type.Array(WebhookEventSchema, { minItems: 1, maxItems: WEBHOOK_EVENTS.length, description })

const Url = Type.String({ minLength: 1, maxLength: 2048, description: 'Public https URL that receives the events.' })
const Description = Type.String({ maxLength: 200 })

export const WebhookRequest = Type.Object(
  {
    url: Url,
    events: optionalOrNull(EventTypes('All events if absent.')),
    description: optionalOrNull(Description, 'Your own note.'),
  },
  { title: 'WebhookRequest' },
)

export const WebhookUpdate = Type.Object(
  {
    url: optionalOrNull(Url),
    events: optionalOrNull(EventTypes('Subscribed events.')),
    description: optionalOrNull(Description, 'Your own note.'),
    enabled: optionalOrNull(Type.Boolean(), 'False disables the webhook. True enables it and resets its failures.'),
    end_earlier_secrets: optionalOrNull(Type.Boolean(), 'True stops signing with earlier secrets at once.'),
  },
  { title: 'WebhookUpdate', description: 'Absent fields are not changed.' },
)

const fields = {
  id: Type.String({ pattern: '^whk_' }),
  url: Type.String(),
  events: EventTypes('Subscribed events.'),
  description: Description,
  status: Type.Enum([...WEBHOOK_STATUSES], {
    title: 'WebhookStatus',
    description:
      '`failing`: the last attempt failed. `disabled`: the receiver answered 410, or the webhook was disabled; nothing is sent.',
  }),
  created_at: Moment,
  earlier_secret_until: nullable(Moment, 'Deliveries are also signed with the previous secret until then.'),
}

export const WebhookSchema = Type.Object(fields, { title: 'Webhook' })
export const WebhookResponse = dataEnvelope('WebhookAnswer', WebhookSchema)

const WebhookWithSecret = Type.Object(
  { ...fields, secret: Type.String({ pattern: '^whsec_', description: 'Verifies signatures. Shown only once.' }) },
  { title: 'WebhookWithSecret' },
)
export const WebhookSecretResponse = dataEnvelope('WebhookSecretAnswer', WebhookWithSecret)

export const WebhookList = listEnvelope('WebhookList', WebhookSchema)

const NOT_IN_SNAPSHOT = ['guests', 'contact', 'special_requests', 'persons_erased_at', 'net', 'events'] as const
export const BookingSnapshot = Type.Omit(BookingSchema, NOT_IN_SNAPSHOT, {
  title: 'BookingSnapshot',
  description: 'The booking at the time of the event, without personal data and net prices.',
})

/** Contains no personal data: a receiver that needs it reads the booking from the API. */
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
        sequence: Type.Integer({
          minimum: 1,
          description: 'Increases with every event of the booking; may have gaps.',
        }),
        simulated: Type.Boolean(),
        actor: ActorOrNull,
        discrepancies: Type.Optional(
          Type.Array(DiscrepancySchema, { description: 'With `booking.discrepancy`: the differences.' }),
        ),
        confirmation: Type.Optional(ConfirmationSchema),
        payment_id: Type.Optional(Type.String({ description: 'With `booking.payment_…`: the payment.' })),
        captured: Type.Optional(Amount),
        refunded: Type.Optional(Amount),
        booking: BookingSnapshot,
      },
      { title: 'WebhookMessageData' },
    ),
  },
  { title: 'WebhookMessage' },
)

export const EventRecord = Type.Object(
  {
    id: Type.String({ pattern: '^evt_', description: 'The `webhook-id` of its deliveries.' }),
    type: WebhookEventSchema,
    created_at: Moment,
    object_type: Type.Literal('booking'),
    object_id: Type.String({ description: 'The `booking_id`.' }),
    data: WebhookMessage.properties.data,
  },
  { title: 'EventRecord' },
)
export const EventList = listEnvelope('EventList', EventRecord)

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
    status: nullable(Type.Integer({ minimum: 100, maximum: 999 }), 'Status of the response; null if there was none.'),
    error: nullable(
      Type.Enum([...DELIVERY_ERRORS]),
      'Reason why there was no response. `refused`: the address is not permitted.',
    ),
    answer: Type.String({ description: 'Beginning of the response body.' }),
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
    body: Type.Union([WebhookMessage, TestMessage], { description: 'Request body.' }),
  },
  { title: 'WebhookDelivery' },
)
export const DeliveryResponse = dataEnvelope('WebhookDeliveryAnswer', DeliverySchema)
export const DeliveryList = listEnvelope('WebhookDeliveryList', DeliverySchema)
