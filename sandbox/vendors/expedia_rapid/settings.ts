/** What nobody outside knows of Rapid; src/vendors/expedia_rapid/README.md has what the adapter believes. */
export const RAPID_SETTINGS = {
  /** 1 where the values of `amenity_category` are others than boards, and a call with one of those is refused. */
  refusedCategories: 0,
  /** 1 where a cancellation is answered with 202 and done, 2 where it is answered with 202 and not done. */
  acceptedCancels: 0,
  /** 1 where rates that the property collects come unasked. */
  ignoredCollectFilter: 0,
}
