import { toFee } from '../../booking/store/rows.ts'
import type { Sale } from '../../domain/booking/sale.ts'
import type { Money } from '../../domain/money/money.ts'
import type { Price } from '../../domain/offer.ts'
import type { Database } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'

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

/** Reads pages in index order, so that no page sorts the whole period and other requests can run. */
export async function* statementBookings(
  database: Database,
  { by, from, to, accountId }: StatementQuery,
  pageSize = PAGE_SIZE,
) {
  const [first, end] = [`${from}-01`, nextMonth(to)]
  const inPeriod =
    by === 'check_out'
      ? { column: 'check_out' as const, first, end }
      : { column: 'created_at' as const, first: startOfDay(first), end: startOfDay(end) }
  const { column } = inPeriod
  let after = { day: inPeriod.first, bookingId: '' }
  for (;;) {
    const { day, bookingId } = after
    let query = database.read
      .selectFrom('bookings')
      .select(['booking_id', 'vendor_id', 'state', 'created_at', 'check_out', 'details'])
      .select(['cancel_fee_minor', 'sold_fee_minor', 'rooms'])
      .where(column, '>=', day)
      .where(column, '<', inPeriod.end)
      .where((where) => where.or([where(column, '>', day), where('booking_id', '>', bookingId)]))
      .where('simulated', '=', 0)
      .where('state', 'not in', ['pending', 'rejected'])
      .orderBy(column)
      .orderBy('booking_id')
      .limit(pageSize)
    if (accountId !== undefined) query = query.where('account_id', '=', accountId)
    const rows = await query.execute()
    for (const row of rows) yield toStated(row, by)
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

type Row = Pick<
  Tables['bookings'],
  'vendor_id' | 'state' | 'created_at' | 'check_out' | 'details' | 'cancel_fee_minor' | 'sold_fee_minor' | 'rooms'
>

function toStated(row: Row, by: StatementDay) {
  const { price, sale, payable }: { price: Price; sale?: Sale; payable?: Money } = JSON.parse(row.details)
  const month = by === 'check_out' ? row.check_out : new Date(row.created_at).toISOString()
  return {
    month: month.slice(0, 7),
    vendorId: row.vendor_id,
    state: row.state,
    isPartlyCancelled: row.rooms?.includes('cancelled') === true,
    price,
    sale,
    ...(payable !== undefined && { payable }),
    cancelFee: toFee(row.cancel_fee_minor, price),
    soldFee: sale && toFee(row.sold_fee_minor, sale.price),
  }
}
