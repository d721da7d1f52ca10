import {
  type Booking,
  type BookingPersons,
  type BookingState,
  bookingTime,
  READ_STATES,
  ROOM_STATES,
  shownProperty,
} from '../../domain/booking/booking.ts'
import { nextReading } from '../../domain/booking/reading-schedule.ts'
import type { PricedParts } from '../../domain/booking/reprice-booking.ts'
import type { Money } from '../../domain/money/money.ts'
import type { Notice, Price } from '../../domain/offer.ts'
import { joinNotices } from '../../domain/property/notices.ts'
import type { Keyring } from '../../lib/crypto/keyring.ts'
import { openJson, sealJson } from '../../lib/crypto/seal.ts'
import type { Tx } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import type { Task } from '../../store/tasks.ts'

/** Stored as JSON; no query filters by it. */
type Details = Pick<
  Booking,
  | 'searchId'
  | 'property'
  | 'room'
  | 'stay'
  | 'market'
  | 'price'
  | 'cancel'
  | 'sale'
  | 'payable'
  | 'ref'
  | 'notices'
  | 'payment'
>

/** `sending_at` of a booking that was stored, but not sent. */
export const NOT_SENT = 0
const UNSETTLED: readonly BookingState[] = ['submitting', 'in_doubt']

const PERSONS = 'per1'
export const NO_PERSONS: BookingPersons = { guests: [], contact: { email: '', phone: '' }, specialRequests: '' }

export type NewBookingKeys = {
  readonly offerId: string
  /** At most one booking of a lineage is neither rejected nor cancelled; defaults to the offer. */
  readonly lineage?: string
  readonly idempotencyKey: string
  readonly fingerprint: string
  /** `NOT_SENT` until the mark of sending; if absent, the booking may have been sent. */
  readonly sendingAt?: number
}

export function toRow(booking: Booking, keys: NewBookingKeys, keyring: Keyring, events: number): Tables['bookings'] {
  const { searchId, property, room, stay, market, price, cancel, sale, payable, ref, notices, payment } = booking
  const details: Details = {
    ...{ searchId, property, room, stay, market, price, cancel, ref },
    ...(sale !== undefined && { sale }),
    ...(payable !== undefined && { payable }),
    ...(notices !== undefined && { notices }),
    ...(payment !== undefined && { payment }),
  }
  const { total } = sale?.price ?? price
  return {
    ...changingColumns(booking),
    booking_id: booking.bookingId,
    account_id: booking.accountId,
    vendor_id: booking.vendorId,
    reference: booking.reference,
    client_reference: booking.clientReference ?? null,
    offer_id: keys.offerId,
    lineage: keys.lineage ?? null,
    idempotency_key: keys.idempotencyKey,
    fingerprint: keys.fingerprint,
    check_in: stay.checkIn,
    check_out: stay.checkOut,
    total_minor: total.minor,
    currency: total.currency,
    property_name: property.name,
    simulated: booking.simulated ? 1 : 0,
    details: JSON.stringify(details),
    persons: sealPersons(booking.persons, keyring),
    answer_status: null,
    answer_body: null,
    created_at: booking.createdAt,
    submitted_at: booking.submittedAt ?? null,
    events,
    clock_offset_ms: booking.clockOffsetMs ?? null,
    told_notices: null,
    persons_erased_at: null,
    sending_at: keys.sendingAt ?? null,
  }
}

/** Columns that change with the state of a booking. */
export const changingColumns = (booking: Booking) => ({
  state: booking.state,
  updated_at: booking.updatedAt,
  vendor_reference: booking.vendorReference ?? null,
  cancel_fee_minor: booking.cancelFee?.minor ?? null,
  sold_fee_minor: booking.soldFee?.minor ?? null,
  discrepancies: booking.discrepancies === undefined ? null : JSON.stringify(booking.discrepancies),
  confirmed_at: booking.confirmedAt ?? null,
  rooms: booking.rooms?.join(' ') ?? null,
  vendor_total: booking.vendorTotal === undefined ? null : moneyText(booking.vendorTotal),
  confirmation: booking.confirmation === undefined ? null : JSON.stringify(booking.confirmation),
})

/** Columns of a booking with other prices. */
export async function pricedColumns(tx: Tx, bookingId: string, { vendorTotal, ...priced }: PricedParts) {
  const row = await tx
    .selectFrom('bookings')
    .select('details')
    .where('booking_id', '=', bookingId)
    .executeTakeFirstOrThrow()
  const details: Details = { ...JSON.parse(row.details), ...priced }
  return {
    details: JSON.stringify(details),
    total_minor: (priced.sale?.price ?? priced.price).total.minor,
    ...(vendorTotal && { vendor_total: moneyText(vendorTotal) }),
  }
}

