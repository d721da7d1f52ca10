import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AppError } from '../../domain/errors.ts'
import { sendJson } from '../../http/body/send-json.ts'
import { disconnectSignal, requestContext, requireCaller } from '../../http/middleware/request-context.ts'
import { operation } from '../../http/operation.ts'
import { jsonResponse } from '../../http/schemas/answer.ts'
import { hasIdShape, isUuid } from '../../lib/crypto/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { SeesNet } from '../../selling/can-see-net-price.ts'
import type { DetailCache } from '../detail-cache.ts'
import { presentDetail } from '../present/property-detail.ts'
import type { FetchDetail } from '../property-detail.ts'
import { DetailQuery, DetailResponse } from '../schemas/property-detail.ts'
import type { Worlds } from '../world.ts'

export type AccommodationRouteDeps = {
  fetchDetail: FetchDetail
  details: DetailCache
  /** Only the id of the newest booking; bookings are a higher layer. */
  showBookings: { newestId(accountId: string): Promise<string> }
  seesNet: SeesNet
  clock: Clock
  worlds: Worlds
}

const WRAPPER = '{"accommodation":'

export const accommodationRoutes: FastifyPluginAsyncTypebox<AccommodationRouteDeps> = async (app, deps) => {
  app.get(
    '/api/accommodation_searches/accommodation',
    operation('search.detail', {
      access: 'search',
      cost: 2,
      summary: 'Fetch one property of a search with its rooms',
      description:
        'Current rooms of every vendor that has the property, cheapest first. Texts are in the language of the search if a vendor has them, otherwise in English; `languages` says which. `raw=true` omits the `accommodation` wrapper.',
      querystring: DetailQuery,
      answers: { 200: jsonResponse('The property.', DetailResponse) },
      problems: [
        'search_not_found',
        'property_not_found',
        'search_expired',
        'invalid_request',
        'vendors_failed',
        'vendor_timeout',
      ],
    }),
    async (request, reply) => {
      const { accountId } = requireCaller(request)
      const { searchId, propertyId } = readIds(request.query)
      const isRaw = request.query.raw === 'true'
      const send = (bytes: Buffer) => sendJson(reply, isRaw ? bytes.subarray(WRAPPER.length, -1) : bytes)
      const seesNet = await deps.seesNet(accountId)
      const { language } = request.query
      // An offer can be booked once, so a booking in any process invalidates the cached offers.
      const newestBookingId = await deps.showBookings.newestId(accountId)
      const evictions = deps.worlds.select(request.simulation).answers.rooms.forgotten(propertyId)
      const key = `${searchId} ${propertyId} ${request.simulation ?? ''} ${seesNet} ${language ?? ''} ${newestBookingId} ${evictions}`
      const cached = deps.details.get(accountId, key)
      if (cached !== undefined) return send(cached)

      const context = { ...requestContext(request), signal: disconnectSignal(reply) }
      const detail = await deps.fetchDetail({ accountId, searchId, propertyId, language }, request.simulation, context)
      const presented = presentDetail(detail, deps.clock.now(), seesNet)
      const bytes = Buffer.from(`${WRAPPER}${JSON.stringify(presented)}}`)
      if (!presented.partial) deps.details.keep(accountId, key, bytes, detail.search.expiresAt)
      return send(bytes)
    },
  )
}

/** Ids of another format were never issued, not even by the simulator. */
function readIds({ search_id: searchId, property_id: propertyId }: DetailQuery) {
  if (!isUuid(searchId))
    throw new AppError('search_not_found', 'Search not found. Use the search_id of one of your searches.')
  if (!hasIdShape(propertyId))
    throw new AppError('property_not_found', 'This property is not among the results of the search.')
  return { searchId, propertyId }
}
