/** Parts of a room name; each vendor combines them differently. Empty if the room lacks the part. */
export type RoomParts = {
  /** "Superior", or the hotel's own word, such as "Signature". */
  readonly grade: string
  readonly sleeping: 'Single' | 'Double' | 'Twin' | 'Triple' | 'Family' | 'King' | ''
  /** "Room", "Suite", "Junior Suite", "Studio" … */
  readonly kind: string
  readonly bedrooms: number
  /** Only if the room is sold by its view. */
  readonly view: string
  readonly outdoor: 'Balcony' | ''
  readonly accessible: boolean
  /** Number of beds in a dormitory, and its restriction. */
  readonly dormitory: string
}

const PLAIN: RoomParts = {
  grade: '',
  sleeping: '',
  kind: 'Room',
  bedrooms: 0,
  view: '',
  outdoor: '',
  accessible: false,
  dormitory: '',
}

const SLEEPING = /\b(Single|Double|Twin|Triple|Family|King)\b/
const KIND = /\b(Junior Suite|Penthouse Suite|Overwater Suite|Suite|Studio|Loft Apartment|Apartment|Villa)\b/
const GRADE =
  /\b(Small|Standard|Superior|Deluxe|Executive|Classic|Attic|Signature|Heritage|Imperial|Marquise|Belvedere)\b/
const VIEW = /\b((?:Partial )?[A-Z][a-z]+) View\b/
const BEDROOMS: Readonly<Record<string, number>> = { 'One-Bedroom': 1, 'Two-Bedroom': 2, 'Three-Bedroom': 3 }

/** Parses the world's own names, which are regular. */
export function parseRoomName(name: string): RoomParts {
  const dormitory = /(\d)-Bed (Female )?Dormitory/.exec(name)
  if (dormitory !== null)
    return { ...PLAIN, kind: 'Dormitory', dormitory: `${dormitory[1]}${dormitory[2] ?? ''}`.trim() }
  return {
    ...PLAIN,
    grade: GRADE.exec(name)?.[1] ?? '',
    sleeping: (SLEEPING.exec(name)?.[1] ?? '') as RoomParts['sleeping'],
    kind: name.includes('Four-Bed') ? 'Quadruple Room' : (KIND.exec(name)?.[1] ?? 'Room'),
    bedrooms: BEDROOMS[/\b(?:One|Two|Three)-Bedroom/.exec(name)?.[0] ?? ''] ?? 0,
    view: (VIEW.exec(name)?.[1] ?? '').replace('Partial Sea', 'Partial sea'),
    outdoor: name.includes('Balcony') ? 'Balcony' : '',
    accessible: name.includes('Accessible'),
  }
}
