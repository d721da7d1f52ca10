import { isDeepStrictEqual } from 'node:util'
import type { Booking } from '../domain/booking/booking.ts'
import type { SaleTerms } from '../domain/booking/sale.ts'
import { AppError } from '../domain/errors.ts'
import { hasIdShape } from '../lib/crypto/ids.ts'
import { roomNightsOf } from './make-sale.ts'
import type { ManageRules } from './manage-rules.ts'
import type { Rule } from './rules.ts'
import { markupIn, type SellingSum, sellingSum } from './selling-price.ts'
import type { Trial, TrialPrice } from './try-price.ts'

type Deps = {
  readonly bookings: { any(bookingId: string): Promise<Booking | undefined> }
  readonly rules: Pick<ManageRules, 'pricing' | 'version'>
  /** What rules may look at and a booking does not hold; undefined where the catalogue has it no longer. */
  propertyFacts(booking: Booking): Promise<{ readonly stars: number; readonly countryCode: string } | undefined>
}

export type BookingSale = {
  readonly booking: Booking
  /** The offer that was booked, to be tried by other rules. */
  readonly trial: Trial
  /** How it was sold. */
  readonly sold: TrialPrice
}

export type ExplainBooking = (bookingId: string) => Promise<BookingSale>

/** By which rule a booking was sold, and the sum. */
export function createExplainBooking({ bookings, rules, propertyFacts }: Deps): ExplainBooking {
  return async (bookingId) => {
    const booking = hasIdShape(bookingId) ? await bookings.any(bookingId) : undefined
    if (booking === undefined) throw new AppError('booking_not_found', 'There is no booking with this id.')
    const facts = await propertyFacts(booking)
    const { rates } = await rules.pricing()
    const { sale, price, stay } = booking
    const currency = sale?.price.total.currency ?? price.total.currency
    const trial: Trial = {
      accountId: booking.accountId,
      vendorId: booking.vendorId,
      propertyId: booking.property.propertyId,
      stars: facts?.stars ?? 0,
      countryCode: facts?.countryCode ?? '',
      locationId: '',
      stay,
      net: price.total,
      currency,
      at: booking.createdAt,
    }
    const roomNights = roomNightsOf(stay)
    const markup =
      sale && markupIn(sale.terms, { currency, roomNights, isConverted: price.total.currency !== currency }, rates)
    const sum = sellingSum(sale?.net.minor ?? price.total.minor, markup, undefined)
    const sold = asSold(sum, sale?.price.total.minor ?? price.total.minor)
    const rule = sale && ruleOf(sale.terms, (await rules.version(sale.terms.version))?.rules ?? [])
    return { booking, trial, sold: { version: sale?.terms.version ?? 0, rule, currency, sum: sold } }
  }
}

/** What the vendor's limits added is not kept with a booking: it is what the other parts leave over. */
const asSold = (sum: SellingSum, selling: number): SellingSum => ({
  ...sum,
  bounds: sum.bounds + selling - sum.selling,
  selling,
})

/** The whole rule; a sale holds what it adds, and not what it matches. */
function ruleOf(terms: SaleTerms, rules: readonly Rule[]): Rule | undefined {
  const { version: _version, exchangePercent: _exchange, priority, ...markup } = terms
  if (priority === undefined) return undefined
  const isIt = ({ priority: own, match: _match, ...rest }: Rule) =>
    own === priority && isDeepStrictEqual({ ...rest }, { ...markup })
  return rules.find(isIt) ?? { priority, match: {}, ...markup }
}
