import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { sendList } from '../../http/body/list-request.ts'
import { requireCaller } from '../../http/middleware/request-context.ts'
import { operation } from '../../http/operation.ts'
import { jsonResponse, listResponses } from '../../http/schemas/answer.ts'
import type { CursorCodec } from '../../lists/cursor.ts'
import type { SeesNet } from '../../selling/can-see-net-price.ts'
import { presentRequest, presentRequestTrace } from '../present/requests.ts'
import type { ReadRequest } from '../read-request.ts'
import { REQUEST_LIST, type RequestLog } from '../request-log.ts'
import { RequestList, RequestResponse } from '../schemas/requests.ts'

export type OperatorRequestDeps = {
  requestLog: Pick<RequestLog, 'list'>
  readRequest: ReadRequest
  seesNet: SeesNet
  cursors: CursorCodec
}

const RequestId = Type.Object({ request_id: Type.String({ maxLength: 100 }) })

export const operatorRequestRoutes: FastifyPluginAsyncTypebox<OperatorRequestDeps> = async (app, deps) => {
  const { requestLog, cursors } = deps
  app.get('/api/operator/requests', LIST, (request, reply) =>
    sendList(request, reply, { cursors, run: requestLog.list, present: presentRequest }),
  )

  app.get<{ Params: Static<typeof RequestId> }>('/api/operator/requests/:request_id', SHOW, async (request) => {
    const seesNet = await deps.seesNet(requireCaller(request).accountId)
    return { data: presentRequestTrace(await deps.readRequest(request.params.request_id), seesNet) }
  })
}

const LIST = operation('operator.requests', {
  access: 'operator',
  list: REQUEST_LIST,
  cost: 2,
  summary: 'List API requests',
  description:
    'Requests of all accounts, without their bodies. Kept for 7 days, bookings and errors of known callers for 30. A request is listed within seconds. For operators.',
  answers: listResponses('The requests, newest first.', RequestList),
})

const SHOW = operation('operator.request', {
  access: 'operator',
  summary: 'Find a request by its id',
  description:
    'The API requests with this id and the vendor calls they made. The id is in the header `x-request-id` of every response and the `instance` of every problem. For operators.',
  params: RequestId,
  answers: { 200: jsonResponse('The requests with this id.', RequestResponse) },
  problems: ['not_found'],
})
