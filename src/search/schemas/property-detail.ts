import { type Static, Type } from 'typebox'
import { NOTICE_KINDS } from '../../domain/offer.ts'
import { AMENITY_GROUPS, NOTICE_TITLES } from '../../domain/property/vocabulary.ts'
import { booleanParameter } from '../../http/schemas/flag.ts'
import { nullable } from '../../http/schemas/or-null.ts'
import {
  Amount,
  Count,
  Currency,
  LanguageTag,
  LocalMoment,
  languageParameter,
  NetPrice,
  Rating,
  TimeZone,
  Uuid,
} from '../../http/schemas/scalars.ts'
import { BoardSchema } from './conditions.ts'
import { AmenitySlugs, BEDS, CategoryCode, FeeSchema } from './named.ts'
import { GuestRatingsSchema, PropertyId, VendorReportSchema } from './search.ts'

const requiredId = (name: string, source: string) => {
  const missing = { code: 'required', message: `${name} is missing. Send ${source}.` }
  return Type.String({ minLength: 1, 'x-errors': { required: missing, '*': missing } })
}

export type DetailQuery = Static<typeof DetailQuery>
export const DetailQuery = Type.Object({
  search_id: requiredId('search_id', 'the one that a search returned'),
  property_id: requiredId('property_id', 'one of the search’s results'),
  language: languageParameter('BCP 47; defaults to that of the search.'),
  raw: booleanParameter('raw', 'Return the flattened form.'),
})

export const EachRoomSchema = Type.Array(
  Type.Object(
    {
      name: Type.String({ description: 'The vendor’s name for the room; empty if unknown.' }),
      sleeps: Type.Integer({ minimum: 0, description: 'Capacity of this room; 0 if unknown.' }),
      ...BEDS,
    },
    { title: 'EachRoom' },
  ),
  { description: 'The rooms in the order of `occupancies`, if they are of different kinds.' },
)

export const DetailImage = Type.Object(
  { caption: Type.String(), default: Type.Boolean(), hires: Type.String(), lores: Type.String() },
  { title: 'Image' },
)

const PenaltySchema = Type.Object(
  { from: LocalMoment, until: nullable(LocalMoment), amount: Amount, currency: Currency },
  { title: 'Penalty' },
)

export const CancelPolicySchema = Type.Object(
  {
    cancelation: Type.Enum(['free', 'partial', 'none']),
    expires: Type.String({
      format: 'date-time',
      description: 'When this policy ends, with the property’s UTC offset.',
    }),
    timezone: TimeZone,
    penalties: Type.Array(PenaltySchema),
  },
  { title: 'CancelPolicy' },
)

export const NoticeSchema = Type.Object(
  {
    kind: Type.Enum([...NOTICE_KINDS]),
    title: Type.String(),
    title_code: nullable(Type.Enum(NOTICE_TITLES.codes)),
    text: Type.String(),
    url: nullable(Type.String()),
    language: nullable(LanguageTag, 'Language of the text; null if unknown.'),
    required_at: Type.Array(Type.Enum(['detail', 'checkout', 'voucher'])),
  },
  { title: 'Notice', description: 'A text that the vendor requires sellers to show.' },
)

const BookingInfo = Type.Object(
  {
    bed_id: Type.Optional(Type.String()),
    price_check_uri: Type.String({
      format: 'uri-reference',
      description: 'A relative URI that contains the sealed offer. `GET` checks price and terms and books nothing.',
    }),
  },
  {
    title: 'BookingInfo',
    additionalProperties: true,
    description: 'Opaque and sealed. Send it back unchanged to book.',
  },
)

const AmenityById = Type.Object(
  { id: Type.String(), name: Type.String(), categories: Type.Optional(Type.Array(Type.String())) },
  { title: 'RoomAmenity' },
)
const AmenityInCategory = Type.Object(
  { id: Type.String(), name: Type.String(), value: Type.Optional(Type.String()) },
  { title: 'RoomAmenityInCategory' },
)

