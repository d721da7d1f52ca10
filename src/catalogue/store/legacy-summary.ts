import type { PropertySummary } from '../../domain/property/property-summary.ts'
import type { Tables } from '../../store/tables.ts'

/**
 * TO BE DELETED WITH THE NEXT RELEASE, with its table `property_summaries`.
 *
 * While nodes of version 0.1 and of this version work on one database, those of 0.1 read summaries only from the old
 * table, as JSON members without braces. This version writes them for those nodes and reads them nowhere.
 */
export function legacySummaryRow(summary: PropertySummary): Tables['property_summaries'] {
  const { amenities, cleanliness, comfort, condition, overall, service, count } = summary.guestRatings
  const members = {
    bye_line: summary.tagline,
    category: summary.category,
    chain: summary.chain,
    description: summary.description,
    guest_ratings: { amenities, cleanliness, comfort, condition, overall, service, count },
    hero_images: sizesOf(summary.images[0]),
    images: summary.images.map((image) => ({ caption: image.caption, images: sizesOf(image) })),
    location: summary.location,
    name: summary.name,
    popular_amenities: summary.popularAmenities,
    property_id: summary.propertyId,
    review_count: summary.reviewCount,
    star_rating: summary.starRating,
  }
  return {
    property_id: summary.propertyId,
    name_folded: summary.nameFolded,
    star_rating: summary.starRating,
    guest_rating: overall,
    category: summary.category,
    amenity_slugs: summary.amenitySlugs.join(' '),
    summary: JSON.stringify(members).slice(1, -1),
  }
}

const sizesOf = (image?: PropertySummary['images'][number]) => ({
  hi: image?.hi ?? '',
  lo: image?.lo ?? '',
  med: image?.med ?? '',
})
