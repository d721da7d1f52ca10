import { AppError, type FieldError } from '../domain/errors.ts'
import type { Conditions } from '../domain/offer.ts'
import type { Location, LocationType } from '../domain/property/location.ts'
import type { SearchTerms } from '../domain/saved-search.ts'
import { type Occupancy, STAY_BOUNDS } from '../domain/stay.ts'
import { type Box, circleAround, isInBox, type Point } from '../lib/geo.ts'
import { addDays, dateIn } from '../lib/time/plain-date.ts'
import type { PricedSearch } from '../selling/seller.ts'
import type { World } from './world.ts'

export type SearchInput = {
  readonly destinationId: string
  readonly checkIn: string
  readonly checkOut: string
  readonly occupancies: readonly Occupancy[]
  readonly customerIp: string | undefined
  readonly currency: string
  readonly language: string
  readonly countryCode: string
  readonly radiusKm: number | undefined
  readonly area: Box | undefined
  readonly conditions: Conditions | undefined
  readonly vendorIds: readonly string[] | undefined
  readonly timeoutMs: number
}

export type Destination = Location & { readonly isTooLarge?: boolean }

export type FindNearby = (
  point: Point,
  radiusKm: number,
  types: readonly LocationType[],
  limit: number,
) => readonly Location[]

/** A wider circle holds more properties than one response can. */
const RADIUS_MAX_KM = 100

/** Throws if the destination is unknown or too large. */
export function resolveTerms(
  location: Destination | undefined,
  nearby: FindNearby,
  world: World,
  input: SearchInput,
  ip: string,
): SearchTerms {
  if (location === undefined) {
    throw new AppError(
      'location_not_found',
      'destination_id is not the id of a location. Use an id from the location search.',
    )
  }
  const { area, conditions } = input
  const requestedKm = area === undefined ? input.radiusKm : circleAround(area).radiusKm
  const radiusKm = requestedKm ?? location.radiusKm
  if (requestedKm === undefined && (location.isTooLarge === true || radiusKm > RADIUS_MAX_KM))
    throw tooLarge(nearby, location, input.language)
  return {
    location: toSavedLocation(location),
    radiusKm,
    ...(area !== undefined && { area, ...areaCountry(nearby, area, location) }),
    stay: { checkIn: input.checkIn, checkOut: input.checkOut, occupancies: input.occupancies },
    market: { currency: input.currency, language: input.language, countryCode: input.countryCode },
    ...(conditions && { conditions }),
    customerIp: input.customerIp ?? ip,
    // The simulator's vendors represent all of ours, whichever were requested.
    vendorIds: (!world.simulated && input.vendorIds) || world.vendors.map(({ id }) => id),
  }
}

const NEAREST_CITY_KM = 500

/** Country of the best-known city in an area that does not contain the location. */
function areaCountry(
  nearby: FindNearby,
  area: Box,
  { point, countryCode }: Location,
): Pick<SearchTerms, 'areaCountryCode'> {
  if (isInBox(area, point)) return {}
  const { center, radiusKm } = circleAround(area)
  const [city] = [radiusKm, NEAREST_CITY_KM].flatMap((km) => nearby(center, km, ['city'], 1))
  return { areaCountryCode: city?.countryCode ?? countryCode }
}

/** For an area elsewhere, rules match the area's country instead of the location's. */
export function pricedSearch(terms: SearchTerms, accountId: string, at: number): PricedSearch {
  const { location, areaCountryCode, stay, market } = terms
  const place = areaCountryCode === undefined ? location : { ...location, id: '', countryCode: areaCountryCode }
  return { accountId, at, location: place, stay, currency: market.currency }
}

/** "Today" is the date at the destination. */
export function validateCheckIn(location: Location | undefined, checkIn: string, now: number): FieldError[] {
  if (location === undefined) return []
  const today = dateIn(location.timezone, now)
  if (checkIn < today) {
    return [
      {
        field: 'check_in',
        code: 'check_in_in_the_past',
        message: `check_in is in the past. The date at the destination is ${today}.`,
      },
    ]
  }
  const last = addDays(today, STAY_BOUNDS.leadDaysMax)
  if (checkIn > last) {
    return [
      {
        field: 'check_in',
        code: 'check_in_too_far',
        message: `check_in must be at most ${STAY_BOUNDS.leadDaysMax} days ahead, up to ${last}.`,
      },
    ]
  }
  return []
}

export class LocationTooLarge extends AppError {
  readonly chooseInstead: readonly Location[]
  readonly language: string
  constructor(location: Location, chooseInstead: readonly Location[], language: string) {
    const message = `${location.name} is too large for one search. Choose a city or an area in it, or send radius_km or area.`
    super('location_too_large', message, {
      errors: [{ field: 'destination_id', code: 'location_too_large', message }],
    })
    this.chooseInstead = chooseInstead
    this.language = language
  }
}

function tooLarge(nearby: FindNearby, location: Location, language: string): LocationTooLarge {
  const cities = nearby(location.point, location.radiusKm, ['city', 'area', 'region'], 60)
  const near = cities.filter(
    (city) => city.countryCode === location.countryCode && city.radiusKm <= RADIUS_MAX_KM && city.id !== location.id,
  )
  // The circle of a region also holds neighbouring towns. Names end with the region.
  const inside = near.filter(({ name }) => name.endsWith(`, ${location.name}`))
  return new LocationTooLarge(location, (inside.length > 0 ? inside : near).slice(0, 6), language)
}

/** Keeps only the fields that are saved. */
const toSavedLocation = ({
  id,
  name,
  type,
  countryCode,
  point,
  radiusKm,
  timezone,
  iata,
  propertyId,
}: Location): Location => ({
  id,
  name,
  type,
  countryCode,
  point,
  radiusKm,
  timezone,
  ...(iata === undefined ? {} : { iata }),
  ...(propertyId === undefined ? {} : { propertyId }),
})
