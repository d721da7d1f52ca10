import type { By } from '../actor.ts'
import type { Money } from '../money/money.ts'
import type { Board, CancelTerms, EachRoom, Notice, OfferRef, Price } from '../offer.ts'
import type { PaymentCard, PaymentNews } from '../payment/payment.ts'
import type { Market, Stay } from '../stay.ts'
import type { Discrepancy } from './discrepancy.ts'
import type { Sale } from './sale.ts'

export const BOOKING_STATES = [
  'pending',
  'submitting',
  'confirmed',
  'rejected',
  'in_doubt',
  'needs_review',
  'cancelling',
  'cancelled',
] as const
export type BookingState = (typeof BOOKING_STATES)[number]

/** Allowed transitions. Any other transition is a bug, not a request error. */
export const TRANSITIONS = {
  /** Stored, but not sent to the vendor yet. */
  pending: ['submitting'],
  /** Being sent to the vendor, possibly by a process that has died. */
  submitting: ['confirmed', 'rejected', 'in_doubt', 'needs_review'],
  /** The response was lost. The settle job looks the booking up by our reference until the outcome is known. */
  in_doubt: ['confirmed', 'rejected', 'needs_review'],
  /** Resolved by an operator (`operator.bookings.resolve`) or by a later response of the vendor. */
  needs_review: ['confirmed', 'rejected', 'cancelled'],
  /** The last two follow from re-reading the booking at the vendor. */
  confirmed: ['cancelling', 'cancelled', 'needs_review'],
  cancelling: ['cancelled', 'confirmed', 'needs_review'],
  cancelled: [],
  rejected: [],
} as const satisfies Record<BookingState, readonly BookingState[]>

export const FIRST_STATE: BookingState = 'pending'

/** States in which nothing is left to settle. */
export const SETTLED_STATES: readonly BookingState[] = ['confirmed', 'rejected', 'cancelled', 'needs_review']

/** Re-read at the vendor until arrival. */
export const READ_STATES: readonly BookingState[] = ['confirmed', 'needs_review']

/** False once the persons are erased, because the vendor's response would name them again. */
export const isReadAgain = ({ state, personsErasedAt }: Pick<Booking, 'state' | 'personsErasedAt'>): boolean =>
  READ_STATES.includes(state) && personsErasedAt === undefined

export function canMove(from: BookingState, to: BookingState): boolean {
  const moves: readonly BookingState[] = TRANSITIONS[from]
  return moves.includes(to)
}

/** Personal data, encrypted wherever it is stored. */
export type BookingGuest = {
  readonly givenName: string
  readonly familyName: string
  readonly email: string
  readonly phone: string
}
export type BookingPersons = {
  readonly guests: readonly BookingGuest[]
  readonly contact: { readonly email: string; readonly phone: string }
  readonly specialRequests: string
  /** E-mail address sent to the vendor, if the contact has changed since. Some vendors find a booking only by it. */
  readonly bookedEmail?: string
  /** IP address of the customer, which some vendors require. */
  readonly customerIp?: string
  /** Card that pays the booking. */
  readonly card?: PaymentCard
  /** E-mail addresses of guests who were replaced, so that a request to erase them finds this booking. */
  readonly formerEmails?: readonly string[]
}

/** Snapshot of the property at the time of booking. */
export type BookedProperty = {
  readonly propertyId: string
  readonly vendorPropertyId: string
  readonly name: string
  readonly address: string
  readonly location: { readonly lat: number; readonly lon: number }
  readonly phone: string
  readonly image: string
  readonly timezone: string
  readonly checkInTime: string
  readonly checkOutTime: string
  /** Accommodation type such as "Hotel"; absent in bookings made by earlier versions. */
  readonly category?: string
  /** Replaces the same fields above once the booking is confirmed. */
  readonly afterBooking?: Pick<BookedProperty, 'address' | 'location' | 'phone'>
}

/** Property as shown to the guest. Some vendors allow the exact address to be shown only after booking. */
export function shownProperty(property: BookedProperty, isConfirmed: boolean): BookedProperty {
  const { afterBooking, ...before } = property
  return isConfirmed && afterBooking !== undefined ? { ...before, ...afterBooking } : property
}

export const ROOM_STATES = ['confirmed', 'cancelled'] as const
export type RoomState = (typeof ROOM_STATES)[number]

