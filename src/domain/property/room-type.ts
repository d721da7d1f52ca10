import type { Image } from './property.ts'

/** Attributes parsed from the names and descriptions of a room. */
export type RoomTypeAttributes = {
  /** `room`, `suite`, `junior_suite`, `studio`, `apartment` … */
  readonly kind: string
  /** `standard`, `superior`, `deluxe` … and the hotel's own words, such as `signature`. */
  readonly grade: readonly string[]
  readonly bedrooms: number | undefined
  /** `single`, `single_use`, `triple`, `quad` … */
  readonly occupancy: string | undefined
  readonly views: readonly string[]
  readonly outdoor: readonly string[]
  readonly features: readonly string[]
  readonly locations: readonly string[]
  readonly access: readonly string[]
  readonly smoking: boolean | undefined
}

/** Room of a property, matched across vendors. */
export type RoomType = {
  readonly roomTypeId: string
  readonly name: string
  /** Language of the name; `und` if the name comes from a rate. */
  readonly language: string
  readonly beds: readonly string[]
  readonly squareMeters: number
  readonly squareFeet: number
  readonly images: readonly Image[]
  readonly attributes: RoomTypeAttributes
  /** Common attributes of the vendors' rooms, or `operator` if joined by an operator; empty for a room of one vendor. */
  readonly matchedBy: readonly string[]
  /** Differences from the most similar room of the property. */
  readonly keptSeparateBy: readonly string[]
}
