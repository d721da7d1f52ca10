import type { CallContext } from '../../../lib/async/call-context.ts'
import { partsOf } from '../../../lib/parts.ts'
import { dateIn, type PlainDate } from '../../../lib/time/plain-date.ts'
import type { ContentPage, ContentQuery } from '../../contract.ts'
import type { Caller } from '../../transport/caller.ts'
import { isTooLarge } from '../../vendor-error.ts'
import { codeOf, decodeEach, recordOf, recordsOf, wholeOf } from '../../wire/read.ts'
import { FIRST_OF_AREA, readAhead } from '../../wire/read-ahead.ts'
import { nearestFirst, readWhole, within } from '../../wire/read-area.ts'
import type { HotelbedsConfig } from '../config.ts'
import { hotelsOf } from '../decode-availability.ts'
import { DISCOVER_MAX, encodeDiscover, encodeFeed, encodeProperties, RADIUS_MAX_KM } from '../encode.ts'
import type { CodeLists } from './code-lists.ts'
import { codesToLearn, decodeProperty, propertiesOf } from './decode.ts'

type Hotelbeds = Caller<HotelbedsConfig>
type Pages = AsyncIterable<ContentPage>

/** An address with codes must stay well below the 8 kB that gateways take. */
const IDS_PER_PAGE = 250
const PAGES_AHEAD = 3

/** Returns the lists that translate codes into names, in the given language. */
type CodesIn = (language: string) => CodeLists

export function readContent(hotelbeds: Hotelbeds, codesIn: CodesIn, query: ContentQuery, context: CallContext): Pages {
  if (query.kind === 'ids') return byIds(hotelbeds, codesIn(query.language ?? 'en'), query, context)
  const codes = codesIn('en')
  return query.kind === 'feed' ? byFeed(hotelbeds, codes, query, context) : byArea(hotelbeds, codes, query, context)
}

async function describe({ config }: Hotelbeds, codes: CodeLists, items: readonly unknown[], context: CallContext) {
  await codes.learn(codesToLearn(items), context)
  const photoBase = config.photoBase.endsWith('/') ? config.photoBase : `${config.photoBase}/`
  const { decoded, dropped } = decodeEach(items, (item) => decodeProperty(item, codes.names, photoBase))
  return { properties: decoded, dropped }
}

async function* byIds(
  hotelbeds: Hotelbeds,
  codes: CodeLists,
  { ids, first, ...which }: { ids: readonly string[]; first?: number; withRooms?: boolean; language?: string },
  context: CallContext,
): Pages {
  const known = [...new Set(ids)].filter((id) => /^\d{1,10}$/.test(id))
  const tasks = partsOf(known, IDS_PER_PAGE, first).map(
    (part) => async () => (await hotelbeds.ask(encodeProperties(part, which), context)).body,
  )
  for await (const body of readAhead(tasks, PAGES_AHEAD)) {
    const { properties, dropped } = await describe(hotelbeds, codes, propertiesOf(body), context)
    yield {
      properties:
        which.withRooms !== false ? properties : properties.map((property) => ({ ...property, roomsUnread: true })),
      dropped,
      cursor: undefined,
      total: known.length,
    }
  }
}

/** The Content API has no search by circle: availability finds what is for sale there a month ahead. */
async function* byArea(
  hotelbeds: Hotelbeds,
  codes: CodeLists,
  query: ContentQuery & { kind: 'area' },
  context: CallContext,
): Pages {
  const today = dateIn('UTC', hotelbeds.clock.now())
  const { circle, found } = await readWhole(within(query.circle, RADIUS_MAX_KM), async (part) => {
    const { body } = await hotelbeds.ask(encodeDiscover(part, today), context)
    const hotels = recordsOf(hotelsOf(body)).filter(({ code }) => codeOf(code) !== '')
    return { found: hotels, isWhole: hotels.length < DISCOVER_MAX }
  })
  const ids = nearestFirst(found, circle.center).map(({ code }) => codeOf(code))
  const isCut = ids.length > query.limit || circle.radiusKm < query.circle.radiusKm
  const which = { ids: ids.slice(0, query.limit), withRooms: query.withRooms !== false, first: FIRST_OF_AREA }
  for await (const page of byIds(hotelbeds, codes, which, context)) yield { ...page, isCut }
}

/** `cursor` is the number of the next record, counted from 1 as the vendor does. */
async function* byFeed(
  hotelbeds: Hotelbeds,
  codes: CodeLists,
  { since, cursor }: ContentQuery & { kind: 'feed' },
  context: CallContext,
): Pages {
  let size = hotelbeds.config.contentPageSize
  let from = Math.max(1, wholeOf(cursor) ?? 1)
  for (;;) {
    const page = await feedPage(hotelbeds, from, size, since, context)
    size = page.size
    const items = propertiesOf(page.body)
    const total = wholeOf(recordOf(page.body)?.total)
    from += size
    const more = items.length > 0 && (total === undefined ? items.length >= size : from <= total)
    yield { ...(await describe(hotelbeds, codes, items, context)), cursor: more ? String(from) : undefined, total }
    if (!more) return
  }
}

/** A page that is over the size limit is asked for again with half as many properties: the documents do not say how large one is. */
async function feedPage(
  hotelbeds: Hotelbeds,
  from: number,
  size: number,
  since: PlainDate | undefined,
  context: CallContext,
): Promise<{ readonly body: unknown; readonly size: number }> {
  try {
    return { body: (await hotelbeds.ask(encodeFeed(from, size, since), context)).body, size }
  } catch (error) {
    if (!isTooLarge(error) || size === 1) throw error
    return feedPage(hotelbeds, from, Math.ceil(size / 2), since, context)
  }
}
