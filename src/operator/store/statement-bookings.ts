import { toFee } from '../../booking/store/rows.ts'
import type { Sale } from '../../domain/booking/sale.ts'
import type { Money } from '../../domain/money/money.ts'
import type { Price } from '../../domain/offer.ts'
import { dateIn } from '../../lib/time/plain-date.ts'
import { paymentFromRow } from '../../payments/store/rows.ts'
import type { Database } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import type { StatementPayment } from '../statements/statement.ts'

/** Date that determines the month of a booking. */
export const STATEMENT_DAYS = ['booking', 'check_out'] as const
type StatementDay = (typeof STATEMENT_DAYS)[number]

/** Months such as `2027-03`; `to` is inclusive. */
export type StatementQuery = {
  readonly by: StatementDay
  readonly from: string
  readonly to: string
  readonly accountId?: string
}

const PAGE_SIZE = 200

/** Bookings of the months of a statement. */
export function statementBookings(
  database: Database,
  { by, from, to, accountId }: StatementQuery,
  pageSize = PAGE_SIZE,
) {
  const [first, end] = [`${from}-01`, nextMonth(to)]
  const toPeriod = (day: string) => day.slice(0, 7)
  return by === 'check_out'
    ? bookingsBetween(database, { column: 'check_out', first, end, accountId, toPeriod, pageSize })
    : bookingsBetween(database, {
        ...{ column: 'created_at', first: startOfDay(first), end: startOfDay(end), accountId, toPeriod, pageSize },
      })
}

/** Bookings made since the start of a day, by day. */
export const bookingsSince = (database: Database, day: string, end: number) =>
  bookingsBetween(database, { column: 'created_at', first: startOfDay(day), end, toPeriod: (made) => made })

type Between = {
  readonly column: 'created_at' | 'check_out'
  readonly first: number | string
  readonly end: number | string
  readonly accountId?: string | undefined
  toPeriod(day: string): string
  readonly pageSize?: number
}

/** Reads pages in index order, so that no page sorts the whole period and other requests can run. */
async function* bookingsBetween(
  database: Database,
  { column, first, end, accountId, toPeriod, pageSize = PAGE_SIZE }: Between,
) {
  let after = { day: first, bookingId: '' }
  for (;;) {
    const { day, bookingId } = after
    let query = database.read
      .selectFrom('bookings')
      .select(['booking_id', 'vendor_id', 'state', 'created_at', 'check_out', 'details'])
      .select(['cancel_fee_minor', 'sold_fee_minor', 'rooms'])
      .where(column, '>=', day)
      .where(column, '<', end)
      .where((where) => where.or([where(column, '>', day), where('booking_id', '>', bookingId)]))
      .where('simulated', '=', 0)
      .where('state', 'not in', ['pending', 'rejected'])
      .orderBy(column)
      .orderBy('booking_id')
      .limit(pageSize)
    if (accountId !== undefined) query = query.where('account_id', '=', accountId)
    const rows = await query.execute()
    const payments = await readStatementPayments(database, rows)
    for (const row of rows)
      yield toStated(
        row,
        payments.get(row.booking_id),
        toPeriod(column === 'check_out' ? row.check_out : dateIn('UTC', row.created_at)),
      )
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageSize) return
    after = { day: last[column], bookingId: last.booking_id }
    await new Promise((later) => setImmediate(later))
  }
}

const startOfDay = (day: string) => Date.parse(`${day}T00:00:00Z`)

function nextMonth(month: string): string {
  const next = new Date(startOfDay(`${month}-01`))
  next.setUTCMonth(next.getUTCMonth() + 1)
  return next.toISOString().slice(0, 10)
}

type Row = Pick<Tables['bookings'], 'vendor_id' | 'state' | 'details' | 'cancel_fee_minor' | 'sold_fee_minor' | 'rooms'>

/** Bookings on account cause no query. */
async function readStatementPayments(
  { read }: Database,
  rows: readonly Pick<Tables['bookings'], 'booking_id' | 'details'>[],
): Promise<ReadonlyMap<string | null, StatementPayment>> {
  const byCard = rows.filter(({ details }) => details.includes('"paymentId"')).map(({ booking_id }) => booking_id)
  if (byCard.length === 0) return new Map()
  const found = await read.selectFrom('payments').selectAll().where('booking_id', 'in', byCard).execute()
  return new Map(found.map((row) => [row.booking_id, paymentFromRow(row)]))
}

function toStated(row: Row, payment: StatementPayment | undefined, period: string) {
  const { price, sale, payable }: { price: Price; sale?: Sale; payable?: Money } = JSON.parse(row.details)
  return {
    period,
    vendorId: row.vendor_id,
    state: row.state,
    isPartlyCancelled: row.rooms?.includes('cancelled') === true,
    price,
    sale,
    ...(payable !== undefined && { payable }),
    cancelFee: toFee(row.cancel_fee_minor, price),
    soldFee: toFee(row.sold_fee_minor, sale?.price ?? price),
    payment,
  }
}
