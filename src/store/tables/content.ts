/** Rows of the tables that say how far reading content has come; see tables.ts. */

/** A part of the earth whose content has been read from a vendor. */
export type ContentAreaRow = {
  vendor_id: string
  area_key: string
  synced_at: number
  /** How far from its centre it was read, where the vendor has more than are read of one area; null: all of it. */
  reach_km: number | null
}

/** How far a whole sync has come; `since` is empty for the full feed. */
export type ContentFeedRow = {
  vendor_id: string
  since: string
  cursor: string | null
  properties: number
  dropped: number
  total: number | null
  started_at: number
  updated_at: number
  finished_at: number | null
}

/** Progress of reading one vendor's content. One process at a time works on it. */
export type ContentJobRow = {
  vendor_id: string
  /** The day (UTC) whose requests are counted. */
  requests_day: string
  requests: number
  /** When the last whole feed began that was read to its end. */
  full_at: number | null
  /** When the last feed began, whole or of changes, that was read to its end. */
  fresh_at: number | null
  /** Number of the place that comes next, in the order in which they are read. */
  next_area: number
  /** Properties that the vendor no longer has. */
  dropped: number
  /** After a failure: when to try again, and what happened. */
  retry_at: number | null
  failure: string | null
}

/** One property as one vendor describes it in another language than English; `texts` is null where it says nothing. */
export type PropertyTextsRow = {
  vendor_id: string
  vendor_property_id: string
  language: string
  read_at: number
  /** Compressed. */
  texts: Uint8Array | null
}

/** How far reading all properties of a vendor in a language has come. */
export type TextJobRow = {
  vendor_id: string
  language: string
  /** The last property that was looked at. */
  after_id: string
  /** When all had been looked at. */
  finished_at: number | null
}
