import { getDayOfWeek, getLocalTimeZone, parseDate, today } from '@internationalized/date'
import type { SearchBody } from '../api/shapes.ts'
import { formattingLocale, preferences, regionOf } from './preferences.ts'

export type RoomParty = { readonly adults: number; readonly children: readonly (number | undefined)[] }

/** The search form. Dates are plain `YYYY-MM-DD` strings, so time zones cannot shift them. */
export type StayForm = {
  readonly placeId: string
  readonly place: string
  readonly checkIn: string
  readonly checkOut: string
  readonly rooms: readonly RoomParty[]
  readonly currency: string
  /** What a map showed, searched instead of the surroundings of the place. */
  readonly area?: NonNullable<SearchBody['area']>
}

export const BOUNDS = { rooms: 8, adults: 14, children: 6, age: 17, nights: 28, leadDays: 500 } as const

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

export const guestsOf = (rooms: readonly RoomParty[]) => ({
  adults: rooms.reduce((sum, room) => sum + room.adults, 0),
  children: rooms.reduce((sum, room) => sum + room.children.length, 0),
})

export const agesAreKnown = (rooms: readonly RoomParty[]): boolean =>
  rooms.every((room) => room.children.every((age) => age !== undefined))

/** `2,1-7.4`: two adults in the first room, one with children of 7 and 4 in the second. */
export const writeRooms = (rooms: readonly RoomParty[]): string =>
  rooms
    .map(({ adults, children }) => (children.length === 0 ? `${adults}` : `${adults}-${children.join('.')}`))
    .join(',')

export function readRooms(text: string): RoomParty[] | undefined {
  const rooms = text.split(',').map((part): RoomParty | undefined => {
    const [, adults, ages] = /^(\d{1,2})(?:-([\d.]+))?$/.exec(part) ?? []
    const children = (ages ?? '').split('.').filter(Boolean).map(Number)
    const fits = Number(adults) >= 1 && Number(adults) <= BOUNDS.adults && children.length <= BOUNDS.children
    return fits && children.every((age) => age <= BOUNDS.age) ? { adults: Number(adults), children } : undefined
  })
  const known = rooms.filter((room) => room !== undefined)
  return known.length === rooms.length && rooms.length <= BOUNDS.rooms ? known : undefined
}

/** Reads the form from an address; undefined when something is missing or invalid. */
export function readStay(query: URLSearchParams): StayForm | undefined {
  const checkIn = query.get('in') ?? ''
  const checkOut = query.get('out') ?? ''
  const rooms = readRooms(query.get('rooms') ?? '2')
  const placeId = query.get('to') ?? ''
  const nights = isDate(checkIn) && isDate(checkOut) ? nightsBetween(checkIn, checkOut) : 0
  if (placeId === '' || rooms === undefined || nights < 1 || nights > BOUNDS.nights) return undefined
  const form = {
    placeId,
    place: query.get('place') ?? '',
    checkIn,
    checkOut,
    rooms,
    currency: query.get('cur') ?? 'USD',
  }
  const area = readArea(query.get('area'))
  return area === undefined ? form : { ...form, area }
}

export const writeStay = (form: StayForm): URLSearchParams =>
  new URLSearchParams({
    to: form.placeId,
    place: form.place,
    in: form.checkIn,
    out: form.checkOut,
    rooms: writeRooms(form.rooms),
    cur: form.currency,
    ...(form.area === undefined ? {} : { area: writeArea(form.area) }),
  })

type Area = NonNullable<StayForm['area']>

/** South, west, north and east in degrees. */
const writeArea = ({ south, west, north, east }: Area): string => [south, west, north, east].join(',')

function readArea(text: string | null): Area | undefined {
  const degrees = text === null ? [] : text.split(',').map(Number)
  const [south = 0, west = 0, north = 0, east = 0] = degrees
  return degrees.length === 4 && degrees.every(Number.isFinite) ? { south, west, north, east } : undefined
}

/** Results are shown as they arrive, so the deadline can be longer than for callers who wait for all of them. */
const PATIENCE_MS = 10_000

/** The request body: the form, with the user's language and market. */
export function searchBodyOf(form: StayForm): SearchBody {
  const countryCode = regionOf()
  return {
    destination_id: form.placeId,
    check_in: form.checkIn,
    check_out: form.checkOut,
    occupancies: form.rooms.map(({ adults, children }) => {
      const ages = children.filter((age) => age !== undefined)
      return ages.length === 0 ? { adults } : { adults, children_ages: ages }
    }),
    ...(form.area === undefined ? {} : { area: form.area }),
    currency: form.currency,
    timeout_ms: PATIENCE_MS,
    language: formattingLocale(preferences().locale),
    ...(countryCode === undefined ? {} : { country_code: countryCode }),
  }
}

function isDate(text: string): boolean {
  try {
    return DATE.test(text) && parseDate(text).toString() === text
  } catch {
    return false
  }
}
