import type { Point } from '../../lib/geo.ts'
import type { Notice } from '../offer.ts'

/** A picture at up to three widths; a size the vendor lacks repeats the next smaller one. */
export type Image = {
  readonly caption: string
  readonly hero: boolean
  readonly hi: string
  readonly med: string
  readonly lo: string
}

/** Guest marks on a scale of 0 to 5; 0 where the vendor has none. */
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

/**
 * The two shapes the specification allows for a room's amenities, as the vendors give them:
 * by amenity id, or by category.
 */
export type RoomAmenities =
  | Readonly<Record<string, { readonly id: string; readonly name: string; readonly categories?: readonly string[] }>>
  | Readonly<Record<string, readonly { readonly id: string; readonly name: string; readonly value?: string }[]>>

/** What a vendor tells about one kind of room, whatever it costs. */
export type RoomContent = {
  readonly id: string
  readonly name: string
  readonly description: string
  /** 0 where the vendor does not say. */
  readonly squareMeters: number
  readonly squareFeet: number
  readonly sleeps: number
  readonly beds: readonly string[]
  readonly images: readonly Image[]
  readonly amenities: RoomAmenities
}

/** One property as one vendor describes it: static content, no prices. Texts are already cleaned of markup. */
export type VendorProperty = {
  readonly vendorId: string
  readonly vendorPropertyId: string
  readonly name: string
  readonly byeLine: string
  /** "Hotel", "Apartment" …; empty where unknown. */
  readonly category: string
  /** Chain or brand; empty for an independent property. */
  readonly chain: string
  /** Paragraphs and line breaks only. */
  readonly description: string
  /** 0 to 5 in halves; 0 where unrated. */
  readonly starRating: number
  readonly guestRatings: GuestRatings
  readonly reviewCount: number
  readonly images: readonly Image[]
  readonly location: Point
  readonly address: Address
  /** Digits with a leading + where the vendor gives a country code; empty where unknown. */
  readonly phone: string
  /** The exact place, if the vendor allows it to be shown only to guests who have booked. */
  readonly afterBooking?: Pick<VendorProperty, 'location' | 'address' | 'phone'>
  /** Labels worth a line in a result list, most telling first. */
  readonly popularAmenities: readonly string[]
  /** All amenity labels by category; `Other` holds the uncategorised. */
  readonly amenitiesByCategory: Readonly<Record<string, readonly string[]>>
  /** Slugs of our own taxonomy (domain/amenity.ts), for filters. */
  readonly amenitySlugs: readonly string[]
  /** `HH:MM` in property time; empty where unknown. */
  readonly checkInTime: string
  readonly checkOutTime: string
  readonly rooms: readonly RoomContent[]
  /** What the vendor obliges a seller to show with each of its rooms. */
  readonly notices?: readonly Notice[]
  /** Only what a result list shows was read; the rooms have to be asked for. */
  readonly roomsUnread?: true
}
