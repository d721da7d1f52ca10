import type { Database, ReadOnly, Tx } from './database.ts'
import type { PropertyLinkRow, PropertyPinRow, PropertyRow, PropertySummaryRow, VendorPropertyRow } from './tables.ts'

export type VendorRef = { readonly vendorId: string; readonly vendorPropertyId: string }

/** What matching needs of a vendor property; the content stays on disk. */
export type MatchRow = Omit<VendorPropertyRow, 'content' | 'content_hash' | 'synced_at' | 'cell'>
export type SyncedRow = Pick<VendorPropertyRow, 'vendor_property_id' | 'property_id' | 'content_hash'>
export type ContentRow = Pick<VendorPropertyRow, 'vendor_id' | 'vendor_property_id' | 'property_id' | 'content'>

export type CatalogueReader = ReturnType<typeof readerOn>
export type CatalogueWriter = CatalogueReader & ReturnType<typeof writerOn>
export type CatalogueStore = ReturnType<typeof createCatalogueStore>

/** Below the parameter limits of both databases, with room to spare. */
const IDS_AT_ONCE = 5_000
const ROWS_AT_ONCE = 200

const MATCH_COLUMNS = [
  'vendor_id',
  'vendor_property_id',
  'property_id',
  'lat',
  'lon',
  'name',
  'chain',
  'category',
  'star_rating',
  'phone',
  'address',
  'city',
  'postal_code',
  'country_code',
] as const

export function createCatalogueStore(database: Database) {
  return {
    ...readerOn(database.read),

    /**
     * Runs `work` with the catalogue's write lock. Whoever writes takes the sequence first, so writers of all
     * processes stand in line: no two of them match the same building at once, and sequence numbers become visible in
     * their own order.
     */
    write<T>(work: (writer: CatalogueWriter) => Promise<T>): Promise<T> {
      return database.write(async (tx) => {
        await takeSequence(tx, 0)
        return work({ ...readerOn(tx), ...writerOn(tx) })
      })
    },
  }
}

function readerOn(db: ReadOnly) {
  return {
    async synced(vendorId: string, ids: readonly string[]): Promise<SyncedRow[]> {
      return inParts(ids, (part) =>
        db
          .selectFrom('vendor_properties')
          .select(['vendor_property_id', 'property_id', 'content_hash'])
          .where('vendor_id', '=', vendorId)
          .where('vendor_property_id', 'in', part)
          .execute(),
      )
    },

    async inCells(cells: readonly number[]): Promise<MatchRow[]> {
      return inParts(cells, (part) =>
        db.selectFrom('vendor_properties').select(MATCH_COLUMNS).where('cell', 'in', part).execute(),
      )
    },

    async ofProperties(propertyIds: readonly string[]): Promise<MatchRow[]> {
      return inParts(propertyIds, (part) =>
        db.selectFrom('vendor_properties').select(MATCH_COLUMNS).where('property_id', 'in', part).execute(),
      )
    },

    async contents(propertyIds: readonly string[]): Promise<ContentRow[]> {
      return inParts(propertyIds, (part) =>
        db
          .selectFrom('vendor_properties')
          .select(['vendor_id', 'vendor_property_id', 'property_id', 'content'])
          .where('property_id', 'in', part)
          .execute(),
      )
    },

    async content(ref: VendorRef): Promise<ContentRow | undefined> {
      return db
        .selectFrom('vendor_properties')
        .select(['vendor_id', 'vendor_property_id', 'property_id', 'content'])
        .where('vendor_id', '=', ref.vendorId)
        .where('vendor_property_id', '=', ref.vendorPropertyId)
        .executeTakeFirst()
    },

    async properties(propertyIds: readonly string[]): Promise<PropertyRow[]> {
      return inParts(propertyIds, (part) =>
        db.selectFrom('properties').selectAll().where('property_id', 'in', part).execute(),
      )
    },

    /** What changed after `seq`, in order. */
    async changes(seq: number, limit: number): Promise<PropertyRow[]> {
      return db.selectFrom('properties').selectAll().where('seq', '>', seq).orderBy('seq').limit(limit).execute()
    },

    async summaries(propertyIds: readonly string[]): Promise<PropertySummaryRow[]> {
      return inParts(propertyIds, (part) =>
        db.selectFrom('property_summaries').selectAll().where('property_id', 'in', part).execute(),
      )
    },

    async links(propertyId: string): Promise<PropertyLinkRow[]> {
      return db.selectFrom('property_links').selectAll().where('property_id', '=', propertyId).execute()
    },

    /** Every pin that names one of `keys` (`vendor_id:vendor_property_id`). */
    async pins(keys: readonly string[]): Promise<PropertyPinRow[]> {
      return inParts(keys, (part) =>
        db
          .selectFrom('property_pins')
          .selectAll()
          .where((eb) => eb.or([eb('a', 'in', part), eb('b', 'in', part)]))
          .execute(),
      )
    },

    async hasPins(): Promise<boolean> {
      return (await db.selectFrom('property_pins').select('a').limit(1).executeTakeFirst()) !== undefined
    },
  }
}

