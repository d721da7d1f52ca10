import { type Static, Type } from 'typebox'
import { BOARDS } from '../../domain/offer.ts'
import { DESTINATION_ID } from '../../domain/property/property-location.ts'
import { STAY_BOUNDS } from '../../domain/stay.ts'
import { optionalOrNull } from '../../http/schemas/or-null.ts'
import { LANGUAGE_TAG } from '../../http/schemas/scalars.ts'

const { roomsMax, adultsMax, childrenMax, childAgeMax, nightsMax, leadDaysMax } = STAY_BOUNDS
const wrongAge = {
  code: 'child_age_out_of_range',
  message: `A child must be 0 to ${childAgeMax} years old. Count older ones as adults.`,
}
const day = (name: string, description: string) =>
  Type.String({
    format: 'date',
    description,
    'x-errors': {
      required: { message: `${name} is missing. Send a date as YYYY-MM-DD.` },
      type: { message: `${name} must be a string with a date as YYYY-MM-DD.` },
      format: { code: 'not_a_date', message: `${name} must be a valid date as YYYY-MM-DD.` },
    },
  })
/** One code and message for every error of the field. */
const anyError = (code: string, message: string) => ({ 'x-errors': { '*': { code, message } } })

const OccupancyRequest = Type.Object(
  {
    adults: Type.Integer({
      minimum: 1,
      maximum: adultsMax,
      description: 'Adults in the room.',
      'x-errors': {
        minimum: { code: 'too_few_adults', message: 'A room needs at least one adult.' },
        maximum: { code: 'too_many_adults', message: `A room takes at most ${adultsMax} adults.` },
      },
    }),
    children_ages: optionalOrNull(
      Type.Array(
        Type.Integer({ minimum: 0, maximum: childAgeMax, 'x-errors': { minimum: wrongAge, maximum: wrongAge } }),
        {
          maxItems: childrenMax,
          'x-errors': {
            maxItems: { code: 'too_many_children', message: `A room takes at most ${childrenMax} children.` },
            type: { message: '{field} must be a list with the age of each child.' },
          },
        },
      ),
      'Age of each child.',
    ),
  },
  { title: 'OccupancyRequest', 'x-errors': { type: { message: '{field} must be an object with adults.' } } },
)

/** Limits of a searched circle, and of the circle around an area. */
export const RADIUS_KM = { min: 0.5, max: 100 } as const

const degrees = (name: string, limit: number, description: string) =>
  Type.Number({
    minimum: -limit,
    maximum: limit,
    description,
    'x-errors': {
      required: { message: `area.${name} is missing. Send south, west, north and east in degrees.` },
      '*': { code: 'out_of_range', message: `area.${name} must be a number from -${limit} to ${limit}.` },
    },
  })

const AreaRequest = Type.Object(
  {
    south: degrees('south', 90, 'Minimum latitude.'),
    west: degrees('west', 180, 'Western edge. Greater than `east` across the 180th meridian.'),
    north: degrees('north', 90, 'Maximum latitude.'),
    east: degrees('east', 180, 'Eastern edge.'),
  },
  {
    title: 'AreaRequest',
    example: { south: 48.83, west: 2.29, north: 48.88, east: 2.39 },
    'x-errors': { type: { message: 'area must be an object with south, west, north and east in degrees.' } },
  },
)
export const AREA_FIELDS = Object.keys(AreaRequest.properties)

const UNKNOWN_BOARD = anyError('unknown_board', `conditions.boards must be a list of ${BOARDS.join(', ')}.`)
const ConditionsRequest = Type.Object(
  {
    free_cancellation: optionalOrNull(
      Type.Boolean({ ...anyError('wrong_type', 'conditions.free_cancellation must be true or false.') }),
      'Only rates that can be cancelled for free now.',
    ),
    boards: optionalOrNull(
      Type.Array(Type.Enum([...BOARDS], UNKNOWN_BOARD), { minItems: 1, maxItems: BOARDS.length, ...UNKNOWN_BOARD }),
      'Only rates with one of these boards.',
    ),
  },
  {
    title: 'ConditionsRequest',
    example: { free_cancellation: true, boards: ['breakfast', 'half_board'] },
    'x-errors': { type: { message: 'conditions must be an object with free_cancellation or boards.' } },
  },
)
export const CONDITION_FIELDS = Object.keys(ConditionsRequest.properties)

