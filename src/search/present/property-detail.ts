import type { Static } from 'typebox'
import { currentCancelPolicy, formatInZone } from '../../domain/booking/cancel-policy.ts'
import { type Money, toMajor } from '../../domain/money/money.ts'
import type { CancelTerms, EachRoom, Fee, Notice } from '../../domain/offer.ts'
import { parseBeds } from '../../domain/property/beds.ts'
import type { Image } from '../../domain/property/property.ts'
import { buildTagline } from '../../domain/property/property-summary.ts'
import { CATALOGUE_LANGUAGE } from '../../domain/property/property-texts.ts'
import { AMENITY_GROUPS, CATEGORIES, FEES, NOTICE_TITLES } from '../../domain/property/vocabulary.ts'
import { countNights, type Stay } from '../../domain/stay.ts'
import { moment } from '../../http/present/moment.ts'
import { presentMoney } from '../../http/present/money.ts'
import type { OfferedRoomType, PropertyDetail } from '../property-detail.ts'
import type { RoomChoice } from '../room-choice.ts'
import type {
  AccommodationDetail,
  CancelPolicySchema,
  DetailImage,
  NoticeSchema,
  Overview,
  RoomSchema,
  RoomTypeSchema,
} from '../schemas/property-detail.ts'
import { groupAmenities } from './group-amenities.ts'
import { presentVendor } from './search.ts'

type Room = Static<typeof RoomSchema>

/** OGC name for longitude and latitude in degrees. */
const CRS = { type: 'name', properties: { name: 'urn:ogc:def:crs:OGC:1.3:CRS84' } } as const

/** For policies in local time. */
type RoomContext = {
  readonly searchId: string
  readonly stay: Stay
  readonly timezone: string
  readonly checkInTime: string
  readonly now: number
}

/** With `seesNet`, includes net prices. */
export function presentDetail(
  detail: PropertyDetail,
  now: number,
  seesNet = false,
): Static<typeof AccommodationDetail> {
  const { search, content, kept, propertyId, timezone } = detail
  const context = {
    searchId: search.searchId,
    stay: search.terms.stay,
    timezone,
    checkInTime: content.checkInTime,
    now,
  }
  const cheapest = detail.rooms.find((choice) => choice.meetsConditions)
  const [best] = kept.offers
  return {
    overview: presentOverview(detail),
    available_rooms: detail.rooms.map((choice) => presentRoom(choice, context, seesNet)),
    room_types: detail.roomTypes.map(presentRoomType),
    property_id: propertyId,
    vendor_id: cheapest?.vendorId ?? best?.vendorId ?? '',
    vendors_property_id: cheapest?.vendorPropertyId ?? best?.vendorPropertyId ?? '',
    search_id: search.searchId,
    simulated: search.simulated,
    partial: detail.vendors.some(({ status }) => status === 'timeout' || status === 'error'),
    vendors: detail.vendors.map(presentVendor),
  }
}

function presentOverview(detail: PropertyDetail): Static<typeof Overview> {
  const { search, content, languages, kept, propertyId, timezone } = detail
  const cheapest = detail.rooms.find((choice) => choice.meetsConditions)
  const [best] = kept.offers
  const total = cheapest?.price.total ?? best?.total
  const publicTotal = cheapest?.price.publicTotal ?? best?.publicTotal
  const groups = groupAmenities(content.amenitiesByCategory)
  return {
    name: content.name,
    description: content.description,
    bye_line: buildTagline(content),
    languages: {
      description: languages.description,
      bye_line: languages.byeLine,
      popular_amenities: languages.amenities,
    },
    category: content.category,
    category_code: CATEGORIES.orNull(content.category),
    chain: content.chain,
    guest_ratings: { ...content.guestRatings },
    images: presentImages(content.images),
    location: { type: 'Point', coordinates: [content.location.lon, content.location.lat], crs: CRS },
    popular_amenities: groups,
    amenity_groups: codeGroups(groups),
    amenities: [...content.amenitySlugs],
    property_id: propertyId,
    public_price: publicTotal === undefined ? 0 : toMajor(publicTotal),
    total_price: total === undefined ? 0 : toMajor(total),
    review_count: content.reviewCount,
    star_rating: content.starRating,
    search_id: search.searchId,
    currency: search.terms.market.currency,
    address: {
      line_1: content.address.line1,
      line_2: content.address.line2,
      city: content.address.city,
      region: content.address.region,
      postal_code: content.address.postalCode,
      country_code: content.address.countryCode,
    },
    phone: content.phone,
    timezone,
    check_in_time: content.checkInTime,
    check_out_time: content.checkOutTime,
  }
}

const codeGroups = (groups: object): Record<string, string> =>
  Object.fromEntries(
    Object.keys(groups).flatMap((name) => {
      const code = AMENITY_GROUPS.find(name)
      return code === undefined ? [] : [[name, code]]
    }),
  )

function presentRoomType({ type, rooms }: OfferedRoomType): Static<typeof RoomTypeSchema> {
  const { attributes } = type
  return {
    room_type_id: type.roomTypeId,
    name: type.name,
    language: type.language,
    ...presentBeds(type.beds),
    size: { square_feet: type.squareFeet, square_meters: type.squareMeters },
    images: presentImages(type.images),
    attributes: {
      kind: attributes.kind,
      grade: [...attributes.grade],
      bedrooms: attributes.bedrooms ?? null,
      occupancy: attributes.occupancy ?? null,
      view: [...attributes.views],
      outdoor: [...attributes.outdoor],
      features: [...attributes.features],
      location: [...attributes.locations],
      access: [...attributes.access],
      smoking: attributes.smoking ?? null,
    },
    matched_by: [...type.matchedBy],
    kept_apart_by: [...type.keptSeparateBy],
    rooms: [...rooms],
  }
}

