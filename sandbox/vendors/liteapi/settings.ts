import type { StandInSettings } from '../../server/settings.ts'

/** Behaviour that only LiteAPI has, or that is undocumented; src/vendors/liteapi/README.md distinguishes the two. */
export const LITEAPI_SETTINGS = {
  /** 1: `boardType` and `refundableRatesOnly` are ignored. */
  ignoredConditions: 0,
  /** 1: `boardType` is rejected. */
  refusedBoards: 0,
  /** Share of offers that are empty stubs. */
  stubs: 0.05,
  /** Share of offers that only members of a loyalty programme can book. */
  memberOffers: 0,
  /** Share of properties that collect taxes in a currency of their own. */
  localTaxes: 0.7,
  /** Share of rates that are not mapped to a room of the content. */
  unmappedRooms: 0.1,
  /** Share of non-refundable rates that have a ladder. */
  ladderedNonRefundable: 0.5,
  /** Share of empty responses sent as 204 instead of an error in a 200. */
  emptyAs204: 0.5,
  /** Share of offers with prices as lists. */
  listedPrices: 0.1,
  /** Share of properties with offers split over two events of a stream. */
  splitEvents: 0.1,
  /** Share of prebooks without taxes. */
  silentTaxes: 0,
  /** Share of prebooks that cannot be paid from the wallet. */
  walletRefusals: 0,
  /** 1: payments fail, so nothing is booked. */
  failedPayments: 0,
  /** Share of offers whose penalties are in net, without the commission. */
  netPenalties: 0.5,
  /** Share of bookings whose cancellation fee is a part of the charge, not of the price. */
  netFees: 0.5,
  /** Share of bookings with a payment fee in addition to the price. */
  processingFees: 0,
  /** Share of repeated cancellations that are answered like the first. */
  repeatedCancels: 0.5,
  /** Share of non-refundable bookings that cannot be cancelled at all. */
  bindingBookings: 0,
  /** 1: a reference is considered used only when lookups show its booking. */
  lateReferences: 0,
  /** 1: a failed booking consumes its reference. */
  burntReferences: 0,
  /** Share of lookups that also return a booking of the other environment with the same reference. */
  otherEnvironment: 0,
  /** Share of bookings that do not specify their environment. */
  silentEnvironment: 0,
}
type SettingName = keyof typeof LITEAPI_SETTINGS

export const readSetting = (settings: Readonly<StandInSettings>, name: SettingName): number =>
  settings[name] ?? LITEAPI_SETTINGS[name]
