import type { OnMove } from '../../src/booking/store/moves.ts'
import { soldBooking } from '../../src/domain/booking/apply-sale.ts'
import type { Booking } from '../../src/domain/booking/booking.ts'
import { spentAfterCancelling, utcDay } from '../../src/domain/money/budget.ts'
import type { Database } from '../../src/store/database.ts'

export const KEY_ID = 'key_1'
/** Account that books with the key, if the scenario has one. */
export const KEY_ACCOUNT = 'acc_1'

/** Creates the only key, with a budget per day, or none. */
export async function prepareKey(database: Database, budgetMinor: number | undefined): Promise<void> {
  await database.write(async (tx) => {
    await tx.deleteFrom('key_spending').execute()
    await tx.deleteFrom('api_keys').execute()
    if (budgetMinor === undefined) return
    await tx
      .insertInto('api_keys')
      .values({
        id: KEY_ID,
        account_id: KEY_ACCOUNT,
        hash: 'h',
        hint: '',
        name: 'agent',
        mode: 'live',
        scopes: 'book',
        per_minute: null,
        budget_minor: budgetMinor,
        budget_currency: 'EUR',
        budget_per: 'day',
        created_at: 0,
        last_used_at: null,
        revoked_at: null,
      })
      .execute()
  })
}

/** True for bookings of the key: a live key pays for no simulation. */
export const isCharged = ({ accountId, simulated }: Booking): boolean => accountId === KEY_ACCOUNT && !simulated

/** Cost of a booking for its owner, by its state alone. */
export function computeCost(booking: Booking): number {
  const { state, price, cancelFee } = soldBooking(booking)
  if (state === 'rejected') return 0
  return state === 'cancelled' ? spentAfterCancelling(price.total.minor, cancelFee, price.total) : price.total.minor
}

/** Tracks the maximum cost of the key's bookings on one day, independently of the recorded spending. */
export function trackCosts(): { readonly onMove: OnMove; max(): number } {
  const days = new Map<string, Map<string, number>>()
  let max = 0
  return {
    onMove: async (_tx, booking) => {
      if (!isCharged(booking)) return
      const day = utcDay(booking.createdAt)
      const costs = days.get(day) ?? new Map<string, number>()
      days.set(day, costs.set(booking.bookingId, computeCost(booking)))
      max = Math.max(
        max,
        [...costs.values()].reduce((sum, cost) => sum + cost, 0),
      )
    },
    max: () => max,
  }
}
