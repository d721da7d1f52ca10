import type { CallContext } from '../../lib/async/call-context.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Tables } from '../../store/tables.ts'
import type { Vendor } from '../../vendors/contract.ts'
import { VendorError } from '../../vendors/vendor-error.ts'
import { inheritPins } from '../matching/manual-matches.ts'
import { findMatchCell } from '../matching/pair-neighbours.ts'
import { areKeptSeparate, createLinkMaker, type MakeLink, mergeInto } from '../properties/move-properties.ts'
import { decodeRefs, encodeRefs } from '../properties/stored-content.ts'
import { vendorKey } from '../properties/vendor-key.ts'
import { writeProperties } from '../properties/write-properties.ts'
import type { CatalogueStore, CatalogueWriter } from '../store/catalogue.ts'
import type { MatchRow } from '../store/columns.ts'
import { isNamesake, namesakeCells } from './changed-vendor-ids.ts'
import type { IngestContent } from './ingest-content.ts'

type Deps = { readonly store: CatalogueStore; readonly clock: Clock; readonly ingest: IngestContent }

/** `isDone` is false if it had to stop early. */
type Dropped = { readonly dropped: number; readonly isDone: boolean }
export type DropMissing = (
  vendor: Vendor,
  seenBefore: number,
  context: CallContext,
  mayGoOn: () => Promise<boolean>,
) => Promise<Dropped>

const BATCH_SIZE = 100

/**
 * Drops properties that are neither in a full feed started at `seenBefore` nor found by id, because a feed that takes days may
 * omit some. The row remains for saved searches and bookings, and is restored if the vendor lists the property again.
 */
export function createDropMissing({ store, clock, ingest }: Deps): DropMissing {
  return async function dropMissing(vendor, seenBefore, context, mayGoOn) {
    for (let dropped = 0; ; ) {
      const missing = await store.notSeenSince(vendor.id, seenBefore, BATCH_SIZE)
      if (missing.length === 0) return { dropped, isDone: true }
      const ids = missing.map((row) => row.vendor_property_id)
      await readById(vendor, ids, context, ingest)
      dropped += await store.write(async (writer) => {
        const rows = await writer.notSeenSince(vendor.id, seenBefore, BATCH_SIZE)
        const gone = rows.filter((row) => ids.includes(row.vendor_property_id))
        await drop(writer, vendor.id, gone, clock.now())
        return gone.length
      })
      if (!(await mayGoOn())) return { dropped, isDone: false }
    }
  }
}

async function readById(vendor: Vendor, ids: readonly string[], context: CallContext, ingest: IngestContent) {
  try {
    for await (const { properties } of vendor.content({ kind: 'ids', ids }, context)) await ingest(properties)
  } catch (error) {
    // The vendor does not know these ids.
    const isUnknown = error instanceof VendorError && (error.fault === 'not_found' || error.fault === 'refused')
    if (!isUnknown) throw error
  }
}

async function drop(writer: CatalogueWriter, vendorId: string, rows: readonly MatchRow[], now: number) {
  if (rows.length === 0) return
  const gone = new Set(rows.map((row) => row.vendor_property_id))
  await writer.markDropped(vendorId, [...gone], now)
  const properties = await writer.properties([...new Set(rows.map((row) => row.property_id))])
  const left = properties.map((property) => ({
    property,
    vendors: decodeRefs(property.vendors).filter((ref) => ref.vendorId !== vendorId || !gone.has(ref.vendorPropertyId)),
  }))
  const sold = left.filter(({ vendors }) => vendors.length > 0)
  const unsold = left.filter(({ vendors }) => vendors.length === 0)
  await writeProperties(
    writer,
    sold.map(({ property, vendors }) => ({ propertyId: property.property_id, vendors })),
    new Map(),
  )
  const seq = await writer.sequence(unsold.length)
  await writer.putProperties(
    unsold.map(({ property }, index) => ({ ...property, seq: seq + index, vendors: encodeRefs([]) })),
  )
  await followNewCodes(writer, vendorId, rows, now)
}

/** Another entry of the vendor for the same building is its new id and replaces the dropped one. */
async function followNewCodes(writer: CatalogueWriter, vendorId: string, rows: readonly MatchRow[], now: number) {
  const cells = new Set(rows.flatMap((row) => namesakeCells(row)))
  const entries = (await writer.inCells([...cells])).filter((row) => row.vendor_id === vendorId)
  const inCell = Map.groupBy(entries, findMatchCell)
  const propertyIds = new Set(rows.map((row) => row.property_id))
  const twins = await writer.twinsForProperties(vendorId, [...propertyIds])
  for (const row of rows) {
    const near = namesakeCells(row).flatMap((cell) => inCell.get(cell) ?? [])
    const namesakes = near.filter((entry) => isNamesake(row, entry))
    const codes = [
      ...twins.filter((twin) => twin.property_id === row.property_id),
      // Several entries of that name may be the flats of one building, so none is certain.
      ...(namesakes.length === 1 ? namesakes : []),
    ].map((entry) => entry.vendor_property_id)
    for (const code of new Set(codes)) if (await follow(writer, row, code, now)) break
  }
}

/** Replaces the dropped entry by the entry `code`; false if not allowed. */
async function follow(writer: CatalogueWriter, old: MatchRow, code: string, now: number): Promise<boolean> {
  const { vendor_id: vendorId } = old
  const [entry] = await writer.synced(vendorId, [code])
  if (entry === undefined || entry.dropped_at !== null) return false
  const rows = await writer.properties([old.property_id, entry.property_id])
  const left = rows.find((row) => row.property_id === old.property_id)
  const successor = rows.find((row) => row.property_id === entry.property_id)
  if (left === undefined || successor === undefined || !(await mayFollow(writer, left, successor))) return false
  await inheritPins(writer, vendorKey(vendorId, old.vendor_property_id), vendorKey(vendorId, code))
  // The old property's id stays, unless more vendors sell the other one.
  const [kept, going] = vendorIds(successor).length > vendorIds(left).length + 1 ? [successor, left] : [left, successor]
  await mergeInto(writer, kept, going, newCodeLink(now))
  return true
}

/** False if both have an entry of one vendor, or an operator keeps them separate. */
async function mayFollow(
  writer: CatalogueWriter,
  left: Tables['properties'],
  successor: Tables['properties'],
): Promise<boolean> {
  if (left.property_id === successor.property_id || left.merged_into !== null || successor.merged_into !== null)
    return false
  const vendors = new Set(vendorIds(left))
  if (vendorIds(successor).some((vendorId) => vendors.has(vendorId))) return false
  return !(await areKeptSeparate(writer, left.property_id, successor.property_id))
}

const vendorIds = ({ vendors }: Tables['properties']): string[] => decodeRefs(vendors).map((ref) => ref.vendorId)

const newCodeLink = (now: number): MakeLink =>
  createLinkMaker({
    decided_by: 'auto',
    decided_at: now,
    evidence: { evidence: [{ fact: 'the vendor assigned a new id', weight: 0 }] },
  })
