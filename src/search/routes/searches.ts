import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { BookingOwner } from '../../domain/access.ts'
import { AppError } from '../../domain/errors.ts'
import { DESTINATION_ID, propertyLocationId } from '../../domain/property/property-location.ts'
import { chooseMediaType } from '../../http/body/accepted-media.ts'
import { toFieldErrors } from '../../http/body/field-errors.ts'
import { addPageLinks, createCharge, readListParams, sendList, withWarnings } from '../../http/body/list-request.ts'
import { sendJson } from '../../http/body/send-json.ts'
import { listUnusedParameters } from '../../http/body/unused-parameters.ts'
import { entityTag, isUnchanged } from '../../http/middleware/entity-tags.ts'
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
import { AVAILABILITY_LIST, countSearchFacets, type ListAvailability, readAvailability } from '../list-availability.ts'
import { listSavedSearches, SAVED_SEARCH_LIST } from '../list-searches.ts'
import { CARDS } from '../present/card.ts'
import { searchProblemMembers } from '../present/problem-members.ts'
import { availabilityJson, doneJson, presentSearchHead, presentVendor, searchJson } from '../present/search.ts'
import { changesJson } from '../present/summary.ts'
import { findLiveSearch } from '../property-detail.ts'
import type { SearchProgress } from '../report-progress.ts'
import { AvailabilityPageResponse, SavedSearchList, SearchResponse } from '../schemas/availability.ts'
import { VIEWS } from '../schemas/property-card.ts'
import { SearchStream } from '../schemas/search-events.ts'
import { SearchRequest } from '../schemas/search-request.ts'
import type { SearchOutcome, SearchStays } from '../search-stays.ts'
import { type Destination, resolveTerms, validateCheckIn } from '../search-terms.ts'
import type { SearchStore } from '../store/searches.ts'
import type { World, Worlds } from '../world.ts'
import { readPage, readView } from './read-page.ts'
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
  const { plan, errors, isPaged, asCards, warnings: ignored } = readPage(readListParams(request))
  const destination = await findDestination(deps.destinations, world, request.body)
  const schemaErrors = [...errors, ...toFieldErrors(request.validationError?.validation ?? [], 'body')]
  const input = readSearch(request.body, schemaErrors, {
    vendorIds: deps.worlds.real.vendors.map(({ id }) => id),
    defaultCountryCode: deps.defaultCountryCode,
    checkInErrors: (checkIn) => validateCheckIn(destination, checkIn, deps.clock.now()),
  })
  const terms = resolveTerms(destination, deps.destinations.nearby, world, input, request.ip)
  const { accountId } = requireCaller(request)
  const order = { accountId, terms, timeoutMs: input.timeoutMs }
  const seesNet = await deps.seesNet(accountId)
  const context = { ...requestContext(request), signal: disconnectSignal(reply) }
  const present = (write: typeof searchJson | typeof doneJson, outcome: SearchOutcome) => {
    const { data, meta } = runInMemory(plan, outcome.results, readAvailability)
    const unused = [...listWarnings(request.body, request.server.listParameters), ...listUnusedParameters(request)]
    const warnings = [...unused, ...ignored, ...outcome.warnings]
    const shown = { search: outcome.search, results: data, warnings, asCards }
    const path = `/api/accommodation_searches/${outcome.search.searchId}/availability`
    if (isPaged && !reply.raw.headersSent) addPageLinks(request, reply, plan, meta, path)
    return write(isPaged ? { ...shown, meta: { ...meta, facets: countSearchFacets(outcome.results) } } : shown, seesNet)
  }
  const run = async (progress?: SearchProgress) => {
    const outcome = await deps.searchStays(world, order, context, progress)
    request.about = { searchId: outcome.search.searchId }
    return outcome
  }
  if (!wantsStream(request.headers.accept)) return sendJson(reply, present(searchJson, await run()))

  const stream = openStream(reply, order.accountId)
  try {
    const outcome = await run(streamProgress(stream, world.simulated, seesNet, asCards))
    stream.send('done', () => present(doneJson, outcome))
  } catch (error) {
    const { body } = toProblem(withoutEffect(error), request.id, searchProblemMembers)
    request.problemCode = String(body.code)
    if (error instanceof AppError) request.failure = error
    if (body.code === 'internal') request.log.error({ err: error }, 'unexpected error')
    stream.send('problem', () => JSON.stringify(body))
  }
  stream.end()
  return reply
}

