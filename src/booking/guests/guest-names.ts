import { type Occupancy, occupancyKey } from '../../domain/stay.ts'
import { foldText } from '../../lib/text/fold-text.ts'

type Name = { readonly givenName: string; readonly familyName: string }

/** Shorter beginnings than this say nothing. */
const SHORTENED_MIN = 3

/**
 * The rooms, counted from 1, whose lead guest is not among those the vendor names, or is in a room of another party. Vendors
 * write in capitals, without accents, cut long names off and change the order, which is all the same person.
 */
export function guestsMissing(
  booked: readonly Name[],
  said: readonly (Name & { readonly party?: Occupancy })[],
  occupancies: readonly Occupancy[],
): number[] {
  const parties = occupancies.map(partyOf)
  // A party that nobody booked says that the rooms are listed in another way: then only the names count.
  const areInRooms = said.every(({ party }) => party !== undefined && parties.includes(partyOf(party)))
  const isInRoom = (party: Occupancy | undefined, place: number) =>
    !areInRooms || (party !== undefined && partyOf(party) === parties[place])
  const open = [...said]
  return booked.flatMap((guest, place) => {
    const found = open.findIndex((other) => isSamePerson(guest, other) && isInRoom(other.party, place))
    if (found === -1) return [place + 1]
    open.splice(found, 1)
    return []
  })
}

/** Equal for equal parties, in whatever order the ages come. */
export const partyOf = ({ adults, childrenAges }: Occupancy) =>
  occupancyKey({ adults, childrenAges: [...childrenAges].sort((a, b) => a - b) })

function isSamePerson(a: Name, b: Name): boolean {
  const [given, family] = [lettersOf(a.givenName), lettersOf(a.familyName)]
  const [otherGiven, otherFamily] = [lettersOf(b.givenName), lettersOf(b.familyName)]
  const isSame = (x: string, y: string) =>
    x === y || (Math.min(x.length, y.length) >= SHORTENED_MIN && (x.startsWith(y) || y.startsWith(x)))
  return (
    (isSame(given, otherGiven) && isSame(family, otherFamily)) ||
    (isSame(given, otherFamily) && isSame(family, otherGiven)) ||
    isSame(given + family, otherGiven + otherFamily)
  )
}

const lettersOf = (name: string) => foldText(name).replaceAll(/[^\p{L}\p{N}]/gu, '')
