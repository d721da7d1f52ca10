import type { AppError } from '../../domain/errors.ts'
import { toMajor } from '../../domain/money/money.ts'
import type { ProblemMembers } from '../../http/problem.ts'
import { presentSummary } from '../../search/present/summary.ts'
import {
  AmendedPriceChanged,
  HoldsPayment,
  IdempotencyMismatch,
  OfferChanged,
  OfferUsed,
  PenaltyIncreased,
  SoldOut,
} from '../refusals.ts'
import { presentChange, presentOfferChange } from './offer-change.ts'
import { presentHeld } from './payment.ts'

export function bookingProblemMembers(error: AppError): ProblemMembers {
  return { ...offerMembers(error), ...(error instanceof HoldsPayment && heldMembers(error)) }
}

function offerMembers(error: AppError): ProblemMembers {
  if (error instanceof SoldOut)
    return { alternatives: error.alternatives.map((property) => presentSummary(property, error.simulated)) }
  if (error instanceof OfferUsed) return { booking_id: error.booking.bookingId, booking_status: error.booking.state }
  if (error instanceof IdempotencyMismatch) return { booking_id: error.bookingId }
  if (error instanceof PenaltyIncreased) return { changes: [presentChange(error.change, error.timezone)] }
  if (error instanceof AmendedPriceChanged) return presentAmendedPrice(error)
  if (error instanceof OfferChanged) return presentOfferChange(error.change)
  return {}
}

const presentAmendedPrice = ({ shown, now }: AmendedPriceChanged): ProblemMembers => ({
  old_total: toMajor(shown),
  new_total: toMajor(now),
  currency: now.currency,
  changes: [presentChange({ what: 'total_price', shown, now }, 'UTC')],
})

const heldMembers = (error: HoldsPayment) =>
  error.held === undefined
    ? {}
    : { payment: presentHeld(error.held, error instanceof OfferChanged ? error.change : undefined) }
