import type { Booking, BookingState } from '../domain/booking/booking.ts'
import type { TermChange } from '../domain/booking/compare-terms.ts'
import { AppError } from '../domain/errors.ts'
import { type Money, toDecimal } from '../domain/money/money.ts'
import type { Payment } from '../domain/payment/payment.ts'
import type { SearchResult } from '../domain/saved-search.ts'
import type { Stay } from '../domain/stay.ts'
import type { RoomChoice } from '../search/room-choice.ts'
import { causedBy, type VendorError, type VendorFault } from '../vendors/vendor-error.ts'

/** A bookable room with the data that its cancellation policy depends on. */
export type OfferedRoom = {
  readonly choice: RoomChoice
  readonly searchId: string
  readonly stay: Stay
  readonly timezone: string
  readonly checkInTime: string
  readonly now: number
}

/** Differences between an offer and what was shown. */
export type OfferChange = {
  /** Undefined if its price cannot be shown in the currency. */
  readonly room: OfferedRoom | undefined
  /** Currency of all amounts that can be converted. */
  readonly currency: string
  readonly oldTotal: Money | undefined
  readonly newTotal: Money | undefined
  readonly changes: readonly TermChange[]
}

const CHANGE_MESSAGES = {
  price_changed:
    'The vendor now charges more than the price shown. Nothing was booked. To accept the new price, book the room in this response.',
  terms_changed:
    'The terms differ from those you accepted: see changes. Nothing was booked. To accept the new terms, book the room in this response.',
} as const
/** Neither what was shown nor the current terms have the digest. */
const OTHER_DIGEST =
  'terms_digest does not belong to this room. Nothing was booked. To accept the current terms, book the room in this response with its own digest.'

/** The order is refused while an authorisation is held for it. */
export class HoldsPayment extends AppError {
  held: Payment | undefined
}

export class OfferChanged extends HoldsPayment {
  readonly change: OfferChange
  constructor(code: keyof typeof CHANGE_MESSAGES, change: OfferChange) {
    const isUnchanged = code === 'terms_changed' && change.changes.length === 0
    super(code, isUnchanged ? OTHER_DIGEST : CHANGE_MESSAGES[code])
    this.change = change
  }
}

/** The cancellation fee exceeds the accepted one. */
export class PenaltyIncreased extends AppError {
  readonly change: TermChange
  readonly timezone: string
  constructor(change: TermChange, timezone: string) {
    super('terms_changed', 'Cancelling now costs more than you accepted: see changes. Nothing was cancelled.')
    this.change = change
    this.timezone = timezone
  }
}

/** The change of a booking alters its total, which the client has not accepted. */
export class AmendedPriceChanged extends AppError {
  readonly shown: Money
  readonly now: Money
  constructor(shown: Money, now: Money) {
    super(
      'price_changed',
      'With this change the booking has another total: see changes. Nothing was changed. To accept it, send the same change with the new total as accept_price_up_to.',
    )
    this.shown = shown
    this.now = now
  }
}

/** Adds the payment, and the sentence about it, to a refusal after which nothing is booked. */
export function withHeldPayment(error: unknown, held: Payment): unknown {
  if (!(error instanceof HoldsPayment)) return error
  error.held = held
  const amount = `${toDecimal({ minor: held.authorised, currency: held.currency })} ${held.currency}`
  const until = new Date(held.expiresAt).toISOString()
  error.message += ` Nothing was charged; the authorisation of ${amount} is kept until ${until} and released then.`
  return error
}

/** Advice beside the state of a booking that does not allow a request. */
export const adviseByState = (state: BookingState): string =>
  state === 'confirmed' || state === 'cancelled' || state === 'rejected'
    ? ''
    : ' Read the booking until its outcome is known, then try again.'

/** Offers for a client whose booking the vendor rejected. */
export type Fallback = { readonly alternatives?: readonly SearchResult[]; readonly change?: OfferChange }

export class SoldOut extends HoldsPayment {
  readonly alternatives: readonly SearchResult[]
  readonly simulated: boolean
  constructor(alternatives: readonly SearchResult[], simulated: boolean) {
    super('sold_out', 'The vendor has no such room left. Nothing was booked.')
    this.alternatives = alternatives
    this.simulated = simulated
  }
}

/** The offer was already sent to its vendor under another idempotency key, or its room is booked by another offer. */
export class OfferUsed extends AppError {
  readonly booking: Pick<Booking, 'bookingId' | 'state'>
  constructor(booking: Pick<Booking, 'bookingId' | 'state'>) {
    super(
      'offer_used',
      `This room of this search was already booked with another request; that booking is ${booking.state}. To book it once more, search again.`,
    )
    this.booking = booking
  }
}

export class IdempotencyMismatch extends AppError {
  readonly bookingId: string
  constructor(message: string, bookingId: string) {
    super('idempotency_mismatch', message)
    this.bookingId = bookingId
  }
}

const REFUSALS: readonly VendorFault[] = ['refused', 'not_found', 'expired']

/** True if the vendor declined the request. Any other error is a failure or leaves the outcome unknown. */
export const isRefusal = ({ effect, fault }: VendorError): boolean => effect === 'none' && REFUSALS.includes(fault)

/** Error for a vendor that did not act, so the request may be repeated. `undone` names what did not happen. */
export function vendorFailure(cause: VendorError, undone: string): AppError {
  if (cause.fault === 'throttled')
    return new AppError('overloaded', `${undone}: the vendor is rate limiting requests. Try again.`, {
      retryAfterMs: cause.retryAfterMs ?? 2_000,
      ...causedBy(cause),
    })
  if (cause.fault === 'timeout')
    return new AppError('vendor_timeout', `${undone}: the vendor did not answer in time. Try again.`, causedBy(cause))
  return new AppError('vendors_failed', `${undone}: the vendor is unavailable. Try again.`, causedBy(cause))
}
