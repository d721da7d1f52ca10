import type { VendorProperty } from '../domain/property.ts'
import type { CatalogueWriter, VendorRef } from '../store/catalogue.ts'
import { unpackContent } from './content-codec.ts'
import { vendorKey } from './matching/match-traits.ts'
import { mergeContent } from './merge-content.ts'
import { summaryRowOf } from './summary-json.ts'

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
  const stored = await storedContents(writer, compositions, atHand)
  const contentOf = (ref: VendorRef) => {
    const key = vendorKey(ref.vendorId, ref.vendorPropertyId)
    return atHand.get(key) ?? stored.get(key)
  }
  const merged = compositions.map(({ propertyId, vendors }) => {
    const contents = vendors.map(contentOf).filter((content) => content !== undefined)
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
  await writer.putSummaries(merged.map(({ propertyId, content }) => summaryRowOf(propertyId, content)))
}

async function storedContents(
  writer: CatalogueWriter,
  compositions: readonly Composition[],
  atHand: ReadonlyMap<string, VendorProperty>,
): Promise<Map<string, VendorProperty>> {
  const lacking = compositions.filter(({ vendors }) =>
    vendors.some((ref) => !atHand.has(vendorKey(ref.vendorId, ref.vendorPropertyId))),
  )
  const rows = await writer.contents(lacking.map(({ propertyId }) => propertyId))
  return new Map(rows.map((row) => [vendorKey(row.vendor_id, row.vendor_property_id), unpackContent(row.content)]))
}

export const encodeRefs = (refs: readonly VendorRef[]): string =>
  JSON.stringify(refs.map((ref) => [ref.vendorId, ref.vendorPropertyId]))

export const decodeRefs = (text: string): VendorRef[] =>
  (JSON.parse(text) as [string, string][]).map(([vendorId, vendorPropertyId]) => ({ vendorId, vendorPropertyId }))
