import { daysBetween, type PlainDate } from '../lib/time/plain-date.ts'

/** Party of one room. */
export type Occupancy = { readonly adults: number; readonly childrenAges: readonly number[] }

/** One occupancy for each room. */
export type Stay = {
  readonly checkIn: PlainDate
  readonly checkOut: PlainDate
  readonly occupancies: readonly Occupancy[]
}

/** Prices and texts depend on it. */
export type Market = {
  readonly currency: string
  /** BCP 47, e.g. `en-US`. */
  readonly language: string
  /** Guest's country, ISO 3166-1 alpha-2. */
  readonly countryCode: string
}

export const STAY_BOUNDS = {
  roomsMax: 8,
  adultsMax: 14,
  childrenMax: 6,
  childAgeMax: 17,
  nightsMax: 28,
  leadDaysMax: 500,
} as const

export const countNights = (stay: Pick<Stay, 'checkIn' | 'checkOut'>): number =>
  daysBetween(stay.checkIn, stay.checkOut)

/** `2` for two adults, `2-9,4` with two children. */
export const occupancyKey = ({ adults, childrenAges }: Occupancy): string =>
  childrenAges.length === 0 ? String(adults) : `${adults}-${childrenAges.join(',')}`
