import type { Booking } from '../domain/booking/booking.ts'
import type { TermChange } from '../domain/booking/compare-terms.ts'
import { AppError } from '../domain/errors.ts'
import type { Money } from '../domain/money/money.ts'
import type { Stay } from '../domain/stay.ts'
import type { RankedProperty } from '../search/rank.ts'
import type { RoomChoice } from '../search/room-choice.ts'
import type { VendorError, VendorFault } from '../vendors/vendor-error.ts'

/** A room that can be booked, with what its cancellation policy depends on. */
export type OfferedRoom = {
  readonly choice: RoomChoice
  readonly searchId: string
  readonly stay: Stay
  readonly timezone: string
  readonly checkInTime: string
  readonly now: number
}

/** How an offer differs from what was shown. */
export type OfferChange = {
  /** The same room under its present terms; undefined where its price cannot be shown in the currency. */
  readonly room: OfferedRoom | undefined
  /** In which all amounts are, where they can be converted. */
  readonly currency: string
  readonly oldTotal: Money | undefined
  readonly newTotal: Money | undefined
  readonly changes: readonly TermChange[]
}

const CHANGE_WORDS = {
  price_changed: 'The vendor now asks more than was shown. Nothing was booked.',
  terms_changed:
    'The terms are not those that were agreed to: see changes. Nothing was booked; booking the room in this answer accepts its terms.',
} as const

export class OfferChanged extends AppError {
  readonly change: OfferChange
  constructor(code: keyof typeof CHANGE_WORDS, change: OfferChange) {
    super(code, CHANGE_WORDS[code])
    this.change = change
  }
}

/** Cancelling costs more than the fee that was agreed to. */
export class PenaltyRisen extends AppError {
  readonly change: TermChange
  readonly timezone: string
  constructor(change: TermChange, timezone: string) {
    super('terms_changed', 'Cancelling costs more than was agreed to: see changes. Nothing was cancelled.')
    this.change = change
    this.timezone = timezone
  }
}

/** What a client who was refused at the vendor's booking step could book instead. */
export type Instead = { readonly alternatives?: readonly RankedProperty[]; readonly change?: OfferChange }

export class SoldOut extends AppError {
  readonly alternatives: readonly RankedProperty[]
  readonly simulated: boolean
  constructor(alternatives: readonly RankedProperty[], simulated: boolean) {
    super('sold_out', 'The vendor has no such room left. Nothing was booked.')
    this.alternatives = alternatives
    this.simulated = simulated
  }
}

/** An offer that was sent to its vendor, under another key, whatever became of it. */
export class OfferUsed extends AppError {
  readonly booking: Pick<Booking, 'bookingId' | 'state'>
  constructor(booking: Pick<Booking, 'bookingId' | 'state'>) {
    super(
      'offer_used',
      `This offer was sent to the vendor before, under another idempotency key; that booking is ${booking.state}. Fetch the property again for a fresh offer.`,
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

/** Whether the vendor has refused what was asked; otherwise it has failed, or it is not known what it did. */
export const isRefusal = ({ effect, fault }: VendorError): boolean => effect === 'none' && REFUSALS.includes(fault)

/** The vendor did not act, and can be asked again. `undone` says what has not happened. */
export function vendorFailed(cause: VendorError, undone: string): AppError {
  if (cause.fault === 'throttled')
    return new AppError('overloaded', `${undone}: the vendor takes no more requests right now. Try again.`, {
      retryAfterMs: cause.retryAfterMs ?? 2_000,
      cause,
    })
  if (cause.fault === 'timeout')
    return new AppError('vendor_timeout', `${undone}: the vendor did not answer in time. Try again.`, { cause })
  return new AppError('vendors_failed', `${undone}: the vendor could not answer. Try again.`, { cause })
}
