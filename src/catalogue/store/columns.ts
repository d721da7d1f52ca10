import type { Tables } from '../../store/tables.ts'

/** `rooms_unread`: only the fields of a result list have been read. */
export const ROOMS_UNREAD = 1
/** `rooms_unread`: read in full, but so long ago that it must be read again. */
export const READ_AGAIN = 2

/** Columns compared by matching. */
export const MATCH_FACTS = [
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
] as const

export const MATCH_COLUMNS = ['vendor_id', 'vendor_property_id', 'property_id', ...MATCH_FACTS, 'country_code'] as const
export type MatchRow = Pick<Tables['vendor_properties'], (typeof MATCH_COLUMNS)[number]>

export const CONTENT_COLUMNS = ['vendor_id', 'vendor_property_id', 'property_id', 'content', 'rooms_unread'] as const
export type ContentRow = Pick<Tables['vendor_properties'], (typeof CONTENT_COLUMNS)[number]>

export const SYNCED_COLUMNS = [
  'vendor_property_id',
  'property_id',
  'content_hash',
  'synced_at',
  'dropped_at',
  'rooms_unread',
] as const
export type SyncedRow = Pick<Tables['vendor_properties'], (typeof SYNCED_COLUMNS)[number]>

export const NAME_COLUMNS = [
  'vendor_id',
  'vendor_property_id',
  'property_id',
  'name',
  'city',
  'country_code',
  'star_rating',
] as const
export type NameRow = Pick<Tables['vendor_properties'], (typeof NAME_COLUMNS)[number]>
