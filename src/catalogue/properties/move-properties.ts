import type { Tables } from '../../store/tables.ts'
import { pinsAmong } from '../matching/manual-matches.ts'
import type { CatalogueWriter, VendorRef } from '../store/catalogue.ts'
import { derivePropertyId } from './property-id.ts'
import { decodeRefs } from './stored-content.ts'
import { refKey } from './vendor-key.ts'
import { writeProperties } from './write-properties.ts'

/** Creates the link of a vendor property to its property. */
export type MakeLink = (ref: VendorRef, propertyId: string) => Tables['property_links']

type Reason = Pick<Tables['property_links'], 'decided_by' | 'decided_at'> & {
  readonly score?: number
  readonly evidence: object
}

export const createLinkMaker =
  ({ score = 1, evidence, ...decided }: Reason): MakeLink =>
  (ref, propertyId) => ({
    vendor_id: ref.vendorId,
    vendor_property_id: ref.vendorPropertyId,
    property_id: propertyId,
    score,
    evidence: JSON.stringify(evidence),
    ...decided,
  })

/** Gives one vendor's record a new property; the others keep theirs. Returns the new id. */
export async function splitOff(
  writer: CatalogueWriter,
  { propertyId, ref, rest }: { propertyId: string; ref: VendorRef; rest: readonly VendorRef[] },
  makeLink: MakeLink,
): Promise<string> {
  const fresh = await freeId(writer, ref)
  await writer.moveVendorProperty(ref, fresh)
  await writer.putLinks([makeLink(ref, fresh)])
  await writer.copyRoomPins(propertyId, fresh, ref.vendorId)
  const now = [
    { propertyId, vendors: rest },
    { propertyId: fresh, vendors: [ref] },
  ]
  await writeProperties(writer, now, new Map())
  return fresh
}

/** Merges two properties. The merged row remains as a redirect for saved searches and clients. */
export async function mergeInto(
  writer: CatalogueWriter,
  kept: Tables['properties'],
  going: Tables['properties'],
  makeLink: MakeLink,
): Promise<void> {
  const vendors = [...decodeRefs(kept.vendors), ...decodeRefs(going.vendors)]
  const moving = await readVendorRefs(writer, going.property_id)
  for (const ref of moving) await writer.moveVendorProperty(ref, kept.property_id)
  await writer.putLinks(moving.map((ref) => makeLink(ref, kept.property_id)))
  await writer.copyRoomPins(going.property_id, kept.property_id)
  await writer.moveTwins(going.property_id, kept.property_id)
  // Without a vendor that sells either at present, nothing describes the merged property.
  if (vendors.length > 0) await writeProperties(writer, [{ propertyId: kept.property_id, vendors }], new Map())
  const seq = await writer.sequence(1)
  await writer.putProperties([{ ...going, seq, vendors: '[]', merged_into: kept.property_id }])
}

/** All vendor records of a property, including dropped ones, which may return. */
export async function readVendorRefs(writer: CatalogueWriter, propertyId: string): Promise<VendorRef[]> {
  const rows = await writer.names([propertyId])
  return rows.map((row) => ({ vendorId: row.vendor_id, vendorPropertyId: row.vendor_property_id }))
}

/** True if an operator separated the two. Decisions on dropped records apply, because these may return. */
export async function areKeptSeparate(writer: CatalogueWriter, a: string, b: string): Promise<boolean> {
  const [ours, theirs] = [await readKeys(writer, a), await readKeys(writer, b)]
  const findPin = await pinsAmong(writer, ours)
  return ours.some((own) => theirs.some((other) => findPin?.(own, other) === 'split'))
}

const readKeys = async (writer: CatalogueWriter, propertyId: string): Promise<string[]> =>
  (await readVendorRefs(writer, propertyId)).map(refKey)

async function freeId(writer: CatalogueWriter, ref: VendorRef): Promise<string> {
  for (let attempt = 0; ; attempt += 1) {
    const id = derivePropertyId(ref.vendorId, ref.vendorPropertyId, attempt)
    if ((await writer.properties([id])).length === 0) return id
  }
}
