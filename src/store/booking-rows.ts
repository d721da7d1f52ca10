import type { Booking, BookingPersons, BookingState } from '../domain/booking.ts'
import type { Keyring } from '../lib/keyring.ts'
import { openJson, sealJson } from '../lib/seal.ts'
import type { BookingRow } from './tables.ts'

/** What is kept as JSON beside the columns that are searched. */
type Details = Pick<Booking, 'searchId' | 'property' | 'room' | 'stay' | 'market' | 'price' | 'cancel' | 'ref'>

const PERSONS = 'per1'

export type NewBookingKeys = { readonly offerId: string; readonly idempotencyKey: string; readonly fingerprint: string }

export function toRow(
  booking: Booking,
  keys: NewBookingKeys,
  keyring: Keyring,
  fresh: { readonly dueAt: number; readonly leaseUntil: number; readonly events: number },
): BookingRow {
  const { searchId, property, room, stay, market, price, cancel, ref } = booking
  const details: Details = { searchId, property, room, stay, market, price, cancel, ref }
  return {
    booking_id: booking.bookingId,
    account_id: booking.accountId,
    state: booking.state,
    vendor_id: booking.vendorId,
    reference: booking.reference,
    vendor_reference: booking.vendorReference ?? null,
    client_reference: booking.clientReference ?? null,
    offer_id: keys.offerId,
    idempotency_key: keys.idempotencyKey,
    fingerprint: keys.fingerprint,
    check_in: stay.checkIn,
    check_out: stay.checkOut,
    total_minor: price.total.minor,
    currency: price.total.currency,
    property_name: property.name,
    simulated: booking.simulated ? 1 : 0,
    details: JSON.stringify(details),
    persons: sealJson(keyring, PERSONS, booking.persons),
    answer_status: null,
    answer_body: null,
    cancel_fee_minor: null,
    created_at: booking.createdAt,
    updated_at: booking.updatedAt,
    submitted_at: booking.submittedAt ?? null,
    due_at: fresh.dueAt,
    lease_until: fresh.leaseUntil,
    attempts: 0,
    events: fresh.events,
  }
}

export function fromRow(row: BookingRow, keyring: Keyring): Booking {
  const details = JSON.parse(row.details) as Details
  return {
    ...details,
    cancel: details.cancel,
    bookingId: row.booking_id,
    accountId: row.account_id,
    state: row.state as BookingState,
    vendorId: row.vendor_id,
    reference: row.reference,
    vendorReference: row.vendor_reference ?? undefined,
    clientReference: row.client_reference ?? undefined,
    persons: personsOf(row, keyring),
    cancelFee: row.cancel_fee_minor === null ? undefined : { minor: row.cancel_fee_minor, currency: row.currency },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    submittedAt: row.submitted_at ?? undefined,
    attempts: row.attempts,
    simulated: row.simulated === 1,
  }
}

function personsOf(row: BookingRow, keyring: Keyring): BookingPersons {
  const persons = openJson(keyring, PERSONS, row.persons) as BookingPersons | undefined
  // A key that was dropped too early must not make a booking unreadable: what it cost and where it is still counts.
  return persons ?? { guests: [], contact: { email: '', phone: '' }, specialRequests: '' }
}
