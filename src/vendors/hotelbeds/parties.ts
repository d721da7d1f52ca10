import type { Occupancy, Stay } from '../../domain/stay.ts'

/** Rooms of one stay that hold an equal party: one occupancy of a request, one rate key of a booking. */
export type Party = {
  readonly adults: number
  /** Ascending, because the vendor may answer in any order. */
  readonly childrenAges: readonly number[]
  /** Which rooms of the stay, counted from 0. */
  readonly rooms: readonly number[]
  /** `2x2-5,6`: rooms, adults, ages; equal text means an equal party. */
  readonly key: string
}

/** A key with two rooms is booked once for both, so equal rooms have to be asked for together. */
export function partiesOf(stay: Pick<Stay, 'occupancies'>): Party[] {
  const rooms = new Map<string, number[]>()
  stay.occupancies.forEach((occupancy, index) => {
    const key = `${occupancy.adults}-${agesOf(occupancy).join(',')}`
    const found = rooms.get(key)
    if (found === undefined) rooms.set(key, [index])
    else found.push(index)
  })
  return Array.from(rooms, ([key, indexes]) => {
    const [adults = '', ages = ''] = key.split('-')
    return {
      adults: Number(adults),
      childrenAges: ages === '' ? [] : ages.split(',').map(Number),
      rooms: indexes,
      key: `${indexes.length}x${key}`,
    }
  })
}

const agesOf = (occupancy: Occupancy) => [...occupancy.childrenAges].sort((a, b) => a - b)

/** Which party a rate is for; -1 when for none of them. Ages are compared where the vendor repeats them. */
export function partyIndexOf(
  parties: readonly Party[],
  rooms: unknown,
  adults: unknown,
  children: unknown,
  ages: unknown,
): number {
  let found = -1
  for (let index = 0; index < parties.length; index++) {
    const party = parties[index]
    if (party === undefined || party.rooms.length !== rooms || party.adults !== adults) continue
    if (party.childrenAges.length !== children) continue
    if (children === 0) return index
    if (typeof ages === 'string') {
      if (sameAges(ages, party.childrenAges)) return index
    } else if (found === -1) found = index
    // Without ages, two parties that differ only there cannot be told apart.
    else return -1
  }
  return found
}

function sameAges(text: string, wanted: readonly number[]): boolean {
  const ages = text.split(/[,;~]/).map(Number)
  ages.sort((a, b) => a - b)
  return ages.length === wanted.length && ages.every((age, index) => age === wanted[index])
}
