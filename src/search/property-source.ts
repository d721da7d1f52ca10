import type { RoomContent, VendorProperty } from '../domain/property.ts'
import type { CallContext } from '../lib/call-context.ts'
import type { Circle, Point } from '../lib/geo.ts'

/** A property that might have a room, with its name at each vendor. */
export type Candidate = {
  readonly propertyId: string
  readonly point: Point
  readonly distanceKm: number
  readonly vendors: readonly { readonly vendorId: string; readonly vendorPropertyId: string }[]
}

/** The time zone where a property stands; undefined where nobody knows. */
export type ZoneAt = (point: Point, countryCode?: string) => string | undefined

/** The static part of a result, ready-made. */
export type SummaryFacts = {
  /** JSON members without the braces, as bytes: most of an answer is copied, not written. */
  readonly json: Buffer
  readonly nameFolded: string
  readonly starRating: number
  readonly guestRating: number
  readonly amenitySlugs: readonly string[]
}

export type PropertyContent = {
  /** The best of what the vendors tell, as one. */
  readonly merged: VendorProperty
  /** Rooms as each vendor describes them, by vendor and room id. */
  roomOf(vendorId: string, roomId: string): RoomContent | undefined
}

/** What is known of an area, and which vendors could not be asked about it. */
export type Surroundings = {
  /** How far was looked in the end: further than asked for where there was nothing. */
  readonly radiusKm: number
  readonly candidates: readonly Candidate[]
  /** By vendor: how asking for its properties here failed. */
  readonly unreached: ReadonlyMap<string, 'timeout' | 'error'>
}

/** Where properties come from: the catalogue, or the simulator's own little town. */
export type PropertySource = {
  /**
   * Nearest first. Asks vendors about an area nobody has visited before, and waits for the slow ones as long as
   * `patienceMs`; otherwise out of memory.
   */
  around(circle: Circle, limit: number, context: CallContext, patienceMs: number): Promise<Surroundings>
  summaries(propertyIds: readonly string[]): Promise<ReadonlyMap<string, SummaryFacts>>
  vendorsOf(propertyId: string): Promise<Candidate['vendors']>
  content(propertyId: string): Promise<PropertyContent | undefined>
}
