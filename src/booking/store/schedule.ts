import { type Booking, type BookingState, READ_STATES, SETTLED_STATES } from '../../domain/booking/booking.ts'
import type { Tx } from '../../store/database.ts'
import { convertTask, deleteTask, type NewTask, replaceTask } from '../../store/tasks.ts'
import { readingDueAt } from './rows.ts'

type Times = Pick<NewTask, 'dueAt' | 'leaseUntil' | 'since'>

/** Time of the next settle attempt; null for none. */
export type SettleAt = number | null | 'unchanged'

export const settleTask = ({ bookingId, vendorId }: Booking, times: Times): NewTask => ({
  kind: 'settle',
  subject: bookingId,
  key: vendorId,
  ...times,
})

/** Simulated bookings have keys of their own, because they are read without a quota. */
const TEST_KEY = 'test '
export const isTestKey = (key: string) => key.startsWith(TEST_KEY)

export const readingTask = ({ bookingId, vendorId, simulated }: Booking, dueAt: number): NewTask => ({
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

/** Schedules settling and reading of a booking that has just moved, in the transaction of the move. */
export async function scheduleMoved(tx: Tx, booking: Booking, { from, at, dueAt, leaseUntil = 0 }: Move) {
  const { bookingId: subject, state, submittedAt, createdAt } = booking
  const since = state === 'cancelling' ? at : (submittedAt ?? createdAt)
  const isSettled = dueAt === null && !SETTLED_STATES.includes(from)
  const readAt = readingDueAt(booking, at)
  // A booking that is being settled has no reading task, so the settle task becomes one.
  if (isSettled && readAt !== null) return convertTask(tx, 'settle', readingTask(booking, readAt))
  if (isSettled) await deleteTask(tx, { kind: 'settle', subject })
  if (typeof dueAt === 'number') await replaceTask(tx, settleTask(booking, { dueAt, leaseUntil, since }))
  if (readAt !== null) await replaceTask(tx, readingTask(booking, readAt))
  else if (READ_STATES.includes(from)) await deleteTask(tx, { kind: 'read', subject })
}