const ENGLISH_ROOM = { description: CATALOGUE_LANGUAGE, amenities: CATALOGUE_LANGUAGE }

export const presentBeds = (beds: readonly string[]) => ({
  beds: [...beds],
  bed_types: beds.map((text) => parseBeds(text).map(({ type, count }) => ({ type, count }))),
})

export const presentEachRoom = ({ name, sleeps, beds }: EachRoom) => ({ name, sleeps, ...presentBeds(beds) })

export function presentRoom(choice: RoomChoice, context: RoomContext, seesNet = false): Room {
  const { offer, content, price } = choice
  const nights = countNights(context.stay)
  const policy = presentPolicy(choice.cancel, { ...context, ...price })
  return {
    room_id: offer.roomId,
    name: offer.name,
    room_type_name: choice.roomTypeName,
    description: content?.description ?? '',
    languages: { name: choice.language, ...ENGLISH_ROOM, ...content?.languages },
    search_id: context.searchId,
    size: { square_feet: content?.squareFeet ?? 0, square_meters: content?.squareMeters ?? 0 },
    sleeps: choice.sleeps,
    ...presentBeds(choice.beds),
    ...(choice.eachRoom && { each_room: choice.eachRoom.map(presentEachRoom) }),
    images: presentImages(content?.images ?? []),
    amenities: (content?.amenities ?? {}) as Room['amenities'],
    daily_rate: dailyRate(price.base, nights),
    taxes_fees: toMajor(price.taxesFees),
    total_inclusive: toMajor(price.total),
    cancel_policy: policy,
    booking_info: { ...choice.bookingInfo },
    vendor_id: choice.vendorId,
    vendors_property_id: choice.vendorPropertyId,
    currency: price.total.currency,
    converted_from: choice.converted ? presentCharge(choice, context.timezone) : null,
    ...(seesNet && { net_price: toMajor(choice.net) }),
    public_price: toMajor(price.publicTotal),
    due_at_property: toMajor(price.dueAtProperty),
    fees: price.fees.map(presentFee),
    board: offer.board,
    // A sale may end free cancellation before the vendor does.
    refundable: choice.cancel?.refundable === true && policy.cancelation !== 'none',
    extras: [...offer.extras],
    notices: (offer.notices ?? []).map(presentNotice),
    rooms_left: offer.roomsLeft ?? null,
    ...(choice.meetsConditions !== undefined && { meets_conditions: choice.meetsConditions }),
    expires_at: moment(choice.expiresAt),
  }
}

/** The actual charge, in the vendor's currency. */
function presentCharge({ offer: { price, cancel } }: RoomChoice, timezone: string): Room['converted_from'] {
  return {
    currency: price.total.currency,
    total: toMajor(price.total),
    taxes_fees: toMajor(price.taxesFees),
    due_at_property: toMajor(price.dueAtProperty),
    fees: price.fees.map(presentFee),
    penalties: presentPenalties(cancel, timezone),
  }
}

export const presentNotice = ({
  kind,
  title,
  text,
  url,
  language,
  requiredAt,
}: Notice): Static<typeof NoticeSchema> => ({
  kind,
  title,
  title_code: NOTICE_TITLES.orNull(title),
  text,
  url: url ?? null,
  language: language ?? null,
  required_at: [...requiredAt],
})

/** Rounded to minor units, so the sum of all nights may differ from the base by a cent per night. */
const dailyRate = (base: Money, nights: number) =>
  toMajor({ minor: Math.round(base.minor / nights), currency: base.currency })

export function presentPolicy(
  terms: CancelTerms | undefined,
  context: { total: Money; dueAtProperty: Money; stay: Stay; timezone: string; checkInTime: string; now: number },
): Static<typeof CancelPolicySchema> {
  const { cancelation, expires } = currentCancelPolicy(terms, { ...context, checkIn: context.stay.checkIn })
  return {
    cancelation,
    expires,
    timezone: context.timezone,
    penalties: presentPenalties(terms, context.timezone),
  }
}

const presentPenalties = (terms: CancelTerms | undefined, timezone: string) =>
  (terms?.penalties ?? []).map(({ from, until, amount }) => ({
    from: formatInZone(from, timezone),
    until: until === undefined ? null : formatInZone(until, timezone),
    amount: toMajor(amount),
    currency: amount.currency,
  }))

export const presentFee = (fee: Fee) => ({
  label: fee.label,
  label_code: FEES.orNull(fee.label),
  amount: toMajor(fee.amount),
  currency: fee.amount.currency,
  paid_at: fee.paidAt,
  ...(fee.local !== undefined && { local: presentMoney(fee.local) }),
})

/** The default is the vendor's choice, or else the first. */
export function presentImages(images: readonly Image[]): Static<typeof DetailImage>[] {
  const hero = Math.max(
    0,
    images.findIndex((image) => image.hero),
  )
  return images.map((image, index) => ({
    caption: image.caption,
    default: index === hero,
    hires: image.hi,
    lores: image.lo,
  }))
}
