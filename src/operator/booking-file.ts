import type { Account, AccountStore } from '../accounts/store/accounts.ts'
import type { BookingStore } from '../booking/store/bookings.ts'
import type { BookingReading } from '../booking/store/readings.ts'
import type { Booking, BookingEvent } from '../domain/booking/booking.ts'
import { AppError } from '../domain/errors.ts'
import type { VendorCall } from '../domain/vendor-call.ts'
import type { DeliveryRecord } from '../domain/webhook.ts'
import { hasIdShape } from '../lib/crypto/ids.ts'
import type { MailLog, MailRecord } from '../mail/store/log.ts'
import type { WebhookLog } from '../webhooks/store/log.ts'
import type { VendorCallStore } from './store/vendor-calls.ts'

/** Everything stored about one booking. */
export type BookingFile = {
  readonly booking: Booking
  /** Undefined for a guest. */
  readonly account: Account | undefined
  readonly events: readonly BookingEvent[]
  readonly readings: readonly BookingReading[]
  readonly calls: readonly VendorCall[]
  readonly deliveries: readonly DeliveryRecord[]
  readonly mails: readonly MailRecord[]
}

type Deps = {
  readonly bookings: Pick<BookingStore, 'any' | 'events' | 'readings'>
  readonly accounts: Pick<AccountStore, 'byId'>
  readonly calls: Pick<VendorCallStore, 'ofBooking'>
  /** Writes the calls of this process that are still in memory. */
  flushCalls(): Promise<unknown>
  readonly webhooks: Pick<WebhookLog, 'ofBooking'>
  readonly mails: Pick<MailLog, 'ofBooking'>
}

const CALLS_MAX = 200
const DELIVERIES_MAX = 200

export type ReadBookingFile = (bookingId: string) => Promise<BookingFile>

export function createReadBookingFile(deps: Deps): ReadBookingFile {
  return async (bookingId) => {
    const booking = await requireBooking(deps.bookings, bookingId)
    const events = await deps.bookings.events(bookingId)
    await deps.flushCalls()
    return {
      booking,
      account: await deps.accounts.byId(booking.accountId),
      events,
      readings: await deps.bookings.readings(bookingId),
      calls: await deps.calls.ofBooking(bookingId, requestIds(events), CALLS_MAX),
      deliveries: await deps.webhooks.ofBooking(bookingId, DELIVERIES_MAX),
      mails: await deps.mails.ofBooking(bookingId),
    }
  }
}

/** Includes the request that checked the price, before the booking existed. */
const requestIds = (events: readonly BookingEvent[]): string[] => [
  ...new Set(events.flatMap(({ by }) => by?.requestId ?? [])),
]

export async function requireBooking(bookings: Pick<BookingStore, 'any'>, bookingId: string): Promise<Booking> {
  const booking = hasIdShape(bookingId) ? await bookings.any(bookingId) : undefined
  if (booking === undefined) throw new AppError('booking_not_found', 'There is no such booking.')
  return booking
}
