import { AppError, type FieldError } from '../domain/errors.ts'
import type { Location, LocationType } from '../domain/property/location.ts'
import type { SearchTerms } from '../domain/saved-search.ts'
import { type Occupancy, STAY_BOUNDS } from '../domain/stay.ts'
import { type Box, circleAround, isInBox, type Point } from '../lib/geo.ts'
import type { Clock } from '../lib/time/clock.ts'
import { addDays, dateIn } from '../lib/time/plain-date.ts'
import type { PricedSearch } from '../selling/seller.ts'
import type { World } from './world.ts'

/** What a client asks for when it searches. */
export type SearchAsked = {
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
  readonly vendorIds: readonly string[] | undefined
  readonly timeoutMs: number
}

/** As much of the location index as a search needs. */
export type Places = {
  byId(id: string): (Location & { readonly isTooLarge?: boolean }) | undefined
  nearby(point: Point, radiusKm: number, types: readonly LocationType[], limit: number): readonly Location[]
}

/** A circle wider than this holds more properties than one answer can. */
const RADIUS_MAX_KM = 100

/** What is searched for. Throws where the destination is unknown or too large. */
export function termsOf(places: Places, world: World, asked: SearchAsked, ip: string): SearchTerms {
  const location = locationOf(places, world, asked.destinationId)
  if (location === undefined) {
    throw new AppError(
      'location_not_found',
      'destination_id is not the id of a location; take one from the location search.',
    )
  }
  const { area } = asked
  const askedKm = area === undefined ? asked.radiusKm : circleAround(area).radiusKm
  const radiusKm = askedKm ?? location.radiusKm
  if (askedKm === undefined && (location.isTooLarge === true || radiusKm > RADIUS_MAX_KM))
    throw tooLarge(places, location)
  return {
    location: plain(location),
    radiusKm,
    ...(area !== undefined && { area, ...areaCountry(places, area, location) }),
    stay: { checkIn: asked.checkIn, checkOut: asked.checkOut, occupancies: asked.occupancies },
    market: { currency: asked.currency, language: asked.language, countryCode: asked.countryCode },
    customerIp: asked.customerIp ?? ip,
    // The simulator's vendors stand for all of ours, whichever were asked for.
    vendorIds: (!world.simulated && asked.vendorIds) || world.vendors.map(({ id }) => id),
  }
}

/** Limit of the distance to the nearest city, for an area without a city. */
const CITY_FAR_KM = 500

/** In which country an area lies that the location is not in: that of its best-known city. */
function areaCountry(
  places: Places,
  area: Box,
  { point, countryCode }: Location,
): Pick<SearchTerms, 'areaCountryCode'> {
  if (isInBox(area, point)) return {}
  const { center, radiusKm } = circleAround(area)
  const [city] = [radiusKm, CITY_FAR_KM].flatMap((km) => places.nearby(center, km, ['city'], 1))
  return { areaCountryCode: city?.countryCode ?? countryCode }
}

/** A search as selling rules see it: of an area, its own country counts and not that of a location elsewhere. */
export function pricedSearch(terms: SearchTerms, accountId: string, at: number): PricedSearch {
  const { location, areaCountryCode, stay, market } = terms
  const place = areaCountryCode === undefined ? location : { ...location, id: '', countryCode: areaCountryCode }
  return { accountId, at, location: place, stay, currency: market.currency }
}

/** The simulator searches any destination. */
const locationOf = (places: Places, world: World, id: string): ReturnType<Places['byId']> =>
  places.byId(id) ?? (world.simulated ? { ...world.samples.search('', id).terms.location, id } : undefined)

/** What is wrong with a check-in. "Today" is judged where the guest will be. */
export function checkInErrors(
  { places, clock }: { readonly places: Places; readonly clock: Clock },
  world: World,
  destinationId: string,
  checkIn: string,
): FieldError[] {
  const location = locationOf(places, world, destinationId)
  if (location === undefined) return []
  const today = dateIn(location.timezone, clock.now())
  if (checkIn < today) {
    return [
      {
        field: 'check_in',
        code: 'check_in_in_the_past',
        message: `check_in is over: it is ${today} at the destination.`,
      },
    ]
  }
  const last = addDays(today, STAY_BOUNDS.leadDaysMax)
  if (checkIn > last) {
    return [
      {
        field: 'check_in',
        code: 'check_in_too_far',
        message: `check_in can be up to ${last}, ${STAY_BOUNDS.leadDaysMax} days ahead.`,
      },
    ]
  }
  return []
}

/** A country or region that holds more properties than one answer can. */
export class LocationTooLarge extends AppError {
  readonly chooseInstead: readonly Location[]
  constructor(location: Location, chooseInstead: readonly Location[]) {
    const message = `${location.name} is too large for one search. Choose a city or an area in it, or send radius_km or area.`
    super('location_too_large', message, {
      errors: [{ field: 'destination_id', code: 'location_too_large', message }],
    })
    this.chooseInstead = chooseInstead
  }
}

function tooLarge(places: Places, location: Location): LocationTooLarge {
  const cities = places.nearby(location.point, location.radiusKm, ['city', 'area', 'region'], 60)
  const near = cities.filter(
    (one) => one.countryCode === location.countryCode && one.radiusKm <= RADIUS_MAX_KM && one.id !== location.id,
  )
  // The circle around a region holds its neighbours' towns too; names end with what they lie in.
  const inside = near.filter(({ name }) => name.endsWith(`, ${location.name}`))
  return new LocationTooLarge(location, (inside.length > 0 ? inside : near).slice(0, 6))
}

/** What is kept with the search; an index may know more of a place. */
const plain = ({ id, name, type, countryCode, point, radiusKm, timezone, iata, propertyId }: Location): Location => ({
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
