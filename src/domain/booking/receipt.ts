import type { Point } from '../../lib/geo.ts'
import type { PlainDate } from '../../lib/time/plain-date.ts'
import type { Money } from '../money/money.ts'
import type { Board, CancelTerms, Notice } from '../offer.ts'
import type { Occupancy } from '../stay.ts'
import type { Confirmation, RoomState } from './booking.ts'

export type Guest = { readonly givenName: string; readonly familyName: string }

/** How a booking stands with the vendor, now. */
export type Receipt = {
  /** `partly_cancelled`: some rooms stand and some do not, which only a person can settle. */
  readonly state: 'confirmed' | 'pending' | 'rejected' | 'cancelled' | 'partly_cancelled'
  readonly vendorReference: string
  /** Which property the vendor says is booked, where it says so. */
  readonly property?: { readonly vendorPropertyId: string; readonly name?: string; readonly location?: Point }
  /** The dates the vendor says are booked, where it says so. */
  readonly dates?: { readonly checkIn: PlainDate; readonly checkOut: PlainDate }
  /** How many rooms the vendor has for this booking, cancelled ones included, where it says so. */
  readonly rooms?: number
  /** How each of them stands, in the vendor's order, where it says so. */
  readonly roomStates?: readonly RoomState[]
  /** The party of each room, in the same order; only where the vendor tells it for all rooms. */
  readonly parties?: readonly Occupancy[]
  /** The lead guest of each room, in any order, and the party of that room, where the vendor says so. */
  readonly guests?: readonly (Guest & { readonly party?: Occupancy })[]
  /** What cancelling costs and which board it is, of a booking that stands, where the vendor says so. */
  readonly cancel?: CancelTerms
  readonly board?: Board
  /** What the vendor says the booking costs, where it says so. */
  readonly total?: Money
  /** The same without what the property collects, where the vendor tells only that. */
  readonly charged?: Money
  /** What a cancelled booking cost, where the vendor says so. */
  readonly cancelFee?: Money
  /** The numbers under which vendor and property know it, those that are known by now. */
  readonly confirmation?: Confirmation
  /** What the seller must show of it, on the voucher above all. */
  readonly notices?: readonly Notice[]
}