function writerOn(tx: Tx) {
  return {
    /** The first of `count` fresh sequence numbers. */
    sequence: (count: number): Promise<number> => takeSequence(tx, count),

    async putVendorProperties(rows: readonly VendorPropertyRow[]): Promise<void> {
      for (const part of partsOf(rows, ROWS_AT_ONCE)) {
        await tx
          .insertInto('vendor_properties')
          .values(part)
          .onConflict((conflict) =>
            conflict.columns(['vendor_id', 'vendor_property_id']).doUpdateSet((eb) => ({
              property_id: eb.ref('excluded.property_id'),
              cell: eb.ref('excluded.cell'),
              lat: eb.ref('excluded.lat'),
              lon: eb.ref('excluded.lon'),
              name: eb.ref('excluded.name'),
              chain: eb.ref('excluded.chain'),
              category: eb.ref('excluded.category'),
              star_rating: eb.ref('excluded.star_rating'),
              phone: eb.ref('excluded.phone'),
              address: eb.ref('excluded.address'),
              city: eb.ref('excluded.city'),
              postal_code: eb.ref('excluded.postal_code'),
              country_code: eb.ref('excluded.country_code'),
              content_hash: eb.ref('excluded.content_hash'),
              synced_at: eb.ref('excluded.synced_at'),
              content: eb.ref('excluded.content'),
            })),
          )
          .execute()
      }
    },

    async putProperties(rows: readonly PropertyRow[]): Promise<void> {
      for (const part of partsOf(rows, ROWS_AT_ONCE)) {
        await tx
          .insertInto('properties')
          .values(part)
          .onConflict((conflict) =>
            conflict.column('property_id').doUpdateSet((eb) => ({
              seq: eb.ref('excluded.seq'),
              lat: eb.ref('excluded.lat'),
              lon: eb.ref('excluded.lon'),
              vendors: eb.ref('excluded.vendors'),
              merged_into: eb.ref('excluded.merged_into'),
            })),
          )
          .execute()
      }
    },

    async putSummaries(rows: readonly PropertySummaryRow[]): Promise<void> {
      for (const part of partsOf(rows, ROWS_AT_ONCE)) {
        await tx
          .insertInto('property_summaries')
          .values(part)
          .onConflict((conflict) =>
            conflict.column('property_id').doUpdateSet((eb) => ({
              name_folded: eb.ref('excluded.name_folded'),
              star_rating: eb.ref('excluded.star_rating'),
              guest_rating: eb.ref('excluded.guest_rating'),
              category: eb.ref('excluded.category'),
              amenity_slugs: eb.ref('excluded.amenity_slugs'),
              summary: eb.ref('excluded.summary'),
            })),
          )
          .execute()
      }
    },

    async putLinks(rows: readonly PropertyLinkRow[]): Promise<void> {
      for (const part of partsOf(rows, ROWS_AT_ONCE)) {
        await tx
          .insertInto('property_links')
          .values(part)
          .onConflict((conflict) =>
            conflict.columns(['vendor_id', 'vendor_property_id']).doUpdateSet((eb) => ({
              property_id: eb.ref('excluded.property_id'),
              score: eb.ref('excluded.score'),
              decided_by: eb.ref('excluded.decided_by'),
              evidence: eb.ref('excluded.evidence'),
              decided_at: eb.ref('excluded.decided_at'),
            })),
          )
          .execute()
      }
    },

    async putPins(rows: readonly PropertyPinRow[]): Promise<void> {
      for (const part of partsOf(rows, ROWS_AT_ONCE)) {
        await tx
          .insertInto('property_pins')
          .values(part)
          .onConflict((conflict) =>
            conflict.columns(['a', 'b']).doUpdateSet((eb) => ({
              kind: eb.ref('excluded.kind'),
              decided_at: eb.ref('excluded.decided_at'),
            })),
          )
          .execute()
      }
    },

    async touch(vendorId: string, ids: readonly string[], syncedAt: number): Promise<void> {
      for (const part of partsOf(ids, IDS_AT_ONCE)) {
        await tx
          .updateTable('vendor_properties')
          .set({ synced_at: syncedAt })
          .where('vendor_id', '=', vendorId)
          .where('vendor_property_id', 'in', part)
          .execute()
      }
    },

    async moveVendorProperty(ref: VendorRef, propertyId: string): Promise<void> {
      await tx
        .updateTable('vendor_properties')
        .set({ property_id: propertyId })
        .where('vendor_id', '=', ref.vendorId)
        .where('vendor_property_id', '=', ref.vendorPropertyId)
        .execute()
    },
  }
}

async function takeSequence(tx: Tx, count: number): Promise<number> {
  const { seq } = await tx
    .insertInto('catalogue_state')
    .values({ id: 1, seq: count })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({ seq: eb('catalogue_state.seq', '+', count) })),
    )
    .returning('seq')
    .executeTakeFirstOrThrow()
  return seq - count + 1
}

function* partsOf<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}

async function inParts<T, R>(items: readonly T[], read: (part: T[]) => Promise<R[]>): Promise<R[]> {
  if (items.length === 0) return []
  if (items.length <= IDS_AT_ONCE) return read([...items])
  const rows: R[] = []
  for (const part of partsOf(items, IDS_AT_ONCE)) for (const row of await read(part)) rows.push(row)
  return rows
}
