import { WEBHOOK_EVENTS } from '../domain/webhook.ts'
import type { Json } from '../http/openapi/openapi-components.ts'
import { TestMessage, WebhookMessage } from './schemas.ts'

const WORDS: Readonly<Record<(typeof WEBHOOK_EVENTS)[number], string>> = {
  'booking.confirmed': 'The booking is confirmed',
  'booking.rejected': 'The booking was rejected; this is final',
  'booking.in_doubt': 'The outcome is unknown; we are asking the vendor',
  'booking.needs_review': 'The outcome needs a manual review by our staff',
  'booking.cancelled': 'The booking was cancelled',
  'booking.discrepancy': 'The vendor’s record differs from the booking',
  'booking.confirmation_number': 'A confirmation number of the vendor or property is available',
  'booking.payment_captured': 'The card was charged',
  'booking.payment_refunded': 'Money was sent back to the card',
  'booking.payment_failed': 'The card could not be charged or refunded',
  'booking.payment_needs_review': 'The payment needs a manual review by our staff',
  'booking.payment_disputed': 'The cardholder disputes the payment',
}

const header = (name: string, description: string, schema: object) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
})

const HEADERS = [
  header('webhook-id', 'The same for every attempt; use it to detect duplicates.', { type: 'string' }),
  header('webhook-timestamp', 'Time of this attempt, in seconds since 1970.', { type: 'integer' }),
  header('webhook-signature', 'Per Standard Webhooks; two for 24 hours after a rotation.', { type: 'string' }),
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
      '2XX': { description: 'Accepted.' },
      410: { description: 'Permanently gone: the webhook is disabled.' },
      default: { description: 'Anything else, or no answer within 10 seconds: retried for 24 hours.' },
    },
  },
})

const toOperationId = (event: string) =>
  `on${event.replace(/(?:^|[._])(\w)/g, (_all, letter: string) => letter.toUpperCase())}`

/** The `webhooks` section of the OpenAPI document. */
export const webhookEvents = (): Json => ({
  ...Object.fromEntries(
    WEBHOOK_EVENTS.map((event) => [event, message(toOperationId(event), WORDS[event], WebhookMessage)]),
  ),
  'webhook.test': message(toOperationId('webhook.test'), 'A test event was requested', TestMessage),
})
