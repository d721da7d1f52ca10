import { featuresToCompare, type RoomAttributes } from './read-attributes.ts'
import { compareBeds, sleepersIn } from './read-beds.ts'

/** Attributes by which two rooms can differ. */
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

/** Two rooms are the same if nothing that changes the value is said of one only. `by`: what both say, or how they differ. */
export function compareRooms(a: RoomAttributes, b: RoomAttributes): { same: boolean; by: RoomAttribute[] } {
  const differences = ROOM_ATTRIBUTES.filter((attribute) => DIFFERS[attribute](a, b))
  if (differences.length > 0) return { same: false, by: differences }
  return { same: true, by: ROOM_ATTRIBUTES.filter((one) => IS_SAID[one](a, b)) }
}

/** How two rooms differ, or undefined if in more than `most` attributes. */
export function fewDifferences(a: RoomAttributes, b: RoomAttributes, most: number): RoomAttribute[] | undefined {
  const differences: RoomAttribute[] = []
  for (const attribute of ROOM_ATTRIBUTES) {
    if (!DIFFERS[attribute](a, b)) continue
    if (differences.length === most) return undefined
    differences.push(attribute)
  }
  return differences
}

/**
 * How well two rooms fit; undefined if they are not the same. What is said of one only and changes nothing (non-smoking, a sofa bed,
 * the size of the bed) makes the score lower.
 */
export function scoreRooms(a: RoomAttributes, b: RoomAttributes): number | undefined {
  if (a.strict !== b.strict || ROOM_ATTRIBUTES.some((attribute) => DIFFERS[attribute](a, b))) return undefined
  return scoreOf(a, b)
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
  outdoor: (a, b) => !(isEqual(a.outdoor, b.outdoor) || a.outdoor.some((one) => b.outdoor.includes(one))),
  features: (a, b) => !isEqual(featuresToCompare(a), featuresToCompare(b)),
  location: (a, b) => !isEqual(a.locations, b.locations),
  access: (a, b) => !isSameAccess(a.access, b.access),
  smoking: (a, b) => (a.smoking === true) !== (b.smoking === true),
  size: (a, b) => sizeRatio(a, b) > SIZE_RATIO_MAX,
}

/** Vendors measure differently, but not by half. */
const SIZE_RATIO_MAX = 1.5

function sizeRatio({ squareMeters: a }: RoomAttributes, { squareMeters: b }: RoomAttributes): number {
  return a > 0 && b > 0 ? Math.max(a, b) / Math.min(a, b) : 1
}

const PLACES: Readonly<Record<string, number>> = { single: 1, triple: 3, quad: 4, quintuple: 5, six: 6 }

/** "Triple room" and a room with three single beds are the same. */
function isSameOccupancy(a: RoomAttributes, b: RoomAttributes): boolean {
  if (a.occupancy === b.occupancy) return true
  const [said, other] = a.occupancy === undefined ? [b, a] : [a, b]
  if (other.occupancy !== undefined || said.occupancy === undefined) return false
  const places = PLACES[said.occupancy] ?? 0
  return places > 2 && other.beds.choices.some((choice) => sleepersIn(choice) === places && choice.includes('single'))
}

/**
 * "Accessible" and "accessible with roll-in shower" may be the same; with an accessible bath it is another. A room for people who
 * cannot walk is not one for people who cannot hear, but may be made for both.
 */
function isSameAccess(a: readonly string[], b: readonly string[]): boolean {
  if (a.includes('mobility') !== b.includes('mobility')) return false
  if (!a.includes('mobility')) return isEqual(a, b)
  const baths = (access: readonly string[]) => access.filter((one) => one === 'rollin' || one === 'tub')
  return baths(a).length === 0 || baths(b).length === 0 || isEqual(baths(a), baths(b))
}

const isEqual = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one, at) => one === b[at])

function scoreOf(a: RoomAttributes, b: RoomAttributes): number {
  let score = compareBeds(a.beds, b.beds) * 3
  if (a.plainGrade === b.plainGrade) score += 1
  if (a.beds.sofa === b.beds.sofa) score += 1
  if (a.smoking === b.smoking) score += 0.5
  if (isEqual(a.access, b.access)) score += 1
  if (a.squareMeters > 0 && b.squareMeters > 0 && sizeRatio(a, b) < 1.1) score += 1
  return score
}

/** What both say, and so speaks for the match. */
const IS_SAID: Readonly<Record<RoomAttribute, Test>> = {
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
