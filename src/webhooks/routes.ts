import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { refuseCardNumbers } from '../booking/guests/card-numbers.ts'
import { invalidRequest } from '../domain/errors.ts'
import { WEBHOOKS_MAX, type Webhook } from '../domain/webhook.ts'
import { sendList } from '../http/body/list-request.ts'
import { entityTag, requireMatch } from '../http/middleware/entity-tags.ts'
import { bookingOwner, requireCaller } from '../http/middleware/request-context.ts'
import { operation } from '../http/operation.ts'
import { jsonResponse, listResponses } from '../http/schemas/answer.ts'
import type { CursorCodec } from '../lists/cursor.ts'
import { EVENT_LIST, type ListEvents } from './event-list.ts'
import { DELIVERY_LIST, type ManageDeliveries } from './manage-deliveries.ts'
import { type ManageWebhooks, type NewWebhookOrder, WEBHOOK_LIST } from './manage-webhooks.ts'
import { presentDelivery, presentEventRecord, presentWebhook } from './present.ts'
import {
  DeliveryList,
  DeliveryResponse,
  EventList,
  WebhookList,
  WebhookRequest,
  WebhookResponse,
  WebhookSecretResponse,
  WebhookUpdate,
} from './schemas.ts'
import type { WebhookChanges } from './store/webhooks.ts'

type WebhookId = Static<typeof WebhookId>
const WebhookId = Type.Object({ id: Type.String({ description: 'Id of the webhook.' }) })
const DeliveryId = Type.Object({
  ...WebhookId.properties,
  delivery_id: Type.String({ description: 'Id of the delivery: the `webhook-id` it was sent with.' }),
})

const CREATE = operation('webhooks.create', {
  access: 'admin',
  cost: 5,
  summary: 'Create a webhook for changes of bookings',
  description: `Events are signed per Standard Webhooks, delivered at least once, in order for each booking, and retried for 24 hours. An account can have at most ${WEBHOOKS_MAX} webhooks.`,
  body: WebhookRequest,
  answers: { 201: jsonResponse('Created. Keep the secret; it is not shown again.', WebhookSecretResponse) },
  problems: ['invalid_request', 'card_data_not_accepted'],
})

const LIST = operation('webhooks.list', {
  access: 'admin',
  list: WEBHOOK_LIST,
  summary: 'List your webhooks',
  description: 'Their secrets are not shown.',
  answers: listResponses('Your webhooks, oldest first.', WebhookList),
})

const SHOW = operation('webhooks.show', {
  access: 'admin',
  etag: 'response',
  summary: 'Read one webhook',
  description: 'Its secret is not shown.',
  params: WebhookId,
  answers: { 200: jsonResponse('The webhook.', WebhookResponse) },
  problems: ['webhook_not_found'],
})

const UPDATE = operation('webhooks.update', {
  access: 'admin',
  ifMatch: true,
  cost: 5,
  summary: 'Change a webhook',
  description: 'Pending events go to the new URL. `enabled` disables the webhook, and enables it again after a `410`.',
  params: WebhookId,
  body: WebhookUpdate,
  answers: { 200: jsonResponse('The changed webhook.', WebhookResponse) },
  problems: ['webhook_not_found', 'webhook_disabled', 'invalid_request', 'card_data_not_accepted'],
})

const DELETE = operation('webhooks.delete', {
  access: 'admin',
  ifMatch: true,
  summary: 'Delete a webhook',
  description: 'Pending events are discarded.',
  params: WebhookId,
  answers: { 204: { type: 'null', description: 'Deleted.' } },
  problems: ['webhook_not_found'],
})

const ROTATE = operation('webhooks.rotate_secret', {
  access: 'admin',
  ifMatch: true,
  cost: 5,
  summary: 'Rotate the secret',
  description: 'For 24 hours deliveries are signed with both secrets, so that receivers can be updated one by one.',
  params: WebhookId,
  answers: { 200: jsonResponse('Keep the secret; it is not shown again.', WebhookSecretResponse) },
  problems: ['webhook_not_found', 'webhook_disabled'],
})

const TEST = operation('webhooks.test', {
  access: 'admin',
  cost: 5,
  summary: 'Send a test event',
  description:
    'Sent within seconds and tried once, whatever the webhook subscribes to. Poll the delivery for the result.',
  params: WebhookId,
  answers: { 202: jsonResponse('Queued.', DeliveryResponse) },
  problems: ['webhook_not_found', 'webhook_disabled'],
})

const DELIVERIES = operation('webhooks.deliveries', {
  access: 'admin',
  list: DELIVERY_LIST,
  summary: 'List the deliveries of a webhook',
  description: 'With the responses of the receiver. Deliveries are kept for 7 days.',
  params: WebhookId,
  answers: listResponses('The deliveries, newest first.', DeliveryList),
  problems: ['webhook_not_found'],
})

const DELIVERY = operation('webhooks.delivery', {
  access: 'admin',
  etag: 'response',
  summary: 'Read one delivery',
  description: 'With every attempt and its response.',
  params: DeliveryId,
  answers: { 200: jsonResponse('The delivery.', DeliveryResponse) },
  problems: ['webhook_not_found', 'delivery_not_found'],
})

