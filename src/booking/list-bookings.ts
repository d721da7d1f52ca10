import { AppError } from '../domain/app-error.ts'
import { BOOKING_STATES, type Booking, type BookingEvent } from '../domain/booking.ts'
import { defineList } from '../lists/definition.ts'
import type { ListPage } from '../lists/meta.ts'
import type { ListPlan } from '../lists/plan.ts'
import { runOnSql } from '../lists/sql-run.ts'
import type { BookingStore } from '../store/bookings.ts'

export const BOOKING_LIST = defineList({
  fields: {
    booking_id: { type: 'string', filterable: true, nullable: false },
    status: { type: 'enum', values: BOOKING_STATES, sortable: true, filterable: true, nullable: false },
    vendor_id: { type: 'string', sortable: true, filterable: true, nullable: false },
    client_reference: { type: 'string', filterable: true },
    property_name: { type: 'string', sortable: true, filterable: true, nullable: false },
    check_in: { type: 'date', sortable: true, filterable: true, nullable: false },
    check_out: { type: 'date', sortable: true, filterable: true, nullable: false },
    currency: { type: 'string', filterable: true, nullable: false },
    created_at: { type: 'integer', sortable: true, nullable: false },
  },
  tiebreaker: 'booking_id',
  defaultOrder: { orderBy: ['created_at'], orderDirections: ['desc'] },
})

export type ReadBookings = ReturnType<typeof createReadBookings>

/** A caller's own bookings; anybody else's do not exist. */
export function createReadBookings(bookings: BookingStore) {
  return {
    async list(accountId: string, plan: ListPlan): Promise<ListPage<Booking>> {
      const page = await runOnSql(plan, bookings.listing(accountId))
      return { ...page, data: page.data.map(bookings.fromRow) }
    },

    async show(accountId: string, bookingId: string): Promise<{ booking: Booking; events: BookingEvent[] }> {
      const booking = await bookings.get(accountId, bookingId)
      if (booking === undefined) throw noSuchBooking()
      return { booking, events: await bookings.events(bookingId) }
    },
  }
}

export const noSuchBooking = () =>
  new AppError('booking_not_found', 'There is no such booking; use the booking_id of one of yours.')
