import type { FastifyPluginAsync } from 'fastify'
import type { CursorCodec } from '../../lists/cursor.ts'
import { errorMeta } from '../../lists/meta.ts'
import { parseListQuery } from '../../lists/parse-list-query.ts'
import { listQuerySchema, orderQuerySchema } from '../../lists/query-schema.ts'
import { runInMemory } from '../../lists/run-in-memory.ts'
import { AVAILABILITY_LIST, readAvailability } from '../../search/list-availability.ts'
import { listSavedSearches, SAVED_SEARCH_LIST } from '../../search/list-searches.ts'
import type { SearchDesk } from '../../search/search-desk.ts'
import type { SearchOutcome, SearchProgress } from '../../search/search-stays.ts'
import { summariesJson } from '../../search/summary-json.ts'
import type { SearchStore } from '../../store/searches.ts'
import { type EventStream, openEventStream } from '../event-stream.ts'
import { answerList, documentedOnly, queryOf } from '../list-request.ts'
import { presentSearchHead, presentVendor, searchJson } from '../present-search.ts'
import { problemOf, problems } from '../problem.ts'
import { readSearch } from '../read-search.ts'
import { callerOf, contextOf, hangUpSignal } from '../request-context.ts'
import { searchExample } from '../schemas/examples.ts'
import { AvailabilityPageResponse, SavedSearchList, SearchRequest, SearchResponse } from '../schemas/search.ts'
import { sendJson } from '../send-json.ts'

type Deps = { desk: SearchDesk; searches: SearchStore; cursors: CursorCodec }

