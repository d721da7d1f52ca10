/** What nobody outside knows of Rapid; src/vendors/expedia_rapid/README.md has what the adapter believes. */
export const RAPID_SETTINGS = {
  /** 1 where the values of `amenity_category` are others than boards, and a call with one of those is refused. */
  refusedCategories: 0,
  /** 1: a cancellation is answered with 202 and carried out. 2: it is answered with 202 and not carried out. */
  acceptedCancels: 0,
  /** 1: the filter `expedia_collect` is ignored, so rates that the property collects are sent too. */
  ignoredCollectFilter: 0,
}
