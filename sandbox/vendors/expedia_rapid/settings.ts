/** Undocumented behaviour of Rapid; src/vendors/expedia_rapid/README.md lists the adapter's assumptions. */
export const RAPID_SETTINGS = {
  /** 1: every `amenity_category` is rejected, even those in the list of rate amenities. */
  refusedCategories: 0,
  /** 1: the list of rate amenities has no categories, as in Rapid's OpenAPI document. */
  unlistedCategories: 0,
  /** 1: the filters `refundable` and `amenity_category` are ignored. */
  ignoredConditions: 0,
  /** 1: `current_refundability` is never sent. */
  silentRefundability: 0,
  /** 1: content of more than 50 properties is over the size limit of the client. */
  largeContent: 0,
  /** 1: a cancellation is answered with 202 and executed. 2: it is answered with 202 and not executed. */
  acceptedCancels: 0,
  /** 1: the filter `expedia_collect` is ignored, so rates collected by the property are returned too. */
  ignoredCollectFilter: 0,
}
