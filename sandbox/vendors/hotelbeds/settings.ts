/** What nobody outside knows of Hotelbeds; src/vendors/hotelbeds/README.md has what the adapter believes. */
export const HOTELBEDS_SETTINGS = {
  /** 1 where `filter.paymentType`, which newer documents do not name, is no longer obeyed. */
  ignoredPaymentFilter: 0,
}
