import { WEBHOOK_EVENTS } from '../domain/webhook.ts'
import type { Json } from '../http/openapi/openapi-components.ts'
import { TestMessage, WebhookMessage } from './schemas.ts'

const WORDS: Readonly<Record<(typeof WEBHOOK_EVENTS)[number], string>> = {
  'booking.confirmed': 'The vendor has the booking',
  'booking.rejected': 'Nothing was booked, and that is final',
  'booking.in_doubt': 'The vendor’s answer was lost; we are asking',
  'booking.needs_review': 'The vendor does not know; our staff are checking it',
  'booking.cancelled': 'The booking was cancelled',
  'booking.discrepancy': 'The vendor says something else than was booked',
  'booking.confirmation_number': 'The vendor or the property has told its number of the booking',
}

const header = (name: string, description: string, schema: object) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
})

const HEADERS = [
  header('webhook-id', 'The same for every attempt: what you have handled already can be told by it.', {
    type: 'string',
  }),
  header('webhook-timestamp', 'When this attempt was made, in seconds since 1970.', { type: 'integer' }),
  header('webhook-signature', 'Per Standard Webhooks; two, separated by a space, in the day after a new secret.', {
    type: 'string',
  }),
]

const message = (operationId: string, summary: string, schema: object) => ({
  post: {
    operationId,
    tags: ['Webhooks'],
    summary,
    description: 'Sent to every webhook of the account that subscribes to it; see docs/webhooks.md.',
    security: [],
    parameters: HEADERS,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'Taken.' },
      410: { description: 'Gone for good: the webhook is switched off.' },
      default: { description: 'Anything else, or none within 10 seconds: it is sent again, for 24 hours.' },
    },
  },
})

const idOf = (event: string) => `on${event.replace(/(?:^|[._])(\w)/g, (_all, letter: string) => letter.toUpperCase())}`

/** The `webhooks` of the document: what receivers get. */
export const webhookEvents = (): Json => ({
  ...Object.fromEntries(WEBHOOK_EVENTS.map((event) => [event, message(idOf(event), WORDS[event], WebhookMessage)])),
  'webhook.test': message(idOf('webhook.test'), 'Somebody asked for a test event', TestMessage),
})
