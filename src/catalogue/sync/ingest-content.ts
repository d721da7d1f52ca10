import { hash } from 'node:crypto'
import { setImmediate as pause } from 'node:timers/promises'
import type { VendorProperty } from '../../domain/property/property.ts'
import { chunk } from '../../lib/chunk.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Tables } from '../../store/tables.ts'
import { toMatchFacts } from '../matching/match-traits.ts'
import { findMatchCell } from '../matching/pair-neighbours.ts'
import { placeProperties } from '../properties/place-properties.ts'
import { decodeRefs, packContent } from '../properties/stored-content.ts'
import { refKey } from '../properties/vendor-key.ts'
import { type Composition, writeProperties } from '../properties/write-properties.ts'
import type { CatalogueStore, CatalogueWriter, VendorRef } from '../store/catalogue.ts'
import { READ_AGAIN, ROOMS_UNREAD, type SyncedRow } from '../store/columns.ts'
import { boundContent } from './bound-content.ts'
import { findPreviousProperties, findRecodedProperties } from './changed-vendor-ids.ts'

type IngestReport = {
  readonly added: number
  readonly changed: number
  readonly unchanged: number
  /** Without a name, an id or plausible coordinates. */
  readonly dropped: number
}

/** `feed`: the properties come from a vendor's feed, of all its properties or of changed ones. */
export type IngestContent = (properties: readonly VendorProperty[], feed?: 'whole' | 'changes') => Promise<IngestReport>

type Deps = {
  readonly store: CatalogueStore
  readonly clock: Clock
  /** Older full content is read again once a list shows the property. */
  readonly refreshAfterMs: number
}

type Arrival = { readonly property: VendorProperty; readonly json: string; readonly hash: string }

/** Small, because other requests wait while a batch is matched and committed. */
const BATCH_SIZE = 50

/** Bounds, compares, matches, merges and stores vendor content. */
export function createIngestContent({ store, clock, refreshAfterMs }: Deps): IngestContent {
  return async function ingestContent(properties, feed) {
    const arrivals = toArrivals(properties)
    const report = { added: 0, changed: 0, unchanged: 0, dropped: properties.length - arrivals.length }
    for (const [vendorId, vendorArrivals] of Map.groupBy(arrivals, ({ property }) => property.vendorId)) {
      const { same, fuller, other } = await compareWithStore(store, vendorId, vendorArrivals)
      report.unchanged += same.length + fuller.length
      const isOld = ({ synced_at, rooms_unread }: SyncedRow) =>
        rooms_unread === null && (feed === 'changes' || clock.now() - synced_at > refreshAfterMs)
      const old = fuller.filter(isOld).map(rowId)
      // Properties that a feed lists in short form must not count as missing from it.
      const seen = (feed === undefined ? same : [...same, ...fuller]).map(rowId)
      if (seen.length > 0) await store.write((writer) => writer.touch(vendorId, seen, clock.now()))
      if (old.length > 0) await store.write((writer) => writer.markToReadAgain(vendorId, old))
      for (const batch of chunk(other, BATCH_SIZE)) {
        const { added, changed } = await store.write((writer) => writeBatch(writer, vendorId, batch, clock.now()))
        report.added += added
        report.changed += changed
        await pause()
      }
    }
    return report
  }
}

/** Valid properties, each once; the later of two descriptions wins. */
function toArrivals(properties: readonly VendorProperty[]): Arrival[] {
  const byKey = new Map<string, Arrival>()
  for (const raw of properties) {
    const property = boundContent(raw)
    if (property === undefined) continue
    const json = JSON.stringify(property)
    byKey.set(refKey(property), { property, json, hash: hash('sha256', json, 'base64url') })
  }
  return [...byKey.values()]
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
    // List content adds nothing to full content.
    else if (property.roomsUnread === true && row.rooms_unread !== ROOMS_UNREAD) fuller.push(row)
    else other.push(arrival)
  }
  // Sorted by grid cell: a batch is compared with its cells and their neighbours, so fewer cells are faster.
  return { same, fuller, other: other.sort((a, b) => arrivalCell(a) - arrivalCell(b)) }
}

const rowId = (row: SyncedRow) => row.vendor_property_id
const arrivalCell = ({ property }: Arrival) => findMatchCell(property.location)

async function writeBatch(writer: CatalogueWriter, vendorId: string, batch: readonly Arrival[], now: number) {
  // Checked again under the lock, because another process may have stored the same area.
  const facts = batch.map(({ property }) => toMatchFacts(property))
  const propertyByCode = await findPreviousProperties(writer, vendorId, facts)
  const unknown = facts.filter((fact) => !propertyByCode.has(fact.vendor_property_id))
  for (const [id, propertyId] of await findRecodedProperties(writer, vendorId, unknown, propertyByCode))
    propertyByCode.set(id, propertyId)
  const arrivals = unknown.filter((fact) => !propertyByCode.has(fact.vendor_property_id))
  const { propertyIds, links, twins, near } = await placeProperties(writer, arrivals, now)
  for (const [index, fact] of arrivals.entries()) propertyByCode.set(fact.vendor_property_id, propertyIds[index] ?? '')

  await writer.putVendorProperties(
    batch.map((arrival) => toRow(arrival, propertyByCode.get(arrival.property.vendorPropertyId) ?? '', now)),
  )
  await writer.putLinks(links)
  await writer.putTwins(twins)
  await writer.putNearMatches(near)
  const available = new Map(batch.map(({ property }) => [refKey(property), property]))
  await writeProperties(writer, await composeProperties(writer, vendorId, propertyByCode), available)
  return { added: unknown.length, changed: batch.length - unknown.length }
}

/** Vendors of all affected properties; existing ones keep their order, the founder first. */
async function composeProperties(
  writer: CatalogueWriter,
  vendorId: string,
  propertyByCode: ReadonlyMap<string, string>,
): Promise<Composition[]> {
  const before = await writer.properties([...new Set(propertyByCode.values())])
  const vendors = new Map<string, VendorRef[]>(before.map((row) => [row.property_id, decodeRefs(row.vendors)]))
  for (const [vendorPropertyId, propertyId] of propertyByCode) {
    const refs = vendors.get(propertyId) ?? []
    const has = refs.some((ref) => ref.vendorId === vendorId && ref.vendorPropertyId === vendorPropertyId)
    if (!has) refs.push({ vendorId, vendorPropertyId })
    vendors.set(propertyId, refs)
  }
  return [...vendors].map(([propertyId, refs]) => ({ propertyId, vendors: refs }))
}

const toRow = ({ property, json, hash }: Arrival, propertyId: string, now: number): Tables['vendor_properties'] => ({
  ...toMatchFacts(property),
  property_id: propertyId,
  cell: findMatchCell(property.location),
  content_hash: hash,
  synced_at: now,
  content: packContent(json),
  dropped_at: null,
  rooms_unread: property.roomsUnread ? ROOMS_UNREAD : null,
})
