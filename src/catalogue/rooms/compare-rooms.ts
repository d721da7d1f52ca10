import { featuresToCompare, locationsToCompare, type RoomAttributes } from './read-attributes.ts'
import { compareBeds, sleepersIn } from './read-beds.ts'

export const ROOM_ATTRIBUTES = [
  'kind',
  'grade',
  'name',
  'beds',
  'bedrooms',
  'occupancy',
  'view',
  'outdoor',
  'features',
  'location',
  'access',
  'smoking',
  'size',
] as const
export type RoomAttribute = (typeof ROOM_ATTRIBUTES)[number]

/** Rooms match if no attribute that affects the value differs. `by`: shared attributes, or differences. */
export function compareRooms(a: RoomAttributes, b: RoomAttributes): { same: boolean; by: RoomAttribute[] } {
  const differences = ROOM_ATTRIBUTES.filter((attribute) => DIFFERS[attribute](a, b))
  if (differences.length > 0) return { same: false, by: differences }
  return { same: true, by: ROOM_ATTRIBUTES.filter((attribute) => IS_SHARED[attribute](a, b)) }
}

/** Differences between two rooms; undefined if more than `max`. */
export function fewDifferences(a: RoomAttributes, b: RoomAttributes, max: number): RoomAttribute[] | undefined {
  const differences: RoomAttribute[] = []
  for (const attribute of ROOM_ATTRIBUTES) {
    if (!DIFFERS[attribute](a, b)) continue
    if (differences.length === max) return undefined
    differences.push(attribute)
  }
  return differences
}

/** Undefined if the rooms differ. Harmless details given for only one (non-smoking, a sofa bed, the bed size) lower the score. */
export function scoreRooms(a: RoomAttributes, b: RoomAttributes): number | undefined {
  if (a.strict !== b.strict || ROOM_ATTRIBUTES.some((attribute) => DIFFERS[attribute](a, b))) return undefined
  return computeScore(a, b)
}

type Test = (a: RoomAttributes, b: RoomAttributes) => boolean

const DIFFERS: Readonly<Record<RoomAttribute, Test>> = {
  kind: (a, b) => !isEqual(a.kinds, b.kinds),
  grade: (a, b) =>
    !isEqual(a.grades, b.grades) ||
    (a.plainGrade !== undefined && b.plainGrade !== undefined && a.plainGrade !== b.plainGrade),
  name: (a, b) => !isEqual(a.words, b.words),
  beds: (a, b) => compareBeds(a.beds, b.beds) === 0,
  bedrooms: (a, b) => a.bedrooms !== b.bedrooms,
  occupancy: (a, b) => a.children !== b.children || !isSameOccupancy(a, b),
  view: (a, b) => !isEqual(a.views, b.views),
  outdoor: (a, b) => !(isEqual(a.outdoor, b.outdoor) || a.outdoor.some((place) => b.outdoor.includes(place))),
  features: (a, b) => !isEqual(featuresToCompare(a), featuresToCompare(b)),
  location: (a, b) => !isEqual(locationsToCompare(a), locationsToCompare(b)) || isOtherBuilding(a, b),
  access: (a, b) => !isSameAccess(a.access, b.access),
  smoking: (a, b) => (a.smoking === true) !== (b.smoking === true),
  size: (a, b) => sizeRatio(a, b) > SIZE_RATIO_MAX,
}

/** "Sunset Tower" and "Sunset Wing". */
const isOtherBuilding = (a: RoomAttributes, b: RoomAttributes): boolean =>
  a.locations.length > 0 && a.locations.length === b.locations.length && !isEqual(a.locations, b.locations)

/** Vendors measure differently, but not by half. */
const SIZE_RATIO_MAX = 1.5

function sizeRatio({ squareMeters: a }: RoomAttributes, { squareMeters: b }: RoomAttributes): number {
  return a > 0 && b > 0 ? Math.max(a, b) / Math.min(a, b) : 1
}

const PLACES: Readonly<Record<string, number>> = { single: 1, triple: 3, quad: 4, quintuple: 5, six: 6 }

/** "Triple room" matches a room with three single beds. */
function isSameOccupancy(a: RoomAttributes, b: RoomAttributes): boolean {
  if (a.occupancy === b.occupancy) return true
  const [named, other] = a.occupancy === undefined ? [b, a] : [a, b]
  if (other.occupancy !== undefined || named.occupancy === undefined) return false
  const places = PLACES[named.occupancy] ?? 0
  const isImplied =
    named.beds.choices.join() === other.beds.choices.join() && named.beds.choices.some((choice) => /\d/.test(choice))
  return (
    places > 2 &&
    other.beds.choices.some((choice) => sleepersIn(choice) === places && (isImplied || choice.includes('single')))
  )
}

/** "Accessible" may include a roll-in shower or an accessible bath, but these two differ. Mobility and hearing access differ too. */
function isSameAccess(a: readonly string[], b: readonly string[]): boolean {
  if (a.includes('mobility') !== b.includes('mobility')) return false
  if (!a.includes('mobility')) return isEqual(a, b)
  const baths = (access: readonly string[]) => access.filter((feature) => feature === 'rollin' || feature === 'tub')
  return baths(a).length === 0 || baths(b).length === 0 || isEqual(baths(a), baths(b))
}

const isEqual = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index])

function computeScore(a: RoomAttributes, b: RoomAttributes): number {
  let score = compareBeds(a.beds, b.beds) * 3
  if (a.plainGrade === b.plainGrade) score += 1
  if (a.beds.sofa === b.beds.sofa) score += 1
  if (a.smoking === b.smoking) score += 0.5
  if (isEqual(a.access, b.access)) score += 1
  if (a.squareMeters > 0 && b.squareMeters > 0 && sizeRatio(a, b) < 1.1) score += 1
  return score
}

/** Attributes that both rooms give. */
const IS_SHARED: Readonly<Record<RoomAttribute, Test>> = {
  kind: () => true,
  grade: (a, b) => a.grades.length > 0 || (a.plainGrade !== undefined && a.plainGrade === b.plainGrade),
  name: (a) => a.words.length > 0,
  beds: (a, b) => a.beds.choices.length > 0 && b.beds.choices.length > 0,
  bedrooms: (a) => a.bedrooms !== undefined,
  occupancy: (a, b) => a.occupancy !== undefined && b.occupancy !== undefined,
  view: (a) => a.views.length > 0,
  outdoor: (a) => a.outdoor.length > 0,
  features: (a) => a.features.length > 0,
  location: (a) => a.locations.length > 0,
  access: (a) => a.access.length > 0,
  smoking: (a, b) => a.smoking !== undefined && b.smoking !== undefined,
  size: (a, b) => a.squareMeters > 0 && b.squareMeters > 0,
}
