import { type AmenitySlug, amenityLabel } from '../../../src/domain/property/amenity.ts'
import type { WorldBed, WorldProperty, WorldRoom } from '../contract.ts'
import { ASPECT, createRandom, hash, hashShare } from '../hash.ts'
import { parseRoomName } from '../rooms/room-parts.ts'
import {
  GERMAN_AMENITIES,
  GERMAN_BATHS,
  GERMAN_BEDS,
  GERMAN_CHARACTERS,
  GERMAN_EXTRAS,
  GERMAN_GRADES,
  GERMAN_OPENINGS,
  GERMAN_PRAISE,
  GERMAN_ROOMS,
  GERMAN_ROOMS_TEXTS,
  GERMAN_VIEWS,
  germanKind,
} from '../words/german.ts'

/** A vendor's texts for a property in one language. */
export type Texts = {
  readonly headline: string
  readonly paragraphs: readonly string[]
  amenity(slug: AmenitySlug): string
  /** Undefined if the vendor has its own spelling of rooms. */
  roomName(room: WorldRoom): string | undefined
  roomDescription(room: WorldRoom): string
}

/** Share of properties that each vendor describes in German; the others have English texts in every language. */
const TRANSLATED_SHARE = 0.85

export const hasGermanTexts = ({ key }: WorldProperty, vendorSalt: number): boolean =>
  hashShare(key, ASPECT.texts, 100 + vendorSalt) < TRANSLATED_SHARE

export function localizeTexts(property: WorldProperty, isGerman: boolean): Texts {
  if (isGerman)
    return {
      headline: germanHeadline(property),
      paragraphs: germanParagraphs(property),
      amenity: (slug) => GERMAN_AMENITIES[slug],
      roomName: germanRoomName,
      roomDescription: (room) => roomDescription(property, room),
    }
  return {
    headline: property.headline,
    paragraphs: property.paragraphs,
    amenity: amenityLabel,
    roomName: () => undefined,
    roomDescription: ({ description }) => description,
  }
}

/** "Hotel mit 4 Sternen in Nizza" */
const germanHeadline = ({ kind, stars, place }: WorldProperty): string =>
  [germanKind(kind), stars >= 1 ? `mit ${String(stars).replace('.', ',')} Sternen` : '', `in ${place.name}`]
    .filter(Boolean)
    .join(' ')

const PRAISE_MAX = 6

function germanParagraphs({ key, name, place, kind, rooms, amenities }: WorldProperty): string[] {
  const random = createRandom(hash(key, ASPECT.texts, 2))
  const opening = random.pick(GERMAN_OPENINGS).replaceAll('{name}', name).replaceAll('{place}', place.name)
  const sizes = rooms.map(({ squareMeters }) => squareMeters)
  const about = random
    .pick(GERMAN_ROOMS_TEXTS)
    .replaceAll('{smallest}', String(Math.min(...sizes)))
    .replaceAll('{largest}', String(Math.max(...sizes)))
  const praise = amenities.flatMap((slug) => GERMAN_PRAISE[slug] ?? []).slice(0, PRAISE_MAX)
  return [`${opening} ${random.pick(GERMAN_CHARACTERS[kind])}`, about, praise.join(' ')].filter((text) => text !== '')
}

/** "Superior-Doppelzimmer mit Balkon und Meerblick" */
export function germanRoomName(room: WorldRoom): string {
  const { grade, sleeping, kind, bedrooms, view, outdoor, accessible, dormitory } = parseRoomName(room.name)
  if (kind === 'Dormitory')
    return `Bett im ${dormitory[0]}-Bett-Schlafsaal${dormitory.includes('Female') ? ' (nur Frauen)' : ''}`
  const noun = GERMAN_ROOMS[kind === 'Room' ? sleeping || kind : `${sleeping} ${kind}`] ?? GERMAN_ROOMS[kind] ?? kind
  const small = /suite|villa$/i.test(noun) ? 'Kleine' : 'Kleines'
  const start =
    grade === '' ? noun : grade === 'Small' ? `${small} ${noun}` : `${GERMAN_GRADES[grade] ?? grade}-${noun}`
  const extras = [
    bedrooms > 0 ? `${bedrooms} Schlafzimmer${bedrooms > 1 ? 'n' : ''}` : '',
    outdoor === '' ? '' : 'Balkon',
    view === '' ? '' : germanView(view),
  ].filter(Boolean)
  const joined = extras.length < 2 ? extras.join('') : `${extras.slice(0, -1).join(', ')} und ${extras.at(-1)}`
  const link = noun.includes(' mit ') ? ' und ' : ' mit '
  return `${start}${joined === '' ? '' : link + joined}${accessible ? ', barrierefrei' : ''}`
}

const germanView = (view: string): string => GERMAN_VIEWS[view.toLowerCase().replace(/ view$/, '')] ?? 'Aussicht'

function roomDescription({ key }: WorldProperty, room: WorldRoom): string {
  const random = createRandom(hash(key, ASPECT.texts, 200 + room.number))
  const beds = room.bedChoices.map(germanBedsInDative).join(' oder ')
  const bath = room.name.includes('Dormitory')
    ? 'Gemeinschaftsbädern auf dem Flur'
    : `eigenem Bad mit ${random.pick(GERMAN_BATHS)}`
  const outside = room.amenities.includes('balcony') ? ' Zum Zimmer gehört ein Balkon.' : ''
  const cooking = room.amenities.includes('kitchen') ? ' Die Küchenzeile hat Herd, Kühlschrank und Geschirr.' : ''
  return `${room.squareMeters} m² mit ${beds}, ${germanView(room.view)} und ${bath}.${outside}${cooking} ${random.pick(GERMAN_EXTRAS)}`
}

const COUNTS = ['', '', 'zwei', 'drei', 'vier']

/** "einem Kingsize-Bett und zwei Einzelbetten" */
const germanBedsInDative = (beds: readonly WorldBed[]): string =>
  beds
    .map(({ type, quantity }) => {
      const [singular, plural] = GERMAN_BEDS[type]
      return quantity === 1 ? `einem ${singular}` : `${COUNTS[quantity] ?? quantity} ${plural}`
    })
    .join(' und ')

/** "1 Kingsize-Bett und 2 Einzelbetten" */
export const germanBeds = (beds: readonly WorldBed[]): string =>
  beds.map(({ type, quantity }) => `${quantity} ${GERMAN_BEDS[type][quantity === 1 ? 0 : 1]}`).join(' und ')
