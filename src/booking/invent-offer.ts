import { openOffer, type SealedOffer } from '../domain/sealed-offer.ts'
import type { Clock } from '../lib/clock.ts'
import type { Keyring } from '../lib/keyring.ts'
import { addDays } from '../lib/plain-date.ts'
import type { Vendor } from '../vendors/contract.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { BookRequest } from './read-book-request.ts'

type Deps = { readonly keyring: Keyring; readonly clock: Clock; readonly vendor: Vendor }

/** The simulator has its rooms at hand; there is nothing to wait for. */
const AT_ONCE = new AbortController().signal

/**
 * Booking can be tried alone: a simulated offer is booked as it is, and for any other body the simulator makes one up. The
 * same body gives the same offer, so that repeating a request means the same as in the real world.
 */
export async function inventOffer(
  { keyring, clock, vendor }: Deps,
  accountId: string,
  request: BookRequest,
): Promise<SealedOffer> {
  const sent = openOffer(keyring, request.bookingInfo)
  if (sent?.simulated === true && sent.accountId === accountId) return sent

  const seed = fingerprintOf([accountId, request.bookingInfo])
  const today = new Date(clock.now()).toISOString().slice(0, 10)
  const propertyId = `sim_${seed.slice(0, 8)}`
  const stay = {
    checkIn: addDays(today, 30),
    checkOut: addDays(today, 32),
    occupancies: Array.from({ length: Math.max(1, request.guests.length) }, () => ({ adults: 2, childrenAges: [] })),
  }
  const market = { currency: 'EUR', language: 'en-US', countryCode: 'US' }
  const timezone = 'Europe/Paris'
  const context = { signal: AT_ONCE, requestId: `simulated-${seed.slice(0, 8)}` }
  const [room] = await vendor.rooms({ vendorPropertyId: propertyId, stay, market, timezone }, context)
  if (room === undefined) throw new Error('the simulator always has a room')
  return {
    offerId: `off_${seed.slice(0, 24)}`,
    accountId,
    searchId: '00000000-0000-4000-8000-000000000000',
    propertyId,
    vendorId: vendor.id,
    vendorPropertyId: propertyId,
    roomId: room.roomId,
    roomName: room.name,
    beds: room.beds,
    board: room.board,
    stay,
    market,
    timezone,
    price: room.price,
    cancel: room.cancel,
    ref: room.ref,
    visible: room.visible,
    expiresAt: clock.now() + 30 * 60_000,
    simulated: true,
  }
}
