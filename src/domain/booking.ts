import type { Money } from './money.ts'
import type { Board, CancelTerms, OfferRef, Price } from './offer.ts'
import type { Market, Stay } from './stay.ts'

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
  submitting: ['confirmed', 'rejected', 'in_doubt'],
  /** The answer was lost. The vendor is asked by our reference until it is known. */
  in_doubt: ['confirmed', 'rejected', 'needs_review'],
  /** Only a person can tell; `serai bookings resolve` records what they found out. */
  needs_review: ['confirmed', 'rejected', 'cancelled'],
  confirmed: ['cancelling'],
  cancelling: ['cancelled', 'confirmed', 'needs_review'],
  cancelled: [],
  rejected: [],
} as const satisfies Record<BookingState, readonly BookingState[]>

export const FIRST_STATE: BookingState = 'pending'

/** Nothing is due for these any more. */
export const SETTLED_STATES: readonly BookingState[] = ['confirmed', 'rejected', 'cancelled', 'needs_review']

export function canMove(from: BookingState, to: BookingState): boolean {
  return (TRANSITIONS[from] as readonly BookingState[]).includes(to)
}

/** Throws when a state cannot be reached from the first, or cannot be left towards a settled one. Called at start. */
export function assertTransitionsSound(transitions: Record<BookingState, readonly BookingState[]> = TRANSITIONS): void {
  const reached = new Set<BookingState>([FIRST_STATE])
  for (const state of reached) for (const next of transitions[state]) reached.add(next)
  const unreachable = BOOKING_STATES.filter((state) => !reached.has(state))
  if (unreachable.length > 0) throw new Error(`unreachable booking states: ${unreachable.join(', ')}`)
  const stuck = BOOKING_STATES.filter((state) => !SETTLED_STATES.includes(state) && transitions[state].length === 0)
  if (stuck.length > 0) throw new Error(`booking states without a way out: ${stuck.join(', ')}`)
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
}

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
    readonly beds: readonly string[]
    readonly board: Board
  }
  readonly stay: Stay
  readonly market: Market
  readonly price: Price
  readonly cancel: CancelTerms | undefined
  readonly persons: BookingPersons
  /** For the adapter, should the booking have to be sent. */
  readonly ref: OfferRef
  readonly cancelFee: Money | undefined
  readonly createdAt: number
  readonly updatedAt: number
  /** When the vendor was first asked; the horizon of doubt counts from here. */
  readonly submittedAt: number | undefined
  readonly attempts: number
  readonly simulated: boolean
}

export type BookingEvent = {
  readonly sequence: number
  readonly from: BookingState | undefined
  readonly to: BookingState
  readonly at: number
  readonly reason: string | undefined
}

/** Ids of another shape were never given out, by the simulator neither; and a NUL in one would make PostgreSQL stumble. */
export const isBookingId = (text: string): boolean => /^[\w-]{1,64}$/.test(text)
