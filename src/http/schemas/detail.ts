import { Type } from 'typebox'
import { BOARDS } from '../../domain/offer.ts'
import { GuestRatingsSchema, VendorReportSchema } from './search.ts'

export const DetailImage = Type.Object({
  caption: Type.String(),
  default: Type.Boolean(),
  hires: Type.String(),
  lores: Type.String(),
})

export const CancelPolicySchema = Type.Object({
  cancelation: Type.Enum(['free', 'partial', 'none']),
  expires: Type.String({ description: 'Until when that holds, with the property’s UTC offset.' }),
  timezone: Type.String(),
  penalties: Type.Array(
    Type.Object({
      from: Type.String(),
      until: Type.Union([Type.String(), Type.Null()]),
      amount: Type.Number(),
      currency: Type.String(),
    }),
  ),
})

export const FeeSchema = Type.Object({
  label: Type.String(),
  amount: Type.Number(),
  currency: Type.String(),
  paid_at: Type.Enum(['booking', 'property']),
})

/** Opaque: hand it back unchanged to book. */
export const BookingInfo = Type.Object(
  {
    bed_id: Type.Optional(Type.String()),
    price_check_uri: Type.String({
      description: 'A relative address that holds the sealed offer. Nothing else opens it.',
    }),
  },
  { additionalProperties: true, description: 'Sealed by the service; pass it back unchanged.' },
)

const AmenityById = Type.Object({
  id: Type.String(),
  name: Type.String(),
  categories: Type.Optional(Type.Array(Type.String())),
})
const AmenityInCategory = Type.Object({ id: Type.String(), name: Type.String(), value: Type.Optional(Type.String()) })

export const RoomSchema = Type.Object({
  room_id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  search_id: Type.String({ format: 'uuid' }),
  size: Type.Object({ square_feet: Type.Number(), square_meters: Type.Number() }),
  sleeps: Type.Integer({
    description:
      'How many the offer’s rooms hold together, as its price is for all of them; 0 where the vendor does not say.',
  }),
  beds: Type.Array(Type.String()),
  images: Type.Array(DetailImage),
  amenities: Type.Record(Type.String(), Type.Union([AmenityById, Type.Array(AmenityInCategory)])),
  daily_rate: Type.Number({ description: 'Base price of an average night, all rooms.' }),
  taxes_fees: Type.Number({ description: 'All taxes and mandatory fees of the stay.' }),
  total_inclusive: Type.Number(),
  cancel_policy: CancelPolicySchema,
  booking_info: BookingInfo,
  vendor_id: Type.String(),
  vendors_property_id: Type.String(),
  currency: Type.String(),
  /** What the vendor charges in, where `currency` is converted. */
  converted_from: Type.Union([Type.Object({ currency: Type.String(), total: Type.Number() }), Type.Null()]),
  public_price: Type.Number(),
  due_at_property: Type.Number(),
  fees: Type.Array(FeeSchema),
  board: Type.Enum([...BOARDS]),
  refundable: Type.Boolean(),
  extras: Type.Array(Type.String()),
  rooms_left: Type.Union([Type.Integer(), Type.Null()]),
  expires_at: Type.String({ format: 'date-time', description: 'Until when this offer can be booked.' }),
})

export const Overview = Type.Object({
  name: Type.String(),
  description: Type.String(),
  bye_line: Type.String(),
  category: Type.String(),
  chain: Type.String(),
  guest_ratings: GuestRatingsSchema,
  images: Type.Array(DetailImage),
  location: Type.Object({
    type: Type.Literal('Point'),
    coordinates: Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }),
    crs: Type.Object({ type: Type.Literal('name'), properties: Type.Object({ name: Type.String() }) }),
  }),
  popular_amenities: Type.Record(Type.String(), Type.Array(Type.String())),
  property_id: Type.String(),
  public_price: Type.Number(),
  total_price: Type.Number(),
  review_count: Type.Number(),
  star_rating: Type.Number(),
  search_id: Type.String({ format: 'uuid' }),
  currency: Type.String(),
  address: Type.Object({
    line_1: Type.String(),
    line_2: Type.String(),
    city: Type.String(),
    region: Type.String(),
    postal_code: Type.String(),
    country_code: Type.String(),
  }),
  phone: Type.String(),
  timezone: Type.String(),
  check_in_time: Type.String(),
  check_out_time: Type.String(),
})

const detailFields = {
  overview: Overview,
  available_rooms: Type.Array(RoomSchema),
  property_id: Type.String(),
  vendor_id: Type.String(),
  vendors_property_id: Type.String(),
  search_id: Type.String({ format: 'uuid' }),
  simulated: Type.Boolean(),
  partial: Type.Boolean(),
  vendors: Type.Array(VendorReportSchema),
}

export const AccommodationDetail = Type.Object(detailFields)
/** The wrapper of the specification, or the flattened shape that `raw=true` asks for. */
export const DetailResponse = Type.Union([Type.Object({ accommodation: AccommodationDetail }), AccommodationDetail])
