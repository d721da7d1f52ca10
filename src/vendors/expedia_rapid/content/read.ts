import type { CallContext } from '../../../lib/async/call-context.ts'
import { type Circle, distanceKm } from '../../../lib/geo.ts'
import { partsOf } from '../../../lib/parts.ts'
import type { ContentPage, ContentQuery } from '../../contract.ts'
import { type Call, type Reply, readWith } from '../../transport/call.ts'
import type { Caller } from '../../transport/caller.ts'
import { VendorError } from '../../vendor-error.ts'
import { FIRST_OF_AREA, readAhead } from '../../wire/read-ahead.ts'
import { type Listed, readWhole, within } from '../../wire/read-area.ts'
import type { ExpediaRapidConfig } from '../config.ts'
import { encodeContent, encodeGeography, encodePage } from '../encode.ts'
import { malformed } from '../failure.ts'
import { RADIUS_MAX_KM, ringsAround } from '../ring.ts'
import { apiPath, nextPage } from '../wire.ts'
import { decodeGeography, readingOf } from './decode.ts'

type Rapid = Caller<ExpediaRapidConfig>
type Pages = AsyncGenerator<ContentPage>

export const IDS_MAX = 250
const PAGES_AHEAD = 3
/** A page link expires after a while; the vendor's advice is to begin again. */
const RESTARTS_MAX = 2
/** More pages than all properties fill at any page size seen: whoever sends more is going in circles. */
const PAGES_MAX = 50_000

export function readContent(rapid: Rapid, query: ContentQuery, context: CallContext): AsyncIterable<ContentPage> {
  if (query.kind === 'ids') return byIds(rapid, query, context)
  return query.kind === 'area' ? byArea(rapid, query, context) : byFeed(rapid, query, context)
}

type Named = {
  readonly ids: readonly string[]
  readonly withRooms?: boolean
  readonly language?: string
  /** How many are on the first page. */
  readonly first?: number
}

async function* byIds(rapid: Rapid, { ids, withRooms = true, language, first }: Named, context: CallContext): Pages {
  const reading = readingOf({ withRooms })
  const tasks = partsOf(ids, IDS_MAX, first).map((part) => async (): Promise<ContentPage> => {
    const call = encodeContent(rapid.config, { ids: part, withRooms, language })
    const reply = await rapid.ask({ ...call, reading }, context)
    return { ...readWith(reading, reply), cursor: undefined, total: ids.length }
  })
  yield* readAhead(tasks, PAGES_AHEAD)
}

/** So many times what was asked for is read, because Rapid does not tell which are the nearest; of more, a smaller circle is. */
const MORE_THAN_ASKED = 2

/** Rapid tells the ids in a polygon around the circle; what lies between the two is left out here. */
async function* byArea(rapid: Rapid, query: ContentQuery & { kind: 'area' }, context: CallContext): Pages {
  const { withRooms = true } = query
  const most = Math.max(IDS_MAX, MORE_THAN_ASKED * query.limit)
  const asked = within(query.circle, RADIUS_MAX_KM)
  const { circle, found } = await readWhole(asked, (part) => idsAround(rapid, part, most, context))
  const isCut = circle.radiusKm < query.circle.radiusKm
  for await (const page of byIds(rapid, { ids: found, withRooms, first: FIRST_OF_AREA }, context)) {
    const properties = page.properties.filter(({ location }) => distanceKm(location, circle.center) <= circle.radiusKm)
    yield { ...page, properties, total: undefined, ...(isCut && { isCut }) }
  }
}

async function idsAround(rapid: Rapid, circle: Circle, most: number, context: CallContext): Promise<Listed<string>> {
  const ids = new Set<string>()
  for (const ring of ringsAround(circle)) {
    const { body } = await rapid.ask(encodeGeography(rapid.config, ring), context)
    for (const id of decodeGeography(body)) ids.add(id)
  }
  return { found: [...ids], isWhole: ids.size <= most }
}

async function* pages(rapid: Rapid, first: Call, context: CallContext): AsyncGenerator<Reply> {
  let call = first
  for (let count = 0; count < PAGES_MAX; count++) {
    const reply = await rapid.ask(call, context)
    yield reply
    const next = nextPage(reply.headers.link, rapid.config.baseUrl)
    if (next === undefined || next === call.path) return
    call = { ...first, path: next }
  }
}

/** Page by page; a page that comes twice after a restart does no harm to whoever stores it. */
async function* byFeed(rapid: Rapid, query: ContentQuery & { kind: 'feed' }, context: CallContext): Pages {
  const beginning = encodeContent(rapid.config, query.since === undefined ? {} : { since: query.since })
  const reading = readingOf({ withRooms: true })
  let from = query.cursor === undefined ? beginning : resumeAt(query.cursor, rapid.config.baseUrl)
  for (let restarts = 0; ; restarts++) {
    try {
      for await (const reply of pages(rapid, { ...from, reading }, context)) {
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
      from = beginning
    }
  }
}

function resumeAt(cursor: string, origin: string): Call {
  const path = apiPath(cursor, origin)
  if (path === undefined) throw malformed('an unknown cursor')
  return encodePage(path)
}
