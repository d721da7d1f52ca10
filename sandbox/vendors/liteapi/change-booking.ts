import { addDays } from '../../../src/lib/time/plain-date.ts'
import { type BookingChange, NEVER_VISIBLE, OTHER_GUEST, REPRICE_FACTOR } from '../../server/booking-changes.ts'
import type { LedgerEntry } from '../../server/ledger.ts'
import type { VendorWorld } from '../../world/contract.ts'
import { formatHotelId } from './codes.ts'
import { type Kept, readKept } from './kept-booking.ts'

/** Changes that the vendor or the hotel makes to a booking on its own. Rooms have no status of their own here. */
export function changeBooking(
  world: VendorWorld,
  lines: readonly LedgerEntry[],
  change: BookingChange,
): readonly LedgerEntry[] {
  const [first] = lines
  const kept = first && changeKept(world, first, change)
  if (kept === undefined) return []
  return lines.map((line) => ({
    ...line,
    raw: kept,
    ...(change === 'cancel' && { status: 'cancelled' as const }),
    ...(change === 'vanish' && { visibleFrom: NEVER_VISIBLE }),
  }))
}

const OTHER_NAME = { firstName: OTHER_GUEST.given, lastName: OTHER_GUEST.family }

/** Undefined for changes that this vendor's responses cannot show. */
function changeKept(world: VendorWorld, line: LedgerEntry, change: BookingChange): Kept | undefined {
  const kept = readKept(line)
  const { rooms } = kept
  switch (change) {
    case 'cancel':
      return { ...kept, cancelledFor: 0 }
    case 'drop_room':
      return { ...kept, rooms: rooms.slice(0, -1) }
    case 'other_dates':
      return { ...kept, checkIn: addDays(kept.checkIn, 1), checkOut: addDays(kept.checkOut, 1) }
    case 'reprice': {
      const raise = (minor: number) => Math.round(minor * REPRICE_FACTOR)
      return { ...kept, rooms: rooms.map((room) => ({ ...room, retail: raise(room.retail), net: raise(room.net) })) }
    }
    case 'other_hotel': {
      const other = world.walk(0, 2).properties.find(({ key }) => key !== line.propertyKey)
      const view = other && world.view(other)
      return view && { ...kept, hotelId: formatHotelId(view.vendorPropertyId), hotelName: view.name }
    }
    case 'other_guest':
      return { ...kept, rooms: rooms.map((room) => ({ ...room, guest: { ...room.guest, ...OTHER_NAME } })) }
    case 'vanish':
      return kept
    case 'cancel_room':
      return undefined
  }
}
