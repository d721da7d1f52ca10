import type { VendorView, WorldBed, WorldProperty, WorldRoom } from '../../world/contract.ts'
import { localizeTexts, type Texts } from '../../world/property/german-texts.ts'
import { spellRoom } from '../../world/rooms/spell-room.ts'
import { findFacility, formatHotelId, HOTEL_TYPES, toRoomId } from './codes.ts'
import type { listNotices } from './property-texts.ts'

const pictureUrl = (base: string, { key }: WorldProperty, kind: string, width: number) =>
  `${base}/${key}/${kind}.svg?w=${width}`

const formatChain = ({ chain }: VendorView): string => chain || 'Not Available'

/** The vendor's ratings go up to ten. */
const toTenPointScale = (mark: number): number => Math.round(mark * 20) / 10

/** Short format: one picture, numbers for facilities, no rooms. */
export function presentInList(
  base: string,
  property: WorldProperty,
  view: VendorView,
  texts = localizeTexts(property, false),
) {
  const { address, point } = view
  const kind = property.pictures[0]?.kind ?? 'front'
  return {
    id: formatHotelId(view.vendorPropertyId),
    name: view.name,
    hotelDescription: texts.paragraphs.map((text) => `<p>${text}</p>`).join(''),
    currency: property.currency,
    country: address.countryCode,
    city: address.city,
    latitude: point.lat,
    longitude: point.lon,
    address: address.line1,
    zip: address.postalCode,
    main_photo: pictureUrl(base, property, kind, 1000),
    thumbnail: pictureUrl(base, property, kind, 200),
    hotelTypeId: HOTEL_TYPES[property.kind][0],
    chainId: 0,
    chain: formatChain(view),
    stars: view.stars,
    rating: toTenPointScale(property.ratings.overall),
    reviewCount: property.ratings.count,
    facilityIds: property.amenities.flatMap((slug) => findFacility(slug)?.id ?? []),
  }
}

/** Long format, with different names for most fields and the country in lower case. */
export function presentInFull(
  base: string,
  property: WorldProperty,
  view: VendorView,
  texts: Texts,
  { important, instructions, special, policies }: ReturnType<typeof listNotices>,
) {
  const { id, name, hotelDescription, city, address, main_photo, thumbnail, chain, rating, reviewCount } =
    presentInList(base, property, view, texts)
  const { ratings } = property
  return {
    id,
    name,
    hotelDescription,
    city,
    address,
    main_photo,
    thumbnail,
    chain,
    rating,
    reviewCount,
    country: view.address.countryCode.toLowerCase(),
    zip: view.address.postalCode,
    starRating: view.stars,
    location: { latitude: view.point.lat, longitude: view.point.lon },
    phone: view.phone,
    email: property.email,
    hotelType: HOTEL_TYPES[property.kind][1],
    hotelTypeId: HOTEL_TYPES[property.kind][0],
    checkinCheckoutTimes: {
      checkin_start: formatTwelveHours(property.checkInTime),
      checkin_end: '12:00 AM',
      checkout: formatTwelveHours(property.checkOutTime),
      instructions,
      special_instructions: special,
    },
    hotelImportantInformation: important,
    policies,
    hotelImages: property.pictures.map(({ kind, caption }, index) => ({
      url: pictureUrl(base, property, kind, 350),
      urlHd: pictureUrl(base, property, kind, 1000),
      caption,
      order: index,
      defaultImage: index === 0,
    })),
    facilities: property.amenities.flatMap((slug) => {
      const facility = findFacility(slug)
      return facility === undefined ? [] : [{ facilityId: facility.id, name: texts.amenity(slug) }]
    }),
    rooms: property.rooms.map((room) => presentRoom(base, property, { view, texts }, room)),
    sentiment_analysis: {
      pros: [],
      cons: [],
      categories: [
        { name: 'Cleanliness', rating: toTenPointScale(ratings.cleanliness), description: '' },
        { name: 'Service', rating: toTenPointScale(ratings.service), description: '' },
        { name: 'Amenities', rating: toTenPointScale(ratings.amenities), description: '' },
      ],
    },
  }
}

function presentRoom(
  base: string,
  property: WorldProperty,
  { view: { vendorPropertyId }, texts }: { view: VendorView; texts: Texts },
  room: WorldRoom,
) {
  return {
    id: toRoomId(vendorPropertyId, room),
    roomName: texts.roomName(room) ?? spellRoom('sentence', property, room),
    description: texts.roomDescription(room),
    roomSizeSquare: room.squareMeters,
    roomSizeUnit: 'm2',
    maxAdults: room.adultsMax,
    maxChildren: room.childrenMax,
    maxOccupancy: room.sleeps,
    bedTypes: (room.bedChoices[0] ?? []).map(({ type, quantity }, index) => ({
      quantity,
      bedType: BEDS[type],
      bedSize: '',
      Id: index + 1,
    })),
    roomAmenities: room.amenities.flatMap((slug) => {
      const facility = findFacility(slug)
      return facility === undefined ? [] : [{ amenitiesId: facility.id, name: texts.amenity(slug), sort: 0 }]
    }),
    photos: property.pictures
      .filter(({ caption }) => caption === room.name)
      .map(({ kind, caption }) => ({
        url: pictureUrl(base, property, kind, 350),
        hd_url: pictureUrl(base, property, kind, 1000),
        imageDescription: caption,
        mainPhoto: false,
      })),
  }
}

const BEDS: Readonly<Record<WorldBed['type'], string>> = {
  king: 'King bed(s)',
  queen: 'Queen bed(s)',
  double: 'Double bed(s)',
  twin: 'Twin bed(s)',
  single: 'Single bed(s)',
  sofa: 'Sofa bed(s)',
  bunk: 'Bunk bed(s)',
}

/** "15:00" → "03:00 PM". */
function formatTwelveHours(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const pad = (number: number) => String(number).padStart(2, '0')
  return `${pad(hour % 12 === 0 ? 12 : hour % 12)}:${pad(minute)} ${hour < 12 ? 'AM' : 'PM'}`
}
