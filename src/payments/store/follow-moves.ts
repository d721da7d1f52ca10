import type { OnMove } from '../../booking/store/moves.ts'
import type { Booking } from '../../domain/booking/booking.ts'
import { dueAfterMove } from '../../domain/payment/owed.ts'
import { UNCLAIMED_STATES } from '../../domain/payment/payment.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Tx } from '../../store/database.ts'
import { putTask } from '../../store/tasks.ts'
import { release } from '../decide/decide.ts'
import { dueAt } from '../decide/due-at.ts'
import { claimFor, followBooking } from '../decide/follow-booking.ts'
import type { PaymentFile } from '../decide/payment-file.ts'
import { refuseClaim } from '../refuse-claim.ts'
import type { TellBooking } from './payments.ts'
import { lockFile, saveFile } from './save-file.ts'

type Deps = { readonly clock: Clock; readonly booking: TellBooking }

/** Runs in the transaction of every move of a booking. A booking on account is left at once. */
export const createPaymentHook =
  ({ clock, booking: tellBooking }: Deps): OnMove =>
  async (tx, booking, event) => {
    const { payment } = booking
    if (payment === undefined || event.kind !== undefined) return
    const now = clock.now()
    if (event.from === undefined) return claim(tx, booking, payment.paymentId, now)
    const due = dueAfterMove(booking, event)
    const file = due && (await lockFile(tx, payment.paymentId))
    if (due === undefined || file === undefined) return
    const followed = followBooking(file, due, now)
    if (followed === file) return
    await store(tx, file, followed, now)
    if (followed.news.length > 0) await tellBooking.tell(tx, booking.bookingId, followed, now)
  }

async function store(tx: Tx, before: PaymentFile, after: PaymentFile, now: number): Promise<void> {
  if (!(await saveFile(tx, before, after, now))) throw new Error('a locked payment has changed')
  const due = dueAt(after, now)
  const { paymentId: subject, provider: key } = after.payment
  if (due !== undefined) await putTask(tx, { kind: 'payment', subject, key, dueAt: due })
}

/** Throws, and thereby takes back the booking's intent, unless the authorisation is still there and unclaimed. */
async function claim(tx: Tx, booking: Booking, paymentId: string, now: number): Promise<void> {
  const file = await lockFile(tx, paymentId)
  refuseClaim(file?.payment, paymentId, now)
  if (file === undefined) return
  await store(tx, file, claimFor(file, booking.bookingId, now), now)
  await releaseOthers(tx, file, now)
}

/** Other payments for the same room pay for nothing any more. */
async function releaseOthers(tx: Tx, { payment }: PaymentFile, now: number): Promise<void> {
  const others = await tx
    .selectFrom('payments')
    .select('payment_id')
    .where('lineage', '=', payment.lineage)
    .where('account_id', '=', payment.accountId)
    .where('payment_id', '<>', payment.paymentId)
    .where('state', 'in', [...UNCLAIMED_STATES])
    .orderBy('payment_id')
    .execute()
  for (const { payment_id } of others) {
    const other = await lockFile(tx, payment_id)
    const { state } = other?.payment ?? {}
    if (other !== undefined && (state === 'open' || state === 'authorised'))
      await store(tx, other, release(other, now), now)
  }
}
