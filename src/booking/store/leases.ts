import type { Booking } from '../../domain/booking/booking.ts'
import type { Keyring } from '../../lib/crypto/keyring.ts'
import type { Database } from '../../store/database.ts'
import { claimTasks, extendTask, postponeTask, readTask, type Task } from '../../store/tasks.ts'
import { readBookings } from './rows.ts'

type DueClaim = {
  readonly now: number
  readonly leaseMs: number
  readonly mostPerVendor: number
  /** Vendors of bookings that the caller is already working on. */
  readonly busy?: readonly string[]
  /** Bookings and cancellations sent before this time are claimed first. */
  readonly firstSentBefore?: number
}

/** A booking that this process settles until the lease expires. */
export type SettleClaim = { readonly task: Task; readonly booking: Booking }

/** Task of a booking that this process has just stored and will send. */
export const sendingTask = (bookingId: string, leaseUntil: number): Task => ({
  ...{ kind: 'settle', subject: bookingId, key: '', lease_until: leaseUntil },
  ...{ attempts: 0, failures: 0, since: 0, payload: null },
})

export function bookingLeases(database: Database, keyring: Keyring) {
  return {
    /** Claims due bookings up to the limit of each vendor. */
    claimDue: ({ mostPerVendor, firstSentBefore = 0, ...claim }: DueClaim): Promise<SettleClaim[]> =>
      database.write(async (tx) => {
        const limits = { mostPerKey: mostPerVendor, firstSince: firstSentBefore }
        return readBookings(tx, keyring, await claimTasks(tx, { kind: 'settle', ...claim, ...limits }))
      }),

    /** True if a process is working on it. */
    async isLeased(bookingId: string, now: number): Promise<boolean> {
      return ((await readTask(database.read, { kind: 'settle', subject: bookingId }))?.lease_until ?? 0) > now
    },

    /** Releases a claimed booking until `dueAt`. */
    postpone: (task: Task, dueAt: number): Promise<boolean> =>
      database.write((tx) => postponeTask(tx, task, dueAt, { failed: true })),

    /** Undefined if another process holds the lease. */
    extendLease: (task: Task, leaseUntil: number): Promise<Task | undefined> =>
      database.write((tx) => extendTask(tx, task, leaseUntil)),
  }
}
