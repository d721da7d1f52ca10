import { type Static, Type } from 'typebox'
import { WEBHOOK_EVENTS, WEBHOOK_STATUSES, type Webhook } from '../../domain/webhook.ts'
import { listEnvelope } from '../../lists/meta-schema.ts'
import { meta } from './examples.ts'
import { orNull } from './or-null.ts'

const EventList = (description: string) =>
  Type.Array(Type.Enum([...WEBHOOK_EVENTS]), { minItems: 1, maxItems: WEBHOOK_EVENTS.length, description })

export const WebhookRequest = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'Where events are posted to: an https address that the internet can reach.',
    }),
    events: orNull(EventList('All of them when absent.')),
    description: orNull(Type.String({ maxLength: 200 }), 'For yourself.'),
  },
  { examples: [{ url: 'https://example.com/hooks/serai', events: ['booking.confirmed', 'booking.cancelled'] }] },
)

const fields = {
  id: Type.String(),
  url: Type.String(),
  events: EventList('What it is told of.'),
  description: Type.String(),
  status: Type.Enum([...WEBHOOK_STATUSES], {
    description: '`failing`: the last attempt went wrong. `disabled`: the receiver answered 410; nothing is sent.',
  }),
  created_at: Type.String({ format: 'date-time' }),
}

export const WebhookSchema = Type.Object(fields)

const example = {
  id: 'whk_5t1v8w0z3k9m2',
  url: 'https://example.com/hooks/serai',
  events: ['booking.confirmed', 'booking.cancelled'],
  description: '',
  status: 'active',
  created_at: '2027-01-15T12:00:00.000Z',
}

export const NewWebhookResponse = Type.Object(
  {
    data: Type.Object({
      ...fields,
      secret: Type.String({ description: 'What signatures are checked with. Shown this once.' }),
    }),
  },
  {
    description: 'Registered. Keep the secret; it is not shown again.',
    examples: [{ data: { ...example, secret: 'whsec_ZXhhbXBsZS1leGFtcGxlLWV4YW1wbGUtZXhhbXBsZS0xMjM=' } }],
  },
)

export const WebhookList = {
  ...listEnvelope(WebhookSchema),
  description: 'Your webhooks, oldest first.',
  examples: [{ data: [example], meta }],
}

export function presentWebhook(webhook: Webhook): Static<typeof WebhookSchema> {
  return {
    id: webhook.id,
    url: webhook.url,
    events: [...webhook.events],
    description: webhook.description,
    status: webhook.status,
    created_at: new Date(webhook.createdAt).toISOString(),
  }
}
