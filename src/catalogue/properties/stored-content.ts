import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { VendorProperty } from '../../domain/property/property.ts'
import type { PropertyTexts } from '../../domain/property/property-texts.ts'
import type { Tables } from '../../store/tables.ts'
import type { CatalogueReader, VendorRef } from '../store/catalogue.ts'
import { type ContentRow, ROOMS_UNREAD } from '../store/columns.ts'
import { refKey, rowKey } from './vendor-key.ts'

/** Fastest level, because searches wait for writes. 64 KB covers nearly every property; the larger default window is slower. */
const QUICK = { params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_windowLog]: 16 } }

export const packContent = (json: string): Uint8Array => zstdCompressSync(json, QUICK)

/** Trusts its input, which `packContent` made: content is validated before it is stored. */
export const unpackContent = (content: Uint8Array): VendorProperty =>
  JSON.parse(zstdDecompressSync(content).toString('utf8'))

export const unpackTexts = (texts: Uint8Array): PropertyTexts => JSON.parse(zstdDecompressSync(texts).toString('utf8'))

export const encodeRefs = (refs: readonly VendorRef[]): string =>
  JSON.stringify(refs.map((ref) => [ref.vendorId, ref.vendorPropertyId]))

export function decodeRefs(text: string): VendorRef[] {
  const pairs: [string, string][] = JSON.parse(text)
  return pairs.map(([vendorId, vendorPropertyId]) => ({ vendorId, vendorPropertyId }))
}

/** Drops `roomsUnread` if the rooms were already requested in vain. */
export function parseContent({ content, rooms_unread }: ContentRow): VendorProperty {
  const { roomsUnread, ...known } = unpackContent(content)
  return roomsUnread && rooms_unread === ROOMS_UNREAD ? { ...known, roomsUnread } : known
}

/** Contents by property, the founder's first. */
export async function readContents(
  store: Pick<CatalogueReader, 'contents'>,
  properties: readonly Pick<Tables['properties'], 'property_id' | 'vendors'>[],
): Promise<Map<string, VendorProperty[]>> {
  const rows = await store.contents(properties.map((property) => property.property_id))
  const rowByKey = new Map(rows.map((row) => [rowKey(row), row]))
  return new Map(
    properties.map(({ property_id, vendors }) => {
      const contents = decodeRefs(vendors).flatMap((ref) => {
        const row = rowByKey.get(refKey(ref))
        return row === undefined ? [] : [parseContent(row)]
      })
      return [property_id, contents]
    }),
  )
}
