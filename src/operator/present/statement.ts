import type { Static } from 'typebox'
import { toDecimal, toMajor } from '../../domain/money/money.ts'
import { StatementLineSchema } from '../schemas/statements.ts'
import type { StatementLine } from '../statements/statement.ts'

type Line = Static<typeof StatementLineSchema>

export function presentStatementLine(line: StatementLine): Line {
  const amount = (minor: number) => toMajor({ minor, currency: line.currency })
  const vendorAmount = (minor: number) => toMajor({ minor, currency: line.netCurrency })
  return {
    month: line.period,
    vendor_id: line.vendorId,
    currency: line.currency,
    bookings: line.bookings,
    cancelled: line.cancelled,
    open: line.open,
    partly_cancelled: line.partlyCancelled,
    sold: amount(line.sold),
    due_at_property: amount(line.dueAtProperty),
    net: amount(line.net),
    penalties: amount(line.penalties),
    margin: amount(line.margin),
    net_currency: line.netCurrency,
    vendor_penalties: vendorAmount(line.vendorPenalties),
    payable: vendorAmount(line.payable),
    collected: amount(line.collected),
    refunded: amount(line.refunded),
    uncollected: amount(line.uncollected),
    disputed: amount(line.disputed),
    provider_fees: amount(line.providerFees),
    on_account: amount(line.onAccount),
  }
}

const COLUMNS = Object.keys(StatementLineSchema.properties) as (keyof Line)[]
const VENDOR_AMOUNTS = ['vendor_penalties', 'payable']
const COUNTS = ['bookings', 'cancelled', 'open', 'partly_cancelled']

/** RFC 4180, with all decimals of each currency. */
export function statementCsv(lines: readonly StatementLine[]): string {
  const rows = lines.map((line) => {
    const presented = presentStatementLine(line)
    return COLUMNS.map((column) => {
      const value = presented[column]
      if (typeof value === 'string') return csvText(value)
      if (COUNTS.includes(column)) return String(value)
      return formatDecimal(value, VENDOR_AMOUNTS.includes(column) ? line.netCurrency : line.currency)
    })
  })
  return [COLUMNS, ...rows].map((cells) => `${cells.join(',')}\r\n`).join('')
}

function formatDecimal(major: number, currency: string): string {
  const minorUnit = toMajor({ minor: 1, currency })
  return toDecimal({ minor: Math.round(major / minorUnit), currency })
}

/** Spreadsheets run text with one of these prefixes as a formula. */
const FORMULA = /^[=+\-@\t\r]/

export function csvText(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