export type SearchRequest = Static<typeof SearchRequest>
export const SearchRequest = Type.Object(
  {
    destination_id: Type.String({
      pattern: DESTINATION_ID.source,
      description: 'A location’s `id`, or a `property_id` to search around that property.',
      'x-errors': {
        required: { message: 'destination_id is missing. Send the id of a location.' },
        '*': { code: 'wrong_format', message: 'destination_id must be the UUID of a location, or a property_id.' },
      },
    }),
    check_in: day('check_in', `\`YYYY-MM-DD\`; today (at the destination) to ${leadDaysMax} days ahead.`),
    check_out: day('check_out', `\`YYYY-MM-DD\`; 1 to ${nightsMax} nights after check-in.`),
    occupancies: Type.Array(OccupancyRequest, {
      minItems: 1,
      maxItems: roomsMax,
      description: 'One entry per room.',
      'x-errors': {
        required: { message: 'occupancies is missing. Send one entry per room, such as [{"adults": 2}].' },
        type: { message: 'occupancies must be a list, one entry per room.' },
        minItems: { code: 'too_few_rooms', message: 'A search needs at least one room.' },
        maxItems: { code: 'too_many_rooms', message: `A search can have at most ${roomsMax} rooms.` },
      },
    }),
    customer_ip: optionalOrNull(
      Type.String({
        format: 'ip',
        ...anyError('not_an_ip_address', 'customer_ip must be an IPv4 or IPv6 address.'),
      }),
      'The traveller’s IP address; defaults to that of the connection.',
    ),
    currency: optionalOrNull(
      Type.String({
        format: 'currency',
        pattern: '^[A-Z]{3}$',
        ...anyError('unknown_currency', 'currency must be an ISO 4217 code in capitals, such as EUR.'),
      }),
      'ISO 4217; defaults to `USD`.',
    ),
    language: optionalOrNull(
      Type.String({
        ...LANGUAGE_TAG,
        ...anyError('wrong_format', 'language must be a BCP 47 tag, such as en-US.'),
      }),
      'BCP 47; defaults to `en-US`.',
    ),
    country_code: optionalOrNull(
      Type.String({
        format: 'country-code',
        ...anyError('wrong_format', 'country_code must be an ISO 3166-1 code in capitals, such as FR.'),
      }),
      'The guest’s country, ISO 3166-1; defaults to the operator’s setting, or else `US`.',
    ),
    radius_km: optionalOrNull(
      Type.Number({
        minimum: RADIUS_KM.min,
        maximum: RADIUS_KM.max,
        ...anyError('out_of_range', `radius_km must be a number from ${RADIUS_KM.min} to ${RADIUS_KM.max}.`),
      }),
      'Search radius around the destination.',
    ),
    area: optionalOrNull(
      AreaRequest,
      `Search this box, in degrees, instead of the circle around the destination, for example the visible part of a map. From its middle to a corner it must be ${RADIUS_KM.min} to ${RADIUS_KM.max} km.`,
    ),
    conditions: optionalOrNull(
      ConditionsRequest,
      'Finds only rates that meet all of these. Each property is shown with the cheapest of them. A vendor that cannot be asked for a condition is skipped.',
    ),
    vendors: optionalOrNull(
      Type.Array(Type.String(), {
        minItems: 1,
        ...anyError('unknown_vendor', 'vendors must be a list of vendor ids. Omit it to ask all of them.'),
      }),
      'Ask only these vendors.',
    ),
    timeout_ms: optionalOrNull(
      Type.Integer({
        minimum: 500,
        maximum: 15_000,
        ...anyError('out_of_range', 'timeout_ms must be a whole number from 500 to 15000.'),
      }),
      'Defaults to 5,000.',
    ),
  },
  {
    title: 'SearchRequest',
    'x-errors': {
      type: { message: 'The body must be an object with destination_id, check_in, check_out and occupancies.' },
    },
  },
)
export const OCCUPANCY_FIELDS = Object.keys(OccupancyRequest.properties)
