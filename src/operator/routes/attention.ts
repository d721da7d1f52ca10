import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { sendList } from '../../http/body/list-request.ts'
import { toOperator } from '../../http/middleware/request-context.ts'
import { operation } from '../../http/operation.ts'
import { jsonResponse, listResponses } from '../../http/schemas/answer.ts'
import type { CursorCodec } from '../../lists/cursor.ts'
import type { OverdueTasks } from '../../store/tasks.ts'
import { presentDelivery } from '../../webhooks/present.ts'
import { DeliveryResponse } from '../../webhooks/schemas.ts'
import { ATTENTION_LIST, type Attention } from '../attention/attention.ts'
import { presentAttention, presentTaskCount } from '../present/attention.ts'
import type { ReplayWebhooks } from '../replay-webhooks.ts'
import {
  AttentionList,
  AttentionResponse,
  type ReasonBody,
  ReasonRequest,
  TaskCountsResponse,
} from '../schemas/attention.ts'
import { QueuedResponse } from '../schemas/bookings.ts'

export type AttentionRouteDeps = {
  attention: Attention
  overdueTasks: () => Promise<readonly OverdueTasks[]>
  replayWebhooks: ReplayWebhooks
  cursors: CursorCodec
}

type EntryRoute = { Params: { id: string }; Body: ReasonBody }
type WebhookRoute = { Params: { id: string } }
type DeliveryRoute = { Params: { id: string; delivery_id: string } }

/** Attention list, overdue tasks, and resending events of any account. */
export const attentionRoutes: FastifyPluginAsyncTypebox<AttentionRouteDeps> = async (app, deps) => {
  app.get('/api/operator/attention', LIST, (request, reply) =>
    sendList(request, reply, { cursors: deps.cursors, run: deps.attention.list, present: presentAttention }),
  )

  app.post<EntryRoute>('/api/operator/attention/:id/done', DONE, async (request) => {
    const { actor } = toOperator(request)
    return { data: presentAttention(await deps.attention.markDone(request.params.id, actor, request.body.reason)) }
  })

  app.get('/api/operator/tasks', TASKS, async () => ({ data: (await deps.overdueTasks()).map(presentTaskCount) }))

  app.post<WebhookRoute>('/api/operator/webhooks/:id/replay', REPLAY, async (request, reply) => {
    const queued = await deps.replayWebhooks.replayAll(request.params.id)
    return reply.code(202).send({ data: { queued } })
  })

  app.post<DeliveryRoute>('/api/operator/webhooks/:id/deliveries/:delivery_id/replay', ONE, async (request, reply) => {
    const { id, delivery_id: deliveryId } = request.params
    return reply.code(202).send({ data: presentDelivery(await deps.replayWebhooks.replayDelivery(id, deliveryId)) })
  })
}

const LIST = operation('operator.attention', {
  access: 'operator',
  cost: 5,
  list: ATTENTION_LIST,
  summary: 'List entries that need an operator',
  description:
    'Real bookings that need a review, have had an unknown outcome for more than a minute, or differ from the vendor’s record; failing webhooks and mails; vendors with an open breaker, outdated content or changed responses; exchange rates that wait for a confirmation. Most urgent first, at most 200 of each kind. Each entry says what happened, what to do, and which operation to use.',
  answers: listResponses('The entries, most urgent first.', AttentionList),
})

const DONE = operation('operator.attention.done', {
  access: 'operator',
  summary: 'Mark an entry of the attention list as settled',
  description:
    'It leaves the list, and reappears if it gets worse. Nothing else changes. A booking that needs a review or is in doubt cannot be marked as settled.',
  params: Type.Object({ id: Type.String() }),
  body: ReasonRequest,
  answers: { 200: jsonResponse('Marked as settled.', AttentionResponse) },
  problems: ['not_possible', 'invalid_request'],
})

const TASKS = operation('operator.tasks', {
  access: 'operator',
  cost: 5,
  summary: 'Count background work that is overdue or failing',
  description: 'By kind, of all processes and accounts. Work for simulated bookings is not counted.',
  answers: { 200: jsonResponse('Every kind, including those without overdue work.', TaskCountsResponse) },
})

const REPLAY = operation('operator.webhooks.replay', {
  access: 'operator',
  cost: 5,
  summary: 'Resend all failed events of a webhook',
  description:
    'Resends failed events, and pending ones immediately; at most 1,000 events of the last 7 days. Events of one booking stay in order.',
  params: Type.Object({ id: Type.String() }),
  answers: { 202: jsonResponse('Queued.', QueuedResponse) },
  problems: ['webhook_not_found', 'webhook_disabled'],
})

const ONE = operation('operator.webhooks.replay_delivery', {
  access: 'operator',
  summary: 'Resend one event of a webhook',
  description: 'For any account. The event keeps its id.',
  params: Type.Object({ id: Type.String(), delivery_id: Type.String() }),
  answers: { 202: jsonResponse('Queued.', DeliveryResponse) },
  problems: ['webhook_not_found', 'delivery_not_found', 'webhook_disabled'],
})
