import {
  type AmenitySlug,
  amenityLabel,
  findAmenitySlug,
  POPULAR_AMENITIES_MAX,
  sortAmenitySlugs,
} from '../../../domain/property/amenity.ts'
import type { RoomAmenities } from '../../../domain/property/property.ts'
import { foldText } from '../../../lib/text/fold-text.ts'
import { asInteger, asRecords, asText, type Wire } from '../../wire/read.ts'
import { readContentText, tidyName } from '../wire.ts'
import { type CodeNames, facilityKey } from './code-lists.ts'

/** A facility of a property or room. Facilities marked as absent are left out. */
export type Facility = {
  /** `70-550`: codes repeat across groups, so the key contains both. */
  readonly key: string
  readonly group: number
  readonly name: string
  /** Size, distance, hours, price …; may be empty. */
  readonly value: string
  readonly charged: boolean
  readonly number: number | undefined
  readonly hours: { readonly from: string; readonly to: string }
}

export function readFacilities(list: unknown, names: CodeNames): Facility[] {
  const facilities: Facility[] = []
  for (const wire of asRecords(list)) {
    const group = asInteger(wire.facilityGroupCode)
    const code = asInteger(wire.facilityCode)
    if (group === undefined || code === undefined) continue
    if (wire.indLogic === false || wire.indYesOrNo === false || wire.number === 0) continue
    const key = facilityKey(group, code)
    const name = tidyName(readContentText(wire.description)) || names.facility(key)
    if (name === '') continue
    const hours = { from: readHour(wire.timeFrom), to: readHour(wire.timeTo) }
    const number = asInteger(wire.number)
    const charged = wire.indFee === true || Number(wire.amount) > 0
    facilities.push({ key, group, name, value: formatDetail(wire, key, hours), charged, number, hours })
  }
  return facilities
}

const GROUPS: Readonly<Record<number, string>> = {
  10: 'Building',
  30: 'Methods of payment',
  40: 'Distances',
  60: 'Room facilities',
  61: 'Beds',
  62: 'Beds',
  70: 'Facilities',
  71: 'Catering',
  72: 'Business',
  73: 'Entertainment',
  74: 'Health',
  75: 'Green programmes',
  76: 'Green programmes',
  77: 'Green programmes',
  78: 'Green programmes',
  79: 'Green programmes',
  80: 'Meals',
  85: 'Things to keep in mind',
  90: 'Sports',
  91: 'Health and safety',
}

/** Shorter than the vendor's headings ("Room facilities (Standard room)"); split groups share one. */
const groupName = (group: number): string => GROUPS[group] ?? 'Other'

export const CHECK_IN = '70-260'
export const CHECK_OUT = '70-390'
export const ROOM_SIZE = '60-295'

/** `15:00:00` → `15:00`. */
const readHour = (time: unknown): string => /^([01]\d|2[0-3]):[0-5]\d/.exec(asText(time))?.[0] ?? ''

function formatDetail(wire: Wire, key: string, hours: Facility['hours']): string {
  const distance = asInteger(wire.distance)
  if (distance !== undefined) return `${distance} m`
  if (hours.from !== '' && hours.to !== '' && hours.from !== hours.to) return `${hours.from}–${hours.to}`
  const number = asInteger(wire.number)
  if (number !== undefined && key === ROOM_SIZE) return `${number} m²`
  if (number !== undefined && number > 1) return String(number)
  const amount = Number(wire.amount)
  if (amount > 0 && /^[A-Z]{3}$/.test(asText(wire.currency))) return `${amount} ${asText(wire.currency)}`
  return wire.indFee === true ? 'extra charge' : ''
}

/** Property types, beds and sights are shown elsewhere. */
const UNLISTED = new Set([20, 61, 62, 100])

