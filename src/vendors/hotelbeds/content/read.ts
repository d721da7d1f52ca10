import type { CallContext } from '../../../lib/async/call-context.ts'
import { chunk } from '../../../lib/chunk.ts'
import { dateIn, type PlainDate } from '../../../lib/time/plain-date.ts'
import type { ContentPage, ContentQuery } from '../../contract.ts'
import type { Caller } from '../../transport/caller.ts'
import { isTooLarge } from '../../vendor-error.ts'
import { asInteger, asRecord, asRecords, decodeEach, readCode } from '../../wire/read.ts'
import { AREA_FIRST_PAGE_SIZE, readAhead } from '../../wire/read-ahead.ts'
import { limitRadius, nearestFirst, shrinkUntilComplete } from '../../wire/read-area.ts'
import type { HotelbedsConfig } from '../config.ts'
import { readHotels } from '../decode-availability.ts'
import { DISCOVER_MAX, encodeDiscover, encodeFeed, encodeProperties, RADIUS_MAX_KM } from '../encode.ts'
import type { CodeLists } from './code-lists.ts'
import { codesToLearn, decodeProperty, readProperties } from './decode.ts'

type Hotelbeds = Caller<HotelbedsConfig>
type Pages = AsyncIterable<ContentPage>

/** A URL with codes must stay well below the 8 kB that gateways accept. */
const IDS_PER_PAGE = 250
const PAGES_AHEAD = 3

type GetCodes = (language: string) => CodeLists

export function readContentPages(
  hotelbeds: Hotelbeds,
  getCodes: GetCodes,
  query: ContentQuery,
  context: CallContext,
): Pages {
  if (query.kind === 'ids') return byIds(hotelbeds, getCodes(query.language ?? 'en'), query, context)
  const codes = getCodes('en')
  return query.kind === 'feed' ? byFeed(hotelbeds, codes, query, context) : byArea(hotelbeds, codes, query, context)
}

async function decodeItems({ config }: Hotelbeds, codes: CodeLists, items: readonly unknown[], context: CallContext) {
  await codes.learn(codesToLearn(items), context)
  const photoBase = config.photoBase.endsWith('/') ? config.photoBase : `${config.photoBase}/`
  const { decoded, dropped } = decodeEach(items, (item) => decodeProperty(item, codes.names, photoBase))
  return { properties: decoded, dropped }
}

async function* byIds(
  hotelbeds: Hotelbeds,
  codes: CodeLists,
  { ids, first, ...selection }: { ids: readonly string[]; first?: number; withRooms?: boolean; language?: string },
  context: CallContext,
): Pages {
  const known = [...new Set(ids)].filter((id) => /^\d{1,10}$/.test(id))
  const tasks = chunk(known, IDS_PER_PAGE, first).map(
    (part) => async () => (await hotelbeds.request(encodeProperties(part, selection), context)).body,
  )
  for await (const body of readAhead(tasks, PAGES_AHEAD)) {
    const { properties, dropped } = await decodeItems(hotelbeds, codes, readProperties(body), context)
    yield {
      properties:
        selection.withRooms !== false ? properties : properties.map((property) => ({ ...property, roomsUnread: true })),
      dropped,
      cursor: undefined,
      total: known.length,
    }
  }
}

/** The Content API has no search by location: a sample availability request a month ahead finds the hotels. */
async function* byArea(
  hotelbeds: Hotelbeds,
  codes: CodeLists,
  query: ContentQuery & { kind: 'area' },
  context: CallContext,
): Pages {
  const today = dateIn('UTC', hotelbeds.clock.now())
  const { circle, found } = await shrinkUntilComplete(limitRadius(query.circle, RADIUS_MAX_KM), async (part) => {
    const { body } = await hotelbeds.request(encodeDiscover(part, today), context)
    const hotels = asRecords(readHotels(body)).filter(({ code }) => readCode(code) !== '')
    return { found: hotels, isComplete: hotels.length < DISCOVER_MAX }
  })
  const ids = nearestFirst(found, circle.center).map(({ code }) => readCode(code))
  const isCut = ids.length > query.limit || circle.radiusKm < query.circle.radiusKm
  const selection = {
    ids: ids.slice(0, query.limit),
    withRooms: query.withRooms !== false,
    first: AREA_FIRST_PAGE_SIZE,
  }
  for await (const page of byIds(hotelbeds, codes, selection, context)) yield { ...page, isCut }
}

/** `cursor` is the number of the next record, counted from 1 like the vendor's. */
async function* byFeed(
  hotelbeds: Hotelbeds,
  codes: CodeLists,
  { since, cursor }: ContentQuery & { kind: 'feed' },
  context: CallContext,
): Pages {
  let size = hotelbeds.config.contentPageSize
  let from = Math.max(1, asInteger(cursor) ?? 1)
  for (;;) {
    const page = await feedPage(hotelbeds, from, size, since, context)
    size = page.size
    const items = readProperties(page.body)
    const total = asInteger(asRecord(page.body)?.total)
    from += size
    const hasMore = items.length > 0 && (total === undefined ? items.length >= size : from <= total)
    yield {
      ...(await decodeItems(hotelbeds, codes, items, context)),
      cursor: hasMore ? String(from) : undefined,
      total,
    }
    if (!hasMore) return
  }
}

/**
 * Halves the page size if the response is over the size limit, because the vendor does not document the size of a page.
 */
async function feedPage(
  hotelbeds: Hotelbeds,
  from: number,
  size: number,
  since: PlainDate | undefined,
  context: CallContext,
): Promise<{ readonly body: unknown; readonly size: number }> {
  try {
    return { body: (await hotelbeds.request(encodeFeed(from, size, since), context)).body, size }
  } catch (error) {
    if (!isTooLarge(error) || size === 1) throw error
    return feedPage(hotelbeds, from, Math.ceil(size / 2), since, context)
  }
}
