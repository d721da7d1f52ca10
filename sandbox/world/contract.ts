import type { Board } from '../../src/domain/offer.ts'
import type { AmenitySlug } from '../../src/domain/property/amenity.ts'
import type { GuestRatings } from '../../src/domain/property/property.ts'
import type { Occupancy } from '../../src/domain/stay.ts'
import type { Circle, Point } from '../../src/lib/geo.ts'
import type { PlainDate } from '../../src/lib/time/plain-date.ts'

/** A real place in which the world puts properties. Handed in, because the world knows no location index. */
export type Place = {
  /** The source's own number (GeoNames id), below 2^24; properties are derived from it and stay the same. */
  readonly sourceId: number
  readonly name: string
  readonly region: string
  readonly countryCode: string
  readonly countryName: string
  readonly point: Point
  readonly population: number
  readonly timezone: string
}

export const PROPERTY_KINDS = ['hotel', 'apartment', 'hostel', 'guesthouse', 'resort'] as const
export type PropertyKind = (typeof PROPERTY_KINDS)[number]

export type WorldBed = {
  readonly type: 'king' | 'queen' | 'double' | 'twin' | 'single' | 'sofa' | 'bunk'
  readonly quantity: number
}

export type WorldRoom = {
  /** Unique in its property: 1, 2, 3 … */
  readonly number: number
  readonly name: string
  readonly description: string
  readonly squareMeters: number
  readonly adultsMax: number
  readonly childrenMax: number
  readonly sleeps: number
  /** Alternatives to choose from, each a set of beds. */
  readonly bedChoices: readonly (readonly WorldBed[])[]
  readonly amenities: readonly AmenitySlug[]
  readonly view: string
  /** How many such rooms the property has: the allotment of a night before any booking. */
  readonly count: number
  /** Price relative to the cheapest room of the property. */
  readonly factor: number
}

/** One property as it truly is; vendors describe it with small errors (see VendorView). */
export type WorldProperty = {
  /** sourceId * 256 + n: below 2^32, the true identity. */
  readonly key: number
  /** Where a vendor lists the property a second time: the key whose number it has there. */
  readonly listedAs?: number
  readonly place: Place
  readonly name: string
  /** Empty for an independent property. */
  readonly chain: string
  readonly kind: PropertyKind
  readonly stars: number
  readonly point: Point
  readonly address: {
    readonly line1: string
    readonly city: string
    readonly region: string
    readonly postalCode: string
    readonly countryCode: string
  }
  readonly phone: string
  readonly email: string
  readonly ratings: GuestRatings
  readonly amenities: readonly AmenitySlug[]
  readonly headline: string
  readonly paragraphs: readonly string[]
  readonly rooms: readonly WorldRoom[]
  readonly checkInTime: string
  readonly checkOutTime: string
  /** Local currency of the property. */
  readonly currency: string
  /** Stable part of picture addresses: `{pictureBase}/{key}/{kind}.svg?w=…` */
  readonly pictures: readonly { readonly kind: string; readonly caption: string }[]
  readonly policies: {
    /** Hours before check-in (local) until which cancelling is free; 0 means not refundable at all. */
    readonly freeCancelHours: number
    readonly cityTaxPerPersonNightMinor: number
    readonly resortFeePerNightMinor: number
  }
}

/** A night's price and what goes with it, for one room type under one rate plan; minor units of `currency`. */
export type WorldRate = {
  readonly room: WorldRoom
  /** `flex`, `saver` (not refundable), `breakfast` … unique in its room. */
  readonly plan: string
  readonly board: Board
  readonly refundable: boolean
  readonly freeCancelHours: number
  readonly currency: string
  /** One entry per night, for ONE room with the given occupancy, without taxes. */
  readonly nightlyMinor: readonly number[]
  /** Undiscounted nightly price where the property runs a promotion. */
  readonly nightlyBeforeMinor?: readonly number[]
  readonly taxMinor: number
  readonly cityTaxMinor: number
  readonly resortFeeMinor: number
}

/**
 * The properties a vendor sells, as ranges of [0, 1): every property has a fixed place in it. Vendors whose ranges
 * overlap sell the same properties there.
 */
export type Coverage = readonly (readonly [from: number, to: number])[]

/** What makes one vendor's view of the world differ from another's. */
export type Seller = {
  /** Unique; the vendor's property ids, spellings and prices follow from it. */
  readonly salt: number
  readonly coverage: Coverage
  /** Set for a vendor that tells no telephone numbers. */
  readonly withoutPhones?: boolean
}

/** How one vendor describes a property: own number, own spelling, slightly other coordinates, own gaps. */
export type VendorView = {
  readonly vendorPropertyId: number
  readonly name: string
  readonly point: Point
  readonly address: WorldProperty['address']
  readonly phone: string
  readonly stars: number
  readonly chain: string
  /** What this vendor adds to the true price, as a factor close to 1. */
  readonly priceFactor: number
}

/** The synthetic earth: every property derived from a hash, none stored, the same on every machine. */
export type World = {
  /** Properties in the circle, nearest first. */
  near(circle: Circle, limit: number): WorldProperty[]
  property(key: number): WorldProperty | undefined
  /** Walks the properties whose key is wanted, in a fixed order; `after` is a position returned before. */
  walk(isWanted: (key: number) => boolean, after: number, limit: number): WalkedPage
  /** The keys of all properties of a country, in a fixed order. */
  keysIn(countryCode: string): number[]
  /** How many properties there are. */
  size(): number
  /** Rates of the property for one room party and these nights, sold out or not. `today` prices the lead time. */
  rates(
    property: WorldProperty,
    checkIn: PlainDate,
    checkOut: PlainDate,
    occupancy: Occupancy,
    today: PlainDate,
  ): WorldRate[]
}

type WalkedPage = { properties: WorldProperty[]; position: number; done: boolean }

/** The world as one vendor sells it; `near` and `property` also answer what the vendor does not sell. */
export type VendorWorld = Pick<World, 'near' | 'property' | 'rates'> & {
  /** How the vendor describes the property; undefined when it does not sell it. */
  view(property: WorldProperty): VendorView | undefined
  /** The property behind a vendor's number; undefined when the vendor sells no such property. */
  byVendorId(vendorPropertyId: number): WorldProperty | undefined
  /** Everything the vendor sells in a fixed order, for feeds; `after` is a position returned before. */
  walk(after: number, limit: number): WalkedPage
  /** What the vendor sells in a country: `limit` of them from the `offset`-th on, and how many there are. */
  inCountry(countryCode: string, offset: number, limit: number): { properties: WorldProperty[]; total: number }
  /** How many properties the vendor sells, roughly. */
  size(): number
}

/** Rooms that are still free. Shared by all stand-ins of one world, because a room can be sold only once. */
export interface Allotment {
  left(propertyKey: number, room: WorldRoom, nights: readonly PlainDate[]): number
  /** Takes `count` rooms for every night, or none of them; false when one night has too few. */
  take(propertyKey: number, room: WorldRoom, nights: readonly PlainDate[], count: number): boolean
  giveBack(propertyKey: number, room: WorldRoom, nights: readonly PlainDate[], count: number): void
}