export const searchRoutes: FastifyPluginAsync<Deps> = async (app, { desk, searches, cursors }) => {
  app.post(
    '/api/accommodation_searches/search',
    {
      config: { operation: 'search.create', access: 'account', cost: 10 },
      ...documentedOnly,
      schema: {
        tags: ['Search'],
        summary: 'Search availability',
        description:
          'Asks every vendor under one deadline and saves the result under `search_id`. With `accept: text/event-stream` the same operation streams: `vendor` as each vendor answers, `properties` as they are found or get cheaper, then `done` with the same body as the blocking answer.',
        security: [{ bearer: [] }],
        querystring: orderQuerySchema(AVAILABILITY_LIST),
        body: SearchRequest,
        response: {
          200: {
            description: 'The search, saved; or, streamed, everything as it comes.',
            content: {
              'application/json': { schema: { ...SearchResponse, examples: [searchExample] } },
              'text/event-stream': { schema: { type: 'string' }, example: STREAM_EXAMPLE },
            },
          },
          ...problems(
            'malformed_request',
            'unauthenticated',
            'location_not_found',
            'body_too_large',
            'unsupported_media_type',
            'invalid_request',
            'location_too_large',
            'rate_limited',
            'vendors_failed',
            'overloaded',
            'vendor_timeout',
          ),
        },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const { plan, errors } = readOrder(queryOf(request))
      const read = readSearch(request.body, desk.vendorIds)
      const asked = { ...read, errors: [...errors, ...read.errors] }
      const order = desk.orderOf(caller.accountId, asked, request.simulation, request.ip)
      const search = desk.searchFor(request.simulation)
      const answerOf = ({ search: saved, properties, warnings }: SearchOutcome) => {
        const inOrder = runInMemory(plan, properties, readAvailability).data
        return searchJson(saved, inOrder, [...asked.warnings, ...warnings])
      }
      const context = contextOf(request, hangUpSignal(reply))
      if (!wantsStream(request.headers.accept)) {
        const outcome = await search(order, context)
        const answer = answerOf(outcome)
        await outcome.saved
        return sendJson(reply, answer)
      }
      const stream = openEventStream(reply)
      try {
        const outcome = await search(order, context, progressOn(stream, request.simulation !== undefined))
        const answer = answerOf(outcome)
        await outcome.saved
        stream.send('done', answer)
      } catch (error) {
        const { body } = problemOf(error, request.id)
        if (body.code === 'internal') request.log.error({ err: error }, 'unexpected error')
        stream.send('problem', JSON.stringify(body))
      }
      stream.end()
      return reply
    },
  )

  app.get(
    '/api/accommodation_searches',
    {
      config: { operation: 'search.list', access: 'account' },
      ...documentedOnly,
      schema: {
        tags: ['Search'],
        summary: 'List your saved searches',
        security: [{ bearer: [] }],
        querystring: listQuerySchema(SAVED_SEARCH_LIST),
        response: {
          200: SavedSearchList,
          422: { ...SavedSearchList, description: 'A list parameter is wrong.' },
          ...problems('malformed_request', 'unauthenticated', 'rate_limited'),
        },
      },
    },
    async (request, reply) => {
      const { accountId } = callerOf(request)
      return answerList(request, reply, {
        definition: SAVED_SEARCH_LIST,
        cursors,
        scope: `search.list ${accountId}`,
        async run(plan) {
          const page = await listSavedSearches(searches, accountId, plan)
          return { ...page, data: page.data.map((search) => presentSearchHead(search)) }
        },
      })
    },
  )

  app.get(
    '/api/accommodation_searches/:search_id/availability',
    {
      config: { operation: 'search.availability', access: 'account' },
      ...documentedOnly,
      schema: {
        tags: ['Search'],
        summary: 'The properties of a saved search, paged, ordered, filtered',
        security: [{ bearer: [] }],
        params: {
          type: 'object',
          required: ['search_id'],
          properties: { search_id: { type: 'string', format: 'uuid' } },
        },
        querystring: listQuerySchema(AVAILABILITY_LIST),
        response: {
          200: AvailabilityPageResponse,
          422: { ...AvailabilityPageResponse, description: 'A list parameter is wrong.' },
          ...problems('malformed_request', 'unauthenticated', 'search_not_found', 'search_expired', 'rate_limited'),
        },
      },
    },
    async (request, reply) => {
      const { accountId } = callerOf(request)
      const { search_id: searchId } = request.params as { search_id: string }
      const params = queryOf(request)
      const parsed = parseListQuery(AVAILABILITY_LIST, params, {
        cursors,
        scope: `search.availability ${accountId} ${searchId}`,
      })
      if (!parsed.ok) {
        return sendJson(
          reply,
          JSON.stringify({ data: [], meta: errorMeta(AVAILABILITY_LIST, parsed.errors, parsed.params) }),
          422,
        )
      }
      const context = contextOf(request, hangUpSignal(reply))
      const order = { accountId, searchId }
      const { search, page, facets } = await desk.listAvailability(order, parsed.plan, request.simulation, context)
      const meta = JSON.stringify({ ...page.meta, facets, search: presentSearchHead(search) })
      return sendJson(reply, summariesJson(page.data, search.simulated, '{"data":', `,"meta":${meta}}`))
    },
  )
}

const STREAM_EXAMPLE = `event: vendor
data: {"vendor_id":"hotelbeds","status":"ok","properties":128,"took_ms":412}

event: properties
data: {"availability":[…]}

event: done
data: {"data":{"availability":[…],"search_id":"…"}}

`

const progressOn = (stream: EventStream, simulated: boolean): SearchProgress => ({
  onVendor: (vendor) => stream.send('vendor', JSON.stringify(presentVendor(vendor))),
  onProperties: (properties) =>
    stream.send('properties', summariesJson(properties, simulated, '{"availability":', '}')),
})

const wantsStream = (accept: string | undefined) => accept?.includes('text/event-stream') ?? false

/** `order_by[]` works on the search itself; the answer is whole, so paging parameters are of no use there. */
function readOrder(params: Readonly<Record<string, unknown>>) {
  const { order_by, order_directions } = params
  const asked = {
    ...(order_by === undefined ? {} : { order_by }),
    ...(order_directions === undefined ? {} : { order_directions }),
  }
  const parsed = parseListQuery(AVAILABILITY_LIST, { ...asked, ...COUNTED }, NO_CURSORS)
  if (parsed.ok) return { plan: { ...parsed.plan, paging: WHOLE }, errors: [] }
  const usual = parseListQuery(AVAILABILITY_LIST, COUNTED, NO_CURSORS)
  if (!usual.ok) throw new Error('a search without an order cannot be read')
  const { errors } = errorMeta(AVAILABILITY_LIST, parsed.errors, parsed.params)
  return { plan: { ...usual.plan, paging: WHOLE }, errors }
}

/** Paging by number, which takes any order; then all of it is one page. */
const COUNTED = { limit: '1' }
const WHOLE = { type: 'none', size: null } as const

/** Nothing is paged by cursor here. */
const NO_CURSORS = { scope: 'search.create', cursors: { seal: () => '', open: () => undefined } }
