import type { Booking } from '../../src/domain/booking/booking.ts'
import { AppError } from '../../src/domain/errors.ts'
import { utcDay } from '../../src/domain/money/budget.ts'
import type { Database, Tx } from '../../src/store/database.ts'
import { KEY_ACCOUNT, KEY_ID } from './key-budget.ts'
import type { PlantedBug } from './planted-bugs.ts'

/** Typical bugs in budgets of keys. */
export const PLANTED_BUDGET_BUGS: readonly PlantedBug[] = [
  {
    name: 'the budget is checked before the intent is written, not with it',
    breaks: ['over_budget'],
    plant: ({ database, access }) => ({
      bookStay: (sound) => async (order, context) => {
        const isOver = await access('look at the budget', () => wouldExceedBudget(database))
        if (order.actor?.kind === 'key' && isOver) throw new AppError('budget_exceeded', 'Too much.')
        return sound(order, context)
      },
    }),
    spend: (sound) => async (tx, booking, event) => {
      if (event.from === undefined) await spendUnchecked(tx, booking, event.by?.actor.id)
      else await sound(tx, booking, event)
    },
  },
  {
    name: 'a booking is paid for when it is confirmed',
    breaks: ['over_budget', 'misspent'],
    plant: () => ({}),
    spend: (sound) => async (tx, booking, event) => {
      if (event.to === 'confirmed')
        await spendUnchecked(tx, booking, booking.accountId === KEY_ACCOUNT ? KEY_ID : undefined)
      else if (event.from !== undefined) await sound(tx, booking, event)
    },
  },
  {
    name: 'a rejected booking stays spent',
    breaks: ['misspent'],
    plant: () => ({}),
    spend: (sound) => async (tx, booking, event) => {
      if (event.to !== 'rejected') await sound(tx, booking, event)
    },
  },
  {
    name: 'a booking in doubt is refunded to the budget',
    breaks: ['misspent', 'over_budget'],
    plant: () => ({}),
    spend: (sound) => async (tx, booking, event) => {
      await sound(tx, booking, event)
      if (event.to === 'in_doubt') await updateKept(tx, booking, () => 0)
    },
  },
  {
    name: 'the cancellation fee is refunded to the budget too',
    breaks: ['misspent'],
    plant: () => ({}),
    spend: (sound) => async (tx, booking, event) => {
      await sound(tx, booking, event)
      if (event.to === 'cancelled') await updateKept(tx, booking, () => 0)
    },
  },
  {
    name: 'a cancellation is refunded to the budget when it is requested and again when it is done',
    breaks: ['misspent'],
    plant: () => ({}),
    spend: (sound) => async (tx, booking, event) => {
      const isRefunded = event.to === 'cancelling' || event.to === 'cancelled'
      const refund = booking.price.total.minor - (booking.cancelFee?.minor ?? 0)
      if (isRefunded) await updateKept(tx, booking, (kept) => kept - refund)
      else await sound(tx, booking, event)
    },
  },
]

/** Spends without checking the remaining budget. */
async function spendUnchecked(tx: Tx, booking: Booking, keyId: string | undefined): Promise<void> {
  if (keyId !== KEY_ID) return
  const { minor, currency } = booking.price.total
  await tx
    .insertInto('key_spending')
    .values({
      booking_id: booking.bookingId,
      key_id: KEY_ID,
      day: utcDay(booking.createdAt),
      currency,
      spent_minor: minor,
      kept_minor: minor,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function updateKept(tx: Tx, { bookingId }: Booking, change: (kept: number) => number): Promise<void> {
  const row = await tx.selectFrom('key_spending').selectAll().where('booking_id', '=', bookingId).executeTakeFirst()
  if (row === undefined) return
  await tx
    .updateTable('key_spending')
    .set({ kept_minor: change(row.kept_minor) })
    .where('booking_id', '=', bookingId)
    .execute()
}

/** True if another booking of the same price would exceed the budget. */
async function wouldExceedBudget(database: Database): Promise<boolean> {
  const spent = await database.read.selectFrom('key_spending').select('kept_minor').execute()
  const key = await database.read.selectFrom('api_keys').select('budget_minor').executeTakeFirst()
  const total = spent.reduce((sum, row) => sum + row.kept_minor, 0)
  return total > 0 && total + PRICE > (key?.budget_minor ?? Number.POSITIVE_INFINITY)
}

const PRICE = 24_990
