import { setImmediate as breathe } from 'node:timers/promises'
import type { VendorProperty } from '../domain/property.ts'
import type { Clock } from '../lib/clock.ts'
import type { CatalogueStore, CatalogueWriter, VendorRef } from '../store/catalogue.ts'
import type { VendorPropertyRow } from '../store/tables.ts'
import { boundContent } from './bound-content.ts'
import { contentHashOf, packContent } from './content-codec.ts'
import { type MatchFacts, matchFactsOf, vendorKey } from './matching/match-traits.ts'
import { matchCellOf } from './matching/pair-neighbours.ts'
import { placeNewcomers } from './place-newcomers.ts'
import { type Composition, decodeRefs, writeProperties } from './write-properties.ts'

export type IngestReport = {
  readonly added: number
  readonly changed: number
  readonly unchanged: number
  /** Without a name, an id or a believable place. */
  readonly dropped: number
}

export type IngestContent = (properties: readonly VendorProperty[]) => Promise<IngestReport>

type Deps = { readonly store: CatalogueStore; readonly clock: Clock }

type Arrival = { readonly property: VendorProperty; readonly json: string; readonly hash: string }

/** Small enough that a request waits for one batch and not for a whole town. */
const BATCH = 100

/** Takes vendor content into the catalogue: bounded, compared with what is there, matched, merged, written. */
export function createIngestContent({ store, clock }: Deps): IngestContent {
  return async function ingestContent(properties) {
    const arrivals = arrivalsOf(properties)
    const report = { added: 0, changed: 0, unchanged: 0, dropped: properties.length - arrivals.length }
    for (const [vendorId, ofVendor] of Map.groupBy(arrivals, ({ property }) => property.vendorId)) {
      const { same, other } = await compareWithStore(store, vendorId, ofVendor)
      report.unchanged += same.length
      if (same.length > 0) await store.write((writer) => writer.touch(vendorId, same, clock.now()))
      for (let at = 0; at < other.length; at += BATCH) {
        const batch = other.slice(at, at + BATCH)
        const { added, changed } = await store.write((writer) => writeBatch(writer, vendorId, batch, clock.now()))
        report.added += added
        report.changed += changed
        await breathe()
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
    const json = JSON.stringify(property)
    byKey.set(vendorKey(property.vendorId, property.vendorPropertyId), { property, json, hash: contentHashOf(json) })
  }
  return [...byKey.values()]
}

async function compareWithStore(store: CatalogueStore, vendorId: string, arrivals: readonly Arrival[]) {
  const ids = arrivals.map(({ property }) => property.vendorPropertyId)
  const known = new Map((await store.synced(vendorId, ids)).map((row) => [row.vendor_property_id, row.content_hash]))
  const isSame = ({ property, hash }: Arrival) => known.get(property.vendorPropertyId) === hash
  return {
    same: arrivals.filter(isSame).map(({ property }) => property.vendorPropertyId),
    other: arrivals.filter((arrival) => !isSame(arrival)),
  }
}

async function writeBatch(writer: CatalogueWriter, vendorId: string, batch: readonly Arrival[], now: number) {
  // Asked again under the lock: another process may have brought the same area meanwhile.
  const rows = await writer.synced(
    vendorId,
    batch.map(({ property }) => property.vendorPropertyId),
  )
  const homes = new Map(rows.map((row) => [row.vendor_property_id, row.property_id]))
  const newcomers = batch.filter(({ property }) => !homes.has(property.vendorPropertyId))
  const { propertyIds, links } = await placeNewcomers(
    writer,
    newcomers.map(({ property }) => matchFactsOf(property)),
    now,
  )
  for (const [at, { property }] of newcomers.entries()) homes.set(property.vendorPropertyId, propertyIds[at] ?? '')

  await writer.putVendorProperties(
    batch.map((arrival) => rowOf(arrival, homes.get(arrival.property.vendorPropertyId) ?? '', now)),
  )
  await writer.putLinks(links)
  const atHand = new Map(
    batch.map(({ property }) => [vendorKey(property.vendorId, property.vendorPropertyId), property]),
  )
  await writeProperties(writer, await compositionsOf(writer, vendorId, homes), atHand)
  return { added: newcomers.length, changed: batch.length - newcomers.length }
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

function rowOf({ property, json, hash }: Arrival, propertyId: string, now: number): VendorPropertyRow {
  const facts: MatchFacts = matchFactsOf(property)
  return {
    ...facts,
    property_id: propertyId,
    cell: matchCellOf(property.location),
    content_hash: hash,
    synced_at: now,
    content: packContent(json),
  }
}
