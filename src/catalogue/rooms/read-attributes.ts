import type { RoomTypeAttributes } from '../../domain/property/room-type.ts'
import { memoize } from '../../lib/async/memoize.ts'
import { type Fact, parseFacts } from './lexicon.ts'
import { type Beds, eachOnce, readBedList, readBeds } from './read-beds.ts'
import { readViews } from './read-views.ts'

type NamedRoom = {
  readonly name: string
  /** Structured beds, which take precedence over the name. */
  readonly beds?: readonly string[]
  /** 0 if unknown. */
  readonly squareMeters?: number
}

/** Lists are sorted; missing values are empty or undefined. */
export type RoomAttributes = Omit<RoomTypeAttributes, 'kind' | 'grade'> & {
  /** Empty for a plain room. */
  readonly kinds: readonly string[]
  readonly grades: readonly string[]
  /** "Standard", "classic": the plainest grade, which many vendors omit. */
  readonly plainGrade: string | undefined
  /** The hotel's own words. */
  readonly words: readonly string[]
  readonly beds: Beds
  /** Number of children in the name. */
  readonly children: string
  readonly squareMeters: number
  /** Fields that must be equal in matching rooms. */
  readonly strict: string
}

/** Names repeat across searches of a property and properties of a chain. */
const CACHED_MAX = 5_000
const parseCached = memoize(CACHED_MAX, (room: string) => parseAttributes(JSON.parse(room)))

export const readAttributes = ({ name, beds = [], squareMeters = 0 }: NamedRoom): RoomAttributes =>
  parseCached(JSON.stringify({ name, beds, squareMeters }))

function parseAttributes({ name, beds: list, squareMeters }: Required<NamedRoom>): RoomAttributes {
  const facts = withoutDenied(parseFacts(name))
  const bedsRead = readBeds(facts)
  const { views, used } = readViews(facts)
  const bedrooms = bedroomsIn(facts)
  const floors = floorsIn(facts)
  const rest = facts.filter(
    (_, index) => ![bedsRead.used, used, bedrooms.used, floors].some((indices) => indices.has(index)),
  )
  const values = (name: string) => eachOnce(rest.filter((fact) => fact.name === name).map(({ value }) => value))
  const kinds = simplifyKinds(values('kind'))
  // A guest of a dormitory gets one of the beds in its name.
  const structured = list.length === 0 || kinds.includes('dorm') ? undefined : readBedList(list.map(parseFacts))
  const beds = structured === undefined ? bedsRead.beds : { ...structured, sofa: structured.sofa || bedsRead.beds.sofa }
  const features = [
    ...values('feature'),
    ...values('extra'),
    ...(rest.some((fact) => fact.name === 'club') ? ['club_lounge'] : []),
  ].sort()
  const read = {
    kinds,
    grades: values('grade'),
    plainGrade: values('base')[0],
    words: readOwnWords(rest),
    beds,
    bedrooms: kinds.length === 0 && bedrooms.count === 1 ? undefined : bedrooms.count,
    occupancy: readOccupancy([...values('occ'), ...peopleIn(rest)], bedsRead.isSingle, beds),
    children: values('children').join(),
    views,
    outdoor: values('out'),
    features,
    locations: values('loc'),
    access: readAccess(
      values('access'),
      rest.some((fact) => fact.name === 'bathtub'),
    ),
    smoking: readSmoking(values('smoke')),
    squareMeters: squareMeters > 0 ? squareMeters : squareMetersIn(facts),
  }
  return { ...read, strict: joinStrict(read) }
}

const DENIABLE = new Set(['out', 'view', 'viewof', 'abbrview', 'dir', 'place', 'mod', 'full', 'or', 'rate'])

/** Drops negated facts: "without balcony", "ohne Meerblick", "no dinner". */
function withoutDenied(facts: readonly Fact[]): readonly Fact[] {
  if (!facts.some(({ name }) => name === 'without')) return facts
  const kept: Fact[] = []
  for (let index = 0; index < facts.length; index += 1) {
    const fact = facts[index]
    if (fact === undefined) continue
    let end = index + 1
    if (fact.name === 'without') while (DENIABLE.has(facts[end]?.name ?? '')) end += 1
    if (end === index + 1) kept.push(fact)
    index = end - 1
  }
  return kept
}

const SQUARE_FEET_PER_METER = 10.764

/** "35 sqm", "400 sq ft"; 0 if the name has no size. */
function squareMetersIn(facts: readonly Fact[]): number {
  const unit = facts.findIndex(({ name, value }) => name === 'count' && value !== '')
  const before = facts[unit - 1]
  if (before?.name !== 'num') return 0
  return Math.round(Number(before.value) / (facts[unit]?.value === 'ft2' ? SQUARE_FEET_PER_METER : 1))
}

const WITH_KITCHEN = new Set(['apartment', 'villa', 'chalet', 'cottage', 'bungalow', 'mobile_home', 'holiday_home'])

