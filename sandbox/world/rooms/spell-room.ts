import type { WorldBed, WorldProperty, WorldRoom } from '../contract.ts'
import { ASPECT, createRandom, hash, type Random } from '../hash.ts'
import { LOCAL_ROOM_WORDS } from '../words/room-words.ts'
import { parseRoomName, type RoomParts } from './room-parts.ts'

/**
 * A vendor's style of room names. A vendor's stand-in uses the same style in every response:
 *
 * - `commas`: category, beds, extras. "Superior Room, 1 King Bed, Sea View"
 * - `capitals`: type first, abbreviated in some properties. "DOUBLE SUPERIOR SEA VIEW"
 * - `own`: the hotel's own name, in the language of the country if known. "Chambre Double Supérieure - Vue mer"
 * - `sentence`: beds inside, "with" for the rest. "Superior Double Room with Sea View"
 * - `free`: any of these, depending on the hotel; the vendor adds words of the rate: "Superior Double Room - Room Only"
 */
export type SpellingHabit = 'commas' | 'capitals' | 'own' | 'sentence' | 'free'

export function spellRoom(habit: SpellingHabit, property: WorldProperty, room: WorldRoom): string {
  const spelling = {
    parts: parseRoomName(room.name),
    room,
    country: property.place.countryCode,
    /** The same for all rooms of a property, as if one person had typed them. */
    habits: createRandom(hash(property.key, ASPECT.roomNames, HABITS.indexOf(habit))),
    random: createRandom(hash(property.key, ASPECT.roomNames, 16 * room.number + HABITS.indexOf(habit))),
  }
  return SPELL[habit](spelling)
}

type Spelling = {
  readonly parts: RoomParts
  readonly room: WorldRoom
  readonly country: string
  readonly habits: Random
  readonly random: Random
}

const HABITS: readonly SpellingHabit[] = ['commas', 'capitals', 'own', 'sentence', 'free']
const SPELL: Readonly<Record<SpellingHabit, (spelling: Spelling) => string>> = {
  commas: spellWithCommas,
  capitals: spellInCapitals,
  own: spellOwn,
  sentence: spellAsSentence,
  free: spellFreely,
}
const NUMBERS = ['', 'One', 'Two', 'Three', 'Four']
/** Kinds of rooms that are named after the number of guests even if the beds are listed. */
const NAMED_BY_GUESTS: ReadonlySet<string> = new Set(['Single', 'Triple', 'Family'])

function spellWithCommas({ parts, room, habits, random }: Spelling): string {
  const { kind, bedrooms, sleeping, view, outdoor, accessible, dormitory } = parts
  if (kind === 'Dormitory')
    return `Shared Dormitory, ${dormitory[0]} Beds${dormitory.includes('Female') ? ', Women only' : ''}`
  const listsBeds = habits.chance(0.6)
  const beds = room.bedChoices.length === 1 && listsBeds ? bedList(room.bedChoices[0] ?? []) : ''
  const type = beds !== '' && !NAMED_BY_GUESTS.has(sleeping) ? '' : sleeping
  const start = [parts.grade, type === 'King' ? '' : type, kind].filter(Boolean).join(' ')
  const king = type === 'King' ? '1 King Bed' : ''
  return [
    start,
    bedrooms > 0 ? `${bedrooms} Bedroom${bedrooms > 1 ? 's' : ''}` : '',
    beds || king,
    accessible ? 'Accessible' : '',
    random.chance(0.15) ? 'Non Smoking' : '',
    outdoor,
    view === '' ? '' : `${toTitleCase(view)} View`,
  ]
    .filter(Boolean)
    .join(', ')
}

const SHORT: readonly (readonly [RegExp, string])[] = [
  [/\bDOUBLE\b/, 'DBL'],
  [/\bSTANDARD\b/, 'STD'],
  [/\bSUPERIOR\b/, 'SUP'],
  [/\bDELUXE\b/, 'DLX'],
  [/\bSEA VIEW\b/, 'SV'],
  [/\bJUNIOR SUITE\b/, 'JR STE'],
  [/\bTWIN\b/, 'TWN'],
]

