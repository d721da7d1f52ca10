import type { CallContext } from '../../../lib/async/call-context.ts'
import { chunk } from '../../../lib/chunk.ts'
import { type Circle, distanceKm } from '../../../lib/geo.ts'
import type { ContentPage, ContentQuery } from '../../contract.ts'
import { type Call, type Reply, readWith } from '../../transport/call.ts'
import type { Caller } from '../../transport/caller.ts'
import { isTooLarge, VendorError } from '../../vendor-error.ts'
import { AREA_FIRST_PAGE_SIZE, readAhead } from '../../wire/read-ahead.ts'
import { type Listed, limitRadius, shrinkUntilComplete } from '../../wire/read-area.ts'
import { RADIUS_MAX_KM, ringsAround } from '../circle-polygon.ts'
import type { ExpediaRapidConfig } from '../config.ts'
import { encodeContent, encodeGeography, encodePage } from '../encode.ts'
import { malformed } from '../failure.ts'
import { apiPath, nextPage } from '../wire.ts'
import { createReading, type decodeContent, decodeGeography } from './decode.ts'

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

const mergeContent = (parts: readonly ReturnType<typeof decodeContent>[]): ReturnType<typeof decodeContent> => ({
  properties: parts.flatMap(({ properties }) => properties),
  dropped: parts.reduce((sum, { dropped }) => sum + dropped, 0),
})

type IdsQuery = {
  readonly ids: readonly string[]
  readonly withRooms?: boolean
  readonly language?: string
  /** Size of the first page. */
  readonly first?: number
}

async function* byIds(rapid: Rapid, { ids, withRooms = true, language, first }: IdsQuery, context: CallContext): Pages {
  const reading = createReading({ withRooms })
  const readPart = async (part: readonly string[]): Promise<ReturnType<typeof decodeContent>> => {
    const call = encodeContent(rapid.config, { ids: part, withRooms, language })
    try {
      return readWith(reading, await rapid.request({ ...call, reading }, context))
    } catch (error) {
      if (!isTooLarge(error) || part.length === 1) throw error
      const halves = chunk(part, Math.ceil(part.length / 2))
      const read = []
      for (const half of halves) read.push(await readPart(half))
      return mergeContent(read)
    }
  }
  const tasks = chunk(ids, IDS_MAX, first).map((part) => async (): Promise<ContentPage> => {
    return { ...(await readPart(part)), cursor: undefined, total: ids.length }
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

/** Marks a cursor in the feed of ids. */
const IDS_CURSOR = 'ids:'

/** Feed whose pages are over the size limit: pages of ids, whose properties are then read in parts. */
async function* byListedIds(rapid: Rapid, beginning: Call, context: CallContext): Pages {
  for await (const reply of readPages(rapid, beginning, context)) {
    const pages: ContentPage[] = []
    for await (const page of byIds(rapid, { ids: decodeGeography(reply.body) }, context)) pages.push(page)
    const next = nextPage(reply.headers.link, rapid.config.baseUrl)
    yield {
      ...mergeContent(pages),
      cursor: next === undefined ? undefined : `${IDS_CURSOR}${next}`,
      total: readTotal(reply),
    }
  }
}

function readTotal({ headers }: Reply): number | undefined {
  const total = Number(headers['pagination-total-results'])
  return Number.isSafeInteger(total) && total > 0 ? total : undefined
}

/** A restart may repeat pages, which is harmless because storing them is idempotent. */
async function* byFeed(rapid: Rapid, query: ContentQuery & { kind: 'feed' }, context: CallContext): Pages {
  const reading = createReading({ withRooms: true })
  const since = query.since === undefined ? {} : { since: query.since }
  const beginning = encodeContent(rapid.config, since)
  if (query.cursor?.startsWith(IDS_CURSOR))
    return yield* byListedIds(rapid, resumeAt(query.cursor.slice(IDS_CURSOR.length), rapid.config.baseUrl), context)
  let start = query.cursor === undefined ? beginning : resumeAt(query.cursor, rapid.config.baseUrl)
  for (let restarts = 0; ; restarts++) {
    try {
      for await (const reply of readPages(rapid, { ...start, reading }, context)) {
        yield {
          ...readWith(reading, reply),
          cursor: nextPage(reply.headers.link, rapid.config.baseUrl),
          total: readTotal(reply),
        }
      }
      return
    } catch (error) {
      if (isTooLarge(error))
        return yield* byListedIds(rapid, encodeContent(rapid.config, { ...since, onlyIds: true }), context)
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
