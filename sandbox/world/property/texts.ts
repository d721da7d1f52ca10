import type { AmenitySlug } from '../../../src/domain/property/amenity.ts'
import type { PropertyKind, WorldRoom } from '../contract.ts'
import { ASPECT, createRandom, hash, type Random } from '../hash.ts'
import { CHARACTERS, HEADLINES, OPENINGS, PRACTICAL, PRAISE, ROOMS_TEXTS } from '../words/descriptions.ts'
import { pickQuarter } from './naming.ts'
import type { Traits } from './traits.ts'

const STAR_WORDS = ['', 'One-star', 'Two-star', 'Three-star', 'Four-star', 'Five-star']
const KIND_WORDS: Record<PropertyKind, string> = {
  hotel: 'hotel',
  apartment: 'apartments',
  hostel: 'hostel',
  guesthouse: 'guesthouse',
  resort: 'resort',
}

/** "Four-star hotel by the sea in Nice" */
export function writeHeadline(traits: Traits): string {
  const random = createRandom(hash(traits.rootKey, ASPECT.texts, 1))
  const tail = fillTemplate(random.pick(HEADLINES[traits.setting]), traits)
  const stars = STAR_WORDS[Math.floor(traits.stars)] ?? ''
  const kind = KIND_WORDS[traits.kind]
  if (traits.kind === 'hotel' || traits.kind === 'resort') return `${stars} ${kind} ${tail}`
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${tail}`
}

/**
 * Three or four paragraphs: location, rooms, amenities, practical information. Mentions only amenities that the
 * property really has.
 */
export function writeParagraphs(
  traits: Traits,
  name: string,
  amenities: ReadonlySet<AmenitySlug>,
  rooms: readonly WorldRoom[],
): string[] {
  const random = createRandom(hash(traits.rootKey, ASPECT.texts))
  const opening = fillTemplate(random.pick(OPENINGS[traits.setting]), traits).replaceAll('{name}', name)
  const about = sentences(random, amenities, PRAISE, 4)
  const practical = sentences(random, amenities, PRACTICAL, 3)
  return [
    `${opening} ${random.pick(CHARACTERS[traits.kind])}`,
    roomsText(traits, rooms, random),
    ...(about === '' ? [] : [about]),
    ...(practical === '' ? [] : [practical]),
  ]
}

function roomsText({ stars }: Traits, rooms: readonly WorldRoom[], random: Random): string {
  const texts = ROOMS_TEXTS[stars < 2.5 ? 'simple' : stars < 4 ? 'comfortable' : 'grand']
  const first = random.below(texts.length)
  const second = (first + 1 + random.below(texts.length - 1)) % texts.length
  const sizes = rooms.map(({ squareMeters }) => squareMeters)
  return `${texts[first]} ${texts[second]}`
    .replaceAll('{count}', NUMBER_WORDS[rooms.length] ?? String(rooms.length))
    .replaceAll('{smallest}', String(Math.min(...sizes)))
    .replaceAll('{largest}', String(Math.max(...sizes)))
}

const NUMBER_WORDS = [
  'no',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]

/** One sentence each for up to `max` listed amenities of the property. */
function sentences(
  random: Random,
  amenities: ReadonlySet<AmenitySlug>,
  phrases: Partial<Record<AmenitySlug, readonly string[]>>,
  max: number,
): string {
  const matching = Object.entries(phrases).filter(
    ([slug]) => amenities.has(slug as AmenitySlug) && !isSuperseded(slug, amenities),
  )
  while (matching.length > max) matching.splice(random.below(matching.length), 1)
  return matching.map(([, variants]) => random.pick(variants)).join(' ')
}

/** Paid parking is not mentioned if parking is free. */
const isSuperseded = (slug: string, amenities: ReadonlySet<AmenitySlug>) =>
  slug === 'parking' && amenities.has('free_parking')

const fillTemplate = (text: string, traits: Traits) =>
  text.replaceAll('{place}', traits.place.name).replaceAll('{quarter}', pickQuarter(traits))
