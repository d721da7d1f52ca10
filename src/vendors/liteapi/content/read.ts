import type { VendorProperty } from '../../../domain/property/property.ts'
import type { CallContext } from '../../../lib/async/call-context.ts'
import { chunk } from '../../../lib/chunk.ts'
import type { Circle } from '../../../lib/geo.ts'
import type { ContentPage, ContentQuery } from '../../contract.ts'
import type { Caller } from '../../transport/caller.ts'
import { unlessNotFound } from '../../vendor-error.ts'
import { asInteger, asRecord, asRecords, asText, decodeEach, type Wire } from '../../wire/read.ts'
import { AREA_FIRST_PAGE_SIZE } from '../../wire/read-ahead.ts'
import { type Listed, nearestFirst, shrinkUntilComplete } from '../../wire/read-area.ts'
import type { LiteapiConfig } from '../config.ts'
import { encodeCodeList, encodeList, encodeProperty } from '../encode.ts'
import { malformed } from '../failure.ts'
import { isLiteapiId } from '../wire.ts'
import type { CodeLists } from './code-lists.ts'
import { decodeProperty, isDeleted } from './decode.ts'

type Liteapi = Caller<LiteapiConfig>
type Pages = AsyncIterable<ContentPage>

/** Details are one call each, and static calls have strict limits. */
const CONCURRENCY = 4
const DETAILS_PER_PAGE = 50
const LISTED_PER_PAGE = 250

export function readContentPages(liteapi: Liteapi, codes: CodeLists, query: ContentQuery, context: CallContext): Pages {
  if (query.kind === 'ids') return byIds(liteapi, codes, query, context)
  return query.kind === 'area' ? byArea(liteapi, codes, query, context) : byFeed(liteapi, codes, query, context)
}

async function* byIds(
  liteapi: Liteapi,
  codes: CodeLists,
  { ids, language }: ContentQuery & { kind: 'ids' },
  context: CallContext,
): Pages {
  const known = [...new Set(ids)].filter(isLiteapiId)
  for (const part of chunk(known, DETAILS_PER_PAGE)) {
    const details = await fetchDetails(liteapi, part, context, language)
    yield { ...decodePage(codes, details), cursor: undefined, total: known.length }
  }
}

/** A search may be waiting, so the short form of the list is used: one image, no rooms and no notices. */
async function* byArea(
  liteapi: Liteapi,
  codes: CodeLists,
  { circle, limit }: ContentQuery & { kind: 'area' },
  context: CallContext,
): Pages {
  const [complete] = await Promise.all([
    shrinkUntilComplete(circle, (part) => listAround(liteapi, part, limit, context)),
    codes.learn(context),
  ])
  const listed = nearestFirst(complete.found, circle.center).slice(0, limit)
  const isCut = listed.length < complete.found.length || complete.circle.radiusKm < circle.radiusKm
  // Decoded in parts, so that a large city does not block other requests.
  for (const part of chunk(listed, LISTED_PER_PAGE, AREA_FIRST_PAGE_SIZE)) {
    const { properties, dropped } = decodePage(codes, part)
    yield {
      properties: properties.map(withoutRooms),
      dropped,
      cursor: undefined,
      total: undefined,
      isCut,
    }
  }
}

/** If a circle contains more, a smaller one is read. */
const CIRCLE_MAX = 5_000

/** The vendor does not document the order, so all pages are read. */
async function listAround(
  liteapi: Liteapi,
  circle: Circle,
  limit: number,
  context: CallContext,
): Promise<Listed<Wire>> {
  const found: Wire[] = []
  for (;;) {
    const { body } = await liteapi.request(encodeList({ circle, limit, offset: found.length }), context)
    const page = readList(body)
    found.push(...page)
    const total = asInteger(asRecord(body)?.total) ?? (page.length < limit ? found.length : Number.POSITIVE_INFINITY)
    if (page.length === 0 || found.length >= total) return { found, isComplete: true }
    if (total > CIRCLE_MAX) return { found, isComplete: false }
  }
}

/** Reads country by country. The cursor is `FR 400`: the country and the number of properties read. */
async function* byFeed(
  liteapi: Liteapi,
  codes: CodeLists,
  { since, cursor = '' }: ContentQuery & { kind: 'feed' },
  context: CallContext,
): Pages {
  await codes.learn(context)
  const reply = await liteapi.request(encodeCodeList('countries'), context)
  const countries = asRecords(asRecord(reply.body)?.data)
    .map(({ code }) => asText(code))
    .filter((code) => /^[A-Z]{2}$/.test(code))
    .sort()
  if (countries.length === 0) throw malformed('the response has no countries')
  const [first = '', read = '0'] = cursor.split(' ')
  const { contentDetails, contentPageSize: limit } = liteapi.config
  let offset = asInteger(read) ?? 0
  for (const [index, country] of countries.entries()) {
    if (country < first) continue
    if (country > first) offset = 0
    for (;;) {
      const { body } = await liteapi.request(encodeList({ country, limit, offset, since }), context)
      const listed = readList(body)
      offset += limit
      const total = asInteger(asRecord(body)?.total)
      const hasMore = listed.length > 0 && (total === undefined ? listed.length >= limit : offset < total)
      const next = hasMore ? `${country} ${offset}` : countries[index + 1] && `${countries[index + 1]} 0`
      if (listed.length > 0 || next === undefined) {
        const page = decodePage(codes, listed)
        const properties = contentDetails === 'yes' ? page.properties.map(withoutRooms) : page.properties
        yield { ...page, properties, cursor: next, total: undefined }
      }
      if (!hasMore) break
    }
  }
}

function decodePage({ names }: CodeLists, items: readonly Wire[]): Pick<ContentPage, 'properties' | 'dropped'> {
  const { decoded, dropped } = decodeEach(
    items.filter((item) => !isDeleted(item)),
    (item) => decodeProperty(item, names),
  )
  return { properties: decoded, dropped }
}

const withoutRooms = (property: VendorProperty): VendorProperty => ({ ...property, roomsUnread: true })

function readList(body: unknown): Wire[] {
  const data = asRecord(body)?.data
  if (Array.isArray(data)) return asRecords(data)
  // A country or a circle without properties.
  if (asRecord(body)?.total === 0 || body === undefined) return []
  throw malformed('the response has no list of properties')
}

/** Fetches properties concurrently and returns them in order. Deleted properties are left out. */
async function fetchDetails(
  liteapi: Liteapi,
  ids: readonly string[],
  context: CallContext,
  language?: string,
): Promise<Wire[]> {
  const found = new Map<string, Wire>()
  const pending = ids.values()
  const fetchNext = async () => {
    for (const id of pending) {
      const reply = await unlessNotFound(liteapi.request(encodeProperty(id, language), context))
      const detail = asRecord(asRecord(reply?.body)?.data)
      if (detail !== undefined) found.set(id, detail)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, fetchNext))
  return ids.map((id) => found.get(id)).filter((detail) => detail !== undefined)
}