function spellInCapitals({ parts, habits }: Spelling): string {
  const { kind, bedrooms, sleeping, view, outdoor, accessible, dormitory, grade } = parts
  if (kind === 'Dormitory')
    return `BED IN ${dormitory[0]}-BED ${dormitory.includes('Female') ? 'FEMALE ' : ''}DORMITORY`
  const isRoom = kind === 'Room'
  const text = [
    isRoom ? sleeping || 'ROOM' : kind,
    isRoom && sleeping === 'Family' ? 'ROOM' : '',
    isRoom ? '' : sleeping,
    bedrooms > 0 ? `${NUMBERS[bedrooms]} BEDROOM${bedrooms > 1 ? 'S' : ''}` : '',
    grade === '' && isRoom && view === '' ? 'STANDARD' : grade,
    outdoor === '' ? '' : `WITH ${outdoor}`,
    view === '' ? '' : `${view} VIEW`,
    accessible ? 'DISABILITY ACCESS' : '',
  ]
    .filter(Boolean)
    .join(' ')
    .toUpperCase()
  if (!habits.chance(0.2)) return text
  return SHORT.reduce((short, [word, letters]) => short.replace(word, letters), text)
}

function spellOwn(spelling: Spelling): string {
  const { parts, country, habits } = spelling
  const words = habits.chance(0.6) ? LOCAL_ROOM_WORDS[country] : undefined
  const local = words && parts.kind !== 'Dormitory' ? spellLocally(parts, words) : undefined
  return local ?? (habits.chance(0.5) ? spellAsSentence(spelling) : spellInCapitals(spelling))
}

/** Undefined if the language has no word for a part. */
function spellLocally(parts: RoomParts, words: Readonly<Record<string, string>>): string | undefined {
  const { kind, bedrooms, sleeping, view, outdoor, accessible, grade } = parts
  if (bedrooms > 0 || accessible) return undefined
  const start = words[kind === 'Room' ? sleeping || 'Room' : sleeping === '' ? kind : '']
  const graded = grade === '' ? '' : words[grade]
  const localView = view === '' ? '' : words[`${view} view`]
  const outside = outdoor === '' ? '' : words[outdoor]
  if (start === undefined || graded === undefined || localView === undefined || outside === undefined) return undefined
  return [start, graded, outside, localView].filter(Boolean).join(' ')
}

function spellAsSentence({ parts, random }: Spelling): string {
  const { kind, bedrooms, sleeping, view, outdoor, accessible, dormitory, grade } = parts
  if (kind === 'Dormitory')
    return `Bed in ${dormitory[0]}-Bed ${dormitory.includes('Female') ? 'Female ' : ''}Dormitory Room`
  const rooms = bedrooms > 0 ? `${NUMBERS[bedrooms]}-Bedroom` : ''
  const start = [grade, rooms, sleeping, kind].filter(Boolean).join(' ')
  const extras = [outdoor, view === '' ? '' : `${toTitleCase(view)} View`].filter(Boolean).join(' and ')
  return [
    extras === '' ? start : `${start} with ${extras}`,
    accessible ? ' - Disability Access' : random.chance(0.1) ? ' - Non-Smoking' : '',
  ].join('')
}

/** A mix of sources: some hotels come from one, some from another. The seller adds words of the rate. */
function spellFreely(spelling: Spelling): string {
  const draw = spelling.habits.next()
  return draw < 0.5 ? spellAsSentence(spelling) : draw < 0.75 ? spellWithCommas(spelling) : spellInCapitals(spelling)
}

const toTitleCase = (text: string) => text.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())

/** "1 King Bed and 1 Sofa Bed" */
const bedList = (beds: readonly WorldBed[]) =>
  beds.map(({ quantity, type }) => `${quantity} ${toTitleCase(type)} Bed${quantity > 1 ? 's' : ''}`).join(' and ')
