import type { CallContext } from '../../../lib/async/call-context.ts'
import { chunk } from '../../../lib/chunk.ts'
import { type Circle, distanceKm } from '../../../lib/geo.ts'
import type { ContentPage, ContentQuery } from '../../contract.ts'
import { type Call, type Reply, readWith } from '../../transport/call.ts'
import type { Caller } from '../../transport/caller.ts'
import { VendorError } from '../../vendor-error.ts'
import { AREA_FIRST_PAGE_SIZE, readAhead } from '../../wire/read-ahead.ts'
import { type Listed, limitRadius, shrinkUntilComplete } from '../../wire/read-area.ts'
import { RADIUS_MAX_KM, ringsAround } from '../circle-polygon.ts'
import type { ExpediaRapidConfig } from '../config.ts'
import { encodeContent, encodeGeography, encodePage } from '../encode.ts'
import { malformed } from '../failure.ts'
import { apiPath, nextPage } from '../wire.ts'
import { createReading, decodeGeography } from './decode.ts'

type Rapid = Caller<ExpediaRapidConfig>
type Pages = AsyncGenerator<ContentPage>

export const IDS_MAX = 250
const PAGES_AHEAD = 3
/** Page links expire; Expedia's advice is to start again. */
const RESTARTS_MAX = 2
/** More pages than all properties fill at any page size seen. A longer feed is an endless loop. */
const PAGES_MAX = 50_000

export function readContentPages(rapid: Rapid, query: ContentQuery, context: CallContext): AsyncIterable<ContentPage> {
  if (query.kind === 'ids') return byIds(rapid, query, context)
  return query.kind === 'area' ? byArea(rapid, query, context) : byFeed(rapid, query, context)
}

type IdsQuery = {
  readonly ids: readonly string[]
  readonly withRooms?: boolean
  readonly language?: string
  /** Size of the first page. */
  readonly first?: number
}

async function* byIds(rapid: Rapid, { ids, withRooms = true, language, first }: IdsQuery, context: CallContext): Pages {
  const reading = createReading({ withRooms })
  const tasks = chunk(ids, IDS_MAX, first).map((part) => async (): Promise<ContentPage> => {
    const call = encodeContent(rapid.config, { ids: part, withRooms, language })
    const reply = await rapid.request({ ...call, reading }, context)
    return { ...readWith(reading, reply), cursor: undefined, total: ids.length }
  })
  yield* readAhead(tasks, PAGES_AHEAD)
}

/** Rapid does not sort by distance, so twice the limit is read. A smaller circle is requested if there are more. */
const OVERFETCH_FACTOR = 2

/** Rapid returns the ids in a polygon around the circle; properties outside the circle are removed here. */
async function* byArea(rapid: Rapid, query: ContentQuery & { kind: 'area' }, context: CallContext): Pages {
  const { withRooms = true } = query
  const idsMax = Math.max(IDS_MAX, OVERFETCH_FACTOR * query.limit)
  const requested = limitRadius(query.circle, RADIUS_MAX_KM)
  const { circle, found } = await shrinkUntilComplete(requested, (part) => idsAround(rapid, part, idsMax, context))
  const isCut = circle.radiusKm < query.circle.radiusKm
  for await (const page of byIds(rapid, { ids: found, withRooms, first: AREA_FIRST_PAGE_SIZE }, context)) {
    const properties = page.properties.filter(({ location }) => distanceKm(location, circle.center) <= circle.radiusKm)
    yield { ...page, properties, total: undefined, ...(isCut && { isCut }) }
  }
}

async function idsAround(rapid: Rapid, circle: Circle, idsMax: number, context: CallContext): Promise<Listed<string>> {
  const ids = new Set<string>()
  for (const ring of ringsAround(circle)) {
    const { body } = await rapid.request(encodeGeography(rapid.config, ring), context)
    for (const id of decodeGeography(body)) ids.add(id)
  }
  return { found: [...ids], isComplete: ids.size <= idsMax }
}

async function* readPages(rapid: Rapid, first: Call, context: CallContext): AsyncGenerator<Reply> {
  let call = first
  for (let count = 0; count < PAGES_MAX; count++) {
    const reply = await rapid.request(call, context)
    yield reply
    const next = nextPage(reply.headers.link, rapid.config.baseUrl)
    if (next === undefined || next === call.path) return
    call = { ...first, path: next }
  }
}

/** A restart may repeat pages, which is harmless because storing them is idempotent. */
async function* byFeed(rapid: Rapid, query: ContentQuery & { kind: 'feed' }, context: CallContext): Pages {
  const beginning = encodeContent(rapid.config, query.since === undefined ? {} : { since: query.since })
  const reading = createReading({ withRooms: true })
  let start = query.cursor === undefined ? beginning : resumeAt(query.cursor, rapid.config.baseUrl)
  for (let restarts = 0; ; restarts++) {
    try {
      for await (const reply of readPages(rapid, { ...start, reading }, context)) {
        const total = Number(reply.headers['pagination-total-results'])
        yield {
          ...readWith(reading, reply),
          cursor: nextPage(reply.headers.link, rapid.config.baseUrl),
          total: Number.isSafeInteger(total) && total > 0 ? total : undefined,
        }
      }
      return
    } catch (error) {
      const expired = error instanceof VendorError && error.fault === 'expired'
      if (!expired || restarts >= RESTARTS_MAX) throw error
      start = beginning
    }
  }
}

function resumeAt(cursor: string, origin: string): Call {
  const path = apiPath(cursor, origin)
  if (path === undefined) throw malformed('an unknown cursor')
  return encodePage(path)
}
