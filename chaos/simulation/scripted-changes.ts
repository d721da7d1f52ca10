import type { Money } from '../../src/domain/money/money.ts'
import { euro } from '../../test/support/booking/an-offer.ts'

/** A stay as reported by the vendor. */
export type ReportedStay = {
  readonly property: { readonly vendorPropertyId: string }
  readonly dates: { readonly checkIn: string; readonly checkOut: string }
  readonly total: Money
  readonly rooms: number
}

/** Changes that the vendor makes to a booking on its own. */
export const CHANGES = ['cancels', 'swaps', 'moves', 'drops_room', 'reprices', 'vanishes', 'restores'] as const
export type Change = (typeof CHANGES)[number]

/** A booking at the vendor that may change after it was made. */
export type ChangingBooking = ReportedStay & {
  /** Every version that the vendor has ever reported, the latest last. */
  readonly versions: readonly ReportedStay[]
  readonly isVanished: boolean
  readonly wasVanished: boolean
  readonly isCancelledByVendor: boolean
}

const CHANGED_FIELDS: Partial<Record<Change, Partial<ReportedStay>>> = {
  swaps: { property: { vendorPropertyId: '79' } },
  moves: { dates: { checkIn: '2027-03-05', checkOut: '2027-03-07' } },
  drops_room: { rooms: 0 },
  reprices: { total: euro(31_000) },
}

export function applyChange<T extends ChangingBooking>(booking: T, change: Change): T {
  if (booking.isCancelledByVendor) return booking
  if (change === 'cancels') return { ...booking, isCancelledByVendor: true }
  if (change === 'vanishes') return { ...booking, isVanished: true, wasVanished: true }
  const fields = change === 'restores' ? { ...booking.versions[0], isVanished: false } : CHANGED_FIELDS[change]
  const next = { ...booking, ...fields }
  const { property, dates, total, rooms } = next
  return { ...next, versions: [...booking.versions, { property, dates, total, rooms }] }
}
