import type { VendorProperty } from '../../../src/domain/property/property.ts'
import { distanceKm } from '../../../src/lib/geo.ts'
import type { Capabilities } from '../../../src/vendors/capabilities.ts'
import type { ContentQuery, Vendor } from '../../../src/vendors/contract.ts'
import { VendorError } from '../../../src/vendors/vendor-error.ts'

export type ContentVendor = Vendor & {
  /** All queries so far. */
  readonly asked: ContentQuery[]
  /** Number of pages sent. */
  pages: number
  /** Behaviour for the next queries: content, an error (also after the first page, or for codes only), or no answer. */
  mode: 'well' | 'down' | 'breaks' | 'refuses codes' | 'hangs' | 'deaf'
  pageSize: number
  delayMs: number
}

/** A vendor that has content and nothing else. */
export function aContentVendor(id: string, properties: () => readonly VendorProperty[]): ContentVendor {
  const refuse = () => Promise.reject(new Error('this vendor has only content'))
  const vendor: ContentVendor = {
    id,
    capabilities: {} as Capabilities,
    asked: [],
    pages: 0,
    mode: 'well',
    pageSize: 100,
    delayMs: 0,
    async *content(query, context) {
      vendor.asked.push(query)
      if (vendor.delayMs > 0) await new Promise((later) => setTimeout(later, vendor.delayMs))
      if (vendor.mode === 'down') throw new VendorError(id, 'unreachable', 'none')
      if (vendor.mode === 'refuses codes' && query.kind === 'ids') throw new VendorError(id, 'refused', 'none')
      if (vendor.mode === 'deaf') await new Promise(() => undefined)
      if (vendor.mode === 'hangs') await untilAborted(id, context.signal)
      const all = select(properties(), query)
      const start = query.kind === 'feed' ? Number(query.cursor ?? 0) : 0
      for (let offset = start; offset < all.length; offset += vendor.pageSize) {
        if (vendor.mode === 'breaks' && offset >= start + vendor.pageSize)
          throw new VendorError(id, 'unavailable', 'none')
        const next = offset + vendor.pageSize
        vendor.pages += 1
        yield {
          properties: pageFor(query, all.slice(offset, next)),
          dropped: 0,
          cursor: next < all.length ? String(next) : undefined,
          total: all.length,
          ...(query.kind === 'area' && { isCut: all.length >= query.limit }),
        }
      }
    },
    availability: refuse,
    rooms: refuse,
    priceCheck: refuse,
    book: refuse,
    find: refuse,
    previewCancel: refuse,
    cancel: refuse,
    probe: refuse,
  }
  return vendor
}

/** Omits rooms that were not requested. */
const pageFor = (query: ContentQuery, page: readonly VendorProperty[]): readonly VendorProperty[] =>
  query.kind === 'area' && query.withRooms === false
    ? page.map((property) => ({ ...property, rooms: [], roomsUnread: true }))
    : page

function select(all: readonly VendorProperty[], query: ContentQuery): readonly VendorProperty[] {
  if (query.kind === 'ids') {
    const named = all.filter(({ vendorPropertyId }) => query.ids.includes(vendorPropertyId))
    return query.language === 'de' ? named.map((property) => ({ ...property, description: 'Auf Deutsch.' })) : named
  }
  if (query.kind !== 'area') return all
  const { center, radiusKm } = query.circle
  return all
    .map((property) => ({ property, km: distanceKm(center, property.location) }))
    .filter(({ km }) => km <= radiusKm)
    .sort((a, b) => a.km - b.km)
    .slice(0, query.limit)
    .map(({ property }) => property)
}

function untilAborted(id: string, signal: AbortSignal): Promise<never> {
  return new Promise((_, fail) => {
    signal.addEventListener('abort', () => fail(new VendorError(id, 'timeout', 'none')), { once: true })
  })
}
