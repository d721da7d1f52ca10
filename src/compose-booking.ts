import type { Logger } from 'pino'
import { type BookDeps, createBookStay } from './booking/book-stay.ts'
import type { BookingDesk } from './booking/booking-desk.ts'
import { createCancelBooking } from './booking/cancel-booking.ts'
import { inventOffer } from './booking/invent-offer.ts'
import { createReadBookings } from './booking/list-bookings.ts'
import type { BookRequest } from './booking/read-book-request.ts'
import { createSettleBookings, settleOne } from './booking/settle-bookings.ts'
import { simulateCancel, simulateShow } from './booking/simulate-bookings.ts'
import type { ComposedSearch } from './compose-search.ts'
import { assertTransitionsSound, type BookedProperty, type Booking } from './domain/booking.ts'
import type { ExchangeRates } from './domain/exchange.ts'
import type { SealedOffer } from './domain/sealed-offer.ts'
import { bookingAnswer } from './http/present-booking.ts'
import { presentRoom } from './http/present-detail.ts'
import { SIMULATIONS } from './http/request-context.ts'
import type { Clock } from './lib/clock.ts'
import type { Ids } from './lib/ids.ts'
import type { Keyring } from './lib/keyring.ts'
import { remember } from './lib/remember.ts'
import { savedProperties } from './search/list-availability.ts'
import { chooseRoom } from './search/room-choice.ts'
import type { Realm } from './search/search-desk.ts'
import { summaryJson } from './search/summary-json.ts'
import type { BookingStore } from './store/bookings.ts'
import type { SearchStore } from './store/searches.ts'

type Parts = {
  readonly search: ComposedSearch
  readonly searches: SearchStore
  readonly bookings: BookingStore
  readonly offerKeys: Keyring
  readonly rates: () => ExchangeRates
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Logger
  readonly patienceMs: number
}

const ALTERNATIVES_MAX = 3
/** Scripts under which the vendor's word does not come back. */
const LEAVE_DOUBT = new Set(['vendor_error', 'vendor_timeout'])

/** Booking, settling and cancelling, in the realm an offer or a booking belongs to. */
export function composeBooking(parts: Parts) {
  assertTransitionsSound()
  const { search, bookings, clock, log } = parts
  const underway = new Set<Promise<unknown>>()
  const realmOf = (simulated: boolean, simulation = 'success'): Realm =>
    simulated ? search.simulated(simulation) : search.real
  const onBug = (error: unknown, booking: Booking) =>
    log.error({ err: error, booking: booking.bookingId }, 'unexpected error while booking')

  const deps = (simulation: string | undefined): BookDeps => {
    const realm = (offer: SealedOffer) => realmOf(offer.simulated, simulation)
    return {
      ...parts,
      keyring: parts.offerKeys,
      underway,
      onBug,
      present: bookingAnswer,
      vendorOf: (offer) => realm(offer).vendors.find(({ id }) => id === offer.vendorId),
      describeProperty: (offer) => describeProperty(realm(offer), offer),
      describeRoom: (offer) => describeRoom(parts, realm(offer), offer),
      alternatives: (offer) => alternatives(parts, offer),
    }
  }
  const vendorOf = (simulation?: string) => (booking: Booking) =>
    realmOf(booking.simulated, simulation).vendors.find(({ id }) => id === booking.vendorId)
  const settling = { bookings, clock, present: bookingAnswer, onBug, vendorOf: vendorOf() }
  const readBookings = createReadBookings(bookings)
  const cancelOf = (simulation?: string) =>
    createCancelBooking({ bookings, clock, onBug, vendorOf: vendorOf(simulation) })
  const [inventor] = search.simulated('success').vendors
  if (inventor === undefined) throw new Error('the simulator has no vendor')
  const simulatedDesk = remember(SIMULATIONS.length, (simulation: string): BookingDesk => {
    const script = {
      ...deps(simulation),
      inventOffer: (accountId: string, request: BookRequest) =>
        inventOffer({ keyring: parts.offerKeys, clock, vendor: inventor }, accountId, request),
      leavesDoubt: LEAVE_DOUBT.has(simulation),
    }
    return {
      book: createBookStay(script),
      cancel: simulateCancel(script, cancelOf(simulation)),
      show: simulateShow(script, readBookings.show),
    }
  })
  const realDesk = { book: createBookStay(deps(undefined)), cancel: cancelOf(), show: readBookings.show }

  return {
    /** With the simulation header nothing leaves the process, whatever offer or booking is named. */
    bookingsFor(simulation: string | undefined): BookingDesk {
      return simulation === undefined ? realDesk : simulatedDesk(simulation)
    },
    listBookings: readBookings.list,
    settleBookings: createSettleBookings(settling),
    settleOne: (one: Booking) => settleOne(settling, one),
    /** Resolves when no submission is under way any more. */
    quiet: () => Promise.allSettled(underway),
  }
}

async function describeProperty({ source }: Realm, offer: SealedOffer): Promise<BookedProperty> {
  const found = await source.content(offer.propertyId)
  const content = found?.merged
  const { line1 = '', postalCode = '', city = '', countryCode = '' } = content?.address ?? {}
  return {
    propertyId: offer.propertyId,
    vendorPropertyId: offer.vendorPropertyId,
    name: content?.name ?? offer.propertyId,
    address: [line1, `${postalCode} ${city}`.trim(), countryCode].filter((part) => part !== '').join(', '),
    location: content?.location ?? { lat: 0, lon: 0 },
    phone: content?.phone ?? '',
    image: content?.images[0]?.med ?? '',
    timezone: offer.timezone,
    checkInTime: content?.checkInTime ?? '',
    checkOutTime: content?.checkOutTime ?? '',
  }
}

async function describeRoom(
  { offerKeys, rates, clock }: Parts,
  { source }: Realm,
  offer: SealedOffer,
): Promise<unknown> {
  const content = await source.content(offer.propertyId)
  const { roomName: name, offerId, ...frame } = offer
  const room = { ...offer, name, extras: [] }
  const now = clock.now()
  const parts = { keyring: offerKeys, rates: rates(), offerId, offerTtlMs: offer.expiresAt - now, now }
  const choice = chooseRoom(parts, frame, room, (roomId) => content?.roomOf(offer.vendorId, roomId))
  if (choice === undefined) return null
  return presentRoom(choice, {
    searchId: offer.searchId,
    stay: offer.stay,
    timezone: offer.timezone,
    checkInTime: content?.merged.checkInTime ?? '',
    now,
  })
}

/** The next best of the same search, in its order. */
async function alternatives({ searches, clock, search }: Parts, offer: SealedOffer): Promise<unknown[]> {
  const sourceOf = (saved: { simulated: boolean }) =>
    (saved.simulated ? search.simulated('success') : search.real).source
  const found = await savedProperties({ searches, clock, sourceOf }, offer.accountId, offer.searchId).catch(
    () => undefined,
  )
  return (found?.ranked ?? [])
    .filter((property) => property.propertyId !== offer.propertyId)
    .slice(0, ALTERNATIVES_MAX)
    .map((property) => JSON.parse(summaryJson(property, offer.simulated)) as unknown)
}
