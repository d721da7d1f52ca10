import type { FastifyPluginAsync, RouteShorthandOptions } from 'fastify'
import { type Static, Type } from 'typebox'
import { AppError } from '../../domain/app-error.ts'
import type { CursorCodec } from '../../lists/cursor.ts'
import { REQUEST_LIST, type RequestLog } from '../../monitoring/request-log.ts'
import { answerList } from '../frame/list-request.ts'
import { problems } from '../frame/problem.ts'
import { presentRequest } from '../present/operator-requests.ts'
import { answer, listAnswers } from '../schemas/answer.ts'
import { RequestList, RequestResponse } from '../schemas/operator-requests.ts'

export type OperatorRequestDeps = { requestLog: Pick<RequestLog, 'list' | 'byRequestId'>; cursors: CursorCodec }

const RequestId = Type.Object({ request_id: Type.String({ maxLength: 100 }) })

/** What was called, for operators. */
export const operatorRequestRoutes: FastifyPluginAsync<OperatorRequestDeps> = async (app, { requestLog, cursors }) => {
  app.get('/api/operator/requests', LIST, (request, reply) =>
    answerList(request, reply, {
      definition: REQUEST_LIST,
      cursors,
      scope: 'operator.requests',
      async run(plan, charge) {
        const found = await requestLog.list(plan, charge)
        return { ...found, data: found.data.map(presentRequest) }
      },
    }),
  )

  app.get<{ Params: Static<typeof RequestId> }>('/api/operator/requests/:request_id', SHOW, async ({ params }) => {
    const { request_id: requestId } = params
    const found = await requestLog.byRequestId(requestId)
    if (found.length === 0) throw unknown()
    return { data: { request_id: requestId, requests: found.map(presentRequest) } }
  })
}

const unknown = () =>
  new AppError(
    'not_found',
    'No request of this id is kept. They are written within seconds and kept for 7 days, bookings and errors for 30.',
  )

const tags = ['Operation']

const LIST = {
  config: { operation: 'operator.requests', access: 'operator', list: REQUEST_LIST, cost: 2 },
  schema: {
    tags,
    summary: 'List what was called',
    description:
      'Calls of the API by all accounts: what, when, how it ended; nothing that was sent. Kept for 7 days, bookings and errors of known callers for 30. A call is listed seconds after it was answered. For operators.',
    response: {
      ...listAnswers('The requests, newest first.', RequestList),
      ...problems('malformed_request', 'unauthenticated', 'rate_limited'),
    },
  },
} satisfies RouteShorthandOptions

const SHOW = {
  config: { operation: 'operator.request', access: 'operator' },
  schema: {
    tags,
    summary: 'Find a request by its id',
    description:
      'The id is in the header `x-request-id` of every answer and the `instance` of every problem. For operators.',
    params: RequestId,
    response: {
      200: answer('What was called under this id.', RequestResponse),
      ...problems('malformed_request', 'unauthenticated', 'not_found', 'rate_limited'),
    },
  },
} satisfies RouteShorthandOptions
