import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { answerList } from '../../http/body/list-request.ts'
import { callerOf } from '../../http/middleware/request-context.ts'
import type { CursorCodec } from '../../lists/cursor.ts'
import type { ManageDeliveries } from '../manage-deliveries.ts'
import { presentDelivery } from '../present.ts'
import { DELIVERIES, DELIVERY, REPLAY, TEST } from './operations.ts'

type Deps = { manageDeliveries: ManageDeliveries; cursors: CursorCodec }

/** What was sent to a webhook, and sending it again. */
export const webhookDeliveryRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, deps) => {
  const { manageDeliveries: deliveries, cursors } = deps

  app.post('/api/webhooks/:id/test', TEST, async (request, reply) => {
    const delivery = await deliveries.sendTest(callerOf(request).accountId, request.params.id)
    return reply.code(202).send({ data: presentDelivery(delivery) })
  })

  app.get('/api/webhooks/:id/deliveries', DELIVERIES, async (request, reply) => {
    const { accountId } = callerOf(request)
    const { id } = request.params
    return answerList(request, reply, {
      cursors,
      of: [accountId, id],
      run: (plan, charge) => deliveries.list(accountId, id, plan, charge),
      present: presentDelivery,
    })
  })

  app.get('/api/webhooks/:id/deliveries/:delivery_id', DELIVERY, async (request) => {
    const { id, delivery_id: deliveryId } = request.params
    return { data: presentDelivery(await deliveries.show(callerOf(request).accountId, id, deliveryId)) }
  })

  app.post('/api/webhooks/:id/deliveries/:delivery_id/replay', REPLAY, async (request, reply) => {
    const { id, delivery_id: deliveryId } = request.params
    const delivery = await deliveries.replay(callerOf(request).accountId, id, deliveryId)
    return reply.code(202).send({ data: presentDelivery(delivery) })
  })
}
