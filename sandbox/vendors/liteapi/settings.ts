import type { StandInSettings } from '../../server/settings.ts'

/** What only LiteAPI does, or what nobody outside knows whether it does; src/vendors/liteapi/README.md says which is which. */
export const LITEAPI_SETTINGS = {
  /** Share of offers that come as empty stubs. */
  stubs: 0.05,
  /** Share of offers that only members of a loyalty programme can book. */
  memberOffers: 0,
  /** Share of properties that ask for their taxes in a currency of their own. */
  localTaxes: 0.7,
  /** Share of rates that are matched to no room of the content. */
  unmappedRooms: 0.1,
  /** Share of rates that are not refundable and still have a ladder. */
  ladderedNonRefundable: 0.5,
  /** Share of empty answers that come as 204 instead of an error in a 200. */
  emptyAs204: 0.5,
  /** Share of offers whose prices come as lists. */
  listedPrices: 0.1,
  /** Share of properties whose offers come in two events of a stream. */
  splitEvents: 0.1,
  /** Share of prebooks that leave the taxes out. */
  silentTaxes: 0,
  /** Share of prebooks that cannot be paid from the wallet. */
  walletRefusals: 0,
  /** Share of bookings whose cancellation fee is told as a part of the charge, not of the price. */
  netFees: 0.5,
  /** Share of bookings with a fee for their payment, beside the price. */
  processingFees: 0,
  /** Share of repeated cancellations that are answered as if they were the first. */
  repeatedCancels: 0.5,
  /** Share of bookings at a rate that is not refundable which cannot be cancelled at all. */
  bindingBookings: 0,
  /** 1 where a reference counts as used only once look-ups show its booking. */
  lateReferences: 0,
  /** 1 where a failed booking uses up its reference. */
  burntReferences: 0,
  /** Share of look-ups that show a booking of the other environment under the same reference as well. */
  otherEnvironment: 0,
  /** Share of bookings that do not say of which environment they are. */
  silentEnvironment: 0,
}
type Own = keyof typeof LITEAPI_SETTINGS

/** A setting as it is now. */
export const settingOf = (settings: Readonly<StandInSettings>, name: Own): number =>
  settings[name] ?? LITEAPI_SETTINGS[name]
