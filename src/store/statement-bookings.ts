import type { BookingState } from '../domain/booking.ts'
import type { Money } from '../domain/money.ts'
import type { Price } from '../domain/offer.ts'
import type { Sale } from '../domain/sale.ts'
import type { Database } from './database.ts'

/** By which day a booking belongs to a month. */
export const STATEMENT_DAYS = ['booking', 'check_out'] as const
export type StatementDay = (typeof STATEMENT_DAYS)[number]

/** Months as `2027-03`, the last one included. */
export type StatementQuery = {
  readonly by: StatementDay
  readonly from: string
  readonly to: string
  readonly accountId?: string
}

const PAGE = 1_000

/** Real bookings of some months that were sent to a vendor and not refused, page by page so that others get their turn. */
export async function* statementBookings(database: Database, { by, from, to, accountId }: StatementQuery) {
  const [first, end] = [`${from}-01`, firstOfNext(to)]
  let after = ''
  for (;;) {
    let query = database.read
      .selectFrom('bookings')
      .select(['booking_id', 'vendor_id', 'state', 'created_at', 'check_out', 'details'])
      .select(['cancel_fee_minor', 'sold_fee_minor'])
      .where('simulated', '=', 0)
      .where('state', 'not in', ['pending', 'rejected'])
      .where('booking_id', '>', after)
      .orderBy('booking_id')
      .limit(PAGE)
    if (accountId !== undefined) query = query.where('account_id', '=', accountId)
    query =
      by === 'check_out'
        ? query.where('check_out', '>=', first).where('check_out', '<', end)
        : query.where('created_at', '>=', startOf(first)).where('created_at', '<', startOf(end))
    const rows = await query.execute()
    for (const row of rows) yield stated(row, by)
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = last.booking_id
    await new Promise((later) => setImmediate(later))
  }
}

const startOf = (day: string) => Date.parse(`${day}T00:00:00Z`)

function firstOfNext(month: string): string {
  const next = new Date(startOf(`${month}-01`))
  next.setUTCMonth(next.getUTCMonth() + 1)
  return next.toISOString().slice(0, 10)
}

type Row = {
  readonly vendor_id: string
  readonly state: BookingState
  readonly created_at: number
  readonly check_out: string
  readonly details: string
  readonly cancel_fee_minor: number | null
  readonly sold_fee_minor: number | null
}

function stated(row: Row, by: StatementDay) {
  const { price, sale, payable }: { price: Price; sale?: Sale; payable?: Money } = JSON.parse(row.details)
  const money = (minor: number | null, { total }: Price): Money | undefined =>
    minor === null ? undefined : { minor, currency: total.currency }
  const month = by === 'check_out' ? row.check_out : new Date(row.created_at).toISOString()
  return {
    month: month.slice(0, 7),
    vendorId: row.vendor_id,
    state: row.state,
    price,
    sale,
    ...(payable !== undefined && { payable }),
    cancelFee: money(row.cancel_fee_minor, price),
    soldFee: sale && money(row.sold_fee_minor, sale.price),
  }
}
