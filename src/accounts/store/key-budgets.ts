import type { Booking, BookingEvent } from '../../domain/booking/booking.ts'
import { soldBooking } from '../../domain/booking/sold.ts'
import { type Budget, BudgetExceeded, dayOf, keptAfterCancelling, periodOf } from '../../domain/money/budget.ts'
import { convertMoney, type ExchangeRates } from '../../domain/money/exchange.ts'
import type { Money } from '../../domain/money/money.ts'
import type { ReadOnly, Tx } from '../../store/database.ts'
import { budgetOf } from './api-keys.ts'

type Rates = () => ExchangeRates

/**
 * Spends and gives back the budget of the key that makes a booking, in the transaction that writes the booking's intent and
 * its later states. Each booking has one row, whose amount follows from the booking's state: nothing can count twice.
 */
export function createBudgetSpending(rates: Rates) {
  return async function spendOrGiveBack(tx: Tx, stored: Booking, event: BookingEvent): Promise<void> {
    if (event.kind !== undefined) return
    const keyId = event.from === undefined ? keyOf(event) : undefined
    // A budget is the client's, so it counts what the client pays.
    if (keyId !== undefined) await spend(rates, tx, soldBooking(stored), keyId)
    if (event.to === 'rejected') await keep(tx, stored, () => 0)
    if (event.to === 'cancelled') {
      const { cancelFee, price } = soldBooking(stored)
      await keep(tx, stored, (spent) => keptAfterCancelling(spent, cancelFee, price.total))
    }
  }
}

const keyOf = ({ by }: BookingEvent) => (by?.actor.kind === 'key' ? by.actor.id : undefined)

/** Throws where the booking costs more than is left, and the whole transaction comes to nothing. */
async function spend(rates: Rates, tx: Tx, booking: Booking, keyId: string): Promise<void> {
  const key = await tx.selectFrom('api_keys').selectAll().where('id', '=', keyId).executeTakeFirst()
  // A simulated booking costs nothing; with a test key it counts, so that its budget can be tried.
  if (key === undefined || booking.simulated !== (key.mode === 'test')) return
  const budget = budgetOf(key)
  const cost = budget === undefined ? booking.price.total : await affordable(rates, tx, booking, keyId, budget)
  await tx
    .insertInto('key_spending')
    .values({
      booking_id: booking.bookingId,
      key_id: keyId,
      day: dayOf(booking.createdAt),
      currency: cost.currency,
      spent_minor: cost.minor,
      kept_minor: cost.minor,
    })
    .execute()
}

/** What the booking costs in the currency of the budget, if that much is left. */
async function affordable(rates: Rates, tx: Tx, booking: Booking, keyId: string, budget: Budget): Promise<Money> {
  // Bookings of one key take turns here, or two at once would both find enough left.
  await tx.selectFrom('api_keys').select('id').where('id', '=', keyId).forUpdate().executeTakeFirst()
  const { total } = booking.price
  const at = booking.createdAt
  const left = await leftOf(tx, keyId, budget, at, rates())
  const cost = convertMoney(total, budget.limit.currency, rates())
  if (left === undefined || cost === undefined || cost.minor > left.minor) {
    const known = left ?? { minor: 0, currency: budget.limit.currency }
    throw new BudgetExceeded(budget, known, at, total, left !== undefined && cost !== undefined)
  }
  return cost
}

async function keep(tx: Tx, { bookingId }: Booking, kept: (spentMinor: number) => number): Promise<void> {
  const query = tx.selectFrom('key_spending').select('spent_minor').where('booking_id', '=', bookingId)
  const row = await query.executeTakeFirst()
  if (row === undefined) return
  await tx
    .updateTable('key_spending')
    .set({ kept_minor: kept(Number(row.spent_minor)) })
    .where('booking_id', '=', bookingId)
    .execute()
}

/**
 * What is left of a budget in the present period, never less than nothing; undefined where something was spent in a currency
 * that cannot be converted.
 */
export async function leftOf(
  db: ReadOnly,
  keyId: string,
  { limit, per }: Budget,
  at: number,
  rates: ExchangeRates,
): Promise<Money | undefined> {
  const { from, to } = periodOf(per, at)
  const spent = await db
    .selectFrom('key_spending')
    .select(({ fn }) => ['currency', fn.sum<number>('kept_minor').as('minor')])
    .where('key_id', '=', keyId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy('currency')
    .execute()
  let left = limit.minor
  for (const { currency, minor } of spent) {
    const converted = convertMoney({ minor: Number(minor), currency }, limit.currency, rates)
    if (converted === undefined) return undefined
    left -= converted.minor
  }
  return { minor: Math.max(0, left), currency: limit.currency }
}
