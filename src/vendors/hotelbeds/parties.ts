import type { Occupancy, Stay } from '../../domain/stay.ts'

/** Rooms of one stay with equal guests: one occupancy of a request, one rate key of a booking. */
export type Party = {
  readonly adults: number
  /** Ascending, because the vendor may return them in any order. */
  readonly childrenAges: readonly number[]
  /** Indexes of the stay's rooms. */
  readonly rooms: readonly number[]
  /** `2x2-5,6`: rooms, adults, ages; equal keys mean equal parties. */
  readonly key: string
}

/** `2-5,6`: adults and ages; equal texts mean equal guests. */
export const occupancyText = ({ adults, childrenAges }: Occupancy): string =>
  `${adults}-${[...childrenAges].sort((a, b) => a - b).join(',')}`

/** A rate key covers all equal rooms, so they must be requested together. */
export function groupParties(stay: Pick<Stay, 'occupancies'>): Party[] {
  const rooms = new Map<string, number[]>()
  stay.occupancies.forEach((occupancy, index) => {
    const key = occupancyText(occupancy)
    rooms.set(key, [...(rooms.get(key) ?? []), index])
  })
  return Array.from(rooms, ([key, indexes]) => ({ ...parsePartyKey(`${indexes.length}x${key}`), rooms: indexes }))
}

/** For decoding responses if the stay itself is not known. */
export function parsePartyKey(key: string): Party {
  const [, rooms = '1', adults = '1', ages = ''] = /^(\d+)x(\d+)-([\d,]*)$/.exec(key) ?? []
  return {
    adults: Number(adults),
    childrenAges: ages === '' ? [] : ages.split(',').map(Number),
    rooms: Array.from({ length: Number(rooms) }, (_, index) => index),
    key,
  }
}

/** Index of the party that a rate is for; -1 if there is none. Ages are compared if the vendor repeats them. */
export function matchParty(
  parties: readonly Party[],
  rooms: unknown,
  adults: unknown,
  children: unknown,
  ages: unknown,
): number {
  const matches = parties.flatMap((party, index) =>
    party.rooms.length === rooms && party.adults === adults && party.childrenAges.length === children ? [index] : [],
  )
  if (children !== 0 && typeof ages === 'string') {
    return matches.find((index) => sameAges(ages, parties[index])) ?? -1
  }
  // Without ages, two parties that differ only there cannot be distinguished.
  return matches.length === 1 ? (matches[0] ?? -1) : -1
}

/** Accepts the ages of one room or of all rooms: no response for several rooms with children is known. */
function sameAges(text: string, party: Party | undefined): boolean {
  const ages = text.split(/[,;~]/).map(Number)
  ages.sort((a, b) => a - b)
  const roomAges = party?.childrenAges ?? []
  const partyAges = roomAges.flatMap((age) => (party?.rooms ?? []).map(() => age))
  return ages.join() === roomAges.join() || ages.join() === partyAges.join()
}
