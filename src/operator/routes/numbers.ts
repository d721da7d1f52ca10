import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { requireCaller } from '../../http/middleware/request-context.ts'
import { operation } from '../../http/operation.ts'
import { jsonResponse } from '../../http/schemas/answer.ts'
import type { SeesNet } from '../../selling/can-see-net-price.ts'
import { presentNumbers } from '../present/numbers.ts'
import { NumbersResponse } from '../schemas/numbers.ts'
import type { ReadNumbers } from '../statements/read-numbers.ts'

type Deps = { readNumbers: ReadNumbers; seesNet: SeesNet }

export const numbersRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, { readNumbers, seesNet }) => {
  app.get('/api/operator/numbers', NUMBERS, async (request) => ({
    data: presentNumbers(await readNumbers(), await seesNet(requireCaller(request).accountId)),
  }))
}

const NUMBERS = operation('operator.numbers', {
  access: 'operator',
  cost: 10,
  summary: 'Read bookings, searches and errors by day',
  description:
    'Figures of today and the two weeks before, by day (UTC) and vendor. Simulated bookings are not counted.',
  answers: { 200: jsonResponse('The figures.', NumbersResponse) },
})
