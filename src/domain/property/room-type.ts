import type { Image } from './property.ts'

/** What the names and descriptions of a room say, as far as it is understood. */
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

/** One room of a property, whichever vendors sell it under whatever names. */
export type RoomType = {
  readonly roomTypeId: string
  readonly name: string
  /** Of the name; `und` where nobody knows, because only a rate has it. */
  readonly language: string
  readonly beds: readonly string[]
  readonly squareMeters: number
  readonly squareFeet: number
  readonly images: readonly Image[]
  readonly attributes: RoomTypeAttributes
  /** What the vendors' rooms have in common; `operator` where a person joined them; empty for a room of one vendor. */
  readonly matchedBy: readonly string[]
  /** What distinguishes it from the most similar room of the property. */
  readonly keptSeparateBy: readonly string[]
}
