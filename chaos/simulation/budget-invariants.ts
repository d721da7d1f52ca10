import type { History } from './history.ts'
import { costOf, KEY_ACCOUNT } from './key-budget.ts'
import type { Row, Violation } from './violation.ts'

/** The budget was never passed, and each booking has taken from it exactly what its state says. */
export async function budgetViolations({ database, budget }: History, rows: readonly Row[]): Promise<Violation[]> {
  if (budget === undefined) return []
  const found: Violation[] = []
  if (budget.mostSpent > budget.limit)
    found.push({ name: 'over_budget', message: `${budget.mostSpent} was booked with a budget of ${budget.limit}` })
  const spending = await database.read.selectFrom('key_spending').selectAll().execute()
  const own = rows.filter(({ booking }) => booking.accountId === KEY_ACCOUNT)
  for (const { booking } of own) {
    const kept = spending.find((row) => row.booking_id === booking.bookingId)?.kept_minor
    if (kept !== costOf(booking))
      found.push({
        name: 'misspent',
        message: `${booking.bookingId} is ${booking.state} and has taken ${kept ?? 'nothing'}, not ${costOf(booking)}`,
      })
  }
  for (const { booking_id } of spending) {
    if (!own.some(({ booking }) => booking.bookingId === booking_id))
      found.push({ name: 'misspent', message: `${booking_id} has taken from the budget and is no booking of the key` })
  }
  return found
}
