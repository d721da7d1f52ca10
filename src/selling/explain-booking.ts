import { isDeepStrictEqual } from 'node:util'
import type { Booking } from '../domain/booking/booking.ts'
import type { SaleTerms } from '../domain/booking/sale.ts'
import { AppError } from '../domain/errors.ts'
import { hasIdShape } from '../lib/crypto/ids.ts'
import { countRoomNights } from './make-sale.ts'
import type { ManageRules } from './manage-rules.ts'
import type { Rule } from './rules.ts'
import { convertMarkup, type SellingSum, sellingSum } from './selling-price.ts'
import type { Trial, TrialPrice } from './try-price.ts'

type Deps = {
  readonly bookings: { any(bookingId: string): Promise<Booking | undefined> }
  readonly rules: Pick<ManageRules, 'pricing' | 'version'>
  /** Property data that rules match; undefined if it has left the catalogue. */
  propertyFacts(booking: Booking): Promise<{ readonly stars: number; readonly countryCode: string } | undefined>
}

export type BookingSale = {
  readonly booking: Booking
  /** The booked offer, to be priced by other rules. */
  readonly trial: Trial
  /** The actual price. */
  readonly sold: TrialPrice
}

export type ExplainBooking = (bookingId: string) => Promise<BookingSale>

/** Finds the rule that priced a booking, and the breakdown of its price. */
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
    const roomNights = countRoomNights(stay)
    const markup =
      sale && convertMarkup(sale.terms, { currency, roomNights, isConverted: price.total.currency !== currency }, rates)
    const sum = sellingSum(sale?.net.minor ?? price.total.minor, markup, undefined)
    const sold = withSellingPrice(sum, sale?.price.total.minor ?? price.total.minor)
    const rule = sale && findSaleRule(sale.terms, (await rules.version(sale.terms.version))?.rules ?? [])
    return { booking, trial, sold: { version: sale?.terms.version ?? 0, rule, currency, sum: sold } }
  }
}

/** The effect of the vendor's limits is not stored with a booking, so it is the remainder. */
const withSellingPrice = (sum: SellingSum, selling: number): SellingSum => ({
  ...sum,
  bounds: sum.bounds + selling - sum.selling,
  selling,
})

/** The whole rule: a sale stores what it adds, not what it matches. */
function findSaleRule(terms: SaleTerms, rules: readonly Rule[]): Rule | undefined {
  const { version: _version, exchangePercent: _exchange, priority, ...markup } = terms
  if (priority === undefined) return undefined
  const isSaleRule = ({ priority: own, match: _match, ...rest }: Rule) =>
    own === priority && isDeepStrictEqual({ ...rest }, { ...markup })
  return rules.find(isSaleRule) ?? { priority, match: {}, ...markup }
}
