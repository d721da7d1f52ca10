import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { chooseMediaType } from '../../http/body/accepted-media.ts'
import { toFieldErrors } from '../../http/body/field-errors.ts'
import { createCharge, readListParams, sendList } from '../../http/body/list-request.ts'
import { sendJson } from '../../http/body/send-json.ts'
import { bookingOwner, disconnectSignal, requestContext, requireCaller } from '../../http/middleware/request-context.ts'
import { operation } from '../../http/operation.ts'
import { toProblem, withoutEffect } from '../../http/problem.ts'
import { listResponses } from '../../http/schemas/answer.ts'
import { createEventStreams, type EventStream, type OpenEventStream } from '../../http/streams/event-stream.ts'
import { isUuid } from '../../lib/crypto/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { CursorCodec } from '../../lists/cursor.ts'
import { errorMeta } from '../../lists/meta.ts'
import { parseListQuery } from '../../lists/parse-list-query.ts'
import { runInMemory } from '../../lists/run-in-memory.ts'
import type { SeesNet } from '../../selling/can-see-net-price.ts'
import type { Destinations } from '../destinations.ts'
import { AVAILABILITY_LIST, type ListAvailability, readAvailability } from '../list-availability.ts'
import { listSavedSearches, SAVED_SEARCH_LIST } from '../list-searches.ts'
import { searchProblemMembers } from '../present/problem-members.ts'
import { availabilityJson, doneJson, presentSearchHead, presentVendor, searchJson } from '../present/search.ts'
import { summariesJson } from '../present/summary.ts'
import type { SearchProgress } from '../report-progress.ts'
import { AvailabilityPageResponse, SavedSearchList } from '../schemas/availability.ts'
import { SearchResponse } from '../schemas/search.ts'
import { SearchStream } from '../schemas/search-events.ts'
import { SearchRequest } from '../schemas/search-request.ts'
import type { SearchOutcome, SearchStays } from '../search-stays.ts'
import { type Places, resolveTerms, validateCheckIn } from '../search-terms.ts'
import type { SearchStore } from '../store/searches.ts'
import type { Worlds } from '../world.ts'
import { listWarnings, readSearch } from './read-search.ts'

export type SearchRouteDeps = {
  worlds: Worlds
  destinations: Destinations
  clock: Clock
  searches: SearchStore
  searchStays: SearchStays
  listAvailability: ListAvailability
  cursors: CursorCodec
  seesNet: SeesNet
  /** The operator's default. */
  defaultCountryCode: string
}

export const searchRoutes: FastifyPluginAsyncTypebox<SearchRouteDeps> = async (app, deps) => {
  const openStream = createEventStreams()
  app.post('/api/accommodation_searches/search', SEARCH, (request, reply) => search(deps, openStream, request, reply))

  app.get('/api/accommodation_searches', SAVED, (request, reply) => {
    const { accountId, onlySimulated } = bookingOwner(request)
    return sendList(request, reply, {
      cursors: deps.cursors,
      owner: [accountId],
      run: (plan, charge) => listSavedSearches(deps.searches, accountId, plan, charge, onlySimulated),
      present: (saved) => presentSearchHead(saved),
    })
  })

  app.get('/api/accommodation_searches/:search_id/availability', AVAILABILITY, (request, reply) =>
    listAvailability(deps, request, reply),
  )
}

async function search(
  deps: SearchRouteDeps,
  openStream: OpenEventStream,
  request: FastifyRequest<{ Body: SearchRequest }>,
  reply: FastifyReply,
) {
  const world = deps.worlds.select(request.simulation)
  const { plan, errors } = readOrder(readListParams(request))
  const places = await preloadDestination(deps.destinations, request.body)
  const schemaErrors = [...errors, ...toFieldErrors(request.validationError?.validation ?? [], 'body')]
  const input = readSearch(request.body, schemaErrors, {
    vendorIds: deps.worlds.real.vendors.map(({ id }) => id),
    defaultCountryCode: deps.defaultCountryCode,
    checkInErrors: (destinationId, checkIn) => validateCheckIn({ ...deps, places }, world, destinationId, checkIn),
  })
  const terms = resolveTerms(places, world, input, request.ip)
  const { accountId } = requireCaller(request)
  const order = { accountId, terms, timeoutMs: input.timeoutMs }
  const seesNet = await deps.seesNet(accountId)
  const context = { ...requestContext(request), signal: disconnectSignal(reply) }
  const present = (
    write: typeof searchJson | typeof doneJson,
    { search: saved, properties, warnings }: SearchOutcome,
  ) => {
    const inOrder = runInMemory(plan, properties, readAvailability).data
    return write(saved, inOrder, [...listWarnings(request.body), ...warnings], seesNet)
  }
  const run = async (progress?: SearchProgress) => {
    const outcome = await deps.searchStays(world, order, context, progress)
    request.about = { searchId: outcome.search.searchId }
    return outcome
  }
  if (!wantsStream(request.headers.accept)) return sendJson(reply, present(searchJson, await run()))

  const stream = openStream(reply, order.accountId)
  try {
    const outcome = await run(streamProgress(stream, world.simulated, seesNet))
    stream.send('done', () => present(doneJson, outcome))
  } catch (error) {
    const { body } = toProblem(withoutEffect(error), request.id, searchProblemMembers)
    request.problemCode = String(body.code)
    if (body.code === 'internal') request.log.error({ err: error }, 'unexpected error')
    stream.send('problem', () => JSON.stringify(body))
  }
  stream.end()
  return reply
}

