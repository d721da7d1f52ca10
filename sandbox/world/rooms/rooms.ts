import type { AmenitySlug } from '../../../src/domain/property/amenity.ts'
import type { PropertyKind, WorldBed, WorldRoom } from '../contract.ts'
import { ASPECT, createRandom, hash, type Random } from '../hash.ts'
import type { Setting } from '../places/destinations.ts'
import type { Traits } from '../property/traits.ts'
import { ROOM_KINDS, type RoomKind } from './room-kinds.ts'
import { createVariants, ownGrade } from './room-variants.ts'

const VIEWS: Record<Setting, readonly string[]> = {
  city: ['City view', 'Courtyard view', 'Street view', 'Rooftop view', 'Park view'],
  beach: ['Sea view', 'Partial sea view', 'Pool view', 'Garden view', 'Promenade view'],
  mountain: ['Mountain view', 'Valley view', 'Village view', 'Forest view', 'Garden view'],
  village: ['Garden view', 'Village view', 'Countryside view', 'Courtyard view', 'River view'],
}

/** A room named after a view has that view. */
const NAMED_VIEW = /(?:Garden|Pool) View/

/** Smallest double of a property in square metres, by kind; stars increase it. */
const DOUBLE_SIZE: Record<PropertyKind, number> = { hotel: 11, apartment: 18, hostel: 9, guesthouse: 11, resort: 17 }
/** Minimum and maximum number of rooms, before stars are applied. */
const ROOM_COUNT: Record<PropertyKind, readonly [number, number]> = {
  hotel: [16, 70],
  apartment: [8, 36],
  hostel: [24, 70],
  guesthouse: [4, 13],
  resort: [50, 130],
}

export function createRooms(traits: Traits, propertyAmenities: ReadonlySet<AmenitySlug>): WorldRoom[] {
  const random = createRandom(hash(traits.rootKey, ASPECT.rooms))
  const kinds = chooseKinds(traits, propertyAmenities, random)
  const [low, high] = ROOM_COUNT[traits.kind]
  const total = random.between(low, high) * (0.6 + 0.2 * traits.stars)
  const weights = kinds.reduce((sum, kind) => sum + kind.weight, 0)
  const cheapest = Math.min(...kinds.map((kind) => kind.price))
  const doubleSize = DOUBLE_SIZE[traits.kind] + 2.4 * traits.stars + random.between(-1, 2.5)
  const grade = ownGrade(traits)
  const rooms = kinds.map((kind, i): WorldRoom => {
    const squareMeters = Math.max(kind.sleeps === 1 ? 5 : 9, Math.round(doubleSize * kind.size))
    const view = NAMED_VIEW.exec(kind.name)?.[0].replace('V', 'v') ?? random.pick(VIEWS[traits.setting])
    const amenities = roomAmenities(traits, kind, propertyAmenities, random)
    return {
      number: i + 1,
      name: grade === undefined ? kind.name : kind.name.replace('Deluxe', grade),
      get description() {
        return describeRoom(
          kind,
          squareMeters,
          view,
          amenities,
          createRandom(hash(traits.rootKey, ASPECT.rooms, i + 1)),
        )
      },
      squareMeters,
      adultsMax: kind.adults,
      childrenMax: kind.children,
      sleeps: Math.max(kind.sleeps, kind.adults),
      bedChoices: kind.beds,
      amenities,
      view,
      count: Math.max(1, Math.round((total * kind.weight) / weights)),
      factor: Math.round((kind.price / cheapest) * 1000) / 1000,
    }
  })
  return [...rooms, ...createVariants(traits, rooms)]
}

/** Four to eight kinds, always with the plain double and something for families. */
function chooseKinds(
  { kind, stars, setting }: Traits,
  propertyAmenities: ReadonlySet<AmenitySlug>,
  random: Random,
): RoomKind[] {
  const possible = ROOM_KINDS[kind].filter(
    (room) =>
      room.starsMin <= stars &&
      (!room.name.startsWith('Pool') || propertyAmenities.has('outdoor_pool')) &&
      (!room.name.startsWith('Overwater') || setting === 'beach'),
  )
  const wanted = Math.min(possible.length, 4 + random.below(kind === 'guesthouse' ? 2 : 5))
  const dropped = new Set<RoomKind>()
  const spare = possible.filter((room) => !(room.price === 1 && room.adults === 2) && room.sleeps < 4)
  while (possible.length - dropped.size > wanted && dropped.size < spare.length) dropped.add(random.pick(spare))
  return possible.filter((room) => !dropped.has(room))
}

function roomAmenities(
  traits: Traits,
  kind: RoomKind,
  propertyAmenities: ReadonlySet<AmenitySlug>,
  random: Random,
): AmenitySlug[] {
  const found: AmenitySlug[] = ['wifi', 'air_conditioning', 'non_smoking', 'kitchen'].filter((slug) =>
    propertyAmenities.has(slug as AmenitySlug),
  ) as AmenitySlug[]
  const hasBalcony =
    propertyAmenities.has('balcony') && (kind.name.includes('Balcony') || random.chance(0.4 + kind.price / 10))
  if (hasBalcony || kind.name.includes('Balcony')) found.push('balcony')
  if (kind.sleeps >= 4) found.push('family')
  if (propertyAmenities.has('wheelchair') && random.chance(0.25)) found.push('wheelchair')
  if (propertyAmenities.has('room_service') && traits.kind !== 'hostel') found.push('room_service')
  return found
}

const BED_WORDS: Record<WorldBed['type'], string> = {
  king: 'king bed',
  queen: 'queen bed',
  double: 'double bed',
  twin: 'twin bed',
  single: 'single bed',
  sofa: 'sofa bed',
  bunk: 'bunk bed',
}
const COUNTS = ['no', 'one', 'two', 'three', 'four']

/** "one king bed and one sofa bed" */
const formatBeds = (beds: readonly WorldBed[]): string =>
  beds
    .map(({ quantity, type }) => `${COUNTS[quantity] ?? quantity} ${BED_WORDS[type]}${quantity === 1 ? '' : 's'}`)
    .join(' and ')

const BATHS = [
  'a walk-in shower',
  'a shower and good towels',
  'a bathtub with shower',
  'a rain shower',
  'a shower and a hairdryer',
]
const EXTRAS = [
  'There is a desk with a reading lamp and enough sockets for everything you carry.',
  'Blackout curtains and double glazing keep the night dark and quiet.',
  'A kettle, cups and a small choice of teas stand ready.',
  'Two armchairs by the window make a good place for the last hour of the day.',
  'The wardrobe is deep enough for a long stay, and there is a safe inside it.',
  'Floors are of wood, the linen is cotton, and the light can be dimmed.',
]

function describeRoom(
  kind: RoomKind,
  size: number,
  view: string,
  amenities: readonly AmenitySlug[],
  random: Random,
): string {
  const beds = kind.beds.map(formatBeds).join(', or ')
  const shared = kind.name.includes('Dormitory')
  const bath = shared ? 'shared bathrooms down the corridor' : `a private bathroom with ${random.pick(BATHS)}`
  const hasBalcony = amenities.includes('balcony') ? ' A balcony gives it air and a place to sit.' : ''
  const cooking = amenities.includes('kitchen') ? ' The kitchenette has a hob, a fridge and what you need to cook.' : ''
  return `${size} m² with ${beds}, ${view.toLowerCase()} and ${bath}.${hasBalcony}${cooking} ${random.pick(EXTRAS)}`
}
