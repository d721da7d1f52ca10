import type { Tables } from '../../store/tables.ts'
import { pinsAmong } from '../matching/pins.ts'
import type { CatalogueWriter, VendorRef } from '../store/catalogue.ts'
import { propertyIdOf } from './property-id.ts'
import { decodeRefs } from './stored-content.ts'
import { refKey } from './vendor-key.ts'
import { writeProperties } from './write-properties.ts'

/** Why a vendor property is where it is now. */
export type LinkOf = (ref: VendorRef, propertyId: string) => Tables['property_links']

type Reason = Pick<Tables['property_links'], 'decided_by' | 'decided_at'> & {
  readonly score?: number
  readonly evidence: object
}

export const linkBecause =
  ({ score = 1, evidence, ...decided }: Reason): LinkOf =>
  (ref, propertyId) => ({
    vendor_id: ref.vendorId,
    vendor_property_id: ref.vendorPropertyId,
    property_id: propertyId,
    score,
    evidence: JSON.stringify(evidence),
    ...decided,
  })

/** Gives one vendor's property an id of its own; the others keep theirs. Answers the new id. */
export async function splitOff(
  writer: CatalogueWriter,
  { propertyId, ref, rest }: { propertyId: string; ref: VendorRef; rest: readonly VendorRef[] },
  linkOf: LinkOf,
): Promise<string> {
  const fresh = await freeId(writer, ref)
  await writer.moveVendorProperty(ref, fresh)
  await writer.putLinks([linkOf(ref, fresh)])
  await writer.copyRoomPins(propertyId, fresh, ref.vendorId)
  const now = [
    { propertyId, vendors: rest },
    { propertyId: fresh, vendors: [ref] },
  ]
  await writeProperties(writer, now, new Map())
  return fresh
}

/** Makes two properties one. The row of the one that goes stays and leads on: saved searches and clients name its id. */
export async function mergeInto(
  writer: CatalogueWriter,
  kept: Tables['properties'],
  going: Tables['properties'],
  linkOf: LinkOf,
): Promise<void> {
  const vendors = [...decodeRefs(kept.vendors), ...decodeRefs(going.vendors)]
  const moving = await recordsOf(writer, going.property_id)
  for (const ref of moving) await writer.moveVendorProperty(ref, kept.property_id)
  await writer.putLinks(moving.map((ref) => linkOf(ref, kept.property_id)))
  await writer.copyRoomPins(going.property_id, kept.property_id)
  await writer.moveTwins(going.property_id, kept.property_id)
  // Two that no vendor sells at present have nothing to describe the one by; it stays as it was.
  if (vendors.length > 0) await writeProperties(writer, [{ propertyId: kept.property_id, vendors }], new Map())
  const seq = await writer.sequence(1)
  await writer.putProperties([{ ...going, seq, vendors: '[]', merged_into: kept.property_id }])
}

/** All vendor properties of a property, those that their vendor has dropped too: they may come back. */
export async function recordsOf(writer: CatalogueWriter, propertyId: string): Promise<VendorRef[]> {
  const rows = await writer.names([propertyId])
  return rows.map((row) => ({ vendorId: row.vendor_id, vendorPropertyId: row.vendor_property_id }))
}

/** Whether an operator has decided that two properties are not the same. Decisions on dropped records count, because these may come back. */
export async function areKeptSeparate(writer: CatalogueWriter, one: string, other: string): Promise<boolean> {
  const [ours, theirs] = [await keysOf(writer, one), await keysOf(writer, other)]
  const findPin = await pinsAmong(writer, ours)
  return ours.some((a) => theirs.some((b) => findPin?.(a, b) === 'split'))
}

const keysOf = async (writer: CatalogueWriter, propertyId: string): Promise<string[]> =>
  (await recordsOf(writer, propertyId)).map(refKey)

async function freeId(writer: CatalogueWriter, ref: VendorRef): Promise<string> {
  for (let attempt = 0; ; attempt += 1) {
    const id = propertyIdOf(ref.vendorId, ref.vendorPropertyId, attempt)
    if ((await writer.properties([id])).length === 0) return id
  }
}