/** Looks up the destination beforehand, because a property is read from the store. */
async function preloadDestination(
  { byId, nearby }: Destinations,
  body: Partial<SearchRequest> | null,
): Promise<Places> {
  const id = body?.destination_id
  const found = typeof id === 'string' && isUuid(id) ? await byId(id) : undefined
  return { byId: (wanted) => (wanted === id ? found : undefined), nearby }
}

async function listAvailability(
  deps: SearchRouteDeps,
  request: FastifyRequest<{ Params: SearchId }>,
  reply: FastifyReply,
) {
  const owner = bookingOwner(request)
  const { accountId } = owner
  const { search_id: searchId } = request.params
  const scope = `search.availability ${accountId} ${searchId}`
  const parsed = parseListQuery(AVAILABILITY_LIST, readListParams(request), { cursors: deps.cursors, scope })
  if (!parsed.ok) {
    const meta = errorMeta(AVAILABILITY_LIST, parsed.issues, parsed.params)
    return sendJson(reply, JSON.stringify({ data: [], meta }), 422)
  }
  const context = { ...requestContext(request), signal: disconnectSignal(reply) }
  const order = { ...owner, searchId }
  const { plan } = parsed
  const page = await deps.listAvailability(order, plan, request.simulation, context, createCharge(request))
  return sendJson(reply, availabilityJson(page, await deps.seesNet(accountId)))
}

type SearchId = Static<typeof SearchId>
const SearchId = Type.Object({ search_id: Type.String({ description: 'UUID returned by a search.' }) })

const SEARCH = operation('search.create', {
  access: 'search',
  safe: 'always',
  cost: 10,
  ordered: AVAILABILITY_LIST,
  summary: 'Search availability',
  description:
    'Asks every vendor under one deadline and saves the result under `search_id`. With `accept: text/event-stream` the same operation streams: `vendor` as each vendor answers, `properties` as they are found or change, then `done`. The `done` event has the blocking response with `order` (property ids) instead of `availability`, because every property was already sent. If a property was sent more than once, the last one is valid.',
  body: SearchRequest,
  answers: {
    200: {
      description: 'The saved search, or a stream of its events.',
      content: {
        'application/json': { schema: SearchResponse },
        'text/event-stream': { schema: SearchStream },
      },
    },
  },
  problems: ['location_not_found', 'invalid_request', 'location_too_large', 'vendors_failed', 'vendor_timeout'],
  attachValidation: true,
})

const SAVED = operation('search.list', {
  access: 'search',
  list: SAVED_SEARCH_LIST,
  summary: 'List your saved searches',
  description: 'Searches of the last day, without their properties.',
  answers: listResponses('The saved searches, newest first.', SavedSearchList),
})

const AVAILABILITY = operation('search.availability', {
  access: 'search',
  list: AVAILABILITY_LIST,
  summary: 'List the properties of a saved search',
  description:
    'In the recommended order unless `order_by[]` is sent. `meta.facets` counts the properties that each filter would leave.',
  params: SearchId,
  answers: listResponses('One page of the search’s properties.', AvailabilityPageResponse),
  problems: ['search_not_found', 'search_expired'],
})

const streamProgress = (stream: EventStream, simulated: boolean, seesNet: boolean): SearchProgress => ({
  onVendor: (vendor) => stream.send('vendor', () => JSON.stringify(presentVendor(vendor))),
  onProperties: (properties) =>
    stream.send('properties', () => summariesJson(properties, simulated, '{"availability":', '}', seesNet)),
})

const STREAM = 'text/event-stream'

/** Streams only to clients that name the media type and do not prefer JSON. */
const wantsStream = (accept = '') =>
  accept.toLowerCase().includes(STREAM) &&
  chooseMediaType(`${accept}, */*;q=0.001`, [STREAM, 'application/json']) === STREAM

/** The search itself accepts `order_by[]`. Its response is not paged, so paging parameters do not apply. */
function readOrder(params: Readonly<Record<string, unknown>>) {
  const { order_by, order_directions } = params
  const input = {
    ...(order_by === undefined ? {} : { order_by }),
    ...(order_directions === undefined ? {} : { order_directions }),
  }
  const parsed = parseListQuery(AVAILABILITY_LIST, { ...input, ...PAGED_BY_NUMBER }, NO_CURSORS)
  if (parsed.ok) return { plan: { ...parsed.plan, paging: UNPAGED }, errors: [] }
  const defaults = parseListQuery(AVAILABILITY_LIST, PAGED_BY_NUMBER, NO_CURSORS)
  if (!defaults.ok) throw new Error('the default order of a search is invalid')
  const { errors } = errorMeta(AVAILABILITY_LIST, parsed.issues, parsed.params)
  return { plan: { ...defaults.plan, paging: UNPAGED }, errors }
}

/** Paging by number accepts any order. All results are then one page. */
const PAGED_BY_NUMBER = { limit: '1' }
const UNPAGED = { type: 'none', size: null } as const

const NO_CURSORS = { scope: 'search.create', cursors: { seal: () => '', open: () => undefined } }
