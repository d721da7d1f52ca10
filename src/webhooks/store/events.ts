import type { BookingOwner } from '../../domain/access.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import { deleteOld } from '../../store/batches.ts'
import type { Database } from '../../store/database.ts'

const KEPT_MS = 30 * DAY_MS

/** Columns whose names differ from their list fields. */
const COLUMNS = { object_id: 'booking_id' }

export type EventStore = ReturnType<typeof createEventStore>

export function createEventStore(database: Database) {
  return {
    /** Query for an account's events; the caller orders and pages it. */
    listing({ accountId, onlySimulated = false }: BookingOwner) {
      const own = database.read.selectFrom('events').selectAll().where('account_id', '=', accountId)
      const query = onlySimulated ? own.where('simulated', '=', 1) : own
      return { dialect: database.dialect, query, columns: COLUMNS }
    },

    /** Deletes a batch of old events; returns its size. */
    deleteOld: (now: number): Promise<number> =>
      deleteOld(database, 'events', { key: 'id', time: 'created_at', before: now - KEPT_MS }),
  }
}
