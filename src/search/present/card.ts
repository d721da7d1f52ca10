import type { Static } from 'typebox'
import { CATEGORIES } from '../../domain/property/vocabulary.ts'
import type { SearchResult } from '../../domain/saved-search.ts'
import type { PropertyCardSchema } from '../schemas/property-card.ts'
import { presentFound } from './summary.ts'

/** Members that a list of cards needs: about a quarter of a summary's compressed bytes. */
function presentCard(result: SearchResult, simulated: boolean, seesNet = false): Static<typeof PropertyCardSchema> {
  const { facts } = result
  const { offers, session_id: _session, vendors_property_id: _id, ...found } = presentFound(result, simulated, seesNet)
  return {
    property_id: facts.propertyId,
    name: facts.name,
    category: facts.category,
    category_code: CATEGORIES.orNull(facts.category),
    chain: facts.chain,
    amenities: [...facts.amenitySlugs],
    star_rating: facts.starRating,
    guest_rating: facts.guestRatings.overall,
    review_count: facts.reviewCount,
    image: facts.images[0]?.med ?? '',
    location: { lat: facts.location.lat, lon: facts.location.lon },
    ...found,
    offers_count: offers.length,
  }
}

/** Writes a JSON list of cards between the texts `before` and `after`. */
export function cardsJson(
  results: readonly SearchResult[],
  simulated: boolean,
  before = '',
  after = '',
  seesNet = false,
  more = '',
): Buffer {
  const cards = results.map((result) => JSON.stringify(presentCard(result, simulated, seesNet)))
  return Buffer.from(`${before}[${cards.join(',')}${more}]${after}`)
}

export const CARDS = { present: presentCard, write: cardsJson }
