import type { Occupancy, Stay } from '../../domain/stay.ts'

/** Rooms of one stay with equal guests: one occupancy of a request, one rate key of a booking. */
export type Party = {
  readonly adults: number
  /** Ascending, because the vendor may answer in any order. */
  readonly childrenAges: readonly number[]
  /** Which rooms of the stay, counted from 0. */
  readonly rooms: readonly number[]
  /** `2x2-5,6`: rooms, adults, ages; equal text means an equal party. */
  readonly key: string
}

/** `2-5,6`: adults and ages; equal text means equal guests. */
export const occupancyText = ({ adults, childrenAges }: Occupancy): string =>
  `${adults}-${[...childrenAges].sort((a, b) => a - b).join(',')}`

/** A key with two rooms is booked once for both, so equal rooms have to be asked for together. */
export function partiesOf(stay: Pick<Stay, 'occupancies'>): Party[] {
  const rooms = new Map<string, number[]>()
  stay.occupancies.forEach((occupancy, index) => {
    const key = occupancyText(occupancy)
    rooms.set(key, [...(rooms.get(key) ?? []), index])
  })
  return Array.from(rooms, ([key, indexes]) => ({ ...partyOfKey(`${indexes.length}x${key}`), rooms: indexes }))
}

/** A party from its key, for reading answers when the stay itself is not known. */
export function partyOfKey(key: string): Party {
  const [, rooms = '1', adults = '1', ages = ''] = /^(\d+)x(\d+)-([\d,]*)$/.exec(key) ?? []
  return {
    adults: Number(adults),
    childrenAges: ages === '' ? [] : ages.split(',').map(Number),
    rooms: Array.from({ length: Number(rooms) }, (_, index) => index),
    key,
  }
}

/** Which party a rate is for; -1 when for none of them. Ages are compared where the vendor repeats them. */
export function partyIndexOf(
  parties: readonly Party[],
  rooms: unknown,
  adults: unknown,
  children: unknown,
  ages: unknown,
): number {
  const fits = parties.flatMap((party, index) =>
    party.rooms.length === rooms && party.adults === adults && party.childrenAges.length === children ? [index] : [],
  )
  if (children !== 0 && typeof ages === 'string') {
    return fits.find((index) => sameAges(ages, parties[index])) ?? -1
  }
  // Without ages, two parties that differ only there cannot be distinguished.
  return fits.length === 1 ? (fits[0] ?? -1) : -1
}

/** The ages may be those of one room or of all rooms of the party: no answer for several rooms with children is known. */
function sameAges(text: string, party: Party | undefined): boolean {
  const ages = text.split(/[,;~]/).map(Number)
  ages.sort((a, b) => a - b)
  const each = party?.childrenAges ?? []
  const all = each.flatMap((age) => (party?.rooms ?? []).map(() => age))
  return ages.join() === each.join() || ages.join() === all.join()
}