const RoomSize = Type.Object(
  { square_feet: Type.Number({ minimum: 0 }), square_meters: Type.Number({ minimum: 0 }) },
  { title: 'RoomSize', description: '0 if unknown.' },
)

const ConvertedFrom = Type.Object(
  {
    currency: Currency,
    total: Amount,
    taxes_fees: Amount,
    due_at_property: Amount,
    fees: Type.Array(FeeSchema),
    penalties: Type.Array(PenaltySchema),
  },
  { title: 'ConvertedFrom' },
)

export const RoomSchema = Type.Object(
  {
    room_id: Type.String({ description: 'The vendor’s room. Rates of one room share it.' }),
    name: Type.String({ description: 'The vendor’s name for the room.' }),
    room_type_name: Type.String({ description: 'The `name` of its entry in `room_types`.' }),
    description: Type.String(),
    languages: Type.Object(
      { name: LanguageTag, description: LanguageTag, amenities: LanguageTag },
      {
        title: 'RoomLanguages',
        description:
          'The language of each text: that of the search if the vendor has it, otherwise English. `name` applies to `extras` too.',
      },
    ),
    search_id: Uuid,
    size: RoomSize,
    sleeps: Type.Integer({
      minimum: 0,
      description: 'Capacity of all rooms of the offer together, like its price; 0 if unknown.',
    }),
    ...BEDS,
    each_room: Type.Optional(EachRoomSchema),
    images: Type.Array(DetailImage),
    amenities: Type.Record(Type.String(), Type.Union([AmenityById, Type.Array(AmenityInCategory)]), {
      description: 'By id, or by category with a list in each, as sent by the vendor.',
    }),
    daily_rate: Type.Number({ minimum: 0, description: 'Base price of an average night, all rooms.' }),
    taxes_fees: Type.Number({ minimum: 0, description: 'All taxes and mandatory fees of the stay.' }),
    total_inclusive: Amount,
    cancel_policy: CancelPolicySchema,
    booking_info: BookingInfo,
    vendor_id: Type.String(),
    vendors_property_id: Type.String(),
    currency: Currency,
    converted_from: nullable(ConvertedFrom, 'The exact amounts in the vendor’s currency, if `currency` is converted.'),
    net_price: Type.Optional(NetPrice),
    public_price: Amount,
    due_at_property: Amount,
    fees: Type.Array(FeeSchema),
    board: BoardSchema,
    refundable: Type.Boolean(),
    extras: Type.Array(Type.String()),
    notices: Type.Array(NoticeSchema),
    rooms_left: nullable(Count),
    meets_conditions: Type.Optional(
      Type.Boolean({ description: 'If it meets all `conditions` of the search. Only in the detail of a property.' }),
    ),
    expires_at: Type.String({ format: 'date-time', description: 'When this offer expires.' }),
  },
  { title: 'Room' },
)

const RoomTypeAttributes = Type.Object(
  {
    kind: Type.String({ description: '`room`, `suite`, `junior_suite`, `studio`, `apartment`, `villa`, `dorm` …' }),
    grade: Type.Array(Type.String(), {
      description: '`standard`, `superior`, `deluxe` … and the hotel’s own words, such as `signature`.',
    }),
    bedrooms: nullable(Count),
    occupancy: nullable(Type.String(), '`single`, `single_use`, `triple`, `quad` … if a name says so.'),
    view: Type.Array(Type.String(), { description: '`sea`, `partial_sea`, `city`, `garden` …' }),
    outdoor: Type.Array(Type.String(), { description: '`balcony`, `terrace`, `patio` …' }),
    features: Type.Array(Type.String(), { description: '`club_lounge`, `private_pool`, `kitchen`, `hot_tub` …' }),
    location: Type.Array(Type.String(), { description: '`corner`, `high_floor`, `annex` …' }),
    access: Type.Array(Type.String(), { description: '`mobility`, `rollin`, `tub`, `hearing` …' }),
    smoking: nullable(Type.Boolean()),
  },
  { title: 'RoomTypeAttributes', description: 'Attributes recognized in the names of the room.' },
)

