import type { RoomTypeAttributes } from '../../domain/property/room-type.ts'
import { remember } from '../../lib/async/remember.ts'
import { type Fact, factsOf } from './lexicon.ts'
import { type Beds, eachOnce, readBedList, readBeds } from './read-beds.ts'
import { readViews } from './read-views.ts'

/** A room as a vendor names and describes it. */
type NamedRoom = {
  readonly name: string
  /** Structured beds, which beat the words of the name. */
  readonly beds?: readonly string[]
  /** 0 where the vendor does not say. */
  readonly squareMeters?: number
}

/** What a name says. Lists are sorted; what is not said is empty or undefined. */
export type RoomAttributes = Omit<RoomTypeAttributes, 'kind' | 'grade'> & {
  /** Empty: a room. */
  readonly kinds: readonly string[]
  readonly grades: readonly string[]
  /** "Standard", "classic": the plainest grade, which others leave out. */
  readonly plainGrade: string | undefined
  /** The hotel's own words. */
  readonly words: readonly string[]
  readonly beds: Beds
  /** Children that the name counts. */
  readonly children: string
  readonly squareMeters: number
  /** Everything that must be equal in two rooms that are the same. */
  readonly strict: string
}

/** Names repeat: every search of a property, and every property of a chain, has the same ones. */
const KNOWN_MAX = 5_000
const known = remember(KNOWN_MAX, (room: string) => attributesOf(JSON.parse(room)))

export const readAttributes = ({ name, beds = [], squareMeters = 0 }: NamedRoom): RoomAttributes =>
  known(JSON.stringify({ name, beds, squareMeters }))

function attributesOf({ name, beds: list, squareMeters }: Required<NamedRoom>): RoomAttributes {
  const facts = withoutDenied(factsOf(name))
  const bedsRead = readBeds(facts)
  const { views, used } = readViews(facts)
  const bedrooms = bedroomsIn(facts)
  const rest = facts.filter((_, at) => !bedsRead.used.has(at) && !used.has(at) && !bedrooms.used.has(at))
  const valuesOf = (name: string) => eachOnce(rest.filter((fact) => fact.name === name).map(({ value }) => value))
  const kinds = kindsOf(valuesOf('kind'))
  // A guest of a dormitory gets one of the beds that its name counts.
  const structured = list.length === 0 || kinds.includes('dorm') ? undefined : readBedList(list.map(factsOf))
  const beds = structured === undefined ? bedsRead.beds : { ...structured, sofa: structured.sofa || bedsRead.beds.sofa }
  const features = [
    ...valuesOf('feature'),
    ...valuesOf('extra'),
    ...(rest.some((fact) => fact.name === 'club') ? ['club_lounge'] : []),
  ].sort()
  const read = {
    kinds,
    grades: valuesOf('grade'),
    plainGrade: valuesOf('base')[0],
    words: ownWordsOf(rest),
    beds,
    bedrooms: kinds.length === 0 && bedrooms.count === 1 ? undefined : bedrooms.count,
    occupancy: occupancyOf([...valuesOf('occ'), ...peopleIn(rest)], bedsRead.isSingle, beds),
    children: valuesOf('children').join(),
    views,
    outdoor: valuesOf('out'),
    features,
    locations: valuesOf('loc'),
    access: accessOf(
      valuesOf('access'),
      rest.some((fact) => fact.name === 'bathtub'),
    ),
    smoking: smokingOf(valuesOf('smoke')),
    squareMeters: squareMeters > 0 ? squareMeters : squareMetersIn(facts),
  }
  return { ...read, strict: strictOf(read) }
}

const DENIABLE = new Set(['out', 'view', 'viewof', 'abbrview', 'dir', 'place', 'mod', 'full', 'or', 'rate'])

/** Leaves out what the name denies: "without balcony", "ohne Meerblick", "no dinner". */
function withoutDenied(facts: readonly Fact[]): readonly Fact[] {
  if (!facts.some(({ name }) => name === 'without')) return facts
  const kept: Fact[] = []
  for (let at = 0; at < facts.length; at += 1) {
    const fact = facts[at]
    if (fact === undefined) continue
    let end = at + 1
    if (fact.name === 'without') while (DENIABLE.has(facts[end]?.name ?? '')) end += 1
    if (end === at + 1) kept.push(fact)
    at = end - 1
  }
  return kept
}

const SQUARE_FEET_PER_METER = 10.764