/** A rejected booking whose keys were freed has its own id after the reference. */
const readReference = (stored: string): string => stored.split(' ', 1)[0] ?? ''

export const sealPersons = (persons: BookingPersons, keyring: Keyring): string => sealJson(keyring, PERSONS, persons)

export function bookingFromRow(row: Tables['bookings'], keyring: Keyring): Booking {
  const details: Details = JSON.parse(row.details)
  return {
    ...details,
    property: shownProperty(details.property, row.confirmed_at !== null),
    ...readNotices(details, row),
    ...(row.confirmation === null ? {} : { confirmation: JSON.parse(row.confirmation) }),
    bookingId: row.booking_id,
    accountId: row.account_id,
    state: row.state,
    vendorId: row.vendor_id,
    reference: readReference(row.reference),
    vendorReference: row.vendor_reference ?? undefined,
    clientReference: row.client_reference ?? undefined,
    persons: openPersons(row, keyring),
    cancelFee: toFee(row.cancel_fee_minor, details.price),
    ...(row.sold_fee_minor === null
      ? {}
      : { soldFee: { minor: row.sold_fee_minor, currency: (details.sale ?? details).price.total.currency } }),
    ...(row.discrepancies === null ? {} : { discrepancies: JSON.parse(row.discrepancies) }),
    ...(row.rooms === null ? {} : { rooms: parseRooms(row.rooms) }),
    ...(row.vendor_total === null ? {} : { vendorTotal: parseStoredMoney(row.vendor_total) }),
    ...(row.confirmed_at === null ? {} : { confirmedAt: row.confirmed_at }),
    ...(row.clock_offset_ms === null ? {} : { clockOffsetMs: row.clock_offset_ms }),
    ...(row.persons_erased_at === null ? {} : { personsErasedAt: row.persons_erased_at }),
    ...(row.sending_at === NOT_SENT && UNSETTLED.includes(row.state) && { isUnsent: true }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    submittedAt: row.submitted_at ?? undefined,
    simulated: row.simulated === 1,
  }
}

export async function readBookings(tx: Tx, keyring: Keyring, tasks: readonly Task[]) {
  if (tasks.length === 0) return []
  const ids = tasks.map(({ subject }) => subject)
  const rows = await tx.selectFrom('bookings').selectAll().where('booking_id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.booking_id, row]))
  return tasks.flatMap((task) => {
    const row = byId.get(task.subject)
    return row === undefined ? [] : [{ task, booking: bookingFromRow(row, keyring) }]
  })
}

export const toFee = (minor: number | null, { total }: Price): Money | undefined =>
  minor === null ? undefined : { minor, currency: total.currency }

/** For example `25990 EUR`. */
const moneyText = ({ minor, currency }: Money): string => `${minor} ${currency}`

function parseStoredMoney(text: string): Money {
  const [minor, currency = ''] = text.split(' ')
  return { minor: Number(minor), currency }
}

const parseRooms = (words: string) =>
  words.split(' ').flatMap((word) => ROOM_STATES.find((state) => state === word) ?? [])

/** Time of the next reading of a booking in this state, on our clock; null if there is none. */
export function readingDueAt(booking: Booking, at: number): number | null {
  if (!READ_STATES.includes(booking.state)) return null
  // A booking in review that was never confirmed is read from its creation on.
  const { bookingId, property, stay, cancel, confirmedAt = bookingTime(booking.createdAt, booking) } = booking
  const { timezone } = property
  const next = nextReading(
    { bookingId, confirmedAt, checkIn: stay.checkIn, timezone, cancel },
    bookingTime(at, booking),
  )
  return next === undefined ? null : Math.round(next) - (booking.clockOffsetMs ?? 0)
}

/** Agreed notices, and those that came with the vendor's confirmation. */
function readNotices({ notices = [] }: Details, row: Tables['bookings']): Pick<Booking, 'notices'> {
  const confirmed: readonly Notice[] = row.told_notices === null ? [] : JSON.parse(row.told_notices)
  const all = joinNotices(notices, confirmed)
  return all.length === 0 ? {} : { notices: all }
}

export function openPersons(row: Pick<Tables['bookings'], 'persons'>, keyring: Keyring): BookingPersons {
  const persons = openJson<BookingPersons>(keyring, PERSONS, row.persons)
  // A key dropped too early must not make the rest of the booking unreadable.
  return persons ?? NO_PERSONS
}