const REPLAY = operation('webhooks.replay', {
  access: 'admin',
  cost: 5,
  summary: 'Resend a delivery',
  description:
    'With the same `webhook-id` and body, a fresh timestamp and signature; retried for 24 hours like a new one.',
  params: DeliveryId,
  answers: { 202: jsonResponse('Queued.', DeliveryResponse) },
  problems: ['webhook_not_found', 'delivery_not_found', 'webhook_disabled'],
})

const EVENTS = operation('events.list', {
  access: 'read',
  list: EVENT_LIST,
  summary: 'List the events of your bookings',
  description:
    'What webhooks deliver, with or without a webhook, for 30 days. `data` is that of the delivery, with the booking at that time.',
  answers: listResponses('The events, newest first.', EventList),
})

/** `if-match` is compared with the tag that SHOW sends. */
const toChange = (request: FastifyRequest<{ Params: WebhookId }>) => ({
  accountId: requireCaller(request).accountId,
  id: request.params.id,
  precondition: (webhook: Webhook) =>
    requireMatch(request, entityTag(JSON.stringify({ data: presentWebhook(webhook) }))),
})

export const webhookRoutes: FastifyPluginAsyncTypebox<{
  manageWebhooks: ManageWebhooks
  cursors: CursorCodec
}> = async (app, { manageWebhooks: manage, cursors }) => {
  app.post('/api/webhooks', CREATE, async (request, reply) => {
    const added = await manage.create(requireCaller(request).accountId, readNewWebhook(request.body))
    return reply.code(201).send({ data: { ...presentWebhook(added.webhook), secret: added.secret } })
  })

  app.get('/api/webhooks', LIST, async (request, reply) => {
    const { accountId } = requireCaller(request)
    return sendList(request, reply, {
      cursors,
      owner: [accountId],
      run: (plan) => manage.list(accountId, plan),
      present: presentWebhook,
    })
  })

  app.get('/api/webhooks/:id', SHOW, async (request) => ({
    data: presentWebhook(await manage.show(requireCaller(request).accountId, request.params.id)),
  }))

  app.patch('/api/webhooks/:id', UPDATE, async (request) => {
    const changed = await manage.update(toChange(request), readWebhookChanges(request.body))
    return { data: presentWebhook(changed) }
  })

  app.delete('/api/webhooks/:id', DELETE, async (request, reply) => {
    await manage.remove(toChange(request))
    return reply.code(204).send(null)
  })

  app.post('/api/webhooks/:id/rotate_secret', ROTATE, async (request) => {
    const { webhook, secret } = await manage.rotateSecret(toChange(request))
    return { data: { ...presentWebhook(webhook), secret } }
  })
}

export const deliveryRoutes: FastifyPluginAsyncTypebox<{
  manageDeliveries: ManageDeliveries
  cursors: CursorCodec
}> = async (app, deps) => {
  const { manageDeliveries: deliveries, cursors } = deps

  app.post('/api/webhooks/:id/test', TEST, async (request, reply) => {
    const delivery = await deliveries.sendTest(requireCaller(request).accountId, request.params.id)
    return reply.code(202).send({ data: presentDelivery(delivery) })
  })

  app.get('/api/webhooks/:id/deliveries', DELIVERIES, async (request, reply) => {
    const { accountId } = requireCaller(request)
    const { id } = request.params
    return sendList(request, reply, {
      cursors,
      owner: [accountId, id],
      run: (plan, charge) => deliveries.list(accountId, id, plan, charge),
      present: presentDelivery,
    })
  })

  app.get('/api/webhooks/:id/deliveries/:delivery_id', DELIVERY, async (request) => {
    const { id, delivery_id: deliveryId } = request.params
    return { data: presentDelivery(await deliveries.show(requireCaller(request).accountId, id, deliveryId)) }
  })

  app.post('/api/webhooks/:id/deliveries/:delivery_id/replay', REPLAY, async (request, reply) => {
    const { id, delivery_id: deliveryId } = request.params
    const delivery = await deliveries.replay(requireCaller(request).accountId, id, deliveryId)
    return reply.code(202).send({ data: presentDelivery(delivery) })
  })
}

export const eventRoutes: FastifyPluginAsyncTypebox<{ listEvents: ListEvents; cursors: CursorCodec }> = async (
  app,
  { listEvents, cursors },
) => {
  app.get('/api/events', EVENTS, (request, reply) => {
    const owner = bookingOwner(request)
    return sendList(request, reply, {
      cursors,
      owner: [owner.accountId],
      run: (plan, charge) => listEvents(owner, plan, charge),
      present: presentEventRecord,
    })
  })
}

function readNewWebhook(body: Static<typeof WebhookRequest>): NewWebhookOrder {
  refuseCardNumbers(body)
  return { url: body.url, events: body.events ?? undefined, description: body.description ?? '' }
}

function readWebhookChanges(body: Static<typeof WebhookUpdate>): WebhookChanges {
  refuseCardNumbers(body)
  const { url, events, description, enabled, end_earlier_secrets: endEarlierSecrets } = body
  const changes: WebhookChanges = {
    ...(url == null ? {} : { url }),
    ...(events == null ? {} : { events: [...new Set(events)] }),
    ...(description == null ? {} : { description }),
    ...(enabled == null ? {} : { enabled }),
    ...(endEarlierSecrets == null ? {} : { endEarlierSecrets }),
  }
  if (Object.keys(changes).length === 0) throw invalidRequest([NOTHING])
  return changes
}

const NOTHING = {
  field: 'body',
  code: 'required',
  message: 'The request changes nothing. Send at least one of url, events, description and enabled.',
}
