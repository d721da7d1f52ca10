/** Undocumented behaviour of Rapid; src/vendors/expedia_rapid/README.md lists the adapter's assumptions. */
export const RAPID_SETTINGS = {
  /** 1: `amenity_category` does not accept boards, and a call with one is rejected. */
  refusedCategories: 0,
  /** 1: a cancellation is answered with 202 and executed. 2: it is answered with 202 and not executed. */
  acceptedCancels: 0,
  /** 1: the filter `expedia_collect` is ignored, so rates collected by the property are returned too. */
  ignoredCollectFilter: 0,
}
