import type { Booking } from '../../domain/booking/booking.ts'
import type { Keyring } from '../../lib/crypto/keyring.ts'
import type { Database } from '../../store/database.ts'
import { bookingFromRow } from './rows.ts'

/** `version` of the links that are valid now. */
type LinkedBooking = { readonly accountId: string; readonly version: number }

export type LinkStore = ReturnType<typeof createLinkStore>

export function createLinkStore(database: Database, keyring: Keyring) {
  return {
    /** Undefined if the booking does not exist or its personal data was erased. */
    async find(bookingId: string): Promise<LinkedBooking | undefined> {
      const row = await database.read
        .selectFrom('bookings')
        .leftJoin('booking_link_revocations as revoked', 'revoked.booking_id', 'bookings.booking_id')
        .select(['bookings.account_id', 'revoked.version'])
        .where('bookings.booking_id', '=', bookingId)
        .where('bookings.persons_erased_at', 'is', null)
        .executeTakeFirst()
      return row && { accountId: row.account_id, version: row.version ?? 0 }
    },

    async byReference(reference: string): Promise<Booking | undefined> {
      const rows = database.read.selectFrom('bookings').selectAll().where('reference', '=', reference)
      const row = await rows.executeTakeFirst()
      return row && bookingFromRow(row, keyring)
    },

    async revoke(bookingId: string, now: number): Promise<void> {
      await database.write((tx) =>
        tx
          .insertInto('booking_link_revocations')
          .values({ booking_id: bookingId, version: 1, revoked_at: now })
          .onConflict((conflict) =>
            conflict.column('booking_id').doUpdateSet((eb) => ({
              version: eb('booking_link_revocations.version', '+', 1),
              revoked_at: now,
            })),
          )
          .execute(),
      )
    },
  }
}
