import { Type } from 'typebox'
import { Count, Rating } from '../../http/schemas/scalars.ts'
import { AccommodationSummary } from './search.ts'

export const VIEWS = ['full', 'card'] as const

const SAME_AS_SUMMARY = [
  'property_id',
  'name',
  'category',
  'category_code',
  'chain',
  'star_rating',
  'review_count',
  'location',
  'distance_km',
  'total_price',
  'public_price',
  'net_price',
  'currency',
  'converted',
  'vendor_id',
  'board',
  'free_cancellation',
  'free_cancellation_until',
  'rooms_left',
  'fees_in_text',
  'amenities',
  'score',
  'simulated',
] as const

export const PropertyCardSchema = Type.Object(
  {
    ...Type.Pick(AccommodationSummary, SAME_AS_SUMMARY).properties,
    guest_rating: { ...Rating, description: 'Overall rating of guests; 0 if there is none.' },
    image: Type.String({ description: 'URL of one image of medium size; empty if there is none.' }),
    offers_count: { ...Count, description: 'Vendors that offer the property.' },
  },
  { title: 'PropertyCard', description: 'Instead of a PropertySummary with `view=card`.' },
)

/** Summaries, or cards if the request asked for them. */
export const SummariesOrCards = Type.Array(Type.Union([AccommodationSummary, PropertyCardSchema]))
