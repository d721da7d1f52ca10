import { Type } from 'typebox'
import { BOARDS } from '../../domain/offer.ts'
import { ListMeta, listEnvelope } from '../../lists/meta-schema.ts'
import { meta, searchHeadExample, summaryExample } from './examples.ts'
import { orNull } from './or-null.ts'

/** Ids and dates are strings here; what is wrong with them is said in words, all at once, by `readSearch`. */
export const OccupancySchema = Type.Object({
  adults: Type.Integer({ description: 'Adults in the room, 1 to 14.' }),
  children_ages: orNull(Type.Array(Type.Integer()), 'Age of each child, 0 to 17; at most 6 children a room.'),
})

export const SearchRequest = Type.Object(
  {
    destination_id: Type.String({ description: 'A location’s `id`.' }),
    check_in: Type.String({ description: '`YYYY-MM-DD`; today (at the destination) to 500 days ahead.' }),
    check_out: Type.String({ description: '`YYYY-MM-DD`; 1 to 28 nights after check-in.' }),
    occupancies: Type.Array(OccupancySchema, { description: 'One entry a room, 1 to 8.' }),
    customer_ip: orNull(Type.String(), 'The traveller’s address; the connection’s own when absent.'),
    currency: orNull(Type.String(), 'ISO 4217; `USD` when absent.'),
    language: orNull(Type.String(), 'BCP 47; `en-US` when absent.'),
    country_code: orNull(Type.String(), 'The guest’s country, ISO 3166-1; `US` when absent.'),
    radius_km: orNull(Type.Number(), 'Search this far around the destination, 0.5 to 100.'),
    vendors: orNull(Type.Array(Type.String()), 'Ask only these.'),
    timeout_ms: orNull(Type.Integer(), '500 to 15,000; 5,000 when absent.'),
  },
  {
    examples: [
      {
        destination_id: '2f9d4b9e-7f0b-5c0a-9d2b-6b1b8c3a4d5e',
        check_in: '2027-03-12',
        check_out: '2027-03-14',
        occupancies: [{ adults: 2 }, { adults: 1, children_ages: [7] }],
        customer_ip: '203.0.113.7',
        currency: 'EUR',
      },
    ],
  },
)

export const GuestRatingsSchema = Type.Object({
  amenities: Type.Number(),
  cleanliness: Type.Number(),
  comfort: Type.Number(),
  condition: Type.Number(),
  overall: Type.Number(),
  service: Type.Number(),
  count: Type.Integer(),
})

export const ImageSetSchema = Type.Object({ hi: Type.String(), lo: Type.String(), med: Type.String() })

export const VendorReportSchema = Type.Object({
  vendor_id: Type.String(),
  status: Type.Enum(['ok', 'timeout', 'error', 'skipped']),
  properties: Type.Integer(),
  took_ms: Type.Integer(),
})

export const SummaryOfferSchema = Type.Object({
  vendor_id: Type.String(),
  vendors_property_id: Type.String(),
  total_price: Type.Number(),
})

export const AccommodationSummary = Type.Object({
  bye_line: Type.String(),
  category: Type.String(),
  chain: Type.String(),
  description: Type.String(),
  guest_ratings: GuestRatingsSchema,
  hero_images: ImageSetSchema,
  images: Type.Array(Type.Object({ caption: Type.String(), images: ImageSetSchema })),
  location: Type.Object({ lat: Type.Number(), lon: Type.Number() }),
  name: Type.String(),
  popular_amenities: Type.Array(Type.String()),
  property_id: Type.String(),
  public_price: Type.Number({
    description: 'The vendor’s undiscounted total; equal to `total_price` where it names none.',
  }),
  total_price: Type.Number({ description: 'The whole stay, all rooms, taxes and mandatory fees included.' }),
  review_count: Type.Number(),
  session_id: Type.Union([Type.String(), Type.Null()]),
  star_rating: Type.Number(),
  vendor_id: Type.String(),
  vendors_property_id: Type.String(),
  currency: Type.String(),
  converted: Type.Boolean({
    description: 'The vendor gave another currency; this price is converted at `rates_date`.',
  }),
  distance_km: Type.Number(),
  board: Type.Enum([...BOARDS]),
  free_cancellation: Type.Boolean(),
  free_cancellation_until: Type.Union([Type.String(), Type.Null()], {
    description:
      'When cancelling begins to cost: ISO 8601 with the property’s offset. Null where it is not free now, or the vendor names no such moment.',
  }),
  rooms_left: Type.Union([Type.Integer(), Type.Null()]),
  amenities: Type.Array(Type.String({ description: 'Slugs, for filters.' })),
  score: Type.Number({ description: 'What the recommended order goes by; see docs/ranking.md.' }),
  offers: Type.Array(SummaryOfferSchema),
  simulated: Type.Boolean(),
})

export const SearchData = Type.Object({
  availability: Type.Array(AccommodationSummary),
  search_id: Type.String({ format: 'uuid' }),
  created_at: Type.String({ format: 'date-time' }),
  expires_at: Type.String({ format: 'date-time' }),
  currency: Type.String(),
  rates_date: Type.Union([Type.String(), Type.Null()], {
    description: 'Day of the exchange rates, where any were used.',
  }),
  simulated: Type.Boolean(),
  partial: Type.Boolean({ description: 'Some vendor did not answer in time.' }),
  vendors: Type.Array(VendorReportSchema),
  warnings: Type.Array(Type.String()),
  location: Type.Object({
    id: Type.String(),
    name: Type.String(),
    type: Type.String(),
    location: Type.Object({ lat: Type.Number(), lon: Type.Number() }),
    radius_km: Type.Number({
      description: 'How far was looked. Further than asked for, up to 150 km, where nothing lies as near as that.',
    }),
    timezone: Type.String(),
  }),
  check_in: Type.String(),
  check_out: Type.String(),
  nights: Type.Integer(),
  occupancies: Type.Array(Type.Object({ adults: Type.Integer(), children_ages: Type.Array(Type.Integer()) })),
})

export const SearchResponse = Type.Object(
  { data: SearchData },
  { description: 'The saved search with its properties.' },
)

const FacetsSchema = Type.Object({
  stars: Type.Record(Type.String(), Type.Integer()),
  amenities: Type.Array(Type.Object({ slug: Type.String(), label: Type.String(), count: Type.Integer() })),
  boards: Type.Record(Type.String(), Type.Integer()),
  free_cancellation: Type.Integer(),
  price: Type.Object({
    min: Type.Number(),
    max: Type.Number(),
    bars: Type.Array(Type.Object({ from: Type.Number(), to: Type.Number(), count: Type.Integer() })),
  }),
})

const { availability: _results, ...headFields } = SearchData.properties
export const SearchHead = Type.Object(headFields)

export const AvailabilityPageResponse = Type.Object(
  {
    data: Type.Array(AccommodationSummary),
    meta: Type.Object({
      ...ListMeta.properties,
      facets: Type.Optional(FacetsSchema),
      search: Type.Optional(SearchHead),
    }),
  },
  { description: 'One page of the search’s properties.', examples: [{ data: [summaryExample], meta }] },
)

export const SavedSearchList = {
  ...listEnvelope(SearchHead),
  description: 'Newest first.',
  examples: [{ data: [searchHeadExample], meta }],
}
