import { distanceKm, type Point } from '../../lib/geo.ts'
import { foldText } from '../../lib/text/fold-text.ts'
import type { MatchFacts } from '../matching/match-traits.ts'
import { matchCellsAround } from '../matching/pair-neighbours.ts'
import { inheritPins, pinsAmong } from '../matching/pins.ts'
import { currentIds } from '../properties/read-property.ts'
import { decodeRefs } from '../properties/stored-content.ts'
import { rowKey, vendorKey } from '../properties/vendor-key.ts'
import type { CatalogueWriter } from '../store/catalogue.ts'
import type { MatchRow } from '../store/columns.ts'

/** Properties by the codes of a vendor. */
type Homes = ReadonlyMap<string, string>
type Named = Point & { readonly name: string }

/** A property that the vendor gave a new code is the one of the same name, this near. */
const RECODED_KM = 0.1

/** The cells in which a namesake of something at this point may lie. */
export const namesakeCells = (point: Point): number[] => matchCellsAround(point, RECODED_KM)

/** Whether two entries of one vendor may be one property under two codes. */
export const isNamesake = (one: Named, other: Named): boolean =>
  distanceKm(one, other) <= RECODED_KM && foldText(one.name) === foldText(other.name)

/** The property that each arriving entry had before. None where the entry was dropped and its vendor now sells the property under another code. */
export async function earlierHomes(
  writer: CatalogueWriter,
  vendorId: string,
  arrivals: readonly MatchFacts[],
): Promise<Map<string, string>> {
  const ids = arrivals.map((facts) => facts.vendor_property_id)
  const rows = await underCurrentIds(writer, await writer.synced(vendorId, ids))
  const homes = new Map(rows.map((row) => [row.vendor_property_id, row.property_id]))
  const back = rows.filter((row) => row.dropped_at !== null)
  const isFree = await freePlaces(writer, vendorId, back)
  for (const row of back) if (!isFree(row)) homes.delete(row.vendor_property_id)
  return homes
}

/**
 * Arrivals that are known under a code which the vendor has dropped. What an operator decided on an entry of the vendor that has
 * the same name in the same place, dropped or not, holds for the new code too.
 */
export async function recodedHomes(
  writer: CatalogueWriter,
  vendorId: string,
  arrivals: readonly MatchFacts[],
  known: Homes,
): Promise<Map<string, string>> {
  const homes = new Map<string, string>()
  if (arrivals.length === 0) return homes
  const cells = [...new Set(arrivals.flatMap((facts) => namesakeCells(facts)))]
  const dropped = await underCurrentIds(writer, await writer.droppedInCells(vendorId, cells))
  if (await writer.hasPins()) {
    const shown = (await writer.inCells(cells)).filter((row) => row.vendor_id === vendorId)
    for (const facts of arrivals) await inheritPinsOf(writer, facts, [...dropped, ...shown])
  }
  const isFree = await freePlaces(writer, vendorId, dropped)
  const taken = new Set(known.values())
  for (const facts of dropped.length === 0 ? [] : arrivals) {
    const old = dropped.find((row) => isNamesake(row, facts) && !taken.has(row.property_id) && isFree(row))
    if (old === undefined) continue
    homes.set(facts.vendor_property_id, old.property_id)
    taken.add(old.property_id)
  }
  return homes
}

async function inheritPinsOf(writer: CatalogueWriter, facts: MatchFacts, entries: readonly MatchRow[]): Promise<void> {
  const others = entries.filter((row) => isNamesake(row, facts) && rowKey(row) !== rowKey(facts))
  for (const row of others) await inheritPins(writer, rowKey(row), rowKey(facts))
}

/** A dropped record may still name a property that was joined to another while it was away. */
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

/** Whether a dropped entry may get its property back: its vendor must not sell that property under another code, unless an operator joined the two. */
async function freePlaces(writer: CatalogueWriter, vendorId: string, dropped: readonly Dropped[]) {
  const properties = await writer.properties([...new Set(dropped.map((row) => row.property_id))])
  const keyOf = (row: Dropped) => vendorKey(vendorId, row.vendor_property_id)
  const findPin = dropped.length === 0 ? undefined : await pinsAmong(writer, dropped.map(keyOf))
  const sold = new Map(properties.map(({ property_id, vendors }) => [property_id, decodeRefs(vendors)]))
  return (row: Dropped): boolean =>
    (sold.get(row.property_id) ?? []).every(
      (ref) => ref.vendorId !== vendorId || findPin?.(keyOf(row), vendorKey(vendorId, ref.vendorPropertyId)) === 'join',
    )
}
