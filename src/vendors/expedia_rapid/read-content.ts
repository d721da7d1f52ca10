import type { CallContext } from '../../lib/call-context.ts'
import { distanceKm } from '../../lib/geo.ts'
import type { Call, Reply } from '../call.ts'
import type { ContentPage, ContentQuery } from '../contract.ts'
import { VendorError } from '../vendor-error.ts'
import type { ExpediaRapidConfig } from './config.ts'
import { decodeContent, decodeRegionIds } from './decode-content.ts'
import { encodeContent, encodePage, encodeRegions } from './encode.ts'
import { malformed } from './failure.ts'
import { apiPath, nextPage } from './link.ts'

export type Ask = (call: Call, context: CallContext) => Promise<Reply>

export const IDS_MAX = 250
/** A page link dies after a while; the vendor's cure is to begin again. */
const RESTARTS_MAX = 2
/** More pages than the whole stock has at any page size seen: whoever sends more is going in circles. */
const PAGES_MAX = 50_000

export function createReadContent(config: ExpediaRapidConfig, ask: Ask) {
  async function* byIds(ids: readonly string[], context: CallContext): AsyncGenerator<ContentPage> {
    for (let from = 0; from < ids.length; from += IDS_MAX) {
      const reply = await ask(encodeContent(config, { ids: ids.slice(from, from + IDS_MAX) }), context)
      yield { ...decodeContent(reply.body), cursor: undefined, total: ids.length }
    }
  }

  /** Rapid finds properties through regions that touch the circle; those outside the circle itself are left out here. */
  async function* byArea(query: ContentQuery & { kind: 'area' }, context: CallContext): AsyncGenerator<ContentPage> {
    const { circle } = query
    let room = query.limit
    for await (const page of byIds(await idsAround(query, context), context)) {
      const inside = page.properties.filter(({ location }) => distanceKm(location, circle.center) <= circle.radiusKm)
      const properties = inside.slice(0, room)
      room -= properties.length
      yield { ...page, properties, total: undefined }
      if (room <= 0) return
    }
  }

  async function idsAround(query: ContentQuery & { kind: 'area' }, context: CallContext): Promise<string[]> {
    const first = encodeRegions(config, query.circle)
    for (let tries = 0; ; tries++) {
      try {
        const ids = new Set<string>()
        for await (const reply of pages(first, context)) for (const id of decodeRegionIds(reply.body)) ids.add(id)
        return [...ids]
      } catch (error) {
        // Both an expired page and a failed one mean: throw away what came so far and begin again.
        const again = error instanceof VendorError && (error.fault === 'expired' || error.fault === 'unavailable')
        if (!again || tries >= 1 || context.signal.aborted) throw error
      }
    }
  }

  async function* pages(first: Call, context: CallContext): AsyncGenerator<Reply> {
    let call = first
    for (let count = 0; count < PAGES_MAX; count++) {
      const reply = await ask(call, context)
      yield reply
      const next = nextPage(reply.headers.link, config.baseUrl)
      if (next === undefined || next === call.path) return
      call = encodePage(first.operation, next)
    }
  }

  /** Walks the feed page by page; a page that comes twice after a restart is harmless to whoever stores it. */
  async function* byFeed(query: ContentQuery & { kind: 'feed' }, context: CallContext): AsyncGenerator<ContentPage> {
    const beginning = encodeContent(config, query.since === undefined ? {} : { since: query.since })
    let from = query.cursor === undefined ? beginning : encodePage('content', resumedAt(query.cursor))
    for (let restarts = 0; ; restarts++) {
      try {
        for await (const reply of pages(from, context)) {
          const total = Number(reply.headers['pagination-total-results'])
          yield {
            ...decodeContent(reply.body),
            cursor: nextPage(reply.headers.link, config.baseUrl),
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

  function resumedAt(cursor: string): string {
    const path = apiPath(cursor, config.baseUrl)
    if (path === undefined) throw malformed('a cursor of another make')
    return path
  }

  return (query: ContentQuery, context: CallContext): AsyncIterable<ContentPage> => {
    if (query.kind === 'ids') return byIds(query.ids, context)
    return query.kind === 'area' ? byArea(query, context) : byFeed(query, context)
  }
}
