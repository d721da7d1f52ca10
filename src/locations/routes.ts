import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { LRUCache } from 'lru-cache'
import { Type } from 'typebox'
import { AppError } from '../domain/errors.ts'
import { LOCATION_TYPES } from '../domain/property/location.ts'
import { DESTINATION_ID } from '../domain/property/property-location.ts'
import { CATALOGUE_LANGUAGE } from '../domain/property/property-texts.ts'
import { sendList } from '../http/body/list-request.ts'
import { sendJson } from '../http/body/send-json.ts'
import { operation } from '../http/operation.ts'
import { jsonResponse, listResponses } from '../http/schemas/answer.ts'
import { lruLimit } from '../lib/async/memoize.ts'
import type { CursorCodec } from '../lists/cursor.ts'
import { defineList } from '../lists/definition.ts'
import type { ListPage } from '../lists/meta.ts'
import type { ListParams, ListPlan } from '../lists/plan.ts'
import { runInMemory, runInMemorySlices } from '../lists/run-in-memory.ts'
import { type Charge, testsPerRow } from '../lists/work.ts'
import type { Destination, FindDestinations } from './destinations.ts'
import type { LocationTrait } from './location-rows.ts'
import { presentLocation, presentNeighbourhood } from './present.ts'
import { isTooShort } from './query.ts'
import { LocationList, LocationQuery, NeighbourhoodList } from './schemas.ts'

const CACHED_MAX = 4_000
/** Fits a first page; longer responses are rarely requested twice. */
const CACHED_LENGTH_MAX = 16 * 1024

const LOCATION_LIST = defineList({
  fields: {
    id: { type: 'string' },
    name: { type: 'string', sortable: true, filterable: true, nullable: false },
    type: { type: 'enum', values: LOCATION_TYPES, sortable: true, filterable: true, nullable: false },
    country_code: { type: 'string', sortable: true, filterable: true, nullable: false },
    iata: { type: 'string', filterable: true },
    timezone: { type: 'string', filterable: true },
  },
  tiebreaker: 'id',
  ranked: true,
})

const LocationId = Type.Object({ location_id: Type.String() })

type Deps = { destinations: FindDestinations; cursors: CursorCodec }

const SEARCH = operation('locations.search', {
  access: 'account',
  list: LOCATION_LIST,
  summary: 'Find a location by the beginning of its name',
  description:
    'Case, accents and punctuation do not matter; names in other languages, IATA and metro codes match too. Properties match by any word of their names and have `type: "property"`: they come after places that match equally well, and at most five are returned unless a filter on `type` asks for more. Best match first unless `order_by[]` asks otherwise.',
  querystring: LocationQuery,
  answers: listResponses('Best match first.', LocationList),
  compress: false,
  decompress: false,
  attachValidation: true,
})

const NEIGHBOURHOODS = operation('locations.neighbourhoods', {
  access: 'account',
  summary: 'List the neighbourhoods of a location',
  description: 'Best known first, at most 60; empty if the location is not a city or has no known neighbourhoods.',
  params: LocationId,
  answers: { 200: jsonResponse('The neighbourhoods.', NeighbourhoodList) },
  problems: ['location_not_found'],
})

export const locationRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, { destinations, cursors }) => {
  // Users type the same prefixes, and only properties change at run time. Errors are not cached.
  const cache = new LRUCache<string, { readonly body: string; readonly link: string | undefined }>(lruLimit(CACHED_MAX))
  let version = destinations.version()

  app.get('/api/locations/search', SEARCH, async (request, reply) => {
    if (version !== destinations.version()) cache.clear()
    version = destinations.version()
    const cached = cache.get(request.url)
    if (cached !== undefined) {
      if (cached.link !== undefined) reply.header('link', cached.link)
      return sendJson(reply, cached.body)
    }
    const { language = CATALOGUE_LANGUAGE } = request.query
    const page = await sendList(request, reply, {
      cursors,
      run: (plan, charge, params) => findLocations(destinations, plan, charge, params),
      present: (destination) => presentLocation(destinations.at(destination), language),
    })
    // For invalid parameters the reply is already sent, and `page` is undefined.
    if (reply.sent || !('data' in page)) return reply
    const body = JSON.stringify(page)
    if (version === destinations.version() && request.url.length + body.length <= CACHED_LENGTH_MAX)
      cache.set(request.url, { body, link: reply.getHeader('link')?.toString() })
    return sendJson(reply, body)
  })

  app.get('/api/locations/:location_id/neighbourhoods', NEIGHBOURHOODS, async (request) => {
    const { location_id: id } = request.params
    const found = DESTINATION_ID.test(id) ? await destinations.neighbourhoods(id) : undefined
    if (found === undefined)
      throw new AppError('location_not_found', 'The location does not exist. Use an id from a location search.')
    return { data: found.map(presentNeighbourhood) }
  })
}

async function findLocations(
  destinations: FindDestinations,
  plan: ListPlan,
  charge: Charge,
  params: ListParams,
): Promise<ListPage<Destination>> {
  const text = String(params.starts_with).normalize('NFC').trim()
  if (isTooShort(text)) {
    const { data, meta } = runInMemory(plan, [])
    return { data, meta: { ...meta, errors: [TOO_SHORT], params: { ...params } } }
  }
  const matches = await destinations.matches(text, asksForType(plan))
  await charge(matches.length * testsPerRow(plan))
  return runInMemorySlices(plan, matches, (destination, field) =>
    destinations.trait(destination, field === 'country_code' ? 'countryCode' : (field as LocationTrait)),
  )
}

const asksForType = ({ filters }: ListPlan) => filters.some(({ field }) => field === 'type')

const TOO_SHORT = {
  field: 'starts_with',
  code: 'too_short',
  message: 'Type at least 3 characters, or 2 Chinese, Japanese or Korean ones.',
}
