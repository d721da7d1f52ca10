import { soldBooking } from '../../domain/booking/apply-sale.ts'
import type { Booking, BookingEvent } from '../../domain/booking/booking.ts'
import { type Budget, BudgetExceeded, periodBounds, spentAfterCancelling, utcDay } from '../../domain/money/budget.ts'
import { convertMoney, type ExchangeRates } from '../../domain/money/exchange.ts'
import type { Money } from '../../domain/money/money.ts'
import type { ReadOnly, Tx } from '../../store/database.ts'
import { toBudget } from './api-keys.ts'

type Rates = () => ExchangeRates

/** Each booking has one row whose amount follows from its state, so nothing is counted twice. */
export function createBudgetSpending(rates: Rates) {
  return async function updateSpending(tx: Tx, stored: Booking, event: BookingEvent): Promise<void> {
    if (event.kind === 'amended' && event.reason === 'price_changed') await respend(rates, tx, soldBooking(stored))
    if (event.kind !== undefined) return
    const keyId = event.from === undefined && event.by?.actor.kind === 'key' ? event.by.actor.id : undefined
    // Budgets are in selling prices.
    if (keyId !== undefined) await spend(rates, tx, soldBooking(stored), keyId)
    if (event.to === 'rejected') await keep(tx, stored, () => 0)
    if (event.to === 'cancelled') {
      const { cancelFee, price } = soldBooking(stored)
      await keep(tx, stored, (spent) => spentAfterCancelling(spent, cancelFee, price.total))
    }
  }
}

/** Throws, and thereby rolls back, if the booking exceeds the budget. */
async function spend(rates: Rates, tx: Tx, booking: Booking, keyId: string): Promise<void> {
  const key = await tx.selectFrom('api_keys').selectAll().where('id', '=', keyId).executeTakeFirst()
  // Simulated bookings are only counted for test keys, so that their budgets can be tried out.
  if (key === undefined || booking.simulated !== (key.mode === 'test')) return
  const budget = toBudget(key)
  const cost = budget === undefined ? booking.price.total : await checkBudget(rates, tx, booking, keyId, budget)
  await tx
    .insertInto('key_spending')
    .values({
      booking_id: booking.bookingId,
      key_id: keyId,
      day: utcDay(booking.createdAt),
      currency: cost.currency,
      spent_minor: cost.minor,
      kept_minor: cost.minor,
    })
    .execute()
}

/** Converts the price to the currency of the budget, and throws if it exceeds the rest. */
async function checkBudget(rates: Rates, tx: Tx, booking: Booking, keyId: string, budget: Budget): Promise<Money> {
  // Serialises bookings of one key, so that concurrent ones cannot exceed the budget.
  await tx.selectFrom('api_keys').select('id').where('id', '=', keyId).forUpdate().executeTakeFirst()
  const { total } = booking.price
  const { createdAt } = booking
  const left = await readRemaining(tx, keyId, budget, createdAt, rates())
  const cost = convertMoney(total, budget.limit.currency, rates())
  if (left === undefined || cost === undefined || cost.minor > left.minor) {
    const known = left ?? { minor: 0, currency: budget.limit.currency }
    throw new BudgetExceeded(budget, known, createdAt, total, left !== undefined && cost !== undefined)
  }
  return cost
}

/** The vendor has charged the new price already, so it counts even if it exceeds the budget. */
async function respend(rates: Rates, tx: Tx, { bookingId, price }: Booking): Promise<void> {
  const query = tx.selectFrom('key_spending').select('currency').where('booking_id', '=', bookingId)
  const row = await query.executeTakeFirst()
  const cost = row && convertMoney(price.total, row.currency, rates())
  if (cost === undefined) return
  await tx
    .updateTable('key_spending')
    .set({ spent_minor: cost.minor, kept_minor: cost.minor })
    .where('booking_id', '=', bookingId)
    .execute()
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

/** Remaining budget of the current period, at least zero. Undefined if spending cannot be converted. */
export async function readRemaining(
  db: ReadOnly,
  keyId: string,
  { limit, per }: Budget,
  at: number,
  rates: ExchangeRates,
): Promise<Money | undefined> {
  const { from, to } = periodBounds(per, at)
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
