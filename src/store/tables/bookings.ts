import type { Actor } from '../../domain/actor.ts'
import type { BookingEventKind, BookingState, READING_OUTCOMES } from '../../domain/booking/booking.ts'

/** Rows of bookings and all that belongs to them; see tables.ts for how values are written. */

export type BookingRow = {
  booking_id: string
  account_id: string
  state: BookingState
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
  /** What the client pays. */
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
  /** What the vendor charges for a cancellation, in the currency of the net price. */
  cancel_fee_minor: number | null
  /** What the client pays for it, where the booking was not sold at its net price. */
  sold_fee_minor: number | null
  created_at: number
  updated_at: number
  submitted_at: number | null
  events: number
  /** Where the vendor's word differs from what was booked, as JSON; null where nothing does. */
  discrepancies: string | null
  /** Numbers under which vendor and property know it, as JSON; null where none has come yet. */
  confirmation: string | null
  /** What the vendor's confirmation told to be shown beside what was agreed to, as JSON. */
  told_notices: string | null
  /** When it was first confirmed; null where it never was, or by an earlier version. */
  confirmed_at: number | null
  /** How each room stands, separated by spaces; null where all stand alike. */
  rooms: string | null
  /** What the vendor first said it costs, where that is in another currency: minor units and currency. */
  vendor_total: string | null
  /** Only of simulated bookings. */
  clock_offset_ms: number | null
  /** Since when `persons` is empty, because its time was over or somebody asked for it. */
  persons_erased_at: number | null
}

export type BookingEventRow = {
  booking_id: string
  sequence: number
  from_state: BookingState | null
  to_state: BookingState
  at: number
  reason: string | null
  /** Null for a change of state; otherwise both states are the present one. */
  kind: BookingEventKind | null
  /** Null where an earlier version recorded it. */
  actor_kind: Actor['kind'] | null
  actor_id: string | null
  request_id: string | null
}

/** One look at a booking at its vendor. */
export type BookingReadingRow = {
  booking_id: string
  at: number
  outcome: (typeof READING_OUTCOMES)[number]
  /** What the vendor said, in our words, encrypted; null where it had nothing to say. */
  said: string | null
}

/** When a vendor may be asked again: readings have a quota that all processes share. */
export type VendorTurnRow = { vendor_id: string; next_reading_at: number }

/** By how much an account has moved the time of its simulated bookings. */
export type TestClockRow = { account_id: string; offset_ms: number }
