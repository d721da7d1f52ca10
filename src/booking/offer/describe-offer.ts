import type { BookedProperty, Booking, BookingPersons } from '../../domain/booking/booking.ts'
import type { ExchangeRates } from '../../domain/money/exchange.ts'
import type { Address } from '../../domain/property/property.ts'
import type { SearchResult } from '../../domain/saved-search.ts'
import type { SealedOffer } from '../../domain/sealed-offer.ts'
import type { Ids } from '../../lib/crypto/ids.ts'
import type { Keyring } from '../../lib/crypto/keyring.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { savedResults } from '../../search/list-availability.ts'
import { createRoomChoice, describeEachRoom } from '../../search/room-choice.ts'
import type { NoticeTexts } from '../../search/store/notice-texts.ts'
import type { SearchStore } from '../../search/store/searches.ts'
import type { World, Worlds } from '../../search/world.ts'
import { rateLanguage } from '../../vendors/capabilities.ts'
import type { OfferedRoom } from '../refusals.ts'

const ALTERNATIVES_MAX = 3

/** The booking as stored before the vendor is asked. */
export async function createIntent(
  { clock, ids }: { readonly clock: Clock; readonly ids: Ids },
  world: World,
  offer: SealedOffer,
  persons: BookingPersons,
  { reference, clientReference }: Pick<Booking, 'reference' | 'clientReference'>,
): Promise<Booking> {
  const property = await bookedProperty(world, offer)
  const now = clock.now()
  return {
    bookingId: ids.prefixed('bkg'),
    accountId: offer.accountId,
    state: 'submitting',
    vendorId: offer.vendorId,
    reference,
    vendorReference: undefined,
    clientReference,
    searchId: offer.searchId,
    property,
    room: {
      roomId: offer.roomId,
      name: offer.roomName,
      ...(offer.roomTypeName === undefined ? {} : { typeName: offer.roomTypeName }),
      beds: offer.beds,
      board: offer.board,
      ...(offer.roomIds && { each: await bookedRooms(world, offer, offer.roomIds) }),
    },
    stay: offer.stay,
    market: offer.market,
    price: offer.price,
    cancel: offer.cancel,
    ...(offer.sale === undefined ? {} : { sale: offer.sale }),
    ...(offer.payable === undefined ? {} : { payable: offer.payable }),
    ...(offer.billable === undefined ? {} : { vendorTotal: offer.billable }),
    ...(offer.notices === undefined ? {} : { notices: offer.notices }),
    persons,
    ref: offer.ref,
    cancelFee: undefined,
    createdAt: now,
    updatedAt: now,
    submittedAt: now,
    simulated: offer.simulated,
  }
}

async function bookedRooms({ properties }: World, { propertyId, vendorId }: SealedOffer, roomIds: readonly string[]) {
  const content = await properties.content(propertyId)
  return describeEachRoom(roomIds, (roomId) => content?.findRoom(vendorId, roomId))
}

async function bookedProperty({ properties }: World, offer: SealedOffer): Promise<BookedProperty> {
  const content = (await properties.content(offer.propertyId))?.merged
  const hasStreet = content !== undefined && content.address.line1 !== ''
  const { afterBooking } = (hasStreet ? undefined : await properties.vendorProperty(offer)) ?? {}
  return {
    propertyId: offer.propertyId,
    vendorPropertyId: offer.vendorPropertyId,
    name: content?.name ?? offer.propertyId,
    address: content === undefined ? '' : addressLine(content.address),
    location: content?.location ?? { lat: 0, lon: 0 },
    phone: content?.phone ?? '',
    image: content?.images[0]?.med ?? '',
    timezone: offer.timezone,
    checkInTime: content?.checkInTime ?? '',
    checkOutTime: content?.checkOutTime ?? '',
    category: content?.category ?? '',
    ...(afterBooking && { afterBooking: { ...afterBooking, address: addressLine(afterBooking.address) } }),
  }
}

const addressLine = ({ line1, postalCode, city, countryCode }: Address): string =>
  [line1, `${postalCode} ${city}`.trim(), countryCode].filter((part) => part !== '').join(', ')

/** Seals the offer again. Undefined if its price cannot be shown. */
export async function offeredRoom(
  deps: {
    readonly keyring: Keyring
    readonly rates: () => ExchangeRates
    readonly clock: Clock
    readonly notices: NoticeTexts
  },
  { properties, vendors }: World,
  offer: SealedOffer,
): Promise<OfferedRoom | undefined> {
  const english = await properties.content(offer.propertyId)
  const content = await english?.inLanguage(offer.market.language)
  const { roomName: name, offerId, ...offerContext } = offer
  const { searchId, stay, timezone } = offer
  const now = deps.clock.now()
  const parts = {
    keyring: deps.keyring,
    rates: deps.rates(),
    offerId,
    offerTtlMs: offer.expiresAt - now,
    now,
    language: rateLanguage(
      vendors.find(({ id }) => id === offer.vendorId),
      offer.market,
    ),
    roomTypeName: offer.roomTypeName ?? offer.roomName,
  }
  await deps.notices.keep(offer.notices ?? [])
  const choice = createRoomChoice(
    parts,
    offerContext,
    { ...offer, name, extras: offer.extras ?? [] },
    offer.sale,
    (roomId) => content?.findRoom(offer.vendorId, roomId),
  )
  return choice && { choice, searchId, stay, timezone, checkInTime: content?.merged.checkInTime ?? '', now }
}

/** The next best properties of the same search; none if it has expired. */
export async function findAlternatives(
  deps: { readonly searches: SearchStore; readonly clock: Clock; readonly worlds: Worlds },
  offer: SealedOffer,
): Promise<SearchResult[]> {
  const found = await savedResults(deps, offer).catch(() => undefined)
  const others = found?.results.filter(({ propertyId }) => propertyId !== offer.propertyId) ?? []
  return others.slice(0, ALTERNATIVES_MAX)
}
