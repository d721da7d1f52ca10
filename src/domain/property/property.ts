import type { Point } from '../../lib/geo.ts'
import type { Notice } from '../offer.ts'

/** Up to three widths; a missing size repeats the next smaller one. */
export type Image = {
  readonly caption: string
  readonly hero: boolean
  readonly hi: string
  readonly med: string
  readonly lo: string
}

/** From 0 to 5; 0 if unrated. */
export type GuestRatings = {
  readonly amenities: number
  readonly cleanliness: number
  readonly comfort: number
  readonly condition: number
  readonly overall: number
  readonly service: number
  readonly count: number
}

export const NO_RATINGS: GuestRatings = {
  amenities: 0,
  cleanliness: 0,
  comfort: 0,
  condition: 0,
  overall: 0,
  service: 0,
  count: 0,
}

export type Address = {
  readonly line1: string
  readonly line2: string
  readonly city: string
  readonly region: string
  readonly postalCode: string
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string
}

/** By amenity id or by category; the specification allows both. */
export type RoomAmenities =
  | Readonly<Record<string, { readonly id: string; readonly name: string; readonly categories?: readonly string[] }>>
  | Readonly<Record<string, readonly { readonly id: string; readonly name: string; readonly value?: string }[]>>

export type RoomContent = {
  readonly id: string
  readonly name: string
  readonly description: string
  /** 0 if unknown. */
  readonly squareMeters: number
  readonly squareFeet: number
  readonly sleeps: number
  readonly beds: readonly string[]
  readonly images: readonly Image[]
  readonly amenities: RoomAmenities
}

/** Static content of one vendor's property, without prices. Texts are free of markup. */
export type VendorProperty = {
  readonly vendorId: string
  readonly vendorPropertyId: string
  readonly name: string
  readonly byeLine: string
  /** "Hotel", "Apartment" …; empty if unknown. */
  readonly category: string
  /** Chain or brand; empty for an independent property. */
  readonly chain: string
  /** Paragraphs and line breaks only. */
  readonly description: string
  /** 0 to 5 in halves; 0 if unrated. */
  readonly starRating: number
  readonly guestRatings: GuestRatings
  readonly reviewCount: number
  readonly images: readonly Image[]
  readonly location: Point
  readonly address: Address
  /** Digits, with a leading + if the country code is known; empty if unknown. */
  readonly phone: string
  /** Exact place, if the vendor allows it to be shown only after booking. */
  readonly afterBooking?: Pick<VendorProperty, 'location' | 'address' | 'phone'>
  /** Labels for result lists, most important first. */
  readonly popularAmenities: readonly string[]
  /** Labels without a category are in `Other`. */
  readonly amenitiesByCategory: Readonly<Record<string, readonly string[]>>
  /** Slugs of our taxonomy (amenity.ts), for filters. */
  readonly amenitySlugs: readonly string[]
  /** `HH:MM` in local time; empty if unknown. */
  readonly checkInTime: string
  readonly checkOutTime: string
  readonly rooms: readonly RoomContent[]
  /** Must be shown with each room. */
  readonly notices?: readonly Notice[]
  /** Set if only the fields of a result list were read; the rooms must be fetched. */
  readonly roomsUnread?: true
}
