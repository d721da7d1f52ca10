import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { answerList } from '../../http/body/list-request.ts'
import { callerOf } from '../../http/middleware/request-context.ts'
import type { CursorCodec } from '../../lists/cursor.ts'
import type { ManageWebhooks } from '../manage-webhooks.ts'
import { presentWebhook } from '../present.ts'
import { CREATE, DELETE, LIST, ROTATE, SHOW, UPDATE } from './operations.ts'
import { readNewWebhook, readWebhookChanges } from './read-webhook.ts'

type Deps = { manageWebhooks: ManageWebhooks; cursors: CursorCodec }

export const webhookRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, { manageWebhooks: manage, cursors }) => {
  app.post('/api/webhooks', CREATE, async (request, reply) => {
    const added = await manage.create(callerOf(request).accountId, readNewWebhook(request.body))
    return reply.code(201).send({ data: { ...presentWebhook(added.webhook), secret: added.secret } })
  })

  app.get('/api/webhooks', LIST, async (request, reply) => {
    const { accountId } = callerOf(request)
    return answerList(request, reply, {
      cursors,
      of: [accountId],
      run: (plan) => manage.list(accountId, plan),
      present: presentWebhook,
    })
  })

  app.get('/api/webhooks/:id', SHOW, async (request) => ({
    data: presentWebhook(await manage.show(callerOf(request).accountId, request.params.id)),
  }))

  app.patch('/api/webhooks/:id', UPDATE, async (request) => {
    const changes = readWebhookChanges(request.body)
    return { data: presentWebhook(await manage.update(callerOf(request).accountId, request.params.id, changes)) }
  })

  app.delete('/api/webhooks/:id', DELETE, async (request, reply) => {
    await manage.remove(callerOf(request).accountId, request.params.id)
    return reply.code(204).send(null)
  })

  app.post('/api/webhooks/:id/rotate_secret', ROTATE, async (request) => {
    const { webhook, secret } = await manage.rotateSecret(callerOf(request).accountId, request.params.id)
    return { data: { ...presentWebhook(webhook), secret } }
  })
}
