/**
 * How often a stand-in does what its vendor has been seen to do; docs/vendors.md says which vendor does what. Shares are
 * from 0 to 1, `…Ms` are milliseconds. A stand-in may have more of its own.
 */
export type StandInSettings = {
  [own: string]: number
  /** Share of rates that may be sold only inside a package. They are cheaper, and come unasked. */
  packaging: number
  /** Share of rates whose selling price the hotel prescribes; their penalties are in net. */
  hotelMandatory: number
  /** Share of properties whose supplier rechecks one rate per call and refuses several. */
  oneRecheckOnly: number
  /** Share of properties whose rate comments name money or age limits, in some language. */
  comments: number
  /** Share of rates with a night that is never refunded. */
  nonRefundableNights: number
  /** Share of the rates with `refundable: false` that give a part back. */
  partialRefunds: number
  /** Share of bookings whose `cancel_refund` promises everything, whatever their penalties say. */
  contradictingRefunds: number
  /** Share of properties that name their meals by another id, in another language or by category only. */
  otherBoards: number
  /** Share of properties whose links do not say when they expire. */
  linksWithoutExpiry: number
  /** Share of offers whose terms are worse at the price check, without a fault. Drawn per offer, so it can be repeated. */
  worseTerms: number
  /** How long after the booking the hotel's own confirmation number is known. */
  confirmationMs: number
}

/** The shares seen in recorded answers, where any were; nothing happens by itself at a price check. */
export const DEFAULT_SETTINGS: Readonly<StandInSettings> = {
  packaging: 0.25,
  hotelMandatory: 0.04,
  oneRecheckOnly: 0.5,
  comments: 0.6,
  nonRefundableNights: 0.03,
  partialRefunds: 0.2,
  contradictingRefunds: 0.05,
  otherBoards: 0.5,
  linksWithoutExpiry: 0.1,
  worseTerms: 0,
  confirmationMs: 60_000,
}

/** Settings that are not all given. */
export type SomeSettings = Readonly<Record<string, number>>

/** Undefined when a name is not among `names` or a value is no number of 0 or more. */
export function readSettings(value: unknown, names: readonly string[]): SomeSettings | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const given = Object.entries(value)
  const isGood = given.every(([name, number]) => names.includes(name) && typeof number === 'number' && number >= 0)
  return isGood ? Object.fromEntries(given) : undefined
}
