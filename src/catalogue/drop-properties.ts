import type { Clock } from '../lib/clock.ts'
import type { CatalogueStore, CatalogueWriter } from '../store/catalogue.ts'
import type { SyncedRow } from '../store/catalogue-columns.ts'
import type { PropertyRow } from '../store/tables.ts'
import { vendorKey } from './matching/match-traits.ts'
import { mergeInto, recordsOf } from './move-properties.ts'
import { pinsAmong } from './pins.ts'
import { decodeRefs, encodeRefs } from './stored-content.ts'
import { writeProperties } from './write-properties.ts'

/** Returns how many were dropped. */
export type DropMissing = (vendorId: string, seenBefore: number) => Promise<number>

const AT_ONCE = 250

/**
 * Takes out what a vendor has not shown in a whole feed that began at `seenBefore`. Its row stays, so that saved searches
 * and bookings can still name it; if the vendor shows it again, it is back. A property that no vendor sells is not found any more.
 */
export function createDropMissing({ store, clock }: { store: CatalogueStore; clock: Clock }): DropMissing {
  return async function dropMissing(vendorId, seenBefore) {
    let dropped = 0
    for (;;) {
      const rows = await store.notSeenSince(vendorId, seenBefore, AT_ONCE)
      if (rows.length === 0) return dropped
      await store.write((writer) => drop(writer, vendorId, rows, clock.now()))
      dropped += rows.length
    }
  }
}

async function drop(writer: CatalogueWriter, vendorId: string, rows: readonly SyncedRow[], now: number) {
  const gone = new Set(rows.map((row) => row.vendor_property_id))
  await writer.markDropped(vendorId, [...gone], now)
  const ids = [...new Set(rows.map((row) => row.property_id))]
  for (const property of await writer.properties(ids)) {
    const refs = decodeRefs(property.vendors)
    const rest = refs.filter((ref) => ref.vendorId !== vendorId || !gone.has(ref.vendorPropertyId))
    if (rest.length === refs.length) continue
    if (rest.length > 0) await writeProperties(writer, [{ propertyId: property.property_id, vendors: rest }], new Map())
    else await writer.putProperties([{ ...property, seq: await writer.sequence(1), vendors: encodeRefs([]) }])
  }
  await followTwins(writer, vendorId, ids, now)
}

/** A second entry of the vendor for the same building is its new code: it takes the place of the dropped one. */
async function followTwins(writer: CatalogueWriter, vendorId: string, propertyIds: readonly string[], now: number) {
  for (const twin of await writer.twinsOf(vendorId, propertyIds)) {
    const [entry] = await writer.synced(vendorId, [twin.vendor_property_id])
    if (entry === undefined || entry.dropped_at !== null) continue
    const rows = await writer.properties([twin.property_id, entry.property_id])
    const kept = rows.find((row) => row.property_id === twin.property_id)
    const going = rows.find((row) => row.property_id === entry.property_id)
    if (kept === undefined || going === undefined || !(await mayFollow(writer, kept, going))) continue
    const evidence = JSON.stringify({ evidence: [{ fact: 'the vendor gave it a new code', weight: 0 }] })
    await mergeInto(writer, kept, going, (ref, propertyId) => ({
      vendor_id: ref.vendorId,
      vendor_property_id: ref.vendorPropertyId,
      property_id: propertyId,
      score: 1,
      decided_by: 'auto',
      evidence,
      decided_at: now,
    }))
  }
}

/** Not where both have an entry of one vendor, nor where an operator keeps them separate. */
async function mayFollow(writer: CatalogueWriter, kept: PropertyRow, going: PropertyRow): Promise<boolean> {
  if (going.merged_into !== null || kept.property_id === going.property_id) return false
  const vendors = new Set(decodeRefs(kept.vendors).map((ref) => ref.vendorId))
  if (decodeRefs(going.vendors).some((ref) => vendors.has(ref.vendorId))) return false
  const [ours, theirs] = [await keysOf(writer, kept), await keysOf(writer, going)]
  const pinOf = await pinsAmong(writer, ours)
  return !ours.some((a) => theirs.some((b) => pinOf?.(a, b) === 'split'))
}

const keysOf = async (writer: CatalogueWriter, { property_id }: PropertyRow): Promise<string[]> =>
  (await recordsOf(writer, property_id)).map((ref) => vendorKey(ref.vendorId, ref.vendorPropertyId))
