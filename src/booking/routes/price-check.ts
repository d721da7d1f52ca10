import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { disconnectSignal, requestContext, requireCaller } from '../../http/middleware/request-context.ts'
import { operation } from '../../http/operation.ts'
import { jsonResponse } from '../../http/schemas/answer.ts'
import type { SeesNet } from '../../selling/can-see-net-price.ts'
import type { CheckPrice } from '../offer/check-price.ts'
import { presentPriceCheck } from '../present/offer-change.ts'
import { PriceCheckQuery, PriceCheckResponse } from '../schemas/price-check.ts'

export type PriceCheckRouteDeps = { checkPrice: CheckPrice; seesNet: SeesNet }

export const priceCheckRoutes: FastifyPluginAsyncTypebox<PriceCheckRouteDeps> = async (app, deps) => {
  app.get('/api/accommodation/price_check', CHECK, async (request, reply) => {
    const { accountId, isGuest = false } = requireCaller(request)
    const { token } = request.query
    const order = { accountId, isGuest, token, simulation: request.simulation, signal: disconnectSignal(reply) }
    const checked = await deps.checkPrice(order, requestContext(request))
    return { data: presentPriceCheck(checked, await deps.seesNet(accountId)) }
  })
}

const CHECK = operation('booking.check_price', {
  access: 'search',
  cost: 2,
  summary: 'Check a room’s price and terms before booking it',
  description:
    'Follow a room’s `price_check_uri`. The vendor is asked for its current price and terms. Nothing is booked, and the check may be repeated. Book the `booking_info` of the `room` in the response, with its `terms_digest`.',
  querystring: PriceCheckQuery,
  answers: { 200: jsonResponse('The vendor’s current price and terms.', PriceCheckResponse) },
  problems: ['offer_expired', 'invalid_request', 'offer_invalid', 'vendors_failed', 'vendor_timeout'],
})
