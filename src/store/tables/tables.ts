import type { Role } from '../../domain/access.ts'
import type { Actor } from '../../domain/actor.ts'
import type { ApiKeyRow, AuditRow, GuestTakeoverRow, KeySpendingRow, PageSessionRow } from './accounts.ts'
import type { BookingEventRow, BookingReadingRow, BookingRow, TestClockRow, VendorTurnRow } from './bookings.ts'
import type { ContentAreaRow, ContentFeedRow, ContentJobRow, PropertyTextsRow, TextJobRow } from './content.ts'
import type { MailRow } from './mail.ts'
import type {
  AttentionMarkRow,
  RequestRow,
  VendorBreakerRow,
  VendorCallCountRow,
  VendorCallRow,
  VendorSearchesRow,
} from './monitoring.ts'
import type { PinRow, RoomPinRow, RoomTypeMemberRow } from './room-types.ts'
import type { TaskRow } from './tasks.ts'
import type { WebhookAttemptRow, WebhookDeliveryRow, WebhookRow } from './webhooks.ts'

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
  role: Role
  /** What one-time codes are made from, encrypted; null where none are asked for. */
  totp_secret: string | null
  /** The step of time of the last code that was used: each counts once. */
  totp_step: number | null
  /** 1 for an account that may see net prices. */
  see_net?: number | null | undefined
  /** Null for one that has not signed in since this is written. */
  last_signed_in_at?: number | null | undefined
}

type TokenRow = {
  /** SHA-256 of the token, hex. The token itself is shown once and stored nowhere. */
  hash: string
  account_id: string
  created_at: number
  expires_at: number
  revoked_at: number | null
}

/** Failed sign-ins by one key: an address at an e-mail, an address, or an e-mail, each as a hash. */
type SignInSlowdownRow = {
  key_hash: string
  email_hash: string | null
  failures: number
  window_started_at: number
  slowed_until: number
}

/** An address, with an e-mail, from which somebody has signed in. */
type KnownAddressRow = { pair_hash: string; signed_in_at: number }

/** Locks of e-mails; only for processes of version 0.1 on the same database. */
type SignInFailureRow = { email_hash: string; failures: number; window_started_at: number; locked_until: number }

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
  /** Since when the vendor has it no longer. */
  dropped_at: number | null
  /** ROOMS_UNREAD while only what a result list shows has been read, READ_AGAIN where all is to be read once more. */
  rooms_unread: number | null
}

/** A property under our own id. */
export type PropertyRow = {
  property_id: string
  /** Grows with every change, in the order of commits; readers continue from the last one they have seen. */
  seq: number
  lat: number
  lon: number
  /** `[[vendor_id, vendor_property_id], …]`; `[]` once the property is retired. */
  vendors: string
  /** The property this one was joined with. */
  merged_into: string | null
}

/** Only for processes of version 0.1 on the same database; see legacy-summary.ts. */
export type LegacySummaryRow = {
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

type SummaryRow = {
  property_id: string
  /** The property's `seq` when this was written; where it is another now, the summary is out of date. */
  seq: number
  /** The rest of the PropertySummary as JSON. */
  fields: string
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

/** An operator's decision on two vendor properties (`vendor_id:vendor_property_id`, a before b). */
export type PropertyPinRow = PinRow

/** Two vendor properties that nearly matched, a before b. It says nothing of what has become of them since. */
export type NearMatchRow = {
  a_vendor_id: string
  a_vendor_property_id: string
  b_vendor_id: string
  b_vendor_property_id: string
  score: number
  /** A list as JSON. */
  evidence: string
  found_at: number
}

/** A second entry of one vendor for a property, which stays a property of its own. */
export type PropertyTwinRow = { vendor_id: string; vendor_property_id: string; property_id: string; found_at: number }

/** Judging all links by new rules of matching, cell after cell; a single row. */
export type MatchProgressRow = {
  id: number
  rules: number
  after_cell: number
  /** Properties that were joined with another one. */
  joined: number
  /** Vendor properties that got an id of their own. */
  split: number
  finished_at: number | null
}

type CatalogueStateRow = { id: number; seq: number }

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

/** A notice of an offer, found by the key that is sealed into the offer. */
type NoticeTextRow = { notice_key: string; body: string; expires_at: number }

/** What a vendor's reference on a rate stands for: a copy of its content. */
export type RateRemarksRow = { vendor_id: string; ref: string; remarks: string; read_at: number }

/** What an id given to an agent stands for, encrypted; unreadable for other accounts. */
type McpHandleRow = { handle: string; account_id: string; content: string; expires_at: number }

/** All selling rules as they were from a change on; rows are only ever added. */
export type SellingRulesRow = {
  version: number
  rules: string
  changed_at: number
  actor_kind: Actor['kind']
  actor_id: string
}

export type Tables = {
  vendor_calls: VendorCallRow
  attention_marks: AttentionMarkRow
  mcp_handles: McpHandleRow
  selling_rules: SellingRulesRow
  mails: MailRow
  tasks: TaskRow
  room_type_members: RoomTypeMemberRow
  room_pins: RoomPinRow
  webhook_attempts: WebhookAttemptRow
  webhooks: WebhookRow
  webhook_deliveries: WebhookDeliveryRow
  bookings: BookingRow
  booking_events: BookingEventRow
  booking_readings: BookingReadingRow
  vendor_turns: VendorTurnRow
  vendor_call_counts: VendorCallCountRow
  vendor_breakers: VendorBreakerRow
  vendor_searches: VendorSearchesRow
  requests: RequestRow
  test_clocks: TestClockRow
  searches: SearchRow
  notice_texts: NoticeTextRow
  rate_remarks: RateRemarksRow
  accounts: AccountRow
  api_keys: ApiKeyRow
  key_spending: KeySpendingRow
  audit_log: AuditRow
  tokens: TokenRow
  sign_in_failures: SignInFailureRow
  sign_in_slowdowns: SignInSlowdownRow
  known_addresses: KnownAddressRow
  page_sessions: PageSessionRow
  guest_takeovers: GuestTakeoverRow
  vendor_properties: VendorPropertyRow
  properties: PropertyRow
  summaries: SummaryRow
  property_summaries: LegacySummaryRow
  property_links: PropertyLinkRow
  property_pins: PropertyPinRow
  property_twins: PropertyTwinRow
  near_matches: NearMatchRow
  match_progress: MatchProgressRow
  content_areas: ContentAreaRow
  content_feeds: ContentFeedRow
  content_jobs: ContentJobRow
  property_texts: PropertyTextsRow
  text_jobs: TextJobRow
  catalogue_state: CatalogueStateRow
}
