/** Undocumented behaviour of Hotelbeds; src/vendors/hotelbeds/README.md lists the adapter's assumptions. */
export const HOTELBEDS_SETTINGS = {
  /** 1: `filter.paymentType`, which newer documentation does not list, is ignored. */
  ignoredPaymentFilter: 0,
  /** 1: `filter.packaging`, which newer documentation does not list, is ignored. */
  ignoredPackagingFilter: 0,
  /** 1: `boards` is ignored. */
  ignoredConditions: 0,
  /** 1: `boards` is rejected. */
  refusedBoards: 0,
  /** 1: a change of a booking costs 10 more. */
  dearChanges: 0,
}
