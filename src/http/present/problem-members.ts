import { presentExceeded } from '../../accounts/present/api-key.ts'
import { presentChange, presentOfferChange } from '../../booking/present/offer-change.ts'
import { IdempotencyMismatch, OfferChanged, OfferUsed, PenaltyRisen, SoldOut } from '../../booking/refusals.ts'
import type { AppError } from '../../domain/errors.ts'
import { BudgetExceeded } from '../../domain/money/budget.ts'
import { presentVendor } from '../../search/present/search.ts'
import { presentSummary } from '../../search/present/summary.ts'
import { NoVendorAnswered } from '../../search/search-stays.ts'
import { LocationTooLarge } from '../../search/search-terms.ts'

/** What a problem tells beside its code and detail: what to choose instead, the room at its new price. */
export function problemMembers(error: AppError): Readonly<Record<string, unknown>> {
  if (error instanceof NoVendorAnswered) return { vendors: error.vendors.map(presentVendor) }
  if (error instanceof LocationTooLarge)
    return { choose_instead: error.chooseInstead.map(({ id, name, type }) => ({ id, name, type })) }
  if (error instanceof SoldOut)
    return { alternatives: error.alternatives.map((one) => presentSummary(one, error.simulated)) }
  if (error instanceof OfferUsed) return { booking_id: error.booking.bookingId, booking_status: error.booking.state }
  if (error instanceof BudgetExceeded) return presentExceeded(error)
  if (error instanceof IdempotencyMismatch) return { booking_id: error.bookingId }
  if (error instanceof PenaltyRisen) return { changes: [presentChange(error.change, error.timezone)] }
  if (error instanceof OfferChanged) return presentOfferChange(error.change)
  return {}
}
