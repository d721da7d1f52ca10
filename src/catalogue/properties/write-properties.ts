import type { VendorProperty } from '../../domain/property/property.ts'
import { summarizeProperty } from '../../domain/property/property-summary.ts'
import type { CatalogueWriter, VendorRef } from '../store/catalogue.ts'
import { mergeContent } from './merge-content.ts'
import { encodeRefs, unpackContent } from './stored-content.ts'
import { refKey, rowKey } from './vendor-key.ts'

export type Composition = { readonly propertyId: string; readonly vendors: readonly VendorRef[] }

/** Writes location, vendors and merged summary. Reads missing content from the store, so write vendor properties first. */
export async function writeProperties(
  writer: CatalogueWriter,
  compositions: readonly Composition[],
  available: ReadonlyMap<string, VendorProperty>,
): Promise<void> {
  if (compositions.length === 0) return
  const contentByKey = new Map(available)
  const incomplete = compositions.filter(({ vendors }) => vendors.some((ref) => !available.has(refKey(ref))))
  for (const row of await writer.contents(incomplete.map(({ propertyId }) => propertyId))) {
    const key = rowKey(row)
    if (!available.has(key)) contentByKey.set(key, unpackContent(row.content))
  }
  const merged = compositions.map(({ propertyId, vendors }) => {
    const contents = vendors.map((ref) => contentByKey.get(refKey(ref))).filter((content) => content !== undefined)
    return { propertyId, vendors, contents, content: mergeContent(contents) }
  })
  const seq = await writer.sequence(merged.length)
  await writer.putProperties(
    merged.map(({ propertyId, vendors, content }, index) => ({
      property_id: propertyId,
      seq: seq + index,
      lat: content.location.lat,
      lon: content.location.lon,
      vendors: encodeRefs(vendors),
      merged_into: null,
    })),
  )
  await writer.putSummaries(
    merged.map(({ propertyId, content, contents }) => summarizeProperty(propertyId, content, contents)),
  )
}
