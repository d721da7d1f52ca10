import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { operation } from '../../http/operation.ts'
import { jsonResponse } from '../../http/schemas/answer.ts'
import type { FindAnything } from '../find-anything.ts'
import { presentFound } from '../present/find.ts'
import { FindQuery, FindResponse } from '../schemas/find.ts'

export const findRoutes: FastifyPluginAsyncTypebox<{ findAnything: FindAnything }> = async (app, { findAnything }) => {
  app.get('/api/operator/find', FIND, async ({ query }) => ({ data: presentFound(await findAnything(query.q.trim())) }))
}

const FIND = operation('operator.find', {
  access: 'operator',
  cost: 5,
  summary: 'Find bookings, accounts and requests',
  description:
    'One search over references (ours, the vendor’s, the client’s, numbers of the property), guests, accounts and request ids. Guests are stored encrypted, so only the newest 10,000 bookings are searched; `looked_at` reports how far.',
  querystring: FindQuery,
  answers: { 200: jsonResponse('What was found.', FindResponse) },
  problems: ['invalid_request'],
})
