import { isOpen } from '../../src/domain/booking/discrepancy.ts'
import { DAY_MS } from '../../src/lib/time/durations.ts'
import { START } from '../../test/support/booking/an-offer.ts'
import type { History, Request } from './history.ts'
import { type SoldTerms, TERMS } from './scripted-terms.ts'
import type { Row, Violation } from './violation.ts'

const DAYS = 50
/** Rounding of a fee that grew with its price. */
const ROUNDING = 2

/** Nothing is booked under worse terms than shown, unless they were accepted; and what is recorded is what was sold. */
export function worseTermsSold({ vendor, requests }: History, rows: readonly Row[]): Violation[] {
  return vendor.ledger.flatMap((entry): Violation[] => {
    const row = rows.find(({ booking }) => booking.reference === entry.reference)
    const request = requests.find(({ fingerprint }) => fingerprint === row?.fingerprint)
    if (entry.kind !== 'booked' || row === undefined || request === undefined) return []
    const sold: SoldTerms = TERMS[entry.terms]
    const recorded = row.booking.price.total.minor === sold.price.total.minor && row.booking.room.board === sold.board
    const wrong = worseThan(request, sold) ?? (recorded ? undefined : 'other terms are recorded than were sold')
    return wrong === undefined ? [] : [{ name: 'worse_terms', message: `${row.booking.bookingId}: ${wrong}` }]
  })
}

function worseThan({ shown, acceptUpTo, hasWrongDigest }: Request, sold: SoldTerms): string | undefined {
  const [before, after] = [shown.price.total.minor, sold.price.total.minor]
  if (hasWrongDigest) return 'it was booked for a digest of other terms'
  if (after > before && after > acceptUpTo) return `it costs ${after}, shown ${before}`
  const growth = Math.max(1, after / before)
  if (sold.price.dueAtProperty.minor > shown.price.dueAtProperty.minor * growth + ROUNDING)
    return 'more is due at the property'
  // Of the two scripted boards this is the smaller one; the larger one for the same price is no loss.
  if (sold.board === 'room_only' && shown.board !== 'room_only')
    return `the board is ${sold.board}, shown ${shown.board}`
  if (shown.cancel.refundable && !sold.cancel.refundable) return 'it is not refundable any more'
  for (let day = 0; day <= DAYS; day += 0.25) {
    const at = START + day * DAY_MS
    const [was, is] = [feeAt(shown, at), feeAt(sold, at)]
    if (is > (was === 0 ? 0 : was * growth + ROUNDING)) return `cancelling costs ${is} after ${day} days, shown ${was}`
  }
  return undefined
}

/** The scripted steps only ever rise. */
const feeAt = ({ cancel }: SoldTerms, at: number) =>
  Math.max(0, ...cancel.penalties.filter(({ from }) => Date.parse(from) <= at).map(({ amount }) => amount.minor))

/** Another hotel or other dates is never confirmed, and every difference is on the booking. */
export function untoldDifferences({ vendor }: History, rows: readonly Row[]): Violation[] {
  return rows.flatMap(({ booking }): Violation[] => {
    const theirs = vendor.kept.find(({ reference }) => reference === booking.reference)
    if (theirs === undefined || booking.state !== 'confirmed') return []
    const isElsewhere =
      theirs.property.vendorPropertyId !== booking.property.vendorPropertyId ||
      theirs.dates.checkIn !== booking.stay.checkIn
    if (isElsewhere) return [{ name: 'untold', message: `${booking.bookingId} is confirmed for another stay` }]
    const isTold = booking.discrepancies?.some((one) => one.code === 'price_differs' && isOpen(one)) ?? false
    const isDearer = theirs.total.minor !== booking.price.total.minor
    if (isDearer === isTold) return []
    return [
      { name: 'untold', message: `${booking.bookingId}: the vendor bills ${theirs.total.minor}, told: ${isTold}` },
    ]
  })
}
