import { sql } from 'kysely'
import type { Booking, BookingState } from '../../domain/booking/booking.ts'
import type { Tx } from '../../store/database.ts'
import type { ServerIdentity, StoreHistory } from '../../store/history.ts'
import { prepare } from '../../store/prepared.ts'
import { applyMove, type BookingParts, type Moved, type MoveFacts } from './moves.ts'
import { NOT_SENT } from './rows.ts'

type Seen = Pick<StoreHistory, 'generation' | 'timeline'>
type Mark = Seen & { readonly booking_id: string; readonly sending_at: number }
type Claim = Seen & { readonly booking_id: string; readonly from: BookingState }

/** A mark that is on disk before a booking leaves, so that a booking without it was certainly not sent. */
export function bookingSending(parts: BookingParts, { timeline }: ServerIdentity) {
  const { database } = parts
  /** Checked in the statement itself, because the server may have failed over since the caller read its history. */
  const isUnchanged = (seen: Seen) =>
    sql<boolean>`${timeline} = ${seen.timeline} and ${seen.generation} = (select generation from store_history)`

  const mark = prepare((tx: Tx, { booking_id, sending_at, ...seen }: Mark) =>
    tx
      .updateTable('bookings')
      .set({ sending_at })
      .where('booking_id', '=', booking_id)
      .where('state', '=', 'submitting')
      .where(isUnchanged(seen))
      .returning('booking_id'),
  )
  const claim = prepare((tx: Tx, { booking_id, from, ...seen }: Claim) =>
    tx
      .updateTable('bookings')
      .set({ sending_at: NOT_SENT })
      .where('booking_id', '=', booking_id)
      .where('state', '=', from)
      .where('sending_at', '=', NOT_SENT)
      .where(isUnchanged(seen))
      .returning('booking_id'),
  )
  return {
    /** False if the booking must not be sent: another process has taken over, or commits may be lost since `seen`. */
    async markSending(bookingId: string, at: number, { generation, timeline: name }: Seen): Promise<boolean> {
      const values = { booking_id: bookingId, sending_at: at, generation, timeline: name }
      return (await database.write((tx) => mark(tx, values))).length > 0
    },

    /** Rejects a booking that was certainly not sent. Undefined if it may have been sent, or has another state now. */
    async rejectUnsent(
      { bookingId, state: from, createdAt }: Booking,
      { generation, timeline: name, changedAt }: StoreHistory,
      facts: MoveFacts,
    ): Promise<Moved | undefined> {
      // The loss may have taken the mark and left the booking.
      if (changedAt !== undefined && createdAt <= changedAt) return undefined
      return database.write(async (tx) => {
        const claimed = await claim(tx, { booking_id: bookingId, from, generation, timeline: name })
        if (claimed.length === 0) return undefined
        return applyMove(parts, tx, { bookingId, from, to: 'rejected' }, { ...facts, isRepeatable: true })
      })
    },
  }
}
