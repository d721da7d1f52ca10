import type { Booking, BookingPersons } from '../../domain/booking/booking.ts'
import type { Price } from '../../domain/offer.ts'
import type { Ids } from '../../lib/crypto/ids.ts'
import type { Point } from '../../lib/geo.ts'
import type { World } from '../../search/world.ts'
import type { ListedBooking, Receipt } from '../../vendors/contract.ts'

export type Surroundings = {
  readonly ids: Ids
  readonly properties: Pick<World['properties'], 'vendorProperty'>
  findPropertyId(ref: { readonly vendorId: string; readonly vendorPropertyId: string }): Promise<string | undefined>
  zoneAt(point: Point, countryCode?: string): string | undefined
}

type Found = {
  readonly accountId: string
  readonly vendorId: string
  readonly listed: ListedBooking
  readonly receipt: Receipt
  readonly now: number
}

/** A booking made from the vendor's record alone; undefined if the record lacks the stay or the total. */
export async function adoptBooking(
  { ids, properties, findPropertyId, zoneAt }: Surroundings,
  found: Found,
): Promise<Booking | undefined> {
  const { accountId, vendorId, listed, receipt, now } = found
  const { dates, property, parties, rooms = 1, guests = [], total = receipt.charged } = receipt
  if (dates === undefined || property === undefined || total === undefined) return undefined
  const { vendorPropertyId } = property
  const content = await properties.vendorProperty({ vendorId, vendorPropertyId })
  const location = content?.location ?? property.location
  const none = { minor: 0, currency: total.currency }
  const price: Price = { total, base: total, taxesFees: none, fees: [], dueAtProperty: none, publicTotal: total }
  const party = { adults: 1, childrenAges: [] }
  const persons: BookingPersons = {
    guests: guests.map(({ givenName, familyName }) => ({ givenName, familyName, email: '', phone: '' })),
    contact: { email: '', phone: '' },
    specialRequests: '',
  }
  return {
    ...{ accountId, vendorId, price, persons, reference: listed.reference, state: 'submitting' },
    bookingId: ids.prefixed('bkg'),
    vendorReference: receipt.vendorReference,
    clientReference: undefined,
    searchId: '',
    property: {
      propertyId: (await findPropertyId({ vendorId, vendorPropertyId })) ?? '',
      vendorPropertyId,
      name: content?.name ?? property.name ?? vendorPropertyId,
      address: content?.address.line1 ?? '',
      location: location ?? { lat: 0, lon: 0 },
      phone: content?.phone ?? '',
      image: content?.images[0]?.med ?? '',
      timezone: (location && zoneAt(location, content?.address.countryCode)) ?? 'UTC',
      checkInTime: content?.checkInTime ?? '',
      checkOutTime: content?.checkOutTime ?? '',
    },
    room: { roomId: '', name: '', beds: [], board: receipt.board ?? 'room_only' },
    stay: { ...dates, occupancies: parties ?? Array.from({ length: rooms }, () => party) },
    market: { currency: total.currency, language: 'en-US', countryCode: content?.address.countryCode ?? '' },
    cancel: receipt.cancel,
    ref: {},
    cancelFee: undefined,
    ...{ createdAt: now, updatedAt: now, submittedAt: now, simulated: false },
  }
}
