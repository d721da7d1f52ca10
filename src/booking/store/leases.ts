import type { Booking } from '../../domain/booking/booking.ts'
import type { Keyring } from '../../lib/crypto/keyring.ts'
import type { Database } from '../../store/database.ts'
import { claimTasks, extendTask, postponeTask, readTask, type Task } from '../../store/tasks.ts'
import { readBookings } from './rows.ts'

type DueClaim = {
  readonly now: number
  readonly leaseMs: number
  readonly mostPerVendor: number
  /** Vendors of the bookings that the caller is looking at already. */
  readonly busy?: readonly string[]
  /** Bookings (or their cancellations) that were sent before this moment are claimed first. */
  readonly firstSentBefore?: number
}

/** A booking that this process is to settle, until the lease expires. */
export type SettleClaim = { readonly task: Task; readonly booking: Booking }

/** The task of a booking that was written down by the process that is to send it. */
export const sendingTask = (bookingId: string, leaseUntil: number): Task => ({
  ...{ kind: 'settle', subject: bookingId, key: '', lease_until: leaseUntil },
  ...{ attempts: 0, failures: 0, since: 0, payload: null },
})

/** Leases: which process works on a booking, and when one must. */
export function bookingLeases(database: Database, keyring: Keyring) {
  return {
    /** Claims due bookings, as many of each vendor as it has places left. */
    claimDue: ({ mostPerVendor, firstSentBefore = 0, ...claim }: DueClaim): Promise<SettleClaim[]> =>
      database.write(async (tx) => {
        const limits = { mostPerKey: mostPerVendor, firstSince: firstSentBefore }
        return readBookings(tx, keyring, await claimTasks(tx, { kind: 'settle', ...claim, ...limits }))
      }),

    /** True if a process is believed to be working on it. */
    async isLeased(bookingId: string, now: number): Promise<boolean> {
      return ((await readTask(database.read, { kind: 'settle', subject: bookingId }))?.lease_until ?? 0) > now
    },

    /** Gives a claimed booking back, to be looked at again at `dueAt`. */
    postpone: (task: Task, dueAt: number): Promise<boolean> =>
      database.write((tx) => postponeTask(tx, task, dueAt, { failed: true })),

    /** Extends the lease of the process that works on it; undefined if another one does. */
    extendLease: (task: Task, leaseUntil: number): Promise<Task | undefined> =>
      database.write((tx) => extendTask(tx, task, leaseUntil)),
  }
}
