import { Type } from 'typebox'
import { STAY_BOUNDS } from '../../domain/stay.ts'
import { nullable } from '../../http/schemas/or-null.ts'
import {
  Amount,
  Count,
  Currency,
  Day,
  LocalMoment,
  Moment,
  NetPrice,
  Point,
  Rating,
  TimeZone,
  Uuid,
} from '../../http/schemas/scalars.ts'
import { LocationPropertyId, LocationTypeSchema } from '../../locations/schemas.ts'
import { BoardSchema, ConditionsSchema, FreeCancellationSchema } from './conditions.ts'
import { AmenitySlugs, CategoryCode } from './named.ts'

const { nightsMax } = STAY_BOUNDS

export const PropertyId = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' })
export const Nights = Type.Integer({ minimum: 1, maximum: nightsMax })

export const GuestRatingsSchema = Type.Object(
  {
    amenities: Rating,
    cleanliness: Rating,
    comfort: Rating,
    condition: Rating,
    overall: Rating,
    service: Rating,
    count: Count,
  },
  { title: 'GuestRatings', description: '0 if the vendor has no such rating.' },
)

const ImageSetSchema = Type.Object(
  { hi: Type.String(), lo: Type.String(), med: Type.String() },
  { title: 'ImageSet', description: 'URLs of one image in three sizes; empty if there is none.' },
)

export const VendorReportSchema = Type.Object(
  {
    vendor_id: Type.String(),
    status: Type.Enum(['ok', 'partial', 'timeout', 'error', 'skipped'], {
      description:
        '`partial`: the response is incomplete; `reason` says what is missing. `skipped`: not asked, because it does not sell such stays or does not support a condition; `warnings` says why.',
    }),
    properties: Count,
    took_ms: Count,
    reason: Type.Optional(
      Type.Enum(['content_incomplete', 'rates_incomplete', 'quota', 'condition_not_supported'], {
        description:
          '`content_incomplete`: not all of its properties in this area are known yet. `rates_incomplete`: some of its rates did not arrive in time, so a property may be missing or cheaper than shown. `quota`: the same, because its rate limit left no room for them. `condition_not_supported`: it cannot be asked for one of the `conditions`. `warnings` says what to do.',
      }),
    ),
  },
  { title: 'VendorReport' },
)

const SummaryOfferSchema = Type.Object(
  {
    vendor_id: Type.String(),
    vendors_property_id: Type.String(),
    total_price: Amount,
    net_price: Type.Optional(NetPrice),
  },
  { title: 'SummaryOffer' },
)

export const AccommodationSummary = Type.Object(
  {
    bye_line: Type.String(),
    category: Type.String(),
    category_code: CategoryCode,
    chain: Type.String(),
    description: Type.String(),
    guest_ratings: GuestRatingsSchema,
    hero_images: ImageSetSchema,
    images: Type.Array(Type.Object({ caption: Type.String(), images: ImageSetSchema }, { title: 'CaptionedImage' })),
    location: Point,
    name: Type.String(),
    popular_amenities: Type.Array(Type.String()),
    property_id: PropertyId,
    public_price: Type.Number({
      minimum: 0,
      description: 'The vendor’s undiscounted total; equal to `total_price` if it has none.',
    }),
    net_price: Type.Optional(NetPrice),
    total_price: Type.Number({
      minimum: 0,
      description: 'Total of the stay for all rooms, including taxes and mandatory fees.',
    }),
    review_count: Count,
    session_id: nullable(Type.String()),
    star_rating: Rating,
    vendor_id: Type.String(),
    vendors_property_id: Type.String(),
    currency: Currency,
    converted: Type.Boolean({
      description: 'True if the vendor’s price is in another currency and was converted at the rates of `rates_date`.',
    }),
    distance_km: Type.Number({ minimum: 0 }),
    board: BoardSchema,
    free_cancellation: Type.Optional(FreeCancellationSchema),
    free_cancellation_until: nullable(
      LocalMoment,
      'When free cancellation of the shown rate ends. Null if it is not free now, or the vendor names no time.',
    ),
    rooms_left: nullable(Count),
    fees_in_text: Type.Boolean({
      description:
        'True if the vendor names mandatory fees only in words, in the notices of its rooms. `total_price` does not include them.',
    }),
    amenities: AmenitySlugs,
    score: Type.Number({ description: 'Defines the recommended order; see docs/ranking.md.' }),
    offers: Type.Array(SummaryOfferSchema),
    simulated: Type.Boolean(),
  },
  { title: 'PropertySummary' },
)

export const OccupancySchema = Type.Object(
  { adults: Type.Integer({ minimum: 1 }), children_ages: Type.Array(Type.Integer({ minimum: 0, maximum: 17 })) },
  { title: 'Occupancy' },
)

export const SEARCH_HEAD = {
  search_id: Uuid,
  created_at: Moment,
  expires_at: Moment,
  currency: Currency,
  rates_date: nullable(Day, 'Date of the exchange rates, if any were used.'),
  simulated: Type.Boolean(),
  partial: Type.Boolean({ description: 'True if results may be missing; `vendors` says whose.' }),
  vendors: Type.Array(VendorReportSchema),
  warnings: Type.Array(Type.String()),
  location: Type.Object(
    {
      id: Uuid,
      name: Type.String(),
      type: LocationTypeSchema,
      location: Point,
      radius_km: Type.Number({
        minimum: 0,
        description:
          'The searched radius. Larger than requested, up to 150 km, if nothing is nearer. With an `area`, from its middle to its corners.',
      }),
      timezone: TimeZone,
      property_id: LocationPropertyId,
    },
    { title: 'SearchedLocation' },
  ),
  area: nullable(
    Type.Object(
      { south: Type.Number(), west: Type.Number(), north: Type.Number(), east: Type.Number() },
      { title: 'Area' },
    ),
    'The searched box; null if the search used the circle around the location.',
  ),
  conditions: ConditionsSchema,
  check_in: Day,
  check_out: Day,
  nights: Nights,
  occupancies: Type.Array(OccupancySchema),
}

export const SearchHead = Type.Object(SEARCH_HEAD, { title: 'SavedSearch' })
