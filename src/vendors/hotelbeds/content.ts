import type { VendorProperty } from '../../domain/property.ts'
import type { CallContext } from '../../lib/call-context.ts'
import type { Clock } from '../../lib/clock.ts'
import { dateIn, type PlainDate } from '../../lib/plain-date.ts'
import type { Call } from '../call.ts'
import type { ContentPage, ContentQuery } from '../contract.ts'
import type { CodeLists } from './code-lists.ts'
import { hotelsOf } from './decode.ts'
import { codesToLearn, decodeProperty, propertiesOf } from './decode-content.ts'
import { encodeDiscover, encodeFeed, encodeProperties } from './encode.ts'
import { fail } from './failure.ts'
import { codeOf, objectOf, type Wire, type WireHotel, wholeOf } from './wire.ts'

type Deps = {
  ask(call: Call, context: CallContext): Promise<unknown>
  codes: CodeLists
  clock: Clock
  photoBase: string
  /** Properties a feed page; one may weigh 100 kB, so the vendor's own 1000 would not fit through the door. */
  pageSize: number
}

/** A full address of codes must stay well below the 8 kB that gateways take. */
const IDS_PER_PAGE = 100
const PAGES_AHEAD = 3

export type ReadContent = (query: ContentQuery, context: CallContext) => AsyncIterable<ContentPage>

export function createReadContent(deps: Deps): ReadContent {
  async function describe(items: readonly unknown[], context: CallContext) {
    await deps.codes.learn(codesToLearn(items), context)
    const properties: VendorProperty[] = []
    for (const item of items) {
      const property = decodeProperty(item, deps.codes.names, deps.photoBase)
      if (property !== undefined) properties.push(property)
    }
    return { properties, dropped: items.length - properties.length }
  }

  /** Pages are asked for a few ahead of the reader: somebody may be waiting for an area. */
  async function* byIds(ids: readonly string[], context: CallContext): AsyncIterable<ContentPage> {
    const codes = [...new Set(ids)].filter((id) => /^\d{1,10}$/.test(id))
    const under: Promise<unknown>[] = []
    let asked = 0
    for (let start = 0; start < codes.length; start += IDS_PER_PAGE) {
      while (under.length < PAGES_AHEAD && asked < codes.length) {
        const answer = deps.ask(encodeProperties(codes.slice(asked, asked + IDS_PER_PAGE)), context)
        // Its failure is told when its turn comes; until then it must not count as unhandled.
        answer.catch(() => {})
        under.push(answer)
        asked += IDS_PER_PAGE
      }
      const items = listed(await under.shift())
      const next = start + IDS_PER_PAGE
      const cursor = next < codes.length ? String(next) : undefined
      yield { ...(await describe(items, context)), cursor, total: codes.length }
    }
  }

  /** There is no circle in the Content API: whoever is for sale there a month ahead is found by availability. */
  async function* inArea(query: ContentQuery & { kind: 'area' }, context: CallContext): AsyncIterable<ContentPage> {
    const today = dateIn('UTC', deps.clock.now())
    const hotels = hotelsOf(await deps.ask(encodeDiscover(query.circle, query.limit, today), context))
    if (hotels === undefined) fail('malformed', 'none', 'no list of hotels')
    const ids = hotels.map((item) => codeOf(objectOf<WireHotel>(item)?.code)).filter((id) => id !== '')
    yield* byIds(ids.slice(0, query.limit), context)
  }

  /** `cursor` is the number of the next record, counted from 1 as the vendor does. */
  async function* feed(since: PlainDate | undefined, cursor: string | undefined, context: CallContext) {
    let from = Math.max(1, wholeOf(cursor) ?? 1)
    for (;;) {
      const body = await deps.ask(encodeFeed(from, deps.pageSize, since), context)
      const items = listed(body)
      const total = wholeOf(objectOf<Wire<'total'>>(body)?.total)
      from += deps.pageSize
      const more = items.length > 0 && (total === undefined ? items.length >= deps.pageSize : from <= total)
      yield { ...(await describe(items, context)), cursor: more ? String(from) : undefined, total }
      if (!more) return
    }
  }

  return (query, context) => {
    if (query.kind === 'feed') return feed(query.since, query.cursor, context)
    return query.kind === 'ids' ? byIds(query.ids, context) : inArea(query, context)
  }
}

const listed = (body: unknown): readonly unknown[] =>
  propertiesOf(body) ?? fail('malformed', 'none', 'no list of properties')
