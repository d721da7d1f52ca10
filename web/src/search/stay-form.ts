import { getDayOfWeek, getLocalTimeZone, parseDate, today } from '@internationalized/date'
import { STAY_BOUNDS } from '../api/service-rules.ts'
import type { SearchBody } from '../api/shapes.ts'
import { type Conditions, readConditions, writeConditions } from './conditions.ts'

export type RoomParty = { readonly adults: number; readonly children: readonly (number | undefined)[] }

/** The search form. Dates are plain `YYYY-MM-DD` strings, so time zones cannot shift them. */
export type StayForm = {
  readonly placeId: string
  readonly place: string
  /** Set if the visitor has chosen a property as the destination; not part of a link. */
  readonly propertyId?: string | undefined
  /** True if the place was chosen as a landmark, a station or an airport. */
  readonly isPoint?: boolean | undefined
  readonly checkIn: string
  readonly checkOut: string
  readonly rooms: readonly RoomParty[]
  readonly currency: string
  /** Map area to search instead of the place's surroundings. */
  readonly area?: Area | undefined
  readonly conditions?: Conditions | undefined
}
type Area = NonNullable<SearchBody['area']>

const DATE = /^\d{4}-\d{2}-\d{2}$/

/** Next Friday to Sunday. */
export function nextWeekend(zone = getLocalTimeZone()): { checkIn: string; checkOut: string } {
  const now = today(zone)
  // With weeks starting on Monday, 0 is Monday in every locale.
  const ahead = (4 - getDayOfWeek(now, 'en-US', 'mon') + 7) % 7
  const friday = now.add({ days: ahead === 0 ? 7 : ahead })
  return { checkIn: friday.toString(), checkOut: friday.add({ days: 2 }).toString() }
}

export function nightsBetween(checkIn: string, checkOut: string): number {
  if (!DATE.test(checkIn) || !DATE.test(checkOut)) return 0
  return Math.round((Date.parse(checkOut) - Date.parse(checkIn)) / 86_400_000)
}

export const countGuests = (rooms: readonly RoomParty[]) => ({
  adults: rooms.reduce((sum, room) => sum + room.adults, 0),
  children: rooms.reduce((sum, room) => sum + room.children.length, 0),
})

export const hasAllAges = (rooms: readonly RoomParty[]): boolean =>
  rooms.every((room) => room.children.every((age) => age !== undefined))

/** `2,1-7.4`: two adults in the first room, one with children of 7 and 4 in the second. */
const writeRooms = (rooms: readonly RoomParty[]): string =>
  rooms
    .map(({ adults, children }) => (children.length === 0 ? `${adults}` : `${adults}-${children.join('.')}`))
    .join(',')

function readRooms(text: string): RoomParty[] | undefined {
  const rooms = text.split(',').map((part): RoomParty | undefined => {
    const [, adults, ages] = /^(\d{1,2})(?:-([\d.]+))?$/.exec(part) ?? []
    const children = (ages ?? '').split('.').filter(Boolean).map(Number)
    const fits =
      Number(adults) >= 1 && Number(adults) <= STAY_BOUNDS.adultsMax && children.length <= STAY_BOUNDS.childrenMax
    return fits && children.every((age) => age <= STAY_BOUNDS.childAgeMax)
      ? { adults: Number(adults), children }
      : undefined
  })
  const known = rooms.filter((room) => room !== undefined)
  return known.length === rooms.length && rooms.length <= STAY_BOUNDS.roomsMax ? known : undefined
}

/** A location or a property. */
const PLACE_ID = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|prp_[0-9a-z]+)$/i

/** Message keys for faults of a link. */
export type LinkFault =
  | 'link_place'
  | 'link_dates'
  | 'link_rooms'
  | 'dates_zero'
  | 'dates_long'
  | 'dates_past'
  | 'dates_far'

/** Stay read from an address; `faults` names what is missing or invalid. */
export type StayLink = {
  readonly placeId: string
  readonly place: string
  readonly isPoint: boolean
  readonly dates: { readonly checkIn: string; readonly checkOut: string } | undefined
  readonly rooms: readonly RoomParty[] | undefined
  readonly currency: string
  readonly area: Area | undefined
  readonly conditions: Conditions
  readonly faults: readonly LinkFault[]
}

