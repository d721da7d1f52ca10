import { distanceKm, type Point } from '../../lib/geo.ts'
import { foldText } from '../../lib/text/fold-text.ts'
import { inheritPins, pinsAmong } from '../matching/manual-matches.ts'
import type { MatchFacts } from '../matching/match-traits.ts'
import { matchCellsAround } from '../matching/pair-neighbours.ts'
import { currentIds } from '../properties/read-property.ts'
import { decodeRefs } from '../properties/stored-content.ts'
import { rowKey, vendorKey } from '../properties/vendor-key.ts'
import type { CatalogueWriter } from '../store/catalogue.ts'
import type { MatchRow } from '../store/columns.ts'

/** Property ids by vendor property id. */
type PropertyByCode = ReadonlyMap<string, string>
type Named = Point & { readonly name: string }

/** A property whose vendor changed its id has the same name within this distance. */
const RECODED_KM = 0.1

/** Cells that may contain a namesake. */
export const namesakeCells = (point: Point): number[] => matchCellsAround(point, RECODED_KM)

/** True if two entries of one vendor may be one property under two ids. */
export const isNamesake = (a: Named, b: Named): boolean =>
  distanceKm(a, b) <= RECODED_KM && foldText(a.name) === foldText(b.name)

/** Previous properties of arriving entries, except dropped ones that their vendor now sells under another id. */
export async function findPreviousProperties(
  writer: CatalogueWriter,
  vendorId: string,
  arrivals: readonly MatchFacts[],
): Promise<Map<string, string>> {
  const ids = arrivals.map((facts) => facts.vendor_property_id)
  const rows = await underCurrentIds(writer, await writer.synced(vendorId, ids))
  const propertyByCode = new Map(rows.map((row) => [row.vendor_property_id, row.property_id]))
  const back = rows.filter((row) => row.dropped_at !== null)
  const isFree = await createIsFree(writer, vendorId, back)
  for (const row of back) if (!isFree(row)) propertyByCode.delete(row.vendor_property_id)
  return propertyByCode
}

/** Properties of arrivals that were known under a dropped id. They inherit operators' decisions on namesakes in the same place. */
export async function findRecodedProperties(
  writer: CatalogueWriter,
  vendorId: string,
  arrivals: readonly MatchFacts[],
  known: PropertyByCode,
): Promise<Map<string, string>> {
  const propertyByCode = new Map<string, string>()
  if (arrivals.length === 0) return propertyByCode
  const cells = [...new Set(arrivals.flatMap((facts) => namesakeCells(facts)))]
  const dropped = await underCurrentIds(writer, await writer.droppedInCells(vendorId, cells))
  if (await writer.hasPins()) {
    const shown = (await writer.inCells(cells)).filter((row) => row.vendor_id === vendorId)
    for (const facts of arrivals) await inheritNamesakePins(writer, facts, [...dropped, ...shown])
  }
  const isFree = await createIsFree(writer, vendorId, dropped)
  const taken = new Set(known.values())
  for (const facts of dropped.length === 0 ? [] : arrivals) {
    const old = dropped.find((row) => isNamesake(row, facts) && !taken.has(row.property_id) && isFree(row))
    if (old === undefined) continue
    propertyByCode.set(facts.vendor_property_id, old.property_id)
    taken.add(old.property_id)
  }
  return propertyByCode
}

async function inheritNamesakePins(
  writer: CatalogueWriter,
  facts: MatchFacts,
  entries: readonly MatchRow[],
): Promise<void> {
  const others = entries.filter((row) => isNamesake(row, facts) && rowKey(row) !== rowKey(facts))
  for (const row of others) await inheritPins(writer, rowKey(row), rowKey(facts))
}

/** A dropped record may refer to a property that has since been merged. */
async function underCurrentIds<R extends { readonly property_id: string }>(
  writer: CatalogueWriter,
  rows: readonly R[],
): Promise<R[]> {
  const current = await currentIds(
    writer,
    rows.map((row) => row.property_id),
  )
  return rows.map((row) => ({ ...row, property_id: current.get(row.property_id) ?? row.property_id }))
}

type Dropped = Pick<MatchRow, 'property_id' | 'vendor_property_id'>

/** Returns a test if an entry may get its property back: the vendor must not sell it under an id that no operator joined. */
async function createIsFree(writer: CatalogueWriter, vendorId: string, dropped: readonly Dropped[]) {
  const properties = await writer.properties([...new Set(dropped.map((row) => row.property_id))])
  const entryKey = (row: Dropped) => vendorKey(vendorId, row.vendor_property_id)
  const findPin = dropped.length === 0 ? undefined : await pinsAmong(writer, dropped.map(entryKey))
  const sold = new Map(properties.map(({ property_id, vendors }) => [property_id, decodeRefs(vendors)]))
  return (row: Dropped): boolean =>
    (sold.get(row.property_id) ?? []).every(
      (ref) =>
        ref.vendorId !== vendorId || findPin?.(entryKey(row), vendorKey(vendorId, ref.vendorPropertyId)) === 'join',
    )
}
