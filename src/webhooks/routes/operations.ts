import { Type } from 'typebox'
import { WEBHOOKS_MAX } from '../../domain/webhook.ts'
import { problems } from '../../http/problem.ts'
import { answer, listAnswers } from '../../http/schemas/answer.ts'
import { DELIVERY_LIST } from '../manage-deliveries.ts'
import { WEBHOOK_LIST } from '../manage-webhooks.ts'
import {
  DeliveryList,
  DeliveryResponse,
  WebhookList,
  WebhookRequest,
  WebhookResponse,
  WebhookSecretResponse,
  WebhookUpdate,
} from '../schemas.ts'

const tags = ['Webhooks']
const WebhookId = Type.Object({ id: Type.String({ description: 'Of the webhook.' }) })
const DeliveryId = Type.Object({
  ...WebhookId.properties,
  delivery_id: Type.String({ description: 'Of the delivery: the `webhook-id` it was sent with.' }),
})

export const CREATE = {
  config: { operation: 'webhooks.create', access: 'admin', cost: 5 } as const,
  schema: {
    tags,
    summary: 'Be told when a booking changes',
    description: `Events are signed per Standard Webhooks, sent at least once, in order for each booking, and repeated for 24 hours. An account has at most ${WEBHOOKS_MAX} webhooks.`,
    body: WebhookRequest,
    response: {
      201: answer('Registered. Keep the secret; it is not shown again.', WebhookSecretResponse),
      ...problems('invalid_request', 'card_data_not_accepted'),
    },
  },
}

export const LIST = {
  config: { operation: 'webhooks.list', access: 'admin', list: WEBHOOK_LIST } as const,
  schema: {
    tags,
    summary: 'List your webhooks',
    description: 'Their secrets are not shown.',
    response: listAnswers('Your webhooks, oldest first.', WebhookList),
  },
}

export const SHOW = {
  config: { operation: 'webhooks.show', access: 'admin' } as const,
  schema: {
    tags,
    summary: 'Read one webhook',
    description: 'Its secret is not shown.',
    params: WebhookId,
    response: { 200: answer('The webhook.', WebhookResponse), ...problems('webhook_not_found') },
  },
}

export const UPDATE = {
  config: { operation: 'webhooks.update', access: 'admin', cost: 5 } as const,
  schema: {
    tags,
    summary: 'Change a webhook',
    description: 'What is on its way goes to the new address. `enabled` switches it off, and on again after a `410`.',
    params: WebhookId,
    body: WebhookUpdate,
    response: {
      200: answer('The webhook as it is now.', WebhookResponse),
      ...problems('webhook_not_found', 'webhook_disabled', 'invalid_request', 'card_data_not_accepted'),
    },
  },
}

export const DELETE = {
  config: { operation: 'webhooks.delete', access: 'admin' } as const,
  schema: {
    tags,
    summary: 'Delete a webhook',
    description: 'What was still on its way there is not sent any more.',
    params: WebhookId,
    response: { 204: { type: 'null', description: 'Deleted.' }, ...problems('webhook_not_found') },
  },
}

export const ROTATE = {
  config: { operation: 'webhooks.rotate_secret', access: 'admin', cost: 5 } as const,
  schema: {
    tags,
    summary: 'Get a new secret',
    description: 'For 24 hours deliveries are signed with both secrets, so that receivers can be changed one by one.',
    params: WebhookId,
    response: {
      200: answer('Keep the secret; it is not shown again.', WebhookSecretResponse),
      ...problems('webhook_not_found', 'webhook_disabled'),
    },
  },
}

export const TEST = {
  config: { operation: 'webhooks.test', access: 'admin', cost: 5 } as const,
  schema: {
    tags,
    summary: 'Send a test event',
    description:
      'Sent within seconds and tried once, whatever the webhook subscribes to. Poll the delivery for the answer.',
    params: WebhookId,
    response: {
      202: answer('On its way.', DeliveryResponse),
      ...problems('webhook_not_found', 'webhook_disabled'),
    },
  },
}

export const DELIVERIES = {
  config: { operation: 'webhooks.deliveries', access: 'admin', list: DELIVERY_LIST } as const,
  schema: {
    tags,
    summary: 'List what was sent to a webhook, with the answers',
    description: 'Deliveries are kept for 7 days.',
    params: WebhookId,
    response: { ...listAnswers('The deliveries, newest first.', DeliveryList), ...problems('webhook_not_found') },
  },
}

export const DELIVERY = {
  config: { operation: 'webhooks.delivery', access: 'admin' } as const,
  schema: {
    tags,
    summary: 'Read one delivery',
    description: 'With every attempt and its answer.',
    params: DeliveryId,
    response: {
      200: answer('The delivery.', DeliveryResponse),
      ...problems('webhook_not_found', 'delivery_not_found'),
    },
  },
}

export const REPLAY = {
  config: { operation: 'webhooks.replay', access: 'admin', cost: 5 } as const,
  schema: {
    tags,
    summary: 'Send a delivery again',
    description:
      'With the same `webhook-id` and body, a fresh timestamp and signature; retried for 24 hours like a new one.',
    params: DeliveryId,
    response: {
      202: answer('On its way.', DeliveryResponse),
      ...problems('webhook_not_found', 'delivery_not_found', 'webhook_disabled'),
    },
  },
}