export function labelsByCategory(facilities: readonly Facility[]): Record<string, string[]> {
  const isListed = ({ group, key }: Facility) => !UNLISTED.has(group) && key !== CHECK_IN && key !== CHECK_OUT
  const formatLabel = ({ name, value }: Facility) => (value === '' ? name : `${name} (${value})`)
  const groups = Map.groupBy(facilities.filter(isListed), ({ group }) => groupName(group))
  return Object.fromEntries(Array.from(groups, ([heading, group]) => [heading, [...new Set(group.map(formatLabel))]]))
}

/** Groups amenities by heading. Those of every room come first. */
export function roomAmenities(facilities: readonly Facility[]): RoomAmenities {
  const byKey = new Map<string, Facility>()
  for (const facility of facilities) if (!byKey.has(facility.key)) byKey.set(facility.key, facility)
  const listed = [...byKey.values()].filter(({ key, group }) => !UNLISTED.has(group) && key !== ROOM_SIZE)
  const toEntry = ({ key, name, value }: Facility) => ({ id: key, name, ...(value !== '' && { value }) })
  const groups = Map.groupBy(listed, ({ group }) => groupName(group))
  return Object.fromEntries(Array.from(groups, ([heading, group]) => [heading, group.map(toEntry)]))
}

/** Facilities whose name alone would mislead. Undefined means "none of our amenities". */
const SLUGS: ReadonlyMap<string, AmenitySlug | undefined> = new Map<string, AmenitySlug | undefined>([
  ...['73-360', '73-361', '73-362', '60-313'].map((key): [string, AmenitySlug] => [key, 'indoor_pool']),
  ...['73-363', '73-364', '73-365', '60-306'].map((key): [string, AmenitySlug] => [key, 'outdoor_pool']),
  ['70-320', 'parking'],
  ['70-30', 'front_desk_24h'],
  ['70-520', undefined],
  ['70-70', 'elevator'],
  ['70-562', 'airport_shuttle'],
  ['70-495', 'airport_shuttle'],
  ['10-124', 'wheelchair'],
  ['60-260', 'wheelchair'],
  ['70-295', 'wheelchair'],
  ['85-562', 'non_smoking'],
  ['60-287', undefined],
  ['74-630', 'spa'],
])

/** Sights, distances and payment methods have words like "beach" that do not describe the property. */
const IGNORED_GROUPS = new Set([10, 20, 30, 40, 61, 62, 100])

export function listSlugs(facilities: readonly Facility[]): AmenitySlug[] {
  const slugs = new Set<AmenitySlug>()
  for (const facility of facilities) {
    const isMapped = SLUGS.has(facility.key)
    if (!isMapped && IGNORED_GROUPS.has(facility.group)) continue
    const slug = isMapped ? SLUGS.get(facility.key) : findAmenitySlug(foldText(facility.name))
    if (slug === undefined) continue
    slugs.add(slug)
    if (slug === 'indoor_pool' || slug === 'outdoor_pool') slugs.add('pool')
    if (slug === 'parking' && !facility.charged && facility.key === '70-320') slugs.add('free_parking')
  }
  return sortAmenitySlugs(slugs)
}

const BY_IMPORTANCE: readonly AmenitySlug[] = [
  'outdoor_pool',
  'indoor_pool',
  'pool',
  'spa',
  'beachfront',
  'wifi',
  'free_parking',
  'parking',
  'restaurant',
  'fitness',
  'air_conditioning',
  'bar',
  'pets',
  'airport_shuttle',
  'family',
  'room_service',
]
/** Most important first. Drops "pool" beside a more specific pool, and "parking" beside free parking. */
export function popularLabels(slugs: readonly AmenitySlug[]): string[] {
  const shown = new Set(slugs)
  if (shown.has('outdoor_pool') || shown.has('indoor_pool')) shown.delete('pool')
  if (shown.has('free_parking')) shown.delete('parking')
  return BY_IMPORTANCE.filter((slug) => shown.has(slug))
    .slice(0, POPULAR_AMENITIES_MAX)
    .map(amenityLabel)
}
