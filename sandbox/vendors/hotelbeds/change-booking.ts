import { addDays } from '../../../src/lib/time/plain-date.ts'
import { type BookingChange, NEVER_VISIBLE, OTHER_GUEST, REPRICE_FACTOR } from '../../server/booking-changes.ts'
import type { LedgerEntry } from '../../server/ledger.ts'
import { listIn, objectIn, textIn } from '../../server/read-json.ts'
import type { VendorWorld } from '../../world/contract.ts'
import { hotelHead } from './answer-availability.ts'
import type { Kept } from './kept-booking.ts'

/**
 * Changes that Hotelbeds or the hotel makes to a booking on its own. Every line of a booking stores the whole booking.
 */
export function changeBooking(
  world: VendorWorld,
  lines: readonly LedgerEntry[],
  change: BookingChange,
): readonly LedgerEntry[] {
  const [first] = lines
  if (first === undefined) return []
  const kept = changeKept(world, first, change)
  const status = change === 'cancel' ? ('cancelled' as const) : undefined
  return lines.map((line) => ({
    ...line,
    raw: kept,
    ...(status && { status }),
    ...(change === 'vanish' && { visibleFrom: NEVER_VISIBLE }),
  }))
}

function changeKept(world: VendorWorld, { raw, propertyKey }: LedgerEntry, change: BookingChange): Kept {
  const kept = raw as Kept
  const { rooms } = kept
  const last = rooms.length - 1
  switch (change) {
    case 'cancel':
      return { ...kept, cancelledFor: 0 }
    case 'cancel_room':
      return { ...kept, rooms: rooms.map((room, index) => (index === last ? { ...room, status: 'CANCELLED' } : room)) }
    case 'drop_room':
      return { ...kept, rooms: rooms.slice(0, last) }
    case 'other_dates':
      return { ...kept, checkIn: addDays(kept.checkIn, 1), checkOut: addDays(kept.checkOut, 1) }
    case 'reprice': {
      const raise = (minor: number) => Math.round(minor * REPRICE_FACTOR)
      return { ...kept, netMinor: raise(kept.netMinor), chargeMinor: raise(kept.chargeMinor) }
    }
    case 'other_guest':
      return { ...kept, rooms: rooms.map((room) => ({ ...room, paxes: listIn(room, 'paxes').map(renameGuest) })) }
    case 'other_hotel': {
      const other = world.walk(0, 2).properties.find(({ key }) => key !== propertyKey)
      const view = other && world.view(other)
      return other && view ? { ...kept, head: hotelHead(other, view) } : kept
    }
    case 'vanish':
      return kept
  }
}

function renameGuest(value: unknown): object {
  const pax = objectIn(value)
  return textIn(pax, 'name') === '' ? pax : { ...pax, name: OTHER_GUEST.given, surname: OTHER_GUEST.family }
}

/** Applies the guests and the remark of an amendment, which costs `extraMinor`; everything else stays unchanged. */
export function amendKept(kept: Kept, sent: unknown, extraMinor: number): Kept {
  const holder = objectIn(sent, 'holder')
  const sentRooms = listIn(objectIn(sent, 'hotel'), 'rooms')
  return {
    ...kept,
    holder: { name: textIn(holder, 'name'), surname: textIn(holder, 'surname') },
    remark: textIn(sent, 'remark'),
    netMinor: kept.netMinor + extraMinor,
    chargeMinor: kept.chargeMinor + extraMinor,
    rooms: kept.rooms.map((room, index) => ({ ...room, paxes: listIn(sentRooms[index], 'paxes') })),
  }
}
