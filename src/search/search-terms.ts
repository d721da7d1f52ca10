import { AppError, type FieldError, invalidRequest } from '../domain/app-error.ts'
import type { Location, LocationType } from '../domain/location.ts'
import type { SearchTerms } from '../domain/saved-search.ts'
import { type Occupancy, STAY_BOUNDS } from '../domain/stay.ts'
import type { Clock } from '../lib/clock.ts'
import type { Point } from '../lib/geo.ts'
import { addDays, dateIn } from '../lib/plain-date.ts'

/** What was asked, as far as it could be read; what depends on the destination is judged here, when that is known. */
export type SearchAsked = {
  /** What is wrong with it by itself; a field with an error holds nothing. */
  readonly errors: readonly FieldError[]
  readonly destinationId: string
  readonly checkIn: string
  readonly checkOut: string
  readonly occupancies: readonly Occupancy[]
  readonly customerIp: string | undefined
  readonly currency: string
  readonly language: string
  readonly countryCode: string
  readonly radiusKm: number | undefined
  readonly vendorIds: readonly string[] | undefined
  readonly timeoutMs: number
  readonly warnings: readonly string[]
}

/** As much of the location index as a search needs. */
export type Places = {
  byId(id: string): (Location & { readonly isTooLarge?: boolean }) | undefined
  nearby(point: Point, radiusKm: number, types: readonly LocationType[], limit: number): readonly Location[]
}

/** A circle wider than this holds more properties than one answer can. */
const RADIUS_MAX_KM = 100

/** Throws all that is wrong with the request, alone or at this destination: unknown, too large, a day that is over there. */
export function termsOf(
  places: Places,
  clock: Clock,
  asked: SearchAsked,
  vendorIds: readonly string[],
  ip: string,
): SearchTerms {
  const location = places.byId(asked.destinationId)
  const errors = [...asked.errors, ...(location === undefined ? [] : dateErrors(location, asked, clock))]
  if (errors.length > 0) throw invalidRequest(errors)
  if (location === undefined) {
    throw new AppError(
      'location_not_found',
      'destination_id is not the id of a location; take one from the location search.',
    )
  }
  const radiusKm = asked.radiusKm ?? location.radiusKm
  if (asked.radiusKm === undefined && (location.isTooLarge === true || radiusKm > RADIUS_MAX_KM))
    throw tooLarge(places, location)
  return {
    location: plain(location),
    radiusKm,
    stay: { checkIn: asked.checkIn, checkOut: asked.checkOut, occupancies: asked.occupancies },
    market: { currency: asked.currency, language: asked.language, countryCode: asked.countryCode },
    customerIp: asked.customerIp ?? ip,
    vendorIds: asked.vendorIds ?? vendorIds,
  }
}

/** "Today" is judged where the guest will be. */
function dateErrors(location: Location, asked: SearchAsked, clock: Clock): FieldError[] {
  if (asked.checkIn === '') return []
  const today = dateIn(location.timezone, clock.now())
  if (asked.checkIn < today) {
    return [
      {
        field: 'check_in',
        code: 'check_in_in_the_past',
        message: `check_in is over: it is ${today} at the destination.`,
      },
    ]
  }
  const last = addDays(today, STAY_BOUNDS.leadDaysMax)
  if (asked.checkIn > last) {
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

function tooLarge(places: Places, location: Location): AppError {
  const cities = places.nearby(location.point, location.radiusKm, ['city', 'area', 'region'], 60)
  const near = cities.filter(
    (one) => one.countryCode === location.countryCode && one.radiusKm <= RADIUS_MAX_KM && one.id !== location.id,
  )
  // The circle around a region holds its neighbours' towns too; names end with what they lie in.
  const inside = near.filter(({ name }) => name.endsWith(`, ${location.name}`))
  const chooseInstead = (inside.length > 0 ? inside : near)
    .slice(0, 6)
    .map(({ id, name, type }) => ({ id, name, type }))
  const words = `${location.name} is too large for one search. Choose a city or an area in it, or send radius_km.`
  return new AppError('location_too_large', words, {
    errors: [{ field: 'destination_id', code: 'location_too_large', message: words }],
    extra: { choose_instead: chooseInstead },
  })
}

/** What is kept with the search; an index may know more of a place. */
const plain = ({ id, name, type, countryCode, point, radiusKm, timezone, iata }: Location): Location => ({
  id,
  name,
  type,
  countryCode,
  point,
  radiusKm,
  timezone,
  ...(iata === undefined ? {} : { iata }),
})
