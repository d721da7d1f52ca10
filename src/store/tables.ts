/** Row types, as the database gives them: times are epoch milliseconds, flags 0 or 1, JSON is text. */

export type AccountRow = {
  id: string
  email: string
  /** Lower-cased; what uniqueness and sign-in go by. */
  email_key: string
  name: string
  password_hash: string
  created_at: number
  disabled_at: number | null
}

export type TokenRow = {
  /** SHA-256 of the token, hex. The token itself is shown once and stored nowhere. */
  hash: string
  account_id: string
  created_at: number
  expires_at: number
  revoked_at: number | null
}

/** Failed sign-ins of one e-mail, known to us or not. */
export type SignInFailureRow = { email_hash: string; failures: number; window_started_at: number; locked_until: number }

/** One property as one vendor knows it: what matching looks at, and the whole content, compressed. */
export type VendorPropertyRow = {
  vendor_id: string
  vendor_property_id: string
  property_id: string
  /** Square of the matching grid; neighbours are found by it. */
  cell: number
  lat: number
  lon: number
  name: string
  chain: string
  category: string
  star_rating: number
  phone: string
  address: string
  city: string
  postal_code: string
  country_code: string
  content_hash: string
  synced_at: number
  /** zstd of the VendorProperty as JSON. */
  content: Uint8Array
}

/** One building under our own id. */
export type PropertyRow = {
  property_id: string
  /** Grows with every change, in the order of commits; whoever has read up to one reads on from there. */
  seq: number
  lat: number
  lon: number
  /** `[[vendor_id, vendor_property_id], …]`; `[]` once the property is retired. */
  vendors: string
  /** Where a property went that turned out to be another one. */
  merged_into: string | null
}

export type PropertySummaryRow = {
  property_id: string
  name_folded: string
  star_rating: number
  guest_rating: number
  category: string
  /** Separated by spaces. */
  amenity_slugs: string
  /** Members of the summary object as JSON text, without the braces. */
  summary: string
}

/** Why a vendor property was put to a property that another vendor had founded. */
export type PropertyLinkRow = {
  vendor_id: string
  vendor_property_id: string
  property_id: string
  score: number
  decided_by: string
  evidence: string
  decided_at: number
}

/** An operator's word on two vendor properties (`vendor_id:vendor_property_id`, a before b). */
export type PropertyPinRow = { a: string; b: string; kind: string; decided_at: number }

/** A part of the earth whose content has been read from a vendor. */
export type ContentAreaRow = { vendor_id: string; area_key: string; synced_at: number }

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

export type CatalogueStateRow = { id: number; seq: number }

export type SearchRow = {
  search_id: string
  account_id: string
  created_at: number
  expires_at: number
  simulated: number
  destination: string
  check_in: string
  check_out: string
  found: number
  /** The whole SavedSearch as JSON; the columns beside it are for listing. */
  head: string
  /** Compressed; see search/saved-results.ts. */
  results: Uint8Array
}

export type BookingRow = {
  booking_id: string
  account_id: string
  state: string
  vendor_id: string
  reference: string
  vendor_reference: string | null
  client_reference: string | null
  /** Unique: one offer is never booked twice. */
  offer_id: string
  /** Unique with the account: the client's key, or the offer's id where it sent none. */
  idempotency_key: string
  /** SHA-256 of the canonical request. */
  fingerprint: string
  check_in: string
  check_out: string
  total_minor: number
  currency: string
  property_name: string
  simulated: number
  /** What was booked, as JSON; nothing personal. */
  details: string
  /** Guests and contact, encrypted. */
  persons: string
  /** The first answer, encrypted; replayed byte for byte. */
  answer_status: number | null
  answer_body: string | null
  cancel_fee_minor: number | null
  created_at: number
  updated_at: number
  submitted_at: number | null
  /** When somebody must look at it again; null when nothing is due. */
  due_at: number | null
  /** Until when the process that works on it is believed to live. */
  lease_until: number
  attempts: number
  events: number
}

export type BookingEventRow = {
  booking_id: string
  sequence: number
  from_state: string | null
  to_state: string
  at: number
  reason: string | null
}

export type WebhookRow = {
  id: string
  account_id: string
  /** Separated by spaces. */
  events: string
  /** Address, description and signing secret, encrypted: addresses often carry a token of the receiver's. */
  target: string
  created_at: number
  disabled_at: number | null
  /** Attempts that failed since the last that did not. */
  failures: number
  /** Nothing is sent there before. */
  paused_until: number
}

/** One event on its way to one webhook; ordered by `sequence` within a booking. */
export type WebhookDeliveryRow = {
  webhook_id: string
  booking_id: string
  sequence: number
  payload: string
  created_at: number
  /** When it is to be tried; null once `outcome` is known. */
  due_at: number | null
  lease_until: number
  attempts: number
  outcome: string | null
}

export type Tables = {
  webhooks: WebhookRow
  webhook_deliveries: WebhookDeliveryRow
  bookings: BookingRow
  booking_events: BookingEventRow
  searches: SearchRow
  accounts: AccountRow
  tokens: TokenRow
  sign_in_failures: SignInFailureRow
  vendor_properties: VendorPropertyRow
  properties: PropertyRow
  property_summaries: PropertySummaryRow
  property_links: PropertyLinkRow
  property_pins: PropertyPinRow
  content_areas: ContentAreaRow
  content_feeds: ContentFeedRow
  catalogue_state: CatalogueStateRow
}