/** State of each room after a move to `to`; undefined if all are alike. Unchanged unless the vendor reported every room. */
export function roomStatesAfter(
  { rooms, stay }: Pick<Booking, 'rooms' | 'stay'>,
  to: BookingState,
  reported: readonly RoomState[] | undefined,
): readonly RoomState[] | undefined {
  if (to === 'cancelled' || to === 'rejected') return undefined
  if (reported?.includes('cancelled')) return reported
  return reported?.length === stay.occupancies.length ? undefined : rooms
}

/** Confirmation numbers at the vendor and at the property, if known. */
export type ConfirmationNumbers = { readonly vendor?: string; readonly property?: string }
export type Confirmation = ConfirmationNumbers & {
  readonly rooms: readonly ConfirmationNumbers[]
  /** Vendor's number of the cancellation. */
  readonly cancellation?: string
}

export type BookedPayment = { readonly paymentId: string; readonly amount: Money }

export type Booking = {
  readonly bookingId: string
  readonly accountId: string
  readonly state: BookingState
  readonly vendorId: string
  /** Our own unique reference, in a format that every vendor accepts. */
  readonly reference: string
  readonly vendorReference: string | undefined
  readonly clientReference: string | undefined
  readonly searchId: string
  readonly property: BookedProperty
  readonly room: {
    readonly roomId: string
    readonly name: string
    /** Our readable name of the room type; absent in bookings made by earlier versions. */
    readonly typeName?: string
    readonly beds: readonly string[]
    readonly board: Board
    /** Each room of the stay, if they are of different kinds. */
    readonly each?: readonly EachRoom[]
  }
  readonly stay: Stay
  readonly market: Market
  /** Net price. */
  readonly price: Price
  readonly cancel: CancelTerms | undefined
  /** Price and terms for the client, if they differ from the net ones. `soldBooking` applies them. */
  readonly sale?: Sale
  /** Amount that the vendor bills, if it prescribes the selling price. */
  readonly payable?: Money
  /** Notices the client agreed to, and those of the vendor's confirmation. */
  readonly notices?: readonly Notice[]
  readonly confirmation?: Confirmation
  readonly persons: BookingPersons
  /** Card payment that the booking has claimed; absent on account. */
  readonly payment?: BookedPayment
  /** Used by the adapter to send the booking. */
  readonly ref: OfferRef
  /** Vendor's cancellation fee. */
  readonly cancelFee: Money | undefined
  /** Client's cancellation fee, if it may differ from the vendor's. */
  readonly soldFee?: Money
  /** Current and past differences between the vendor's data and the booking. */
  readonly discrepancies?: readonly Discrepancy[]
  /** State of each room, if they differ. */
  readonly rooms?: readonly RoomState[]
  /** First total reported by a vendor that bills in another currency; later totals are compared with it. */
  readonly vendorTotal?: Money
  /** First confirmation; the reading schedule starts here. */
  readonly confirmedAt?: number
  /** Test clock of a simulated booking, set by its account. */
  readonly clockOffsetMs?: number
  readonly personsErasedAt?: number
  readonly createdAt: number
  readonly updatedAt: number
  /** First submission to the vendor; the time limit for `in_doubt` starts here. */
  readonly submittedAt: number | undefined
  /** The mark of sending is missing. Proves that nothing was sent, unless the database has lost commits since. */
  readonly isUnsent?: boolean
  readonly simulated: boolean
}

/** Events that do not change the state. */
export type BookingEventKind = 'discrepancy' | 'confirmation_number' | 'amended' | PaymentNews

/** Amounts of the payment when an event of it was recorded, in minor units. */
export type PaymentFigures = {
  readonly paymentId: string
  readonly captured: number
  readonly refunded: number
  readonly currency: string
}

export type BookingEvent = {
  readonly sequence: number
  /** Absent for a change of state. */
  readonly kind?: BookingEventKind
  readonly from: BookingState | undefined
  readonly to: BookingState
  readonly at: number
  readonly reason: string | undefined
  /** Absent in events recorded by earlier versions. */
  readonly by?: By
  /** Only while an event of the payment is being recorded. */
  readonly payment?: PaymentFigures
}

export const READING_OUTCOMES = ['same', 'differs', 'absent'] as const

/** Current time of a booking, which differs from ours if the account has moved its test clock. */
export const bookingTime = (now: number, { clockOffsetMs = 0 }: Pick<Booking, 'clockOffsetMs'>): number =>
  now + clockOffsetMs
