import { hash } from 'node:crypto'
import type { BookingState } from '../../domain/booking/booking.ts'
import type { Database } from '../../store/database.ts'
import type { NewBookingKeys } from './rows.ts'

/** Prefix of the keys of a booking that an operator adopted, until its client repeats the request. */
const ADOPTED = 'adopted '
export const adoptedKeys = (reference: string) => {
  const key = `${ADOPTED}${reference}`
  return { offerId: key, idempotencyKey: key, fingerprint: '' }
}

export type OwnBooking = {
  readonly bookingId: string
  readonly reference: string
  readonly state: BookingState
  readonly vendorReference: string | undefined
}

export function bookingReconciling(database: Database) {
  const rows = (vendorId: string) =>
    database.read
      .selectFrom('bookings')
      .select(['booking_id as bookingId', 'reference', 'state', 'vendor_reference as vendorReference'])
      .where('vendor_id', '=', vendorId)
      .where('simulated', '=', 0)
  const own = (row: Omit<OwnBooking, 'vendorReference'> & { readonly vendorReference: string | null }): OwnBooking => ({
    ...row,
    vendorReference: row.vendorReference ?? undefined,
  })
  return {
    async byReferences(vendorId: string, references: readonly string[]): Promise<OwnBooking[]> {
      if (references.length === 0) return []
      return (
        await rows(vendorId)
          .where('reference', 'in', [...references])
          .execute()
      ).map(own)
    },

    async confirmedBetween(vendorId: string, from: number, until: number): Promise<OwnBooking[]> {
      const confirmed = rows(vendorId).where('state', '=', 'confirmed')
      return (await confirmed.where('created_at', '>=', from).where('created_at', '<', until).execute()).map(own)
    },

    /**
     * Gives an adopted booking to the request that made it: only that request derives its reference. False if the booking
     * with this reference is not an adopted one.
     */
    async claimAdopted(accountId: string, reference: string, keys: NewBookingKeys): Promise<boolean> {
      const { offerId, lineage = null, idempotencyKey, fingerprint } = keys
      const claimed = await database.write((tx) =>
        tx
          .updateTable('bookings')
          .set({
            account_id: accountId,
            offer_id: offerId,
            lineage,
            idempotency_key: hash('sha256', idempotencyKey),
            fingerprint,
          })
          .where('reference', '=', reference)
          .where('offer_id', '=', `${ADOPTED}${reference}`)
          .executeTakeFirst(),
      )
      return claimed.numUpdatedRows > 0n
    },
  }
}
