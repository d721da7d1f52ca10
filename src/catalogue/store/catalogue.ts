import type { PropertySummary } from '../../domain/property/property-summary.ts'
import { chunk } from '../../lib/chunk.ts'
import { IDS_AT_ONCE, readInBatches } from '../../store/batches.ts'
import type { Database, ReadOnly, Tx } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import { upsert } from '../../store/upsert.ts'
import {
  CONTENT_COLUMNS,
  type ContentRow,
  MATCH_COLUMNS,
  type MatchRow,
  NAME_COLUMNS,
  type NameRow,
  SYNCED_COLUMNS,
  type SyncedRow,
} from './columns.ts'
import { putSummaries, readSummaries } from './summaries.ts'
import { upkeepReads, upkeepWrites } from './upkeep.ts'

export type VendorRef = { readonly vendorId: string; readonly vendorPropertyId: string }

type RecordKey = Pick<Tables['vendor_properties'], 'vendor_id' | 'vendor_property_id'>

export type CatalogueReader = ReturnType<typeof readerOn>
export type CatalogueWriter = CatalogueReader & ReturnType<typeof writerOn>
export type CatalogueStore = ReturnType<typeof createCatalogueStore>

export function createCatalogueStore(database: Database) {
  return {
    ...readerOn(database.read),

    /** Every writer takes the sequence first, so that writers of all processes run one at a time and numbers commit in order. */
    write<T>(work: (writer: CatalogueWriter) => Promise<T>): Promise<T> {
      return database.write(async (tx) => {
        await takeSequence(tx, 0)
        return work({ ...readerOn(tx), ...writerOn(tx) })
      })
    },
  }
}

function readerOn(db: ReadOnly) {
  return { ...vendorPropertyReads(db), ...propertyReads(db), ...upkeepReads(db) }
}

function vendorPropertyReads(db: ReadOnly) {
  const rows = () => db.selectFrom('vendor_properties')
  return {
    synced: (vendorId: string, ids: readonly string[]): Promise<SyncedRow[]> =>
      readInBatches(ids, (part) =>
        rows()
          .select(SYNCED_COLUMNS)
          .where('vendor_id', '=', vendorId)
          .where('vendor_property_id', 'in', part)
          .execute(),
      ),

    /** Excludes properties that the vendor has dropped. */
    inCells: (cells: readonly number[]): Promise<MatchRow[]> =>
      readInBatches(cells, (part) =>
        rows().select(MATCH_COLUMNS).where('cell', 'in', part).where('dropped_at', 'is', null).execute(),
      ),

    async cellsAfter(cell: number, limit: number): Promise<number[]> {
      const found = await rows()
        .select('cell')
        .distinct()
        .where('cell', '>', cell)
        .orderBy('cell')
        .limit(limit)
        .execute()
      return found.map((row) => row.cell)
    },

    forProperties: (propertyIds: readonly string[]): Promise<MatchRow[]> =>
      readInBatches(propertyIds, (part) =>
        rows().select(MATCH_COLUMNS).where('property_id', 'in', part).where('dropped_at', 'is', null).execute(),
      ),

    names: (propertyIds: readonly string[]): Promise<NameRow[]> =>
      readInBatches(propertyIds, (part) => rows().select(NAME_COLUMNS).where('property_id', 'in', part).execute()),

    contents: (propertyIds: readonly string[]): Promise<ContentRow[]> =>
      readInBatches(propertyIds, (part) => rows().select(CONTENT_COLUMNS).where('property_id', 'in', part).execute()),

    content: (ref: VendorRef): Promise<ContentRow | undefined> =>
      rows()
        .select(CONTENT_COLUMNS)
        .where('vendor_id', '=', ref.vendorId)
        .where('vendor_property_id', '=', ref.vendorPropertyId)
        .executeTakeFirst(),
  }
}

