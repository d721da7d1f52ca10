import type { Money } from '../../src/domain/money/money.ts'
import { euro } from '../../test/support/booking/an-offer.ts'

/** What the vendor has booked, as it tells it. */
export type Told = {
  readonly property: { readonly vendorPropertyId: string }
  readonly dates: { readonly checkIn: string; readonly checkOut: string }
  readonly total: Money
  readonly rooms: number
}

/** What the vendor does to a booking of its own accord. */
export const CHANGES = ['cancels', 'swaps', 'moves', 'drops_room', 'reprices', 'vanishes', 'restores'] as const
export type Change = (typeof CHANGES)[number]

/** A booking at the vendor that may change after it was made. */
export type Changing = Told & {
  /** Every version that the vendor has ever told, the latest last. */
  readonly versions: readonly Told[]
  readonly isVanished: boolean
  readonly wasVanished: boolean
  readonly isCancelledByVendor: boolean
}

const NOW: Partial<Record<Change, Partial<Told>>> = {
  swaps: { property: { vendorPropertyId: '79' } },
  moves: { dates: { checkIn: '2027-03-05', checkOut: '2027-03-07' } },
  drops_room: { rooms: 0 },
  reprices: { total: euro(31_000) },
}

export function changed<T extends Changing>(one: T, change: Change): T {
  if (one.isCancelledByVendor) return one
  if (change === 'cancels') return { ...one, isCancelledByVendor: true }
  if (change === 'vanishes') return { ...one, isVanished: true, wasVanished: true }
  const told = change === 'restores' ? { ...one.versions[0], isVanished: false } : NOW[change]
  const next = { ...one, ...told }
  const { property, dates, total, rooms } = next
  return { ...next, versions: [...one.versions, { property, dates, total, rooms }] }
}
