import type { Board } from '../../src/domain/offer.ts'
import type { AmenitySlug } from '../../src/domain/property/amenity.ts'
import type { GuestRatings } from '../../src/domain/property/property.ts'
import type { Occupancy } from '../../src/domain/stay.ts'
import type { Circle, Point } from '../../src/lib/geo.ts'
import type { PlainDate } from '../../src/lib/time/plain-date.ts'

/** A real place with synthetic properties. Passed in, because the world has no location index. */
export type Place = {
  /** The source's number (GeoNames id), below 2^24. Properties are derived from it, so they never change. */
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
  /** Unique within its property: 1, 2, 3 … */
  readonly number: number
  readonly name: string
  readonly description: string
  readonly squareMeters: number
  readonly adultsMax: number
  readonly childrenMax: number
  readonly sleeps: number
  /** Alternative sets of beds. */
  readonly bedChoices: readonly (readonly WorldBed[])[]
  readonly amenities: readonly AmenitySlug[]
  readonly view: string
  /** Number of such rooms: the allotment of a night before any booking. */
  readonly count: number
  /** Price relative to the cheapest room of the property. */
  readonly factor: number
}

/** The true description of a property; vendors describe it with small errors (see VendorView). */
export type WorldProperty = {
  /** sourceId * 256 + n, below 2^32. */
  readonly key: number
  /** Key that provides the vendor's number, if the vendor lists the property a second time. */
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
  /** The property's local currency. */
  readonly currency: string
  /** Stable part of picture URLs: `{pictureBase}/{key}/{kind}.svg?w=…` */
  readonly pictures: readonly { readonly kind: string; readonly caption: string }[]
  readonly policies: {
    /** Hours before local check-in until which cancelling is free; 0 if not refundable. */
    readonly freeCancelHours: number
    readonly cityTaxPerPersonNightMinor: number
    readonly resortFeePerNightMinor: number
  }
}

/** Price and terms of one room type under one rate plan; minor units of `currency`. */
export type WorldRate = {
  readonly room: WorldRoom
  /** `flex`, `saver` (not refundable), `breakfast` …; unique within its room. */
  readonly plan: string
  readonly board: Board
  readonly refundable: boolean
  readonly freeCancelHours: number
  readonly currency: string
  /** One entry per night, for one room with the given occupancy, without taxes. */
  readonly nightlyMinor: readonly number[]
  /** Undiscounted nightly price, if the property has a promotion. */
  readonly nightlyBeforeMinor?: readonly number[]
  readonly taxMinor: number
  readonly cityTaxMinor: number
  readonly resortFeeMinor: number
}

/**
 * Properties that a vendor sells, as ranges of [0, 1). Every property has a fixed position there, so vendors with
 * overlapping ranges sell the same properties.
 */
export type Coverage = readonly (readonly [from: number, to: number])[]

/** Parameters that make one vendor's view of the world differ from another's. */
export type Seller = {
  /** Unique; determines the vendor's property ids, spellings and prices. */
  readonly salt: number
  readonly coverage: Coverage
  /** Set if the vendor provides no phone numbers. */
  readonly withoutPhones?: boolean
}

/** One vendor's description of a property: own number, own spelling, slightly different coordinates, own gaps. */
export type VendorView = {
  readonly vendorPropertyId: number
  readonly name: string
  readonly point: Point
  readonly address: WorldProperty['address']
  readonly phone: string
  readonly stars: number
  readonly chain: string
  /** The vendor's markup on the true price, as a factor close to 1. */
  readonly priceFactor: number
}

/** Synthetic earth. Every property is derived from a hash: none is stored, and all are the same on every machine. */
export type World = {
  /** Properties in the circle, nearest first. */
  near(circle: Circle, limit: number): WorldProperty[]
  property(key: number): WorldProperty | undefined
  /** Iterates over properties with a wanted key in a fixed order; `after` is a previously returned position. */
  walk(isWanted: (key: number) => boolean, after: number, limit: number): WalkedPage
  /** Keys of all properties of a country, in a fixed order. */
  keysIn(countryCode: string): number[]
  size(): number
  /** Rates for one room party and these nights, including sold-out rooms. `today` determines the lead-time price. */
  rates(
    property: WorldProperty,
    checkIn: PlainDate,
    checkOut: PlainDate,
    occupancy: Occupancy,
    today: PlainDate,
  ): WorldRate[]
}

type WalkedPage = { properties: WorldProperty[]; position: number; done: boolean }

/** The world as one vendor sells it. `near` and `property` also return properties that the vendor does not sell. */
export type VendorWorld = Pick<World, 'near' | 'property' | 'rates'> & {
  /** The vendor's description of the property; undefined if the vendor does not sell it. */
  view(property: WorldProperty): VendorView | undefined
  /** Property with this vendor number; undefined if the vendor does not sell it. */
  byVendorId(vendorPropertyId: number): WorldProperty | undefined
  /** Everything the vendor sells in a fixed order, for feeds; `after` is a previously returned position. */
  walk(after: number, limit: number): WalkedPage
  /** A page of the vendor's properties in a country, and their total number. */
  inCountry(countryCode: string, offset: number, limit: number): { properties: WorldProperty[]; total: number }
  /** Approximate number of properties that the vendor sells. */
  size(): number
}

/** Rooms that are still available. Shared by all stand-ins of one world, because a room can be sold only once. */
export interface Allotment {
  left(propertyKey: number, room: WorldRoom, nights: readonly PlainDate[]): number
  /** Takes `count` rooms for every night, or none of them. Returns false if any night has too few. */
  take(propertyKey: number, room: WorldRoom, nights: readonly PlainDate[], count: number): boolean
  giveBack(propertyKey: number, room: WorldRoom, nights: readonly PlainDate[], count: number): void
}
