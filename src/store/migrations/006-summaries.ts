import type { Migration } from '../migration.ts'
import type { Tables } from '../tables.ts'

const ROWS_AT_ONCE = 200

/**
 * Summaries as fields instead of pieces of public JSON. A table of its own, so that nodes of version 0.1 go on reading and
 * writing the old one meanwhile.
 */
export const summaries: Migration = {
  async up(db) {
    await db.schema
      .createTable('summaries')
      .addColumn('property_id', 'text', (c) => c.primaryKey())
      .addColumn('seq', 'bigint', (c) => c.notNull())
      .addColumn('fields', 'text', (c) => c.notNull())
      .execute()
    let last = ''
    for (;;) {
      const rows = await db
        .selectFrom('property_summaries')
        .innerJoin('properties', 'properties.property_id', 'property_summaries.property_id')
        .selectAll('property_summaries')
        .select('properties.seq')
        .where('property_summaries.property_id', '>', last)
        .orderBy('property_summaries.property_id')
        .limit(ROWS_AT_ONCE)
        .execute()
      if (rows.length === 0) return
      await db
        .insertInto('summaries')
        .values(rows.map((row) => ({ property_id: row.property_id, seq: row.seq, fields: fieldsOf(row) })))
        .execute()
      last = rows.at(-1)?.property_id ?? ''
    }
  },
}

function fieldsOf(row: Tables['property_summaries']): string {
  const old = JSON.parse(`{${row.summary}}`)
  return JSON.stringify({
    name: old.name,
    nameFolded: row.name_folded,
    tagline: old.bye_line,
    category: old.category,
    chain: old.chain,
    description: old.description,
    starRating: old.star_rating,
    guestRatings: old.guest_ratings,
    reviewCount: old.review_count,
    location: old.location,
    images: old.images.map((image: OldImage) => ({ caption: image.caption, ...image.images })),
    popularAmenities: old.popular_amenities,
    amenitySlugs: row.amenity_slugs === '' ? [] : row.amenity_slugs.split(' '),
  })
}

type OldImage = { readonly caption: string; readonly images: { hi: string; med: string; lo: string } }
