import { type Booking, type BookingState, READ_STATES, SETTLED_STATES } from '../../domain/booking/booking.ts'
import type { Tx } from '../../store/database.ts'
import { dropTask, type NewTask, replaceTask, turnTask } from '../../store/tasks.ts'
import { readingDueAt } from './rows.ts'

type Times = Pick<NewTask, 'dueAt' | 'leaseUntil' | 'since'>

/** When a booking is looked at again: never, or as its task says already. */
export type SettleAt = number | null | 'unchanged'

export const settleTask = ({ bookingId, vendorId }: Booking, times: Times): NewTask => ({
  kind: 'settle',
  subject: bookingId,
  key: vendorId,
  ...times,
})

/** Simulated bookings are read without a quota, so they have keys of their own. */
const TEST_KEY = 'test '
export const isTestKey = (key: string) => key.startsWith(TEST_KEY)

export const readTaskOf = ({ bookingId, vendorId, simulated }: Booking, dueAt: number): NewTask => ({
  kind: 'read',
  subject: bookingId,
  key: simulated ? `${TEST_KEY}${vendorId}` : vendorId,
  dueAt,
})

type Move = {
  readonly from: BookingState
  readonly at: number
  readonly dueAt: SettleAt
  readonly leaseUntil: number | undefined
}

/** Writes when a booking that has just moved is settled and read again, in the transaction of the move. */
export async function scheduleMoved(tx: Tx, booking: Booking, { from, at, dueAt, leaseUntil = 0 }: Move) {
  const { bookingId: subject, state, submittedAt, createdAt } = booking
  const since = state === 'cancelling' ? at : (submittedAt ?? createdAt)
  const isSettled = dueAt === null && !SETTLED_STATES.includes(from)
  const readAt = readingDueAt(booking, at)
  // Only a booking that may be read has a task for it, so there is none beside that of settling.
  if (isSettled && readAt !== null) return turnTask(tx, 'settle', readTaskOf(booking, readAt))
  if (isSettled) await dropTask(tx, { kind: 'settle', subject })
  if (typeof dueAt === 'number') await replaceTask(tx, settleTask(booking, { dueAt, leaseUntil, since }))
  if (readAt !== null) await replaceTask(tx, readTaskOf(booking, readAt))
  else if (READ_STATES.includes(from)) await dropTask(tx, { kind: 'read', subject })
}
