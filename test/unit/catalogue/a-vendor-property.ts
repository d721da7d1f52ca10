import { NO_RATINGS, type VendorProperty } from '../../../src/domain/property/property.ts'

export const PARIS_CENTRE = { lat: 48.8566, lon: 2.3522 }

/** A plain property in Paris; tests override what matters to them. */
export function aVendorProperty(some: Partial<VendorProperty> = {}): VendorProperty {
  return {
    vendorId: 'expedia_rapid',
    vendorPropertyId: '1',
    name: 'Hôtel Bellevue',
    byeLine: 'Near the river',
    category: 'Hotel',
    chain: '',
    description: '<p>A quiet house.</p>',
    starRating: 3,
    guestRatings: NO_RATINGS,
    reviewCount: 0,
    images: [],
    location: PARIS_CENTRE,
    address: {
      line1: '12 Rue de Rivoli',
      line2: '',
      city: 'Paris',
      region: 'Île-de-France',
      postalCode: '75004',
      countryCode: 'FR',
    },
    phone: '+33142720000',
    popularAmenities: ['Wi-Fi'],
    amenitiesByCategory: { Other: ['Wi-Fi'] },
    amenitySlugs: ['wifi'],
    checkInTime: '15:00',
    checkOutTime: '11:00',
    rooms: [],
    ...some,
  }
}

export const anImage = (name: string, hero = false) => ({
  caption: name,
  hero,
  hi: `https://img.example/${name}-hi.jpg`,
  med: `https://img.example/${name}-med.jpg`,
  lo: `https://img.example/${name}-lo.jpg`,
})

/** Point the given number of metres to the north. */
export const north = (point: { lat: number; lon: number }, meters: number) => ({
  lat: point.lat + meters / 111_195,
  lon: point.lon,
})
