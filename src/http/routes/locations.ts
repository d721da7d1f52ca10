import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { LOCATION_TYPES } from '../../domain/location.ts'
import type { CursorCodec } from '../../lists/cursor.ts'
import { defineList } from '../../lists/definition.ts'
import { listQuerySchema } from '../../lists/query-schema.ts'
import { runInMemory } from '../../lists/run-in-memory.ts'
import type { LocationIndex } from '../../locations/location-index.ts'
import type { LocationTrait } from '../../locations/location-rows.ts'
import { answerList, documentedOnly } from '../list-request.ts'
import { problems } from '../problem.ts'
import { LocationList, presentLocation } from '../schemas/locations.ts'
import { sendJson } from '../send-json.ts'

const LENGTH_MIN = 3
const REMEMBERED_MAX = 4_000
/** A first page; longer ones are seldom asked for twice. */
const REMEMBERED_BYTES_MAX = 16 * 1024

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

type Deps = { locations: LocationIndex; cursors: CursorCodec }

export const locationRoutes: FastifyPluginAsync<Deps> = async (app, { locations, cursors }) => {
  // People type the same beginnings; places do not change while we run. Only good answers are remembered, as the bytes that
  // go out: to make them of a text again takes longer than the rest of the answer.
  const remembered = new Map<string, Buffer>()

  app.get(
    '/api/locations/search',
    {
      config: { operation: 'locations.search', access: 'account' },
      // A handful of places: packing them would cost more than it saves.
      compress: false,
      // And nothing comes in that could be packed.
      decompress: false,
      ...documentedOnly,
      schema: {
        tags: ['Locations'],
        summary: 'Find a location by the beginning of its name',
        description:
          'Case, accents and punctuation do not matter; other languages’ names, IATA and metro codes count too. Best match first unless `order_by[]` asks otherwise.',
        security: [{ bearer: [] }],
        querystring: withStartsWith(listQuerySchema(LOCATION_LIST)),
        response: {
          200: LocationList,
          422: { ...LocationList, description: 'A list parameter is wrong: `meta.errors` says which and why.' },
          ...problems('malformed_request', 'unauthenticated', 'rate_limited'),
        },
      },
    },
    (request, reply) => {
      const known = remembered.get(request.raw.url ?? '')
      if (known === undefined) return find(request, reply)
      sendJson(reply, known)
      return undefined
    },
  )

  async function find(request: FastifyRequest, reply: FastifyReply) {
    const page = await answerList(request, reply, {
      definition: LOCATION_LIST,
      cursors,
      scope: 'locations.search',
      check: ({ starts_with: text }) => (typeof text === 'string' ? [] : [MISSING]),
      run(plan, params) {
        const text = String(params.starts_with).normalize('NFC').trim()
        if (isTooShort(text)) {
          const empty = runInMemory(plan, [])
          return { ...empty, meta: { ...empty.meta, errors: [TOO_SHORT], params: { ...params } } }
        }
        const page = runInMemory(plan, locations.matches(text), (row, field) =>
          locations.trait(row, field === 'country_code' ? 'countryCode' : (field as LocationTrait)),
        )
        return { ...page, data: page.data.map((row) => presentLocation(locations.at(row))) }
      },
    })
    if (reply.sent || !('data' in page)) return page
    const body = Buffer.from(JSON.stringify(page))
    const { url = '' } = request.raw
    if (url.length + body.length <= REMEMBERED_BYTES_MAX) {
      if (remembered.size >= REMEMBERED_MAX) remembered.clear()
      remembered.set(url, body)
    }
    return sendJson(reply, body)
  }
}

const MISSING = {
  field: 'starts_with',
  code: 'required',
  message: 'starts_with is missing: send the first letters of a place.',
}

const TOO_SHORT = {
  field: 'starts_with',
  code: 'too_short',
  message: `Type at least ${LENGTH_MIN} characters to get a result.`,
}

/** Counted in code points, and only as far as needed: the text may be a megabyte long. */
function isTooShort(text: string): boolean {
  let count = 0
  for (const _ of text) {
    count += 1
    if (count >= LENGTH_MIN) return false
  }
  return true
}

function withStartsWith(schema: { readonly [keyword: string]: unknown }) {
  const properties = schema.properties as Record<string, unknown>
  const startsWith = { type: 'string', description: 'At least 3 characters.', example: 'par' }
  return Type.Unsafe({ ...schema, required: ['starts_with'], properties: { starts_with: startsWith, ...properties } })
}