/** With the simulation header, any destination can be searched. */
async function findDestination(
  { byId }: Destinations,
  world: World,
  body: Partial<SearchRequest> | null,
): Promise<Destination | undefined> {
  const id = body?.destination_id
  if (typeof id !== 'string' || !DESTINATION_ID.test(id)) return undefined
  const found = await byId(id)
  const locationId = isUuid(id) ? id : propertyLocationId(id)
  return found ?? (world.samples && { ...world.samples.search('', id).terms.location, id: locationId })
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
  const { asCards, errors } = readView(readListParams(request))
  if (!parsed.ok || errors.length > 0) {
    const { issues, params } = parsed.ok ? { issues: [], params: readListParams(request) } : parsed
    const meta = errorMeta(AVAILABILITY_LIST, issues, params)
    return sendJson(reply, JSON.stringify({ data: [], meta: { ...meta, errors: [...errors, ...meta.errors] } }), 422)
  }
  const seesNet = await deps.seesNet(accountId)
  // The results of a saved search do not change.
  const tag = entityTag(JSON.stringify([searchId, request.url, seesNet]))
  if (request.headers['if-none-match'] !== undefined && (await hasSearch(deps, owner, searchId)))
    if (isUnchanged(request, reply, tag)) return reply.send()
  const context = { ...requestContext(request), signal: disconnectSignal(reply) }
  const order = { ...owner, searchId }
  const { plan } = parsed
  const found = await deps.listAvailability(order, plan, request.simulation, context, createCharge(request))
  const page = { ...found.page, meta: withWarnings(found.page.meta, request) }
  addPageLinks(request, reply, plan, page.meta)
  reply.header('etag', tag)
  return sendJson(reply, availabilityJson({ ...found, page }, seesNet, asCards))
}

async function hasSearch(deps: SearchRouteDeps, { accountId, onlySimulated }: BookingOwner, searchId: string) {
  const live = await findLiveSearch(deps, accountId, searchId)
  return live !== undefined && (live.search.simulated || onlySimulated !== true)
}

type SearchId = Static<typeof SearchId>
const SearchId = Type.Object({ search_id: Type.String({ description: 'UUID returned by a search.' }) })

const SEARCH = operation('search.create', {
  access: 'search',
  safe: 'always',
  cost: 10,
  ordered: AVAILABILITY_LIST,
  views: VIEWS,
  summary: 'Search availability',
  description:
    'Asks every vendor under one deadline and saves the result under `search_id`. With `accept: text/event-stream` the same operation streams: `vendor` as each vendor answers, `properties` as they are found or change, then `done`. The `done` event has the blocking response with `order` (property ids) instead of `availability`, because every property was already sent. A property is sent in full once; a later event for it carries `property_id` and the members that changed. With `page_size` or `limit`, the response is the first page with `meta`, and the search saves the whole result.',
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
  views: VIEWS,
  etag: 'own',
  summary: 'List the properties of a saved search',
  description:
    'In the recommended order unless `order_by[]` is sent. `meta.facets` counts the properties that each filter would leave.',
  params: SearchId,
  answers: listResponses('One page of the search’s properties.', AvailabilityPageResponse),
  problems: ['search_not_found', 'search_expired'],
})

const streamProgress = (
  stream: EventStream,
  simulated: boolean,
  seesNet: boolean,
  asCards: boolean,
): SearchProgress => ({
  onVendor: (vendor) => stream.send('vendor', () => JSON.stringify(presentVendor(vendor))),
  onResults: (results) =>
    stream.send('properties', () => changesJson(results, simulated, seesNet, asCards ? CARDS : undefined)),
})

const STREAM = 'text/event-stream'

/** Streams only to clients that name the media type and do not prefer JSON. */
const wantsStream = (accept = '') =>
  accept.toLowerCase().includes(STREAM) &&
  chooseMediaType(`${accept}, */*;q=0.001`, [STREAM, 'application/json']) === STREAM
