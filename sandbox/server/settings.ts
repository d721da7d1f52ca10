/**
 * Frequencies of vendor behaviour; not every vendor has each. Shares are from 0 to 1, the same properties or
 * offers each time; `…Ms` are milliseconds. A stand-in may add its own.
 */
export type StandInSettings = {
  [own: string]: number
  /** Share of rates that may be sold only inside a package. They are cheaper and included by default. */
  packaging: number
  /** Share of rates with a selling price prescribed by the hotel; their penalties are net. */
  hotelMandatory: number
  /** Share of properties whose supplier rechecks one rate per call and rejects several. */
  oneRecheckOnly: number
  /** Share of properties with rate comments that mention money or age limits, in some language. */
  comments: number
  /** Share of rates with a night that is never refunded. */
  nonRefundableNights: number
  /** Share of rates with `refundable: false` that give a partial refund. */
  partialRefunds: number
  /** Share of bookings whose `cancel_refund` promises a full refund, whatever their penalties say. */
  contradictingRefunds: number
  /** Share of properties that describe meals by another id, in another language or by category only. */
  otherBoards: number
  /** Share of properties whose breakfast is for one guest of a room only. */
  headCountMeals: number
  /** Share of properties whose links have no expiry time. */
  linksWithoutExpiry: number
  /** Share of offers with worse terms at the price check, without a fault. Drawn per offer, so it is repeatable. */
  worseTerms: number
  /** Calls per second above which calls are rejected; 0: unlimited. */
  callsPerSecond: number
  /** Delay from the booking until the hotel's own confirmation number is available. */
  confirmationMs: number
}

/** Shares from recorded responses if available. By default, price checks change nothing. */
export const DEFAULT_SETTINGS: Readonly<StandInSettings> = {
  packaging: 0.25,
  hotelMandatory: 0.04,
  oneRecheckOnly: 0.5,
  comments: 0.6,
  nonRefundableNights: 0.03,
  partialRefunds: 0.2,
  contradictingRefunds: 0.05,
  otherBoards: 0.5,
  headCountMeals: 0,
  linksWithoutExpiry: 0.1,
  worseTerms: 0,
  callsPerSecond: 0,
  confirmationMs: 60_000,
}

export type PartialSettings = Readonly<Record<string, number>>

/** Returns undefined if a name is not among `names` or a value is not a number of at least 0. */
export function parseSettings(value: unknown, names: readonly string[]): PartialSettings | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const given = Object.entries(value)
  const isValid = given.every(([name, number]) => names.includes(name) && typeof number === 'number' && number >= 0)
  return isValid ? Object.fromEntries(given) : undefined
}
