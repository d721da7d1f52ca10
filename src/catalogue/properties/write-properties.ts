import type { VendorProperty } from '../../domain/property/property.ts'
import { summaryOf } from '../../domain/property/property-summary.ts'
import type { CatalogueWriter, VendorRef } from '../store/catalogue.ts'
import { mergeContent } from './merge-content.ts'
import { encodeRefs, unpackContent } from './stored-content.ts'
import { refKey, rowKey } from './vendor-key.ts'

/** A property and the vendors that sell it, its founder first. */
export type Composition = { readonly propertyId: string; readonly vendors: readonly VendorRef[] }

/**
 * Writes what each property now consists of: its place, its vendors and its merged summary. Content that is not at
 * hand is read from the store, so vendor properties must have been written before.
 */
export async function writeProperties(
  writer: CatalogueWriter,
  compositions: readonly Composition[],
  atHand: ReadonlyMap<string, VendorProperty>,
): Promise<void> {
  if (compositions.length === 0) return
  const contentOf = new Map(atHand)
  const lacking = compositions.filter(({ vendors }) => vendors.some((ref) => !atHand.has(refKey(ref))))
  for (const row of await writer.contents(lacking.map(({ propertyId }) => propertyId))) {
    const key = rowKey(row)
    if (!atHand.has(key)) contentOf.set(key, unpackContent(row.content))
  }
  const merged = compositions.map(({ propertyId, vendors }) => {
    const contents = vendors.map((ref) => contentOf.get(refKey(ref))).filter((content) => content !== undefined)
    return { propertyId, vendors, content: mergeContent(contents) }
  })
  const seq = await writer.sequence(merged.length)
  await writer.putProperties(
    merged.map(({ propertyId, vendors, content }, at) => ({
      property_id: propertyId,
      seq: seq + at,
      lat: content.location.lat,
      lon: content.location.lon,
      vendors: encodeRefs(vendors),
      merged_into: null,
    })),
  )
  await writer.putSummaries(merged.map(({ propertyId, content }) => summaryOf(propertyId, content)))
}
