import { type InferResult, sql } from 'kysely'
import type { Database } from '../../store/database.ts'

export type LinkListRow = InferResult<ReturnType<typeof selectLinks>>[number]
export type NearListRow = InferResult<ReturnType<typeof selectNearMatches>>[number]
export type MatchListStore = ReturnType<typeof createMatchListStore>

/** Match scores for operators. */
export function createMatchListStore(database: Database) {
  return {
    /** Vendor properties that are matched with other vendors; the caller orders and pages. */
    links: () => ({
      dialect: database.dialect,
      query: database.read.selectFrom(selectLinks(database).as('links')).selectAll(),
    }),

    /** Near matches that are still separate, without a decision, and not put off. */
    near: (now: number) => ({
      dialect: database.dialect,
      query: database.read.selectFrom(selectNearMatches(database, now).as('near')).selectAll(),
    }),
  }
}

const selectLinks = (database: Database) =>
  database.read
    .selectFrom('property_links')
    .innerJoin('vendor_properties', (join) =>
      join
        .onRef('vendor_properties.vendor_id', '=', 'property_links.vendor_id')
        .onRef('vendor_properties.vendor_property_id', '=', 'property_links.vendor_property_id'),
    )
    .innerJoin('properties', 'properties.property_id', 'property_links.property_id')
    // Only properties of several vendors: the column is a JSON list of pairs.
    .where('properties.vendors', 'like', '%],[%')
    .where('vendor_properties.dropped_at', 'is', null)
    .select([
      'property_links.property_id',
      'property_links.vendor_id',
      'property_links.vendor_property_id',
      'property_links.score',
      'property_links.decided_by',
      'property_links.decided_at',
      'property_links.evidence',
      'vendor_properties.name',
      'vendor_properties.city',
      'vendor_properties.country_code',
    ])
    .select(sql<string>`property_links.vendor_id || ':' || property_links.vendor_property_id`.as('id'))

const FIRST_KEY = sql<string>`pair.a_vendor_id || ':' || pair.a_vendor_property_id`
const SECOND_KEY = sql<string>`pair.b_vendor_id || ':' || pair.b_vendor_property_id`

const selectNearMatches = (database: Database, now: number) =>
  database.read
    .selectFrom('near_matches as pair')
    .innerJoin('vendor_properties as one', (join) =>
      join
        .onRef('one.vendor_id', '=', 'pair.a_vendor_id')
        .onRef('one.vendor_property_id', '=', 'pair.a_vendor_property_id'),
    )
    .innerJoin('vendor_properties as other', (join) =>
      join
        .onRef('other.vendor_id', '=', 'pair.b_vendor_id')
        .onRef('other.vendor_property_id', '=', 'pair.b_vendor_property_id'),
    )
    .leftJoin('property_pins as pin', (join) => join.on('pin.a', '=', FIRST_KEY).on('pin.b', '=', SECOND_KEY))
    .leftJoin('postponed_pairs as later', (join) =>
      join.on('later.a', '=', FIRST_KEY).on('later.b', '=', SECOND_KEY).on('later.until', '>', now),
    )
    .where('pin.a', 'is', null)
    .where('later.a', 'is', null)
    .whereRef('one.property_id', '!=', 'other.property_id')
    .where('one.dropped_at', 'is', null)
    .where('other.dropped_at', 'is', null)
    .select(['pair.score', 'pair.evidence', 'pair.found_at', 'pair.reason'])
    .select(['one.property_id', 'one.vendor_id', 'one.vendor_property_id', 'one.name', 'one.city', 'one.country_code'])
    .select([
      'other.property_id as other_property_id',
      'other.vendor_id as other_vendor_id',
      'other.vendor_property_id as other_vendor_property_id',
      'other.name as other_name',
    ])
    .select(
      sql<string>`pair.a_vendor_id || ':' || pair.a_vendor_property_id || ' ' || pair.b_vendor_id || ':' || pair.b_vendor_property_id`.as(
        'id',
      ),
    )
