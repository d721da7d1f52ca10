import { addDays } from '../../../src/lib/time/plain-date.ts'
import { type BookingChange, NEVER_VISIBLE, OTHER_GUEST, REPRICE_FACTOR } from '../../server/booking-changes.ts'
import type { LedgerEntry } from '../../server/ledger.ts'
import type { VendorWorld } from '../../world/contract.ts'
import { type KeptBooking, readKept } from './kept-booking.ts'

/** Changes that Expedia or the hotel makes to a booking on its own. */
export function changeBooking(world: VendorWorld, entry: LedgerEntry, change: BookingChange): LedgerEntry {
  const kept = readKept(entry)
  const { offer, request, roomKeys } = kept
  const withKept = (more: Partial<KeptBooking>): LedgerEntry => ({ ...entry, raw: { ...kept, ...more } })
  const last = roomKeys.length - 1
  switch (change) {
    case 'cancel':
      return { ...withKept({ cancelled: roomKeys.map((_, room) => room) }), status: 'cancelled' }
    case 'cancel_room':
      return withKept({ cancelled: [last] })
    case 'drop_room':
      return withKept({ roomKeys: roomKeys.slice(0, last) })
    case 'other_dates':
      return withKept({
        offer: { ...offer, checkIn: addDays(offer.checkIn, 1), checkOut: addDays(offer.checkOut, 1) },
      })
    case 'reprice':
      return withKept({ offer: { ...offer, raise: offer.raise * REPRICE_FACTOR } })
    case 'other_guest': {
      const rooms = request.rooms.map((room) => ({
        ...room,
        given_name: OTHER_GUEST.given,
        family_name: OTHER_GUEST.family,
      }))
      return withKept({ request: { ...request, rooms } })
    }
    case 'other_hotel': {
      const other = world.walk(0, 2).properties.find(({ key }) => key !== entry.propertyKey)
      return other === undefined ? entry : { ...entry, propertyKey: other.key }
    }
    case 'vanish':
      return { ...entry, visibleFrom: NEVER_VISIBLE }
  }
}

/** The booking after its guests were changed on request. */
export function amendRoom(
  entry: LedgerEntry,
  room: number,
  change: KeptBooking['request']['rooms'][number],
): LedgerEntry {
  const kept = readKept(entry)
  const rooms = kept.request.rooms.map((each, index) => (index === room ? { ...each, ...change } : each))
  return { ...entry, raw: { ...kept, request: { ...kept.request, rooms } } satisfies KeptBooking }
}
