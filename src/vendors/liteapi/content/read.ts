import type { CallContext } from '../../../lib/async/call-context.ts'
import type { Circle } from '../../../lib/geo.ts'
import { partsOf } from '../../../lib/parts.ts'
import type { ContentPage, ContentQuery } from '../../contract.ts'
import type { Caller } from '../../transport/caller.ts'
import { unlessNotFound } from '../../vendor-error.ts'
import { decodeEach, recordOf, recordsOf, textOf, type Wire, wholeOf } from '../../wire/read.ts'
import { FIRST_OF_AREA } from '../../wire/read-ahead.ts'
import { type Listed, nearestFirst, readWhole } from '../../wire/read-area.ts'
import type { LiteapiConfig } from '../config.ts'
import { encodeCodeList, encodeList, encodeProperty } from '../encode.ts'
import { malformed } from '../failure.ts'
import { isPropertyId } from '../wire.ts'
import type { CodeLists } from './code-lists.ts'
import { decodeProperty, isDeleted } from './decode.ts'

type Liteapi = Caller<LiteapiConfig>
type Pages = AsyncIterable<ContentPage>

/** A property in full is a call of its own, so only so many are asked for at once; static calls have strict limits. */
const AT_ONCE = 4
const DETAILS_PER_PAGE = 50
const LISTED_PER_PAGE = 250

export function readContent(liteapi: Liteapi, codes: CodeLists, query: ContentQuery, context: CallContext): Pages {
  if (query.kind === 'ids') return byIds(liteapi, codes, query, context)
  return query.kind === 'area' ? byArea(liteapi, codes, query, context) : byFeed(liteapi, codes, query, context)
}

async function* byIds(
  liteapi: Liteapi,
  codes: CodeLists,
  { ids, language }: ContentQuery & { kind: 'ids' },
  context: CallContext,
): Pages {
  const known = [...new Set(ids)].filter(isPropertyId)
  for (const part of partsOf(known, DETAILS_PER_PAGE)) {
    const details = await inFull(liteapi, part, context, language)
    yield { ...pageOf(codes, details), cursor: undefined, total: known.length }
  }
}

/** Somebody may be waiting, so the short form of the list is used: one picture, neither rooms nor notices. */
async function* byArea(
  liteapi: Liteapi,
  codes: CodeLists,
  { circle, limit }: ContentQuery & { kind: 'area' },
  context: CallContext,
): Pages {
  const [whole] = await Promise.all([
    readWhole(circle, (part) => listAround(liteapi, part, limit, context)),
    codes.learn(context),
  ])
  const listed = nearestFirst(whole.found, circle.center).slice(0, limit)
  const isCut = listed.length < whole.found.length || whole.circle.radiusKm < circle.radiusKm
  // Decoded in parts, so that a large city does not block other requests.
  for (const part of partsOf(listed, LISTED_PER_PAGE, FIRST_OF_AREA)) {
    const { properties, dropped } = pageOf(codes, part)
    yield {
      properties: properties.map((property) => ({ ...property, roomsUnread: true })),
      dropped,
      cursor: undefined,
      total: undefined,
      isCut,
    }
  }
}

/** More of one circle are not read: a smaller one is. */
const AROUND_MAX = 5_000

/** Page by page: in which order they come is not documented. */
async function listAround(
  liteapi: Liteapi,
  circle: Circle,
  limit: number,
  context: CallContext,
): Promise<Listed<Wire>> {
  const found: Wire[] = []
  for (;;) {
    const { body } = await liteapi.ask(encodeList({ circle, limit, offset: found.length }), context)
    const page = listIn(body)
    found.push(...page)
    const total = wholeOf(recordOf(body)?.total) ?? (page.length < limit ? found.length : Number.POSITIVE_INFINITY)
    if (page.length === 0 || found.length >= total) return { found, isWhole: true }
    if (total > AROUND_MAX) return { found, isWhole: false }
  }
}

/** Country after country. The cursor is `FR 400`: the country and how many of it were read. */
async function* byFeed(
  liteapi: Liteapi,
  codes: CodeLists,
  { since, cursor = '' }: ContentQuery & { kind: 'feed' },
  context: CallContext,
): Pages {
  await codes.learn(context)
  const reply = await liteapi.ask(encodeCodeList('countries'), context)
  const countries = recordsOf(recordOf(reply.body)?.data)
    .map(({ code }) => textOf(code))
    .filter((code) => /^[A-Z]{2}$/.test(code))
    .sort()
  if (countries.length === 0) throw malformed('no countries')
  const [first = '', read = '0'] = cursor.split(' ')
  const { contentDetails, contentPageSize } = liteapi.config
  const limit = contentDetails === 'yes' ? Math.min(DETAILS_PER_PAGE, contentPageSize) : contentPageSize
  let offset = wholeOf(read) ?? 0
  for (const [index, country] of countries.entries()) {
    if (country < first) continue
    if (country > first) offset = 0
    for (;;) {
      const { body } = await liteapi.ask(encodeList({ country, limit, offset, since }), context)
      const listed = listIn(body)
      const items = contentDetails === 'yes' ? await inFull(liteapi, idsOf(listed), context) : listed
      offset += limit
      const total = wholeOf(recordOf(body)?.total)
      const more = listed.length > 0 && (total === undefined ? listed.length >= limit : offset < total)
      const next = more ? `${country} ${offset}` : countries[index + 1] && `${countries[index + 1]} 0`
      if (items.length > 0 || next === undefined) yield { ...pageOf(codes, items), cursor: next, total: undefined }
      if (!more) break
    }
  }
}

function pageOf({ names }: CodeLists, items: readonly Wire[]): Pick<ContentPage, 'properties' | 'dropped'> {
  const { decoded, dropped } = decodeEach(
    items.filter((item) => !isDeleted(item)),
    (item) => decodeProperty(item, names),
  )
  return { properties: decoded, dropped }
}

function listIn(body: unknown): Wire[] {
  const data = recordOf(body)?.data
  if (Array.isArray(data)) return recordsOf(data)
  // A country or a circle without properties.
  if (recordOf(body)?.total === 0 || body === undefined) return []
  throw malformed('no list of properties')
}

const idsOf = (items: readonly Wire[]): string[] =>
  items
    .filter((item) => !isDeleted(item))
    .map(({ id }) => textOf(id))
    .filter(isPropertyId)

/** Properties one by one, some at a time, in their order. One that is gone in between is left out. */
async function inFull(
  liteapi: Liteapi,
  ids: readonly string[],
  context: CallContext,
  language?: string,
): Promise<Wire[]> {
  const found = new Map<string, Wire>()
  const waiting = ids.values()
  const readOn = async () => {
    for (const id of waiting) {
      const reply = await unlessNotFound(liteapi.ask(encodeProperty(id, language), context))
      const detail = recordOf(recordOf(reply?.body)?.data)
      if (detail !== undefined) found.set(id, detail)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, readOn))
  return ids.map((id) => found.get(id)).filter((detail) => detail !== undefined)
}
