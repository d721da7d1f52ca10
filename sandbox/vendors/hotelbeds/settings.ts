/** Undocumented behaviour of Hotelbeds; src/vendors/hotelbeds/README.md lists the adapter's assumptions. */
export const HOTELBEDS_SETTINGS = {
  /** 1: `filter.paymentType`, which newer documentation does not list, is ignored. */
  ignoredPaymentFilter: 0,
}
