import type { Point } from '../../lib/geo.ts'
import type { PlainDate } from '../../lib/time/plain-date.ts'
import type { Money } from '../money/money.ts'
import type { Board, CancelTerms, Notice } from '../offer.ts'
import type { Occupancy } from '../stay.ts'
import type { Confirmation, RoomState } from './booking.ts'

export type Guest = { readonly givenName: string; readonly familyName: string }

/** Current state of a booking at the vendor. Optional fields are absent if the vendor does not report them. */
export type Receipt = {
  /** `partly_cancelled`: some rooms are confirmed and some cancelled. Only an operator can settle that. */
  readonly state: 'confirmed' | 'pending' | 'rejected' | 'cancelled' | 'partly_cancelled'
  readonly vendorReference: string
  readonly property?: { readonly vendorPropertyId: string; readonly name?: string; readonly location?: Point }
  readonly dates?: { readonly checkIn: PlainDate; readonly checkOut: PlainDate }
  /** Number of rooms, including cancelled ones. */
  readonly rooms?: number
  /** In the vendor's order. */
  readonly roomStates?: readonly RoomState[]
  /** Party of each room, in the same order; absent unless the vendor reports all of them. */
  readonly parties?: readonly Occupancy[]
  /** Lead guest of each room, in any order. */
  readonly guests?: readonly (Guest & { readonly party?: Occupancy })[]
  /** Like `board`, absent for a cancelled booking. */
  readonly cancel?: CancelTerms
  readonly board?: Board
  readonly total?: Money
  /** Total without the amount due at the property, if the vendor reports only that. */
  readonly charged?: Money
  readonly cancelFee?: Money
  readonly confirmation?: Confirmation
  /** Must be shown on the voucher. */
  readonly notices?: readonly Notice[]
}