function propertyReads(db: ReadOnly) {
  return {
    properties: (propertyIds: readonly string[]): Promise<Tables['properties'][]> =>
      readInBatches(propertyIds, (part) =>
        db.selectFrom('properties').selectAll().where('property_id', 'in', part).execute(),
      ),

    /** Properties changed after `seq`, in order. */
    changes: (seq: number, limit: number): Promise<Tables['properties'][]> =>
      db.selectFrom('properties').selectAll().where('seq', '>', seq).orderBy('seq').limit(limit).execute(),

    summaries: (propertyIds: readonly string[]): Promise<PropertySummary[]> =>
      readInBatches(propertyIds, (part) => readSummaries(db, part)),

    links: (propertyId: string): Promise<Tables['property_links'][]> =>
      db.selectFrom('property_links').selectAll().where('property_id', '=', propertyId).execute(),

    /** Duplicate entries of one vendor for the same property, latest first. */
    twins: (limit: number): Promise<Tables['property_twins'][]> =>
      db.selectFrom('property_twins').selectAll().orderBy('found_at', 'desc').limit(limit).execute(),

    /** The stored near match of two records, which are sorted by their keys. */
    nearMatch: (a: RecordKey, b: RecordKey): Promise<Tables['near_matches'] | undefined> =>
      db
        .selectFrom('near_matches')
        .selectAll()
        .where('a_vendor_id', '=', a.vendor_id)
        .where('a_vendor_property_id', '=', a.vendor_property_id)
        .where('b_vendor_id', '=', b.vendor_id)
        .where('b_vendor_property_id', '=', b.vendor_property_id)
        .executeTakeFirst(),

    /** Every pin that names one of `keys` (`vendor_id:vendor_property_id`). */
    pins: (keys: readonly string[]): Promise<Tables['property_pins'][]> =>
      readInBatches(keys, (part) =>
        db
          .selectFrom('property_pins')
          .selectAll()
          .where((eb) => eb.or([eb('a', 'in', part), eb('b', 'in', part)]))
          .execute(),
      ),

    async hasPins(): Promise<boolean> {
      return (await db.selectFrom('property_pins').select('a').limit(1).executeTakeFirst()) !== undefined
    },
  }
}

function writerOn(tx: Tx) {
  return {
    ...upkeepWrites(tx),
    /** First of `count` new sequence numbers. */
    sequence: (count: number): Promise<number> => takeSequence(tx, count),

    putVendorProperties: (rows: readonly Tables['vendor_properties'][]) =>
      upsert(tx, 'vendor_properties', ['vendor_id', 'vendor_property_id'], rows),
    putProperties: (rows: readonly Tables['properties'][]) => upsert(tx, 'properties', ['property_id'], rows),
    putSummaries: (rows: readonly PropertySummary[]) => putSummaries(tx, rows),
    putLinks: (rows: readonly Tables['property_links'][]) =>
      upsert(tx, 'property_links', ['vendor_id', 'vendor_property_id'], rows),
    putTwins: (rows: readonly Tables['property_twins'][]) =>
      upsert(tx, 'property_twins', ['vendor_id', 'vendor_property_id'], rows),
    putNearMatches: (rows: readonly Tables['near_matches'][]) =>
      upsert(tx, 'near_matches', ['a_vendor_id', 'a_vendor_property_id', 'b_vendor_id', 'b_vendor_property_id'], rows),
    postpone: (rows: readonly Tables['postponed_pairs'][]) => upsert(tx, 'postponed_pairs', ['a', 'b'], rows),
    putPins: (rows: readonly Tables['property_pins'][]) => upsert(tx, 'property_pins', ['a', 'b'], rows),

    async touch(vendorId: string, ids: readonly string[], syncedAt: number): Promise<void> {
      for (const part of chunk(ids, IDS_AT_ONCE)) {
        await tx
          .updateTable('vendor_properties')
          .set({ synced_at: syncedAt })
          .where('vendor_id', '=', vendorId)
          .where('vendor_property_id', 'in', part)
          .execute()
      }
    },

    /** Operators' decisions on rooms; with `vendorId`, only those between rooms of this vendor. */
    async copyRoomPins(from: string, to: string, vendorId?: string): Promise<void> {
      const pins = await tx.selectFrom('room_pins').selectAll().where('property_id', '=', from).execute()
      const isIncluded = (room: string) => vendorId === undefined || room.startsWith(`${vendorId}:`)
      await upsert(
        tx,
        'room_pins',
        ['property_id', 'a', 'b'],
        pins.filter(({ a, b }) => isIncluded(a) && isIncluded(b)).map((pin) => ({ ...pin, property_id: to })),
      )
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
