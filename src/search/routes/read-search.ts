import { type FieldError, invalidRequest } from '../../domain/errors.ts'
import { STAY_BOUNDS } from '../../domain/stay.ts'
import { FIELD_ERRORS_MAX } from '../../http/body/field-errors.ts'
import { type Box, circleAround } from '../../lib/geo.ts'
import { nearestWord } from '../../lib/text/nearest-word.ts'
import { truncate } from '../../lib/text/truncate.ts'
import { daysBetween } from '../../lib/time/plain-date.ts'
import { AREA_FIELDS, CONDITION_FIELDS, OCCUPANCY_FIELDS, RADIUS_KM, SearchRequest } from '../schemas/search-request.ts'
import type { SearchInput } from '../search-terms.ts'

const WARNINGS_MAX = 10

type Validation = {
  readonly vendorIds: readonly string[]
  readonly defaultCountryCode: string
  /** The date at the destination may differ from ours. */
  checkInErrors(checkIn: string): FieldError[]
}

/** Throws all errors: `schemaErrors` of the schema, and those that it cannot express. */
export function readSearch(
  body: SearchRequest,
  schemaErrors: readonly FieldError[],
  validation: Validation,
): SearchInput {
  // If errors were omitted, any field may be invalid.
  const isValid = (field: string) =>
    schemaErrors.length < FIELD_ERRORS_MAX &&
    !schemaErrors.some((error) => error.field === 'body' || error.field.startsWith(field))
  const errors = [...schemaErrors]
  if (isValid('check_in') && isValid('check_out')) errors.push(...nightsErrors(body))
  if (isValid('area')) errors.push(...areaErrors(body.area ?? undefined))
  if (isValid('vendors')) errors.push(...vendorErrors(body.vendors ?? [], validation.vendorIds))
  if (isValid('check_in') && isValid('destination_id')) errors.push(...validation.checkInErrors(body.check_in))
  if (errors.length > 0) throw invalidRequest(errors)
  return {
    destinationId: body.destination_id,
    checkIn: body.check_in,
    checkOut: body.check_out,
    occupancies: body.occupancies.map(({ adults, children_ages }) => ({ adults, childrenAges: children_ages ?? [] })),
    currency: body.currency ?? 'USD',
    language: body.language ?? 'en-US',
    countryCode: body.country_code ?? validation.defaultCountryCode,
    customerIp: body.customer_ip ?? undefined,
    radiusKm: body.radius_km ?? undefined,
    area: body.area == null ? undefined : toBox(body.area),
    conditions: readConditions(body.conditions ?? undefined),
    timeoutMs: body.timeout_ms ?? 5_000,
    vendorIds: body.vendors ?? undefined,
  }
}

/** Undefined if there is none. */
function readConditions({ free_cancellation, boards }: NonNullable<SearchRequest['conditions']> = {}) {
  if (free_cancellation !== true && boards == null) return undefined
  return { ...(free_cancellation === true && { freeCancellation: true as const }), ...(boards != null && { boards }) }
}

function nightsErrors({ check_in, check_out }: SearchRequest): FieldError[] {
  const nights = daysBetween(check_in, check_out)
  const { nightsMax } = STAY_BOUNDS
  const schemaErrors = (code: string, message: string) => [{ field: 'check_out', code, message }]
  if (nights < 1)
    return schemaErrors('check_out_not_after_check_in', 'check_out must be at least one night after check_in.')
  if (nights <= nightsMax) return []
  return schemaErrors('too_many_nights', `A stay can have at most ${nightsMax} nights. This one has ${nights}.`)
}

const toBox = ({ south, west, north, east }: Box): Box => ({ south, west, north, east })

/** Limited like a circle: `radius_km` applies from the middle to a corner. */
function areaErrors(area: Box | undefined): FieldError[] {
  if (area === undefined) return []
  const schemaErrors = (field: string, code: string, message: string) => [{ field, code, message }]
  if (area.south >= area.north)
    return schemaErrors('area.north', 'not_north_of_south', 'area.north must be greater than area.south.')
  if (area.west === area.east)
    return schemaErrors('area.east', 'not_east_of_west', 'area.east must differ from area.west.')
  const km = circleAround(area).radiusKm
  if (km >= RADIUS_KM.min && km <= RADIUS_KM.max) return []
  const { min, max } = RADIUS_KM
  const size = `from its middle to a corner must be ${min} to ${max} km, but is ${Number(km.toPrecision(3))} km`
  return schemaErrors('area', 'out_of_range', `area is too ${km < min ? 'small' : 'large'} for one search: ${size}.`)
}

function vendorErrors(requested: readonly string[], known: readonly string[]): FieldError[] {
  if (requested.every((id) => known.includes(id))) return []
  const message = `vendors must be a list of ${known.join(', ')}.`
  return [{ field: 'vendors', code: 'unknown_vendor', message }]
}

const RADIUS_IGNORED = '`radius_km` was ignored because `area` was sent'

/** Unknown fields are ignored with a warning, because most are typing errors. */
export function listWarnings(body: SearchRequest, listParameters: ReadonlySet<string>): string[] {
  return [
    ...unknownFields(body, Object.keys(SearchRequest.properties), '', listParameters),
    ...(body.area == null ? [] : unknownFields(body.area, AREA_FIELDS, 'area.')),
    ...(body.conditions == null ? [] : unknownFields(body.conditions, CONDITION_FIELDS, 'conditions.')),
    ...(body.area != null && body.radius_km != null ? [RADIUS_IGNORED] : []),
    ...body.occupancies.flatMap((room, index) => unknownFields(room, OCCUPANCY_FIELDS, `occupancies[${index}].`)),
  ].slice(0, WARNINGS_MAX)
}

function unknownFields(
  sent: object,
  known: readonly string[],
  path: string,
  listParameters: ReadonlySet<string> = new Set(),
): string[] {
  const unknown = Object.keys(sent).filter((name) => !known.includes(name))
  return unknown.slice(0, WARNINGS_MAX).map((whole) => {
    const name = truncate(whole, 40)
    if (listParameters.has(name)) return `\`${name}\` was ignored in the body. Lists take it in the query.`
    const near = nearestWord(name, known)
    return `\`${path}${name}\` was ignored${near === undefined ? '' : `; did you mean \`${near}\`?`}`
  })
}
