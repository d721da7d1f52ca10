import { type FieldError, invalidRequest } from '../../domain/errors.ts'
import { STAY_BOUNDS } from '../../domain/stay.ts'
import { type Box, circleAround } from '../../lib/geo.ts'
import { nearestWord } from '../../lib/text/nearest-word.ts'
import { cut } from '../../lib/text/shorten.ts'
import { daysBetween } from '../../lib/time/plain-date.ts'
import { AREA_FIELDS, OCCUPANCY_FIELDS, RADIUS_KM, SearchRequest } from '../schemas/search-request.ts'
import type { SearchAsked } from '../search-terms.ts'

const WARNINGS_MAX = 10

type Judges = {
  readonly vendorIds: readonly string[]
  readonly defaultCountryCode: string
  /** What is wrong with a check-in at a destination, where it may be another day. */
  checkInErrors(destinationId: string, checkIn: string): FieldError[]
}

/** A search in our own words. Throws all that is wrong with it: `wrong`, which the schema found, and what it cannot express. */
export function readSearch(body: SearchRequest, wrong: readonly FieldError[], judges: Judges): SearchAsked {
  const isRight = (field: string) => !wrong.some((error) => error.field === 'body' || error.field.startsWith(field))
  const errors = [...wrong]
  if (isRight('check_in') && isRight('check_out')) errors.push(...nightsErrors(body))
  if (isRight('area')) errors.push(...areaErrors(body.area ?? undefined))
  if (isRight('vendors')) errors.push(...vendorErrors(body.vendors ?? [], judges.vendorIds))
  if (isRight('check_in') && isRight('destination_id'))
    errors.push(...judges.checkInErrors(body.destination_id, body.check_in))
  if (errors.length > 0) throw invalidRequest(errors)
  return {
    destinationId: body.destination_id,
    checkIn: body.check_in,
    checkOut: body.check_out,
    occupancies: body.occupancies.map(({ adults, children_ages }) => ({ adults, childrenAges: children_ages ?? [] })),
    currency: body.currency ?? 'USD',
    language: body.language ?? 'en-US',
    countryCode: body.country_code ?? judges.defaultCountryCode,
    customerIp: body.customer_ip ?? undefined,
    radiusKm: body.radius_km ?? undefined,
    area: body.area == null ? undefined : boxOf(body.area),
    timeoutMs: body.timeout_ms ?? 5_000,
    vendorIds: body.vendors ?? undefined,
  }
}

function nightsErrors({ check_in, check_out }: SearchRequest): FieldError[] {
  const nights = daysBetween(check_in, check_out)
  const { nightsMax } = STAY_BOUNDS
  const wrong = (code: string, message: string) => [{ field: 'check_out', code, message }]
  if (nights < 1) return wrong('check_out_not_after_check_in', 'check_out must be at least one night after check_in.')
  if (nights <= nightsMax) return []
  return wrong('too_many_nights', `A stay has at most ${nightsMax} nights; this one has ${nights}.`)
}

const boxOf = ({ south, west, north, east }: Box): Box => ({ south, west, north, east })

/** As large as a circle may be: from its middle to a corner it is as far as `radius_km` may say. */
function areaErrors(area: Box | undefined): FieldError[] {
  if (area === undefined) return []
  const wrong = (field: string, code: string, message: string) => [{ field, code, message }]
  if (area.south >= area.north)
    return wrong('area.north', 'not_north_of_south', 'area.north must be greater than area.south.')
  if (area.west === area.east) return wrong('area.east', 'not_east_of_west', 'area.east must differ from area.west.')
  const km = circleAround(area).radiusKm
  if (km >= RADIUS_KM.min && km <= RADIUS_KM.max) return []
  const { min, max } = RADIUS_KM
  const size = `from its middle to a corner it must be ${min} to ${max} km, and is ${Number(km.toPrecision(3))} km`
  return wrong('area', 'out_of_range', `area is too ${km < min ? 'small' : 'large'} for one search: ${size}.`)
}

function vendorErrors(asked: readonly string[], known: readonly string[]): FieldError[] {
  if (asked.every((id) => known.includes(id))) return []
  const message = `vendors must be a list of ${known.join(', ')}.`
  return [{ field: 'vendors', code: 'unknown_vendor', message }]
}

const BOTH = '`radius_km` was ignored: `area` says what is searched'

/** Fields that we do not know are ignored, but not without a word: most of them are typing errors. */
export function warningsFor(body: SearchRequest): string[] {
  return [
    ...unknownFields(body, Object.keys(SearchRequest.properties), ''),
    ...(body.area == null ? [] : unknownFields(body.area, AREA_FIELDS, 'area.')),
    ...(body.area != null && body.radius_km != null ? [BOTH] : []),
    ...body.occupancies.flatMap((room, at) => unknownFields(room, OCCUPANCY_FIELDS, `occupancies[${at}].`)),
  ].slice(0, WARNINGS_MAX)
}

function unknownFields(sent: object, known: readonly string[], path: string): string[] {
  const unknown = Object.keys(sent).filter((name) => !known.includes(name))
  return unknown.slice(0, WARNINGS_MAX).map((whole) => {
    const name = cut(whole, 40)
    const near = nearestWord(name, known)
    return `\`${path}${name}\` was ignored${near === undefined ? '' : `; did you mean \`${near}\`?`}`
  })
}
