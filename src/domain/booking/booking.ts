import type { By } from '../actor.ts'
import type { Money } from '../money/money.ts'
import type { Board, CancelTerms, Notice, OfferRef, Price } from '../offer.ts'
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

/** Every move a booking may make. A move that is not here is a bug, not a request error. */
export const TRANSITIONS = {
  /** The intent is on disk; no vendor has heard of it. */
  pending: ['submitting'],
  /** The vendor is being asked, by us or by a process that died doing so. */
  submitting: ['confirmed', 'rejected', 'in_doubt', 'needs_review'],
  /** The answer was lost. The vendor is asked by our reference until it is known. */
  in_doubt: ['confirmed', 'rejected', 'needs_review'],
  /** Only a person can tell (`operator.bookings.resolve`), or the vendor's later word. */
  needs_review: ['confirmed', 'rejected', 'cancelled'],
  /** The last two: what reading it again at the vendor has found. */
  confirmed: ['cancelling', 'cancelled', 'needs_review'],
  cancelling: ['cancelled', 'confirmed', 'needs_review'],
  cancelled: [],
  rejected: [],
} as const satisfies Record<BookingState, readonly BookingState[]>

export const FIRST_STATE: BookingState = 'pending'

/** Nothing has to be settled for these any more. */
export const SETTLED_STATES: readonly BookingState[] = ['confirmed', 'rejected', 'cancelled', 'needs_review']

/** Read again at the vendor until arrival. */
export const READ_STATES: readonly BookingState[] = ['confirmed', 'needs_review']

/** Whether it is still read at its vendor. After its persons were erased it is not, because the answer would name them again. */
export const isReadAgain = ({ state, personsErasedAt }: Pick<Booking, 'state' | 'personsErasedAt'>): boolean =>
  READ_STATES.includes(state) && personsErasedAt === undefined

export function canMove(from: BookingState, to: BookingState): boolean {
  const moves: readonly BookingState[] = TRANSITIONS[from]
  return moves.includes(to)
}

/** Who sleeps there and whom to call: personal, so encrypted wherever it is kept. */
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
  /** The e-mail address that was sent to the vendor, if the contact has changed since. Some vendors find a booking only by it. */
  readonly bookedEmail?: string
  /** The address that the customer came from, for calls that vendors want it with. */
  readonly customerIp?: string
  /** E-mail addresses of guests who were replaced, so that a request to erase them finds this booking. */
  readonly formerEmails?: readonly string[]
}

/** What was booked, as it was on the day; later changes of the catalogue do not rewrite a booking. */
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
  /** Replaces the same fields above once the booking is confirmed. */
  readonly afterBooking?: Pick<BookedProperty, 'address' | 'location' | 'phone'>
}

/** The property of a booking as its guest may see it. Some vendors allow the address to be shown only after booking. */
export function shownProperty(property: BookedProperty, isConfirmed: boolean): BookedProperty {
  const { afterBooking, ...before } = property
  return isConfirmed && afterBooking !== undefined ? { ...before, ...afterBooking } : property
}

/** How one room of a booking stands at the vendor. */
export const ROOM_STATES = ['confirmed', 'cancelled'] as const
export type RoomState = (typeof ROOM_STATES)[number]

/**
 * How each room of a booking stands once it is `to` and `told` has been said of its rooms; undefined where they all stand
 * alike. Where nothing was said, or not of every room, it is as before.
 */
export function roomsAfter(
  { rooms, stay }: Pick<Booking, 'rooms' | 'stay'>,
  to: BookingState,
  told: readonly RoomState[] | undefined,
): readonly RoomState[] | undefined {
  if (to === 'cancelled' || to === 'rejected') return undefined
  if (told?.includes('cancelled')) return told
  return told?.length === stay.occupancies.length ? undefined : rooms
}

/** Under which numbers a booking is known; absent where nobody has told one yet. */
export type ConfirmationNumbers = { readonly vendor?: string; readonly property?: string }
export type Confirmation = ConfirmationNumbers & { readonly rooms: readonly ConfirmationNumbers[] }

export type Booking = {
  readonly bookingId: string
  readonly accountId: string
  readonly state: BookingState
  readonly vendorId: string
  /** Ours, unique, in a format every vendor takes. */
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
  }
  readonly stay: Stay
  readonly market: Market
  /** Net: what the vendor charges, and its terms. */
  readonly price: Price
  readonly cancel: CancelTerms | undefined
  /** What the client pays and has agreed to, where that is not the net price. `soldBooking` shows a booking so. */
  readonly sale?: Sale
  /** What the vendor bills, where the price is one that it prescribes. */
  readonly payable?: Money
  /** What was agreed to, and what the vendor's confirmation told beside it. */
  readonly notices?: readonly Notice[]
  readonly confirmation?: Confirmation
  readonly persons: BookingPersons
  /** For the adapter, should the booking have to be sent. */
  readonly ref: OfferRef
  /** What the vendor charges for the cancellation. */
  readonly cancelFee: Money | undefined
  /** What the client pays for it, where there is a sale. */
  readonly soldFee?: Money
  /** Where the vendor's word differs from what was booked, or did so for a time. */
  readonly discrepancies?: readonly Discrepancy[]
  /** How each room stands, where they do not all stand alike. */
  readonly rooms?: readonly RoomState[]
  /** What the vendor first said it costs, where it bills in another currency; later words are compared with that. */
  readonly vendorTotal?: Money
  /** When it was first confirmed; readings are planned from there. */
  readonly confirmedAt?: number
  /** By how much the account has moved the time of this booking; only simulated ones can be moved. */
  readonly clockOffsetMs?: number
  /** Since when `persons` is empty for good. */
  readonly personsErasedAt?: number
  readonly createdAt: number
  readonly updatedAt: number
  /** When the vendor was first asked; the horizon of doubt counts from here. */
  readonly submittedAt: number | undefined
  readonly simulated: boolean
}

/** Events that change no state. */
export type BookingEventKind = 'discrepancy' | 'confirmation_number' | 'amended'

export type BookingEvent = {
  readonly sequence: number
  /** Absent for a change of state. */
  readonly kind?: BookingEventKind
  readonly from: BookingState | undefined
  readonly to: BookingState
  readonly at: number
  readonly reason: string | undefined
  /** Absent for events that earlier versions have recorded. */
  readonly by?: By
}

/** What reading a booking again at its vendor can find. */
export const READING_OUTCOMES = ['same', 'differs', 'absent'] as const

/** The time that a booking lives in: ours, unless it is simulated and its account has moved it. */
export const timeOf = (now: number, { clockOffsetMs = 0 }: Pick<Booking, 'clockOffsetMs'>): number =>
  now + clockOffsetMs
