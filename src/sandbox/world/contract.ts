import type { AmenitySlug } from '../../domain/amenity.ts'
import type { Board } from '../../domain/offer.ts'
import type { GuestRatings } from '../../domain/property.ts'
import type { Occupancy } from '../../domain/stay.ts'
import type { Circle, Point } from '../../lib/geo.ts'
import type { PlainDate } from '../../lib/plain-date.ts'

/** A real place on which the world grows properties. Handed in, because the world knows no location index. */
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
  /** How many such rooms the house has: the allotment of a night before any booking. */
  readonly count: number
  /** Price relative to the cheapest room of the house. */
  readonly factor: number
}

/** One true building. Vendors see it through their own glasses (see VendorView). */
export type WorldProperty = {
  /** sourceId * 256 + n: below 2^32, the true identity. */
  readonly key: number
  readonly place: Place
  readonly name: string
  /** Empty for an independent house. */
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
  /** One entry a night, for ONE room with the given occupancy, without taxes. */
  readonly nightlyMinor: readonly number[]
  /** Undiscounted nightly price where the house runs a promotion. */
  readonly nightlyBeforeMinor?: readonly number[]
  readonly taxMinor: number
  readonly cityTaxMinor: number
  readonly resortFeeMinor: number
}

export const SANDBOX_VENDORS = ['expedia_rapid', 'hotelbeds'] as const
export type SandboxVendor = (typeof SANDBOX_VENDORS)[number]

/** How one vendor knows a building: own number, own spelling, slightly other coordinates, own gaps. */
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
export interface World {
  /** Properties in the circle, nearest first. */
  near(circle: Circle, limit: number): WorldProperty[]
  property(key: number): WorldProperty | undefined
  /** How the vendor knows the building; undefined when this vendor does not sell it. */
  view(vendor: SandboxVendor, property: WorldProperty): VendorView | undefined
  /** The building behind a vendor's number; undefined when the vendor sells no such thing. */
  byVendorId(vendor: SandboxVendor, vendorPropertyId: number): WorldProperty | undefined
  /** Walks everything the vendor sells in a fixed order, for feeds; `after` is a position returned before. */
  walk(
    vendor: SandboxVendor,
    after: number,
    limit: number,
  ): { properties: WorldProperty[]; position: number; done: boolean }
  /** How many properties the vendor sells, roughly. */
  sizeOf(vendor: SandboxVendor): number
  /** Rates of the house for one room party and these nights, whatever is left of them. `today` prices the lead time. */
  rates(
    property: WorldProperty,
    checkIn: PlainDate,
    checkOut: PlainDate,
    occupancy: Occupancy,
    today: PlainDate,
  ): WorldRate[]
}

/** What is still free. Shared by all stand-ins of one world, because a building has its rooms only once. */
export interface Allotment {
  left(propertyKey: number, room: WorldRoom, nights: readonly PlainDate[]): number
  /** Takes `count` rooms for every night, or none of them; false when one night has too few. */
  take(propertyKey: number, room: WorldRoom, nights: readonly PlainDate[], count: number): boolean
  giveBack(propertyKey: number, room: WorldRoom, nights: readonly PlainDate[], count: number): void
}