/** `preferred` is the currency if the address names none. */
export function readLink(query: URLSearchParams, preferred = 'USD'): StayLink {
  const checkIn = query.get('in') ?? ''
  const checkOut = query.get('out') ?? ''
  const placeId = query.get('to') ?? ''
  const rooms = readRooms(query.get('rooms') ?? '2')
  const currency = query.get('cur') ?? ''
  const fault = checkLinkDates(checkIn, checkOut)
  return {
    placeId: PLACE_ID.test(placeId) ? placeId : '',
    place: query.get('place') ?? '',
    isPoint: query.get('near') === '1',
    dates: fault === undefined ? { checkIn, checkOut } : undefined,
    rooms,
    area: readArea(query.get('area')),
    conditions: readConditions(query),
    currency: /^[A-Z]{3}$/.test(currency) ? currency : preferred,
    faults: [
      ...(PLACE_ID.test(placeId) ? [] : (['link_place'] as const)),
      ...(fault === undefined ? [] : [fault]),
      ...(rooms === undefined ? (['link_rooms'] as const) : []),
    ],
  }
}

/** Tolerates one day at both ends: the date at the destination may differ. */
function checkLinkDates(checkIn: string, checkOut: string): LinkFault | undefined {
  if (!isDate(checkIn) || !isDate(checkOut)) return 'link_dates'
  const nights = nightsBetween(checkIn, checkOut)
  if (nights < 1) return 'dates_zero'
  if (nights > STAY_BOUNDS.nightsMax) return 'dates_long'
  if (checkIn < today('UTC').subtract({ days: 1 }).toString()) return 'dates_past'
  return checkIn >
    today('UTC')
      .add({ days: STAY_BOUNDS.leadDaysMax + 1 })
      .toString()
    ? 'dates_far'
    : undefined
}

/** Undefined if something is missing or invalid. */
export function readStay(query: URLSearchParams): StayForm | undefined {
  const { faults, ...link } = readLink(query)
  return faults.length === 0 ? toStayForm(link) : undefined
}

/** Fills in defaults for what the link does not name. */
export function toStayForm({
  placeId,
  place,
  isPoint,
  dates,
  rooms,
  currency,
  area,
  conditions,
}: Omit<StayLink, 'faults'>): StayForm {
  const party = rooms ?? [{ adults: 2, children: [] }]
  return { placeId, place, isPoint, ...(dates ?? nextWeekend()), rooms: party, currency, area, conditions }
}

export function writeStay(form: StayForm): URLSearchParams {
  const { board = '', free = '' } = form.conditions === undefined ? {} : writeConditions(form.conditions)
  return new URLSearchParams({
    to: form.placeId,
    place: form.place,
    ...(form.isPoint === true ? { near: '1' } : {}),
    in: form.checkIn,
    out: form.checkOut,
    rooms: writeRooms(form.rooms),
    cur: form.currency,
    ...(form.area === undefined ? {} : { area: writeArea(form.area) }),
    ...(board === '' ? {} : { board }),
    ...(free === '' ? {} : { free }),
  })
}

/** Address of the chosen property, or of the list. */
export const stayAddress = (form: StayForm): string =>
  `/${form.propertyId === undefined ? 'search' : `property/${encodeURIComponent(form.propertyId)}`}?${writeStay(form)}`

/** South, west, north and east in degrees. */
const writeArea = ({ south, west, north, east }: Area): string => [south, west, north, east].join(',')

function readArea(text: string | null): Area | undefined {
  const degrees = text === null ? [] : text.split(',').map(Number)
  const [south = 0, west = 0, north = 0, east = 0] = degrees
  return degrees.length === 4 && degrees.every(Number.isFinite) ? { south, west, north, east } : undefined
}

function isDate(text: string): boolean {
  try {
    return DATE.test(text) && parseDate(text).toString() === text
  } catch {
    return false
  }
}
