import { soldBooking } from '../domain/booking/apply-sale.ts'
import type { Booking } from '../domain/booking/booking.ts'
import { type PricedParts, repriceBooking } from '../domain/booking/reprice-booking.ts'
import { AppError } from '../domain/errors.ts'
import { sameMoney, toMajor } from '../domain/money/money.ts'
import type { Amendment, Receipt } from '../vendors/contract.ts'
import { agreedTotal, reportedTotal } from './compare-receipt.ts'
import { AmendedPriceChanged } from './refusals.ts'

export type PriceConsent = Pick<Amendment, 'acceptsPrice'> & {
  /** Error for the client, with the total that was not accepted. */
  refused(): AppError | undefined
  /** Prices after the change, if they differ. */
  accepted(): PricedParts | undefined
}

/** A payment has one amount, which the card holder authorized. */
const PAID_BY_CARD =
  'The vendor would charge another price, and this booking is paid by card. The booking is unchanged. Cancel it and book again, or ask the property.'

type Limit = { readonly acceptPriceUpTo?: number | undefined }

/** Lets a vendor change a booking only if its total stays the same, or if the client accepted the new one. */
export function createPriceConsent(booking: Booking, { acceptPriceUpTo: limit }: Limit): PriceConsent {
  let refused: AppError | undefined
  let accepted: PricedParts | undefined
  return {
    acceptsPrice(before, after) {
      const change = readPriceChange(booking, before, after)
      if (change === 'none' || change === 'unknown') return change === 'none'
      if (booking.payment !== undefined) {
        refused = new AppError('not_amendable', PAID_BY_CARD)
        return false
      }
      const [shown, now] = [booking, { ...booking, ...change }].map((priced) => soldBooking(priced).price.total)
      if (shown === undefined || now === undefined) return false
      if (limit === undefined || toMajor(now) > limit) {
        refused = new AmendedPriceChanged(shown, now)
        return false
      }
      accepted = change
      return true
    },
    refused: () => refused,
    accepted: () => accepted,
  }
}

/** Compares with the agreed total, because an earlier response with another one may have been lost. */
function readPriceChange(booking: Booking, before: Receipt, after: Receipt): PricedParts | 'none' | 'unknown' {
  const { dueAtProperty } = booking.price
  const [current, simulated] = [before, after].map((receipt) => reportedTotal(receipt, dueAtProperty))
  if (simulated === undefined) return current === undefined ? 'none' : 'unknown'
  const agreed = agreedTotal(booking, simulated.currency) ?? current
  if (agreed === undefined) return 'unknown'
  const isKnown = booking.discrepancies?.some(
    (found) => found.code === 'price_differs' && sameMoney(found.vendorSays, simulated),
  )
  if (sameMoney(simulated, agreed) || (isKnown && current && sameMoney(current, simulated))) return 'none'
  return repriceBooking(booking, agreed, simulated) ?? 'unknown'
}
