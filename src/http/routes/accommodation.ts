import type { FastifyPluginAsync } from 'fastify'
import { AppError, type FieldError, invalidRequest } from '../../domain/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { isUuid } from '../../lib/ids.ts'
import type { SearchDesk } from '../../search/search-desk.ts'
import { documentedOnly, queryOf } from '../list-request.ts'
import { presentDetail } from '../present-detail.ts'
import { problems } from '../problem.ts'
import { callerOf, contextOf, hangUpSignal } from '../request-context.ts'
import { DetailResponse } from '../schemas/detail.ts'
import { detailExample } from '../schemas/examples.ts'
import { sendJson } from '../send-json.ts'

type Deps = { desk: SearchDesk; clock: Clock }

const WRAPPER = '{"accommodation":'
const PROPERTY_ID = /^[\w-]{1,64}$/

export const accommodationRoutes: FastifyPluginAsync<Deps> = async (app, { desk, clock }) => {
  app.get(
    '/api/accommodation_searches/accommodation',
    {
      config: { operation: 'search.detail', access: 'account', cost: 2 },
      ...documentedOnly,
      schema: {
        tags: ['Search'],
        summary: 'Fetch one property of a search with its rooms',
        description:
          'Rooms are fresh, of every vendor that has the property, cheapest first. `raw=true` leaves out the `accommodation` wrapper.',
        security: [{ bearer: [] }],
        querystring: {
          type: 'object',
          required: ['search_id', 'property_id'],
          properties: {
            search_id: { type: 'string', format: 'uuid' },
            property_id: { type: 'string' },
            raw: { type: 'boolean', description: 'Answer the flattened shape.' },
          },
        },
        response: {
          200: { ...DetailResponse, description: 'The property.', examples: [detailExample] },
          ...problems(
            'malformed_request',
            'unauthenticated',
            'search_not_found',
            'property_not_found',
            'search_expired',
            'invalid_request',
            'rate_limited',
            'vendors_failed',
            'vendor_timeout',
          ),
        },
      },
    },
    async (request, reply) => {
      const { accountId } = callerOf(request)
      const { searchId, propertyId, raw } = readDetailQuery(queryOf(request))
      const context = contextOf(request, hangUpSignal(reply))
      const order = { accountId, searchId, propertyId }
      const bytes = await desk.detailBytes(order, request.simulation, context, (detail) =>
        Buffer.from(`${WRAPPER}${JSON.stringify(presentDetail(detail, clock.now()))}}`),
      )
      return sendJson(reply, raw ? bytes.subarray(WRAPPER.length, -1) : bytes)
    },
  )
}

function readDetailQuery(params: Readonly<Record<string, unknown>>) {
  const { search_id: searchId, property_id: propertyId, raw } = params
  const errors: FieldError[] = []
  if (typeof searchId !== 'string' || searchId === '')
    errors.push({
      field: 'search_id',
      code: 'required',
      message: 'search_id is missing: send the one a search answered.',
    })
  if (typeof propertyId !== 'string' || propertyId === '')
    errors.push({
      field: 'property_id',
      code: 'required',
      message: 'property_id is missing: send one of the search’s results.',
    })
  if (raw !== undefined && raw !== 'true' && raw !== 'false')
    errors.push({ field: 'raw', code: 'not_allowed', message: 'raw must be true or false.' })
  if (errors.length > 0) throw invalidRequest(errors)
  // Ids of another shape were never given out, by the simulator neither.
  if (!isUuid(String(searchId))) {
    throw new AppError('search_not_found', 'There is no such search; use the search_id of one of yours.')
  }
  if (!PROPERTY_ID.test(String(propertyId))) {
    throw new AppError('property_not_found', 'This property is not among the results of the search.')
  }
  return { searchId: String(searchId), propertyId: String(propertyId), raw: raw === 'true' }
}
