import { hash } from 'node:crypto'
import { setImmediate as pause } from 'node:timers/promises'
import type { VendorProperty } from '../../domain/property/property.ts'
import { partsOf } from '../../lib/parts.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Tables } from '../../store/tables.ts'
import { matchFactsOf } from '../matching/match-traits.ts'
import { matchCellOf } from '../matching/pair-neighbours.ts'
import { placeProperties } from '../properties/place-properties.ts'
import { decodeRefs, packContent } from '../properties/stored-content.ts'
import { refKey } from '../properties/vendor-key.ts'
import { type Composition, writeProperties } from '../properties/write-properties.ts'
import type { CatalogueStore, CatalogueWriter, VendorRef } from '../store/catalogue.ts'
import { READ_AGAIN, ROOMS_UNREAD, type SyncedRow } from '../store/columns.ts'
import { boundContent } from './bound-content.ts'
import { earlierHomes, recodedHomes } from './recoded.ts'

type IngestReport = {
  readonly added: number
  readonly changed: number
  readonly unchanged: number
  /** Without a name, an id or a believable place. */
  readonly dropped: number
}

export type IngestContent = (properties: readonly VendorProperty[]) => Promise<IngestReport>

type Deps = {
  readonly store: CatalogueStore
  readonly clock: Clock
  /** What was read in full longer ago than this is read again, once a list shows it. */
  readonly refreshAfterMs: number
}

type Arrival = { readonly property: VendorProperty; readonly json: string; readonly hash: string }

/** Other requests wait while a batch is matched and written, so it is small. Each is one commit, which waits for the disk. */
const BATCH = 50

/** Takes vendor content into the catalogue: bounded, compared with what is there, matched, merged, written. */
export function createIngestContent({ store, clock, refreshAfterMs }: Deps): IngestContent {
  return async function ingestContent(properties) {
    const arrivals = arrivalsOf(properties)
    const report = { added: 0, changed: 0, unchanged: 0, dropped: properties.length - arrivals.length }
    for (const [vendorId, ofVendor] of Map.groupBy(arrivals, ({ property }) => property.vendorId)) {
      const { same, fuller, other } = await compareWithStore(store, vendorId, ofVendor)
      report.unchanged += same.length + fuller.length
      const isOld = ({ synced_at, rooms_unread }: SyncedRow) =>
        rooms_unread === null && clock.now() - synced_at > refreshAfterMs
      const old = fuller.filter(isOld).map(idOf)
      if (same.length > 0) await store.write((writer) => writer.touch(vendorId, same.map(idOf), clock.now()))
      if (old.length > 0) await store.write((writer) => writer.markToReadAgain(vendorId, old))
      for (const batch of partsOf(other, BATCH)) {
        const { added, changed } = await store.write((writer) => writeBatch(writer, vendorId, batch, clock.now()))
        report.added += added
        report.changed += changed
        await pause()
      }
    }
    return report
  }
}

/** What can be kept, each vendor property once; of two descriptions in one delivery the later one counts. */
function arrivalsOf(properties: readonly VendorProperty[]): Arrival[] {
  const byKey = new Map<string, Arrival>()
  for (const raw of properties) {
    const property = boundContent(raw)
    if (property === undefined) continue
    byKey.set(refKey(property), arrivalOf(property))
  }
  return [...byKey.values()]
}

function arrivalOf(property: VendorProperty): Arrival {
  const json = JSON.stringify(property)
  return { property, json, hash: hash('sha256', json, 'base64url') }
}

async function compareWithStore(store: CatalogueStore, vendorId: string, arrivals: readonly Arrival[]) {
  const ids = arrivals.map(({ property }) => property.vendorPropertyId)
  const known = new Map((await store.synced(vendorId, ids)).map((row) => [row.vendor_property_id, row]))
  const same: SyncedRow[] = []
  const fuller: SyncedRow[] = []
  const other: Arrival[] = []
  for (const arrival of arrivals) {
    const { property, hash } = arrival
    const row = known.get(property.vendorPropertyId)
    if (row === undefined || row.dropped_at !== null) other.push(arrival)
    else if (row.content_hash === hash && row.rooms_unread !== READ_AGAIN) same.push(row)
    // What a list shows is not more than what was read in full before.
    else if (property.roomsUnread === true && row.rooms_unread !== ROOMS_UNREAD) fuller.push(row)
    else other.push(arrival)
  }
  // Sorted by grid cell, because a batch is compared with everything in its cells and around them: the fewer, the faster.
  return { same, fuller, other: other.sort((a, b) => cellOf(a) - cellOf(b)) }
}

const idOf = (row: SyncedRow) => row.vendor_property_id
const cellOf = ({ property }: Arrival) => matchCellOf(property.location)

async function writeBatch(writer: CatalogueWriter, vendorId: string, batch: readonly Arrival[], now: number) {
  // Asked again under the lock: another process may have brought the same area meanwhile.
  const facts = batch.map(({ property }) => matchFactsOf(property))
  const homes = await earlierHomes(writer, vendorId, facts)
  const unknown = facts.filter((one) => !homes.has(one.vendor_property_id))
  for (const [id, propertyId] of await recodedHomes(writer, vendorId, unknown, homes)) homes.set(id, propertyId)
  const arrivals = unknown.filter((one) => !homes.has(one.vendor_property_id))
  const { propertyIds, links, twins, near } = await placeProperties(writer, arrivals, now)
  for (const [at, one] of arrivals.entries()) homes.set(one.vendor_property_id, propertyIds[at] ?? '')

  await writer.putVendorProperties(
    batch.map((arrival) => rowOf(arrival, homes.get(arrival.property.vendorPropertyId) ?? '', now)),
  )
  await writer.putLinks(links)
  await writer.putTwins(twins)
  await writer.putNearMatches(near)
  const atHand = new Map(batch.map(({ property }) => [refKey(property), property]))
  await writeProperties(writer, await compositionsOf(writer, vendorId, homes), atHand)
  return { added: unknown.length, changed: batch.length - unknown.length }
}

/** Vendors of every property that got or changed one; those it had before keep their place, the founder's first. */
async function compositionsOf(
  writer: CatalogueWriter,
  vendorId: string,
  homes: ReadonlyMap<string, string>,
): Promise<Composition[]> {
  const before = await writer.properties([...new Set(homes.values())])
  const vendors = new Map<string, VendorRef[]>(before.map((row) => [row.property_id, decodeRefs(row.vendors)]))
  for (const [vendorPropertyId, propertyId] of homes) {
    const refs = vendors.get(propertyId) ?? []
    const has = refs.some((ref) => ref.vendorId === vendorId && ref.vendorPropertyId === vendorPropertyId)
    if (!has) refs.push({ vendorId, vendorPropertyId })
    vendors.set(propertyId, refs)
  }
  return [...vendors].map(([propertyId, refs]) => ({ propertyId, vendors: refs }))
}

const rowOf = ({ property, json, hash }: Arrival, propertyId: string, now: number): Tables['vendor_properties'] => ({
  ...matchFactsOf(property),
  property_id: propertyId,
  cell: matchCellOf(property.location),
  content_hash: hash,
  synced_at: now,
  content: packContent(json),
  dropped_at: null,
  rooms_unread: property.roomsUnread ? ROOMS_UNREAD : null,
})
