import type { VendorId } from '../src/domain/offer.ts'
import type { Review } from './review.ts'
import { REVIEW as expediaRapid } from './vendors/expedia_rapid.ts'
import { REVIEW as hotelbeds } from './vendors/hotelbeds.ts'
import { REVIEW as liteapi } from './vendors/liteapi.ts'

/** Checklist of each vendor's review before a seller may go live. */
export const REVIEWS: ReadonlyMap<VendorId, Review> = new Map([
  ['expedia_rapid', expediaRapid],
  ['hotelbeds', hotelbeds],
  ['liteapi', liteapi],
])
