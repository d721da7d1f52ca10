import type { StandInAnswer } from '../../server/answer-under-faults.ts'
import type { StandInParts } from '../../server/stand-in.ts'
import type { WorldProperty } from '../../world/contract.ts'
import { hash } from '../../world/hash.ts'
import { hasGermanTexts, localizeTexts } from '../../world/property/german-texts.ts'
import { FACILITIES, HOTEL_TYPES, parseHotelId } from './codes.ts'
import { presentInFull, presentInList } from './describe-property.ts'
import { listNotices } from './property-texts.ts'
import { badRequest, json, missing } from './vendor-words.ts'

/** The vendor describes some properties in English only. */
const VENDOR_SALT = 3
const LIST_MAX = 5_000
const LIST_DEFAULT = 200
const RADIUS_MIN_M = 1_000
/** Building all properties of a wide circle takes too long, so only the nearest are considered, sold here or not. */
const AROUND_MAX = 2_400
/** The world has not changed since. */
const BUILT_ON = '2026-01-01'

/** Properties of a country, of a circle or by id, in the short format. */
export function answerHotels(parts: StandInParts, query: URLSearchParams): StandInAnswer {
  const limit = Number(query.get('limit') ?? LIST_DEFAULT)
  const offset = Number(query.get('offset') ?? 0)
  if (!(limit >= 1 && limit <= LIST_MAX && offset >= 0)) return badRequest('limit must be between 1 and 5000')
  const country = query.get('countryCode')
  const since = query.get('lastUpdatedAt')
  if (country !== null) {
    if (since !== null && since.slice(0, 10) > BUILT_ON) return presentList(parts, [], 0)
    const { properties, total } = parts.world.inCountry(country, offset, limit)
    return presentList(parts, properties, total)
  }
  const ids = query.get('hotelIds')
  if (ids !== null) {
    const found = ids.split(',').flatMap((id) => parts.world.byVendorId(parseHotelId(id)) ?? [])
    return presentList(parts, found, found.length)
  }
  const [lat, lon, radius] = ['latitude', 'longitude', 'radius'].map((name) => Number(query.get(name) ?? Number.NaN))
  if (lat === undefined || lon === undefined || radius === undefined || !(radius >= RADIUS_MIN_M)) {
    return badRequest('you must search by either country code, latitude and longitude, or hotelIds')
  }
  const near = parts.world
    .near({ center: { lat, lon }, radiusKm: radius / 1000 }, AROUND_MAX)
    .filter((property) => parts.world.view(property) !== undefined)
    // Not sorted by distance, because the order is undocumented.
    .sort((a, b) => hash(a.key, 78) - hash(b.key, 78))
  return presentList(parts, near.slice(offset, offset + limit), near.length)
}

function presentList(
  { world, pictureBase }: StandInParts,
  properties: readonly WorldProperty[],
  total: number,
): StandInAnswer {
  const data = properties.flatMap((property) => {
    const view = world.view(property)
    return view === undefined ? [] : [presentInList(pictureBase, property, view)]
  })
  return json(200, { data, hotelIds: data.map(({ id }) => id), total })
}

export function answerHotel({ world, pictureBase }: StandInParts, query: URLSearchParams): StandInAnswer {
  const property = world.byVendorId(parseHotelId(query.get('hotelId')))
  const view = property && world.view(property)
  if (property === undefined || view === undefined) return missing('invalid hotelId')
  const isGerman = query.get('language') === 'de' && hasGermanTexts(property, VENDOR_SALT)
  const notices = listNotices(property, isGerman)
  return json(200, { data: presentInFull(pictureBase, property, view, localizeTexts(property, isGerman), notices) })
}

export function answerCodeList(list: string, countries: readonly string[]): StandInAnswer | undefined {
  switch (list) {
    case 'countries':
      return json(200, { data: countries.map((code) => ({ code, name: code })) })
    case 'facilities':
      return json(200, { data: FACILITIES.map(({ id, label }) => ({ facility_id: id, facility: label, sort: 0 })) })
    case 'hotelTypes':
      return json(200, { data: Object.values(HOTEL_TYPES).map(([id, name]) => ({ id, name })) })
    default:
      return undefined
  }
}