export const RoomTypeSchema = Type.Object(
  {
    room_type_id: Type.String({
      description: 'Stable for this room of the property, whichever vendor offers it.',
    }),
    name: Type.String(),
    language: Type.String({ description: 'Language of `name`, BCP 47; `und` if the room is known only from rates.' }),
    ...BEDS,
    size: RoomSize,
    images: Type.Array(DetailImage),
    attributes: RoomTypeAttributes,
    matched_by: Type.Array(Type.String(), {
      description:
        'Attributes in which the vendors’ rooms agree; `operator` if an operator merged them. Empty for a room of one vendor.',
    }),
    kept_apart_by: Type.Array(Type.String(), {
      description:
        'Attributes in which it differs from the most similar room; `operator` if an operator split them, `doubt` if another room fits as well.',
    }),
    rooms: Type.Array(Count, { description: 'Indexes in `available_rooms`, cheapest first.' }),
  },
  { title: 'RoomType', description: 'One room of the property with the offers of all vendors.' },
)

const GeoPoint = Type.Object(
  {
    type: Type.Literal('Point'),
    coordinates: Type.Array(Type.Number(), { minItems: 2, maxItems: 2, description: 'Longitude, latitude.' }),
    crs: Type.Object(
      { type: Type.Literal('name'), properties: Type.Object({ name: Type.String() }, { title: 'CrsName' }) },
      { title: 'Crs' },
    ),
  },
  { title: 'GeoPoint' },
)

const AddressSchema = Type.Object(
  {
    line_1: Type.String(),
    line_2: Type.String(),
    city: Type.String(),
    region: Type.String(),
    postal_code: Type.String(),
    country_code: Type.String(),
  },
  { title: 'Address' },
)

export const Overview = Type.Object(
  {
    name: Type.String(),
    description: Type.String(),
    bye_line: Type.String(),
    category: Type.String(),
    category_code: CategoryCode,
    chain: Type.String(),
    languages: Type.Object(
      { description: LanguageTag, bye_line: LanguageTag, popular_amenities: LanguageTag },
      {
        title: 'OverviewLanguages',
        description:
          'The language of each text: that of the search if a vendor has it, otherwise English. Other fields are in English.',
      },
    ),
    guest_ratings: GuestRatingsSchema,
    images: Type.Array(DetailImage),
    location: GeoPoint,
    popular_amenities: Type.Record(Type.String(), Type.Array(Type.String()), { description: 'By category.' }),
    amenity_groups: Type.Record(Type.String(), Type.Enum(AMENITY_GROUPS.codes), {
      description: 'Codes of the categories of `popular_amenities`; other categories have the vendor’s name.',
    }),
    amenities: AmenitySlugs,
    property_id: PropertyId,
    public_price: Amount,
    total_price: Amount,
    review_count: Count,
    star_rating: Rating,
    search_id: Uuid,
    currency: Currency,
    address: AddressSchema,
    phone: Type.String(),
    timezone: TimeZone,
    check_in_time: Type.String(),
    check_out_time: Type.String(),
  },
  { title: 'Overview' },
)

export const AccommodationDetail = Type.Object(
  {
    overview: Overview,
    available_rooms: Type.Array(RoomSchema, { description: 'Cheapest first.' }),
    room_types: Type.Array(RoomTypeSchema, {
      description: 'The same offers grouped by room, the room with the cheapest offer first.',
    }),
    property_id: PropertyId,
    vendor_id: Type.String(),
    vendors_property_id: Type.String(),
    search_id: Uuid,
    simulated: Type.Boolean(),
    partial: Type.Boolean(),
    vendors: Type.Array(VendorReportSchema),
  },
  { title: 'PropertyDetail' },
)
const WrappedDetail = Type.Object({ accommodation: AccommodationDetail }, { title: 'WrappedPropertyDetail' })
/** The wrapped form of the specification, or the flattened one of `raw=true`. */
export const DetailResponse = Type.Union([WrappedDetail, AccommodationDetail])