/** "35 sqm", "400 sq ft"; 0 where the name does not say. */
function squareMetersIn(facts: readonly Fact[]): number {
  const at = facts.findIndex(({ name, value }) => name === 'count' && value !== '')
  const before = facts[at - 1]
  if (before?.name !== 'num') return 0
  return Math.round(Number(before.value) / (facts[at]?.value === 'ft2' ? SQUARE_FEET_PER_METER : 1))
}

const WITH_KITCHEN = new Set(['apartment', 'villa', 'chalet', 'cottage', 'bungalow', 'mobile_home', 'holiday_home'])

/** An apartment has a kitchen, whether it says so or not. */
export const featuresToCompare = ({
  features,
  kinds,
}: Pick<RoomAttributes, 'features' | 'kinds'>): readonly string[] =>
  kinds.some((kind) => WITH_KITCHEN.has(kind)) ? features.filter((feature) => feature !== 'kitchen') : features

function strictOf(read: Omit<RoomAttributes, 'strict'>): string {
  const { kinds, grades, words, bedrooms, views, locations, children } = read
  return [
    kinds,
    grades,
    words,
    bedrooms,
    views,
    locations,
    children,
    featuresToCompare(read),
    read.smoking === true,
  ].join('|')
}

/** "Suite room" is a suite, "studio apartment" a studio. */
function kindsOf(kinds: readonly string[]): string[] {
  const telling = kinds.filter((kind) => kind !== 'room')
  if (telling.includes('studio')) return telling.filter((kind) => kind !== 'apartment')
  return telling.includes('junior_suite') ? telling.filter((kind) => kind !== 'suite') : telling
}

function bedroomsIn(facts: readonly Fact[]) {
  const used = new Set<number>()
  let count: number | undefined
  facts.forEach((fact, at) => {
    const before = facts[at - 1]
    if (fact.name === 'br') count = Number(fact.value)
    else if (fact.name === 'bedroom' && before?.name === 'num') {
      count = Number(before.value)
      used.add(at - 1)
    } else return
    used.add(at)
  })
  return { count, used }
}

const FOR: Readonly<Record<string, string>> = { 3: 'triple', 4: 'quad', 5: 'quintuple', 6: 'six' }

/** "Capacity 4", "sleeps 3": two is what every room holds. */
function peopleIn(facts: readonly Fact[]): string[] {
  return facts.flatMap(({ name, value }, at) => {
    const isCount = facts[at - 1]?.name === 'people' || facts[at + 1]?.name === 'people'
    return name === 'num' && isCount && Number(value) > 2 ? [FOR[value] ?? `for_${value}`] : []
  })
}

const OWN_WORDS = new Set(['female', 'male', 'mixed', 'without'])
const BESIDE_NUMBERS = new Set(['rate', 'count', 'people'])

/** A number beside a word of the rate belongs to the rate: "20 % off", "stay 7 pay 6". */
function ownWordsOf(facts: readonly Fact[]): string[] {
  const isRate = (fact: Fact | undefined) => BESIDE_NUMBERS.has(fact?.name ?? '')
  return eachOnce(
    facts.flatMap(({ name, value }, at) => {
      if (name === 'num') return isRate(facts[at - 1]) || isRate(facts[at + 1]) ? [] : [value]
      if (name === 'word' || name === 'place' || name === 'mod') return [singular(value)]
      return OWN_WORDS.has(name) ? [name] : []
    }),
  )
}

const singular = (word: string) => (word.length > 4 && /[^s]s$/.test(word) ? word.slice(0, -1) : word)

function occupancyOf(said: readonly string[], isSingle: boolean, beds: Beds): string | undefined {
  if (said.includes('single_use')) return 'single_use'
  if (said.length > 0) return said[0]
  const onlySingle = beds.choices.length > 0 && beds.choices.every((choice) => choice === '1single')
  return isSingle || onlySingle ? 'single' : undefined
}

/** A roll-in shower and an accessible bath are for people who cannot walk; of other rooms a bath says nothing. */
function accessOf(said: readonly string[], hasBath: boolean): string[] {
  const told = said.filter((one) => one !== 'any')
  // "Accessible" alone means that one can get in with a wheelchair; "accessible (hearing)" does not.
  const isForMobility =
    told.some((one) => one === 'mobility' || one === 'rollin' || one === 'tub') ||
    (said.includes('any') && told.length === 0)
  return isForMobility ? eachOnce([...told, 'mobility', ...(hasBath ? ['tub'] : [])]) : told
}

function smokingOf(said: readonly string[]): boolean | undefined {
  if (said.includes('no')) return said.includes('yes') ? undefined : false
  return said.includes('yes') ? true : undefined
}
