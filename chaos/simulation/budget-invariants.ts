import type { History } from './history.ts'
import { computeCost, isCharged } from './key-budget.ts'
import type { Row, Violation } from './violation.ts'

/** The budget was never exceeded, and each booking has used exactly the amount of its state. */
export async function findBudgetViolations({ database, budget }: History, rows: readonly Row[]): Promise<Violation[]> {
  if (budget === undefined) return []
  const found: Violation[] = []
  if (budget.maxSpent > budget.limit)
    found.push({ name: 'over_budget', message: `${budget.maxSpent} was booked with a budget of ${budget.limit}` })
  const spending = await database.read.selectFrom('key_spending').selectAll().execute()
  const own = rows.filter(({ booking }) => isCharged(booking))
  for (const { booking } of own) {
    const kept = spending.find((row) => row.booking_id === booking.bookingId)?.kept_minor
    if (kept !== computeCost(booking))
      found.push({
        name: 'misspent',
        message: `${booking.bookingId} is ${booking.state} and has used ${kept ?? 'nothing'} instead of ${computeCost(booking)}`,
      })
  }
  for (const { booking_id } of spending) {
    if (!own.some(({ booking }) => booking.bookingId === booking_id))
      found.push({ name: 'misspent', message: `${booking_id} has used the budget but is not a booking of the key` })
  }
  return found
}
