import { isOpenDiscrepancy } from '../../src/domain/booking/discrepancy.ts'
import { DAY_MS } from '../../src/lib/time/durations.ts'
import { START } from '../../test/support/booking/an-offer.ts'
import type { History, Request } from './history.ts'
import { type SoldTerms, TERMS } from './scripted-terms.ts'
import type { Row, Violation } from './violation.ts'

const DAYS = 50
/** Tolerance for the rounding of a fee that grew with its price. */
const ROUNDING = 2

/** Nothing is booked under worse terms than shown unless they were accepted, and the sold terms are recorded. */
export function findWorseTermsSold({ vendor, requests }: History, rows: readonly Row[]): Violation[] {
  return vendor.ledger.flatMap((entry): Violation[] => {
    const row = rows.find(({ booking }) => booking.reference === entry.reference)
    const request = requests.find(({ fingerprint }) => fingerprint === row?.fingerprint)
    if (entry.kind !== 'booked' || row === undefined || request === undefined) return []
    const sold: SoldTerms = TERMS[entry.terms]
    const recorded = row.booking.price.total.minor === sold.price.total.minor && row.booking.room.board === sold.board
    const wrong =
      findWorseTerm(request, sold, row.booking.createdAt) ??
      (recorded ? undefined : 'the recorded terms differ from those that were sold')
    return wrong === undefined ? [] : [{ name: 'worse_terms', message: `${row.booking.bookingId}: ${wrong}` }]
  })
}

function findWorseTerm({ shown, acceptUpTo, hasWrongDigest }: Request, sold: SoldTerms, bookedAt: number) {
  const [before, after] = [shown.price.total.minor, sold.price.total.minor]
  if (hasWrongDigest) return 'it was booked with a digest of other terms'
  if (after > before && after > acceptUpTo) return `it costs ${after}, shown ${before}`
  const growth = Math.max(1, after / before)
  if (sold.price.dueAtProperty.minor > shown.price.dueAtProperty.minor * growth + ROUNDING)
    return 'more is due at the property'
  // The other scripted board includes more, so getting it for the same price is not worse.
  if (sold.board === 'room_only' && shown.board !== 'room_only')
    return `the board is ${sold.board}, shown ${shown.board}`
  if (shown.cancel.refundable && !sold.cancel.refundable) return 'it is no longer refundable'
  for (let day = 0; day <= DAYS; day += 0.25) {
    // A client may repeat an offer days later: only terms that are still ahead matter.
    const instant = Math.max(bookedAt, START + day * DAY_MS)
    const [shownFee, soldFee] = [feeAt(shown, instant), feeAt(sold, instant)]
    if (soldFee > (shownFee === 0 ? 0 : shownFee * growth + ROUNDING))
      return `cancelling costs ${soldFee} after ${day} days, shown ${shownFee}`
  }
  return undefined
}

/** The scripted penalties only increase. */
const feeAt = ({ cancel }: SoldTerms, instant: number) =>
  Math.max(0, ...cancel.penalties.filter(({ from }) => Date.parse(from) <= instant).map(({ amount }) => amount.minor))

/** Another hotel or other dates are never confirmed, and every difference is recorded on the booking. */
export function findUnreportedDifferences({ vendor }: History, rows: readonly Row[]): Violation[] {
  return rows.flatMap(({ booking }): Violation[] => {
    const theirs = vendor.kept.find(({ reference }) => reference === booking.reference)
    if (theirs === undefined || booking.state !== 'confirmed') return []
    const hasOtherStay =
      theirs.property.vendorPropertyId !== booking.property.vendorPropertyId ||
      theirs.dates.checkIn !== booking.stay.checkIn
    if (hasOtherStay) return [{ name: 'untold', message: `${booking.bookingId} is confirmed for another stay` }]
    const isReported =
      booking.discrepancies?.some(
        (discrepancy) => discrepancy.code === 'price_differs' && isOpenDiscrepancy(discrepancy),
      ) ?? false
    const hasPriceDifference = theirs.total.minor !== booking.price.total.minor
    if (hasPriceDifference === isReported) return []
    return [
      {
        name: 'untold',
        message: `${booking.bookingId}: the vendor bills ${theirs.total.minor}, reported: ${isReported}`,
      },
    ]
  })
}