/** An apartment has a kitchen even if the name does not mention it. */
export const featuresToCompare = ({
  features,
  kinds,
}: Pick<RoomAttributes, 'features' | 'kinds'>): readonly string[] =>
  kinds.some((kind) => WITH_KITCHEN.has(kind)) ? features.filter((feature) => feature !== 'kitchen') : features

const BUILDINGS = new Set(['tower', 'wing'])

/** A tower with a name is the same without the word: "Lapis Tower", "Lapis". */
export const locationsToCompare = ({
  locations,
  words,
}: Pick<RoomAttributes, 'locations' | 'words'>): readonly string[] =>
  words.some((word) => /\p{L}/u.test(word)) ? locations.filter((place) => !BUILDINGS.has(place)) : locations

function joinStrict(read: Omit<RoomAttributes, 'strict'>): string {
  const { kinds, grades, words, bedrooms, views, children } = read
  return [
    kinds,
    grades,
    words,
    bedrooms,
    views,
    locationsToCompare(read),
    children,
    featuresToCompare(read),
    read.smoking === true,
  ].join('|')
}

/** "Suite room" is a suite, "studio apartment" a studio. */
function simplifyKinds(kinds: readonly string[]): string[] {
  const specific = kinds.filter((kind) => kind !== 'room')
  if (specific.includes('studio')) return specific.filter((kind) => kind !== 'apartment')
  return specific.includes('junior_suite') ? specific.filter((kind) => kind !== 'suite') : specific
}

function bedroomsIn(facts: readonly Fact[]) {
  const used = new Set<number>()
  let count: number | undefined
  facts.forEach((fact, index) => {
    const before = facts[index - 1]
    if (fact.name === 'br') count = Number(fact.value)
    else if (fact.name === 'bedroom' && before?.name === 'num') {
      count = Number(before.value)
      used.add(index - 1)
    } else return
    used.add(index)
  })
  return { count, used }
}

/** "High floor (10-20)": the numbers only explain it. */
function floorsIn(facts: readonly Fact[]): ReadonlySet<number> {
  const high = facts.findIndex(({ name, value }) => name === 'loc' && value === 'high_floor')
  const used = new Set<number>()
  if (high === -1) return used
  for (
    let index = high + 1;
    FLOOR_DETAIL.has(facts[index]?.name ?? '') && facts[index + 1]?.name !== 'people';
    index += 1
  )
    used.add(index)
  return used
}

const FLOOR_DETAIL = new Set(['num', 'break', 'noise'])

const OCCUPANCY: Readonly<Record<string, string>> = { 3: 'triple', 4: 'quad', 5: 'quintuple', 6: 'six' }

/** "Capacity 4", "sleeps 3". Two is the default. */
function peopleIn(facts: readonly Fact[]): string[] {
  return facts.flatMap(({ name, value }, index) => {
    const isCount = facts[index - 1]?.name === 'people' || facts[index + 1]?.name === 'people'
    return name === 'num' && isCount && Number(value) > 2 ? [OCCUPANCY[value] ?? `for_${value}`] : []
  })
}

const OWN_WORDS = new Set(['female', 'male', 'mixed', 'without'])
const BESIDE_NUMBERS = new Set(['rate', 'count', 'people'])

/** A number beside a rate word belongs to the rate: "20 % off", "stay 7 pay 6". */
function readOwnWords(facts: readonly Fact[]): string[] {
  const isRate = (fact: Fact | undefined) => BESIDE_NUMBERS.has(fact?.name ?? '')
  return eachOnce(
    facts.flatMap(({ name, value }, index) => {
      if (name === 'num') return isRate(facts[index - 1]) || isRate(facts[index + 1]) ? [] : [value]
      if (name === 'word' || name === 'place' || name === 'mod') return [singular(value)]
      return OWN_WORDS.has(name) ? [name] : []
    }),
  )
}

const singular = (word: string) => (word.length > 4 && /[^s]s$/.test(word) ? word.slice(0, -1) : word)

function readOccupancy(named: readonly string[], isSingle: boolean, beds: Beds): string | undefined {
  if (named.includes('single_use')) return 'single_use'
  if (named.length > 0) return named[0]
  const onlySingle = beds.choices.length > 0 && beds.choices.every((choice) => choice === '1single')
  return isSingle || onlySingle ? 'single' : undefined
}

/** A roll-in shower or accessible bath implies mobility access; in other rooms a bath means nothing. */
function readAccess(values: readonly string[], hasBath: boolean): string[] {
  const specific = values.filter((value) => value !== 'any')
  // "Accessible" alone means wheelchair access; "accessible (hearing)" does not.
  const isForMobility =
    specific.some((value) => value === 'mobility' || value === 'rollin' || value === 'tub') ||
    (values.includes('any') && specific.length === 0)
  return isForMobility ? eachOnce([...specific, 'mobility', ...(hasBath ? ['tub'] : [])]) : specific
}

function readSmoking(values: readonly string[]): boolean | undefined {
  if (values.includes('no')) return values.includes('yes') ? undefined : false
  return values.includes('yes') ? true : undefined
}
