import { invalidRequest } from '../../domain/errors.ts'
import { hasIdShape } from '../../lib/crypto/ids.ts'
import type { Database } from '../../store/database.ts'
import { type StatementQuery, statementBookings } from '../store/statement-bookings.ts'
import { type StatementLine, sumStatement } from './statement.ts'

/** A longer period would read the bookings of many years at once. */
const MONTHS_MAX = 36

export type ReadStatement = (query: StatementQuery) => Promise<StatementLine[]>

/** Totals of real bookings by month and vendor. */
export const createReadStatement =
  (database: Database): ReadStatement =>
  async (query) => {
    const months = monthNumber(query.to) - monthNumber(query.from) + 1
    if (months < 1 || months > MONTHS_MAX) {
      const message = `to must not be before from, and the period must not exceed ${MONTHS_MAX} months.`
      throw invalidRequest([{ field: 'to', code: 'out_of_range', message }])
    }
    // Ids of any other form are never issued. PostgreSQL rejects a NUL.
    if (query.accountId !== undefined && !hasIdShape(query.accountId)) return []
    return sumStatement(statementBookings(database, query))
  }

function monthNumber(month: string): number {
  const [year, number] = month.split('-').map(Number)
  return (year ?? 0) * 12 + (number ?? 0)
}
