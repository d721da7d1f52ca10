import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { refuseCardNumbers } from '../../booking/card-numbers.ts'
import { AppError, type FieldError, invalidRequest } from '../../domain/app-error.ts'
import { WEBHOOK_EVENTS, WEBHOOK_STATUSES, WEBHOOKS_MAX } from '../../domain/webhook.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Ids } from '../../lib/ids.ts'
import type { CursorCodec } from '../../lists/cursor.ts'
import { defineList } from '../../lists/definition.ts'
import { listQuerySchema } from '../../lists/query-schema.ts'
import { runInMemory } from '../../lists/run-in-memory.ts'
import type { WebhookStore } from '../../store/webhooks.ts'
import { answerList, documentedOnly } from '../list-request.ts'
import { problems } from '../problem.ts'
import { callerOf } from '../request-context.ts'
import { NewWebhookResponse, presentWebhook, WebhookList, WebhookRequest } from '../schemas/webhooks.ts'

type Deps = {
  webhooks: WebhookStore
  /** Why events cannot be sent to this address; undefined when they can. */
  checkWebhookTarget(url: string): Promise<FieldError | undefined>
  cursors: CursorCodec
  clock: Clock
  ids: Ids
}

const WEBHOOK_ID = /^whk_[a-z0-9]+$/

const WEBHOOK_LIST = defineList({
  fields: {
    id: { type: 'string', filterable: true, nullable: false },
    url: { type: 'string', sortable: true, filterable: true, nullable: false },
    status: { type: 'enum', values: WEBHOOK_STATUSES, sortable: true, filterable: true, nullable: false },
    created_at: { type: 'integer', sortable: true, nullable: false },
  },
  tiebreaker: 'id',
  defaultOrder: { orderBy: ['created_at'], orderDirections: ['asc'] },
})

export const webhookRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, deps) => {
  app.post(
    '/api/webhooks',
    {
      config: { operation: 'webhooks.create', access: 'account', cost: 5 },
      schema: {
        tags: ['Webhooks'],
        summary: 'Be told when a booking changes',
        description: `Events are signed per Standard Webhooks, sent at least once, in order for each booking, and repeated for 24 hours. An account has at most ${WEBHOOKS_MAX} webhooks.`,
        security: [{ bearer: [] }],
        body: WebhookRequest,
        response: {
          201: NewWebhookResponse,
          ...problems(
            'malformed_request',
            'unauthenticated',
            'body_too_large',
            'unsupported_media_type',
            'invalid_request',
            'card_data_not_accepted',
            'rate_limited',
          ),
        },
      },
    },
    async (request, reply) => {
      refuseCardNumbers(request.body)
      const { url, events, description } = request.body
      const complaint = await deps.checkWebhookTarget(url)
      if (complaint !== undefined) throw invalidRequest([complaint])
      const order = {
        id: deps.ids.prefixed('whk'),
        url,
        events: [...new Set(events ?? WEBHOOK_EVENTS)],
        description: description ?? '',
      }
      const added = await deps.webhooks.add(callerOf(request).accountId, order, WEBHOOKS_MAX, deps.clock.now())
      if (added === undefined) throw tooMany()
      reply.code(201).header('cache-control', 'no-store')
      return { data: { ...presentWebhook(added.webhook), secret: added.secret } }
    },
  )

  app.get(
    '/api/webhooks',
    {
      config: { operation: 'webhooks.list', access: 'account' },
      ...documentedOnly,
      schema: {
        tags: ['Webhooks'],
        summary: 'List your webhooks',
        security: [{ bearer: [] }],
        querystring: listQuerySchema(WEBHOOK_LIST),
        response: {
          200: WebhookList,
          422: { ...WebhookList, description: 'A list parameter is wrong: `meta.errors` says which and why.' },
          ...problems('malformed_request', 'unauthenticated', 'rate_limited'),
        },
      },
    },
    async (request, reply) => {
      const { accountId } = callerOf(request)
      const page = await answerList(request, reply as unknown as FastifyReply, {
        definition: WEBHOOK_LIST,
        cursors: deps.cursors,
        scope: `webhooks.list ${accountId}`,
        async run(plan) {
          const all = await deps.webhooks.list(accountId)
          const found = runInMemory(plan, all, (webhook, field) =>
            field === 'created_at' ? webhook.createdAt : webhook[field as 'id' | 'url' | 'status'],
          )
          return { ...found, data: found.data.map(presentWebhook) }
        },
      })
      return page as never
    },
  )

  app.delete(
    '/api/webhooks/:id',
    {
      config: { operation: 'webhooks.delete', access: 'account' },
      schema: {
        tags: ['Webhooks'],
        summary: 'Delete a webhook',
        description: 'What was still on its way there is not sent any more.',
        security: [{ bearer: [] }],
        params: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } } as const,
        response: {
          204: { type: 'null', description: 'Deleted.' },
          ...problems('unauthenticated', 'webhook_not_found', 'rate_limited'),
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params as { id: string }
      // Anything else was never given out, and a NUL in it would make PostgreSQL stumble.
      const found = WEBHOOK_ID.test(id) && (await deps.webhooks.remove(callerOf(request).accountId, id))
      if (!found) throw new AppError('webhook_not_found', 'There is no such webhook; use the id of one of yours.')
      return reply.code(204).send(null)
    },
  )
}

const tooMany = () =>
  invalidRequest([
    {
      field: 'url',
      code: 'too_many',
      message: `An account has at most ${WEBHOOKS_MAX} webhooks; delete one you no longer need first.`,
    },
  ])
