import type { By } from '../../../src/domain/actor.ts'
import type { BookedProperty, Booking } from '../../../src/domain/booking/booking.ts'
import type { Money } from '../../../src/domain/money/money.ts'
import type { Price } from '../../../src/domain/offer.ts'
import { type SealedOffer, sealOffer } from '../../../src/domain/sealed-offer.ts'
import { deriveKeyring, type Keyring } from '../../../src/lib/crypto/keyring.ts'

export const START = Date.parse('2027-01-15T12:00:00Z')

export const offerKeys: Keyring = deriveKeyring([{ id: 'k1', key: Buffer.alloc(32, 7) }], 'offers')
export const storeKeys: Keyring = deriveKeyring([{ id: 'k1', key: Buffer.alloc(32, 7) }], 'bookings')

export const referenceKeys: Keyring = deriveKeyring([{ id: 'k1', key: Buffer.alloc(32, 7) }], 'references')

export const BY_ACCOUNT: By = { actor: { kind: 'account', id: 'acc_1' }, requestId: 'req' }

export const euro = (minor: number): Money => ({ minor, currency: 'EUR' })

export const aPrice = (totalMinor = 24_990): Price => ({
  total: euro(totalMinor),
  base: euro(totalMinor - 2_000),
  taxesFees: euro(2_000),
  fees: [],
  dueAtProperty: euro(0),
  publicTotal: euro(totalMinor),
})

export const aProperty: BookedProperty = {
  propertyId: 'prop_1',
  vendorPropertyId: '77',
  name: 'Hotel Testa',
  address: '1 Via Prova, Roma, IT',
  location: { lat: 41.9, lon: 12.5 },
  phone: '+39 06 1234',
  image: '',
  timezone: 'Europe/Rome',
  checkInTime: '15:00',
  checkOutTime: '11:00',
  category: 'Apart-hotel',
}

export const anOffer = (more: Partial<SealedOffer> = {}): SealedOffer => ({
  offerId: 'off_1',
  accountId: 'acc_1',
  searchId: 'srch_1',
  propertyId: 'prop_1',
  vendorId: 'scripted',
  vendorPropertyId: '77',
  roomId: 'room_1',
  roomName: 'Double',
  beds: ['1 double'],
  board: 'breakfast',
  stay: { checkIn: '2027-03-01', checkOut: '2027-03-03', occupancies: [{ adults: 2, childrenAges: [] }] },
  market: { currency: 'EUR', language: 'en-US', countryCode: 'IT' },
  timezone: 'Europe/Rome',
  price: aPrice(),
  cancel: {
    refundable: true,
    penalties: [{ from: '2027-02-26T23:59:00+01:00', amount: euro(12_495) }],
  },
  ref: { room: 'double' },
  visible: { bed_id: '37321' },
  expiresAt: START + 60 * 60_000,
  simulated: false,
  ...more,
})

export const sealBookingInfo = (offer: SealedOffer, keyring: Keyring = offerKeys) => sealOffer(keyring, offer)

export const aBooking = (more: Partial<Booking> = {}): Booking => ({
  bookingId: 'bkg_1',
  accountId: 'acc_1',
  state: 'pending',
  vendorId: 'scripted',
  reference: 'REF00000000000000001',
  vendorReference: undefined,
  clientReference: undefined,
  searchId: 'srch_1',
  property: aProperty,
  room: { roomId: 'room_1', name: 'Double', beds: ['1 double'], board: 'breakfast' },
  stay: anOffer().stay,
  market: anOffer().market,
  price: aPrice(),
  cancel: anOffer().cancel,
  persons: {
    guests: [{ givenName: 'Ada', familyName: 'Lovelace', email: 'ada@example.com', phone: '+39 06 1234567' }],
    contact: { email: 'ada@example.com', phone: '+39 06 1234567' },
    specialRequests: '',
  },
  ref: { room: 'double' },
  cancelFee: undefined,
  createdAt: START,
  updatedAt: START,
  submittedAt: undefined,
  simulated: false,
  ...more,
})
